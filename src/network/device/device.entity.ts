import { EnumField, LineField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { Cluster } from '../cluster/cluster.entity.js';
import { DeviceRole } from '../device-role/device-role.entity.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { Location } from '../location/location.entity.js';
import { Platform } from '../platform/platform.entity.js';
import { RackUnitsField } from '../rack-units.field.js';
import { Rack } from '../rack/rack.entity.js';
import { Site } from '../site/site.entity.js';

@RecordEntity('devices', { area: 'network' })
export class Device extends StoredRecord {
  @NameField('Name', { example: 'ams-core-sw-01' }) name!: string;
  @ReferenceField(() => DeviceType, 'Model of the device') deviceTypeId!: string | null;
  @ReferenceField(() => DeviceRole, 'What the device does in the network') deviceRoleId!: string | null;
  @ReferenceField(() => Platform, 'Operating system that it runs') platformId!: string | null;
  @ReferenceField(() => Site, 'Site where it is') siteId!: string | null;
  @ReferenceField(() => Location, 'Location where it is') locationId!: string | null;
  @ReferenceField(() => Rack, 'Rack that it is mounted in') rackId!: string | null;
  @RackUnitsField('Lowest rack unit that it takes', { example: 12 }) rackPosition!: number | null;
  @EnumField('Side of the rack that it faces', 'RackFace', ['front', 'rear']) rackFace!: string | null;
  @ReferenceField(() => Cluster, 'Cluster that it is a host of') clusterId!: string | null;
  @ReferenceField(() => TenantGroup, 'Tenants that it serves') tenantGroupId!: string | null;
  @ReferenceField(() => Asset, 'Its entry in the asset register') assetId!: string | null;
  @WordField('Status', ['active', 'offline', 'planned', 'staged', 'failed', 'inventory', 'decommissioning'], {
    default: 'active',
  })
  status!: string;
  @LineField('Serial number', { example: 'FCW2231L0AB', searchable: true }) serialNumber!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
