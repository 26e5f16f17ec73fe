import { Index } from 'typeorm';
import { BooleanField, CountField, LineField, OwnerField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { PortRules } from '../ports/port-kinds.js';
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

/** A port that devices of a type have. */
@RecordEntity('device_type_ports', { area: 'network', listed: true })
@Index(['deviceTypeId', 'kind', 'name'], { unique: true })
@Index(['rearPortId', 'rearPosition'], { unique: true, where: '"rear_port_id" IS NOT NULL' })
@Index(['powerPortId'], { where: '"power_port_id" IS NOT NULL' })
@Index('ix_device_type_ports_name_natural', { synchronize: false })
@PortRules(
  'device_type_ports',
  [
    ...['speedMbps', 'maximumDrawW', 'allocatedDrawW', 'powerPortId', 'feedLeg'],
    ...['rearPortId', 'rearPosition', 'positions'],
  ],
  { field: 'deviceTypeId', words: 'device type' },
)
export class DeviceTypePort extends StoredRecord {
  @OwnerField(() => DeviceType, 'Device type whose devices have the port', { indexed: false }) deviceTypeId!: string;
  @PortKindField() kind!: string;
  @PortNameField('device type') name!: string;
  @LineField('Text on its label', { example: '1', searchable: true }) label!: string | null;
  @LineField('Type of connector or of port', { example: '1000base-t' }) type!: string | null;
  @BooleanField('For management only, not for traffic', { label: 'For management only' }) mgmtOnly!: boolean;
  @CountField('Speed in Mbit/s', { example: 1000 }) speedMbps!: number | null;
  @MaximumDrawField() maximumDrawW!: number | null;
  @AllocatedDrawField() allocatedDrawW!: number | null;
  @SiblingField(
    () => DeviceTypePort,
    'deviceTypeId',
    'power',
    'Of an outlet: the power port that feeds it; all of the device, if null',
  )
  powerPortId!: string | null;
  @FeedLegField() feedLeg!: string | null;
  @RearPortField(() => DeviceTypePort, 'deviceTypeId') rearPortId!: string | null;
  @RearPositionField() rearPosition!: number | null;
  @PositionsField() positions!: number | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
