import { Index } from 'typeorm';
import {
  BooleanField,
  CountField,
  LineField,
  NameField,
  OwnerField,
  ReferenceField,
  TextField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { PortModeField } from '../ports/port-mode.field.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';
import { Vlan } from '../vlan/vlan.entity.js';
import { Vrf } from '../vrf/vrf.entity.js';

defineRule(
  'ix_virtual_machine_interfaces_virtual_machine_id_name',
  'name',
  'is already taken by another interface of the virtual machine',
);

// Raised by a trigger (`src/schema/functions/keep_fixed.sql`).
defineRule('ck_virtual_machine_interfaces_virtual_machine_id_fixed', 'virtualMachineId', 'cannot be changed');

/** A network interface of a virtual machine. It never moves to another one. */
@RecordEntity('virtual_machine_interfaces', { area: 'network', listed: true })
@Index(['virtualMachineId', 'name'], { unique: true })
export class VirtualMachineInterface extends StoredRecord {
  @OwnerField(() => VirtualMachine, 'Virtual machine that has the interface', { indexed: false })
  virtualMachineId!: string;
  @NameField('Name, unique within the virtual machine', { example: 'eth0' }) name!: string;
  @BooleanField('Switched on', { default: true }) enabled!: boolean;
  @LineField('MAC address', { example: '00:50:56:9A:12:34', searchable: true }) macAddress!: string | null;
  @CountField('Largest packet that it passes, in bytes', { example: 1500 }) mtu!: number | null;
  @PortModeField() mode!: string | null;
  @ReferenceField(() => Vlan, 'VLAN of its untagged frames') untaggedVlanId!: string | null;
  @ReferenceField(() => Vrf, 'Routing table that it is in') vrfId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
