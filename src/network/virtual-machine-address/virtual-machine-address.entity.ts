import { OwnerField, ReferenceField, TypedField } from '../../fields/fields.js';
import { uuid } from '../../fields/types/uuid.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { IpAddress } from '../ip-address/ip-address.entity.js';
import { VirtualMachineInterface } from '../virtual-machine-interface/virtual-machine-interface.entity.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';

defineRule('ix_virtual_machine_addresses_ip_address_id', 'ipAddressId', 'already belongs to a virtual machine');
// Raised by triggers (`src/schema/functions/virtual_machine_addresses_home.sql`, `keep_fixed.sql`).
defineRule('uq_virtual_machine_addresses_device', 'ipAddressId', 'already belongs to a device');
defineRule('ck_virtual_machine_addresses_interface', 'interfaceId', 'must be an interface of the virtual machine');
defineRule('ck_virtual_machine_addresses_ip_address_id_fixed', 'ipAddressId', 'cannot be changed');

/** An IP address of a virtual machine. An address belongs to one device or one virtual machine. */
@RecordEntity('virtual_machine_addresses', { area: 'network' })
export class VirtualMachineAddress extends StoredRecord {
  @OwnerField(() => VirtualMachine, 'Virtual machine that has the address') virtualMachineId!: string;
  @TypedField(uuid, 'The address. It cannot be changed', {
    required: true,
    fixed: true,
    unique: true,
    references: () => IpAddress,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
  })
  ipAddressId!: string;
  @ReferenceField(() => VirtualMachineInterface, 'Interface of the virtual machine that the address is bound to')
  interfaceId!: string | null;
}
