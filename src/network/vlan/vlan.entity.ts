import { Index } from 'typeorm';
import { IntegerField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { Site } from '../site/site.entity.js';
import { MAX_VID, MIN_VID, VlanGroup } from '../vlan-group/vlan-group.entity.js';

defineRule('ix_vlans_vlan_group_id_vid', 'vid', 'is already taken by another VLAN of the group');
// Raised by the trigger `vlans_range` (`src/schema/functions/vlans_range.sql`).
defineRule('ck_vlans_range', 'vid', 'must be within minVid and maxVid of its VLAN group');

/** A virtual LAN (IEEE 802.1Q). */
@RecordEntity('vlans', { area: 'network', label: 'VLAN', plural: 'VLANs', apart: ['vid', 'vlanGroupId', 'siteId'] })
@Index(['vlanGroupId', 'vid'], { unique: true })
export class Vlan extends StoredRecord {
  @IntegerField('VLAN id, unique in its group and within the range of the group', {
    required: true,
    min: MIN_VID,
    max: MAX_VID,
    example: 110,
    nominal: true,
    label: 'VLAN number',
  })
  vid!: number;
  @NameField('Name', { example: 'servers' }) name!: string;
  @ReferenceField(() => VlanGroup, 'Group that the VLAN is in', { indexed: false }) vlanGroupId!: string | null;
  @ReferenceField(() => Site, 'Site where the VLAN is used') siteId!: string | null;
  @ReferenceField(() => TenantGroup, 'Tenant group that the VLAN serves') tenantGroupId!: string | null;
  @WordField('Status', ['active', 'reserved', 'deprecated'], { default: 'active', counted: true }) status!: string;
  @WordField('Role', ['access', 'voice', 'management', 'storage', 'transit']) role!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
