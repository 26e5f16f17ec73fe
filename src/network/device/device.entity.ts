import { EnumField, LineField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { Cluster } from '../cluster/cluster.entity.js';
import { DeviceRole } from '../device-role/device-role.entity.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { Location } from '../location/location.entity.js';
import { Platform } from '../platform/platform.entity.js';
import { RackUnitsField } from '../rack-units.field.js';
import { Rack, RACK_FACES } from '../rack/rack.entity.js';
import { Site } from '../site/site.entity.js';

defineRule('ex_devices_rack_position', 'rackPosition', `overlaps ${DETAIL}`);
defineRule('ck_devices_rack_position_units', 'rackPosition', `does not fit: ${DETAIL}`);
defineRule('ck_devices_site_id_rack', 'siteId', 'must be the site of the rack');
defineRule('ck_devices_location_id_rack', 'locationId', 'must be the location of the rack');

@RecordEntity('devices', { area: 'network', apart: ['siteId'] })
export class Device extends StoredRecord {
  @NameField('Name', { example: 'ams-core-sw-01' }) name!: string;
  @ReferenceField(() => DeviceType, 'Model of the device', { label: 'Type' }) deviceTypeId!: string | null;
  @ReferenceField(() => DeviceRole, 'Role of the device in the network', { label: 'Role' }) deviceRoleId!:
    string | null;
  @ReferenceField(() => Platform, 'Operating system that it runs') platformId!: string | null;
  @ReferenceField(() => Site, 'Site where it is, the same as that of its rack and of its location if they have one')
  siteId!: string | null;
  @ReferenceField(() => Location, 'Location where it is. If its rack has one, it is the same one')
  locationId!: string | null;
  @ReferenceField(() => Rack, 'Rack that it is mounted in. It must fit between the devices of the rack')
  rackId!: string | null;
  @RackUnitsField('Lowest rack unit that it takes, counted from 1 at the bottom', {
    example: 12,
    nominal: true,
    label: 'Unit',
  })
  rackPosition!: number | null;
  @EnumField('Side of the rack that it faces; the front, if null', 'RackFace', RACK_FACES, { label: 'Face' })
  rackFace!: string | null;
  @ReferenceField(() => Cluster, 'Cluster that it is a host of') clusterId!: string | null;
  @ReferenceField(() => TenantGroup, 'Tenants that it serves') tenantGroupId!: string | null;
  @ReferenceField(() => Asset, 'Its entry in the asset register') assetId!: string | null;
  @WordField('Status', ['active', 'offline', 'planned', 'staged', 'failed', 'inventory', 'decommissioning'], {
    default: 'active',
    counted: true,
  })
  status!: string;
  @LineField('Serial number', { example: 'FCW2231L0AB', searchable: true }) serialNumber!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
