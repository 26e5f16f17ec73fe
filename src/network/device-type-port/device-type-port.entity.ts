import { Index } from 'typeorm';
import { BooleanField, CountField, LineField, NameField, OwnerField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { DeviceType } from '../device-type/device-type.entity.js';

defineRule('ix_device_type_ports_device_type_id_name', 'name', 'is already taken by another port of the device type');

/** A port that devices of a type have. */
@RecordEntity('device_type_ports', { area: 'network' })
@Index(['deviceTypeId', 'name'], { unique: true })
export class DeviceTypePort extends StoredRecord {
  @OwnerField(() => DeviceType, 'Device type whose devices have the port', { indexed: false }) deviceTypeId!: string;
  @NameField('Name, unique within the device type', { example: 'GigabitEthernet1/0/1' }) name!: string;
  @LineField('What is written on it', { example: '1', searchable: true }) label!: string | null;
  @LineField('Kind of port', { example: '1000base-t' }) type!: string | null;
  @BooleanField('For management only, not for traffic') mgmtOnly!: boolean;
  @CountField('Speed in Mbit/s', { example: 1000 }) speedMbps!: number | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
