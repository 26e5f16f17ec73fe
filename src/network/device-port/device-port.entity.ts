import { Index } from 'typeorm';
import { BooleanField, CountField, LineField, NameField, OwnerField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Device } from '../device/device.entity.js';

defineRule('ix_device_ports_device_id_name', 'name', 'is already taken by another port of the device');

/** A port of a device, physical or not. It never moves to another device. */
@RecordEntity('device_ports', { area: 'network' })
@Index(['deviceId', 'name'], { unique: true })
export class DevicePort extends StoredRecord {
  @OwnerField(() => Device, 'Device that the port is on', { indexed: false }) deviceId!: string;
  @NameField('Name, unique within the device', { example: 'GigabitEthernet1/0/1' }) name!: string;
  @LineField('What is written on it', { example: '1', searchable: true }) label!: string | null;
  @LineField('Kind of port', { example: '1000base-t' }) type!: string | null;
  @BooleanField('Switched on', { default: true }) enabled!: boolean;
  @LineField('MAC address', { example: '00:1B:44:11:3A:B7', searchable: true }) macAddress!: string | null;
  @CountField('Largest packet that it passes, in bytes', { example: 1500 }) mtu!: number | null;
  @CountField('Speed in Mbit/s', { example: 1000 }) speedMbps!: number | null;
  @BooleanField('For management only, not for traffic') mgmtOnly!: boolean;
  @TextField('Description', { searchable: true }) description!: string | null;
}
