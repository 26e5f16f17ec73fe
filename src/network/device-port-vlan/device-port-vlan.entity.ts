import { Index } from 'typeorm';
import { OwnerField, TypedField } from '../../fields/fields.js';
import { uuid } from '../../fields/types/uuid.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { Vlan } from '../vlan/vlan.entity.js';

defineRule('ix_device_port_vlans_port_id_vlan_id', 'vlanId', 'is already a tagged VLAN of the port');
// Raised by triggers (`src/schema/functions/device_port_vlans_mode.sql`, `keep_fixed.sql`).
defineRule('ck_device_port_vlans_mode', 'vlanId', 'needs a port whose mode is tagged');
defineRule('ck_device_port_vlans_port_id_fixed', 'portId', 'cannot be changed');

/** A VLAN whose tagged frames a port of a device carries. */
@RecordEntity('device_port_vlans', {
  area: 'network',
  listed: true,
  label: 'tagged VLAN of a port',
  plural: 'tagged VLANs of ports',
  // Not restored for a port whose mode no longer allows tagged VLANs.
  restoredIf: `EXISTS (SELECT FROM device_ports p WHERE p.id = (c.old_values->>'port_id')::uuid AND p.mode = 'tagged')`,
})
@Index(['portId', 'vlanId'], { unique: true })
export class DevicePortVlan extends StoredRecord {
  @OwnerField(() => DevicePort, 'Port that carries the VLAN', { indexed: false }) portId!: string;
  @TypedField(uuid, 'The VLAN', {
    required: true,
    references: () => Vlan,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
  })
  vlanId!: string;
}
