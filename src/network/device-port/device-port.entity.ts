import { Index } from 'typeorm';
import { BooleanField, CountField, LineField, OwnerField, ReferenceField, TextField } from '../../fields/fields.js';
import { CableIdField } from '../cable-id.field.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Device } from '../device/device.entity.js';
import { PortRules } from '../ports/port-kinds.js';
import { PortModeField } from '../ports/port-mode.field.js';
import {
  AllocatedDrawField,
  FeedLegField,
  MaximumDrawField,
  PortKindField,
  PortNameField,
  PositionsField,
  RearPortField,
  RearPositionField,
  SiblingField,
} from '../ports/port.fields.js';
import { Vlan } from '../vlan/vlan.entity.js';
import { Vrf } from '../vrf/vrf.entity.js';

// Raised by triggers (`device_port_links.sql`, `device_ports_kept.sql` and `device_ports_cabled.sql` in `src/schema/functions`).
defineRule('ck_device_ports_parent', 'parentId', 'must be another port of the kind network of the same device');
defineRule('ck_device_ports_parent_id', 'parentId', 'must not be the port itself or one that is within it');
defineRule('ck_device_ports_lag', 'lagId', 'must be another port of the same device with the type lag');
defineRule('ex_device_ports_type_cable', 'type', 'must not be virtual, lag or bridge: the port has a cable');
defineRule('ex_device_ports_rear_port_id_loop', 'rearPortId', 'would close a loop of cables');
defineRule('ex_device_ports_positions_loop', 'positions', 'would close a loop of cables');
defineRule('ex_device_ports_power_port_id_loop', 'powerPortId', 'would close a loop: power would feed itself');
defineRule(
  'ex_device_ports_power_port_id_long',
  'powerPortId',
  'would make a way of power that passes more than 64 outlets',
);
defineRule(
  'ex_device_ports_power_port_deleted_loop',
  'devicePort',
  `cannot be deleted: without it, power of the outlet ${DETAIL} would feed itself`,
);
defineRule(
  'ex_device_ports_power_port_deleted_long',
  'devicePort',
  `cannot be deleted: without it, the way of power through the outlet ${DETAIL} would pass more than 64 outlets`,
);
defineRule('ex_device_ports_type_members', 'type', 'must be lag: the port has members');
defineRule('ex_device_ports_mode_vlans', 'mode', 'must be tagged: the port has tagged VLANs');

/** A port of a device, physical or not. It never moves to another device. */
@RecordEntity('device_ports', { area: 'network', listed: true })
@Index(['deviceId', 'kind', 'name'], { unique: true })
@Index(['rearPortId', 'rearPosition'], { unique: true, where: '"rear_port_id" IS NOT NULL' })
@Index(['parentId'], { where: '"parent_id" IS NOT NULL' })
@Index(['lagId'], { where: '"lag_id" IS NOT NULL' })
@Index(['powerPortId'], { where: '"power_port_id" IS NOT NULL' })
@Index('ix_device_ports_name_natural', { synchronize: false })
@PortRules(
  'device_ports',
  [
    ...['parentId', 'lagId', 'mode', 'untaggedVlanId', 'vrfId', 'macAddress', 'mtu', 'speedMbps'],
    ...['maximumDrawW', 'allocatedDrawW', 'powerPortId', 'feedLeg', 'rearPortId', 'rearPosition', 'positions'],
  ],
  { field: 'deviceId', words: 'device' },
)
export class DevicePort extends StoredRecord {
  @OwnerField(() => Device, 'Device that the port is on', { indexed: false }) deviceId!: string;
  @PortKindField() kind!: string;
  @PortNameField('device') name!: string;
  @LineField('Text on its label', { example: '1', searchable: true }) label!: string | null;
  @LineField('Type of connector or of port, such as `lag` for a link aggregation', { example: '1000base-t' })
  type!: string | null;
  @BooleanField('Switched on', { default: true }) enabled!: boolean;
  @LineField('MAC address', { example: '00:1B:44:11:3A:B7', searchable: true }) macAddress!: string | null;
  @CountField('Largest packet that it passes, in bytes', { example: 1500 }) mtu!: number | null;
  @CountField('Speed in Mbit/s', { example: 1000 }) speedMbps!: number | null;
  @BooleanField('For management only, not for traffic', { label: 'For management only' }) mgmtOnly!: boolean;
  @SiblingField(() => DevicePort, 'deviceId', 'network', 'Of a network port: the port that it is a sub-interface of')
  parentId!: string | null;
  @SiblingField(
    () => DevicePort,
    'deviceId',
    'network',
    'Of a network port: the link aggregation that it is a member of',
  )
  lagId!: string | null;
  @PortModeField() mode!: string | null;
  @ReferenceField(() => Vlan, 'Of a network port: VLAN of its untagged frames') untaggedVlanId!: string | null;
  @ReferenceField(() => Vrf, 'Of a network port: routing table that it is in') vrfId!: string | null;
  @MaximumDrawField() maximumDrawW!: number | null;
  @AllocatedDrawField() allocatedDrawW!: number | null;
  @SiblingField(
    () => DevicePort,
    'deviceId',
    'power',
    'Of an outlet: the power port that feeds it; all of the device, if null',
  )
  powerPortId!: string | null;
  @FeedLegField() feedLeg!: string | null;
  @RearPortField(() => DevicePort, 'deviceId') rearPortId!: string | null;
  @RearPositionField() rearPosition!: number | null;
  @PositionsField() positions!: number | null;
  @TextField('Description', { searchable: true }) description!: string | null;
  @CableIdField() cableId!: string | null;
}
