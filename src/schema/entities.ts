import { Index } from 'typeorm';
import { LoginThrottle } from '../auth/login-throttle.entity.js';
import { Profile } from '../auth/profile/profile.entity.js';
import { Session } from '../auth/session/session.entity.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { CatalogueEntry } from '../catalogue/catalogue-entry.entity.js';
import { IdempotencyKey } from '../resource/idempotency/idempotency.entity.js';
import type { Class } from '../fields/field.js';
import { listIndexNames } from './migrations/record-table.js';
import { isLine } from '../fields/field-types.js';
import type { StoredRecord } from '../fields/record.js';
import { resourceOf } from '../records/resource.js';
import { Cluster } from '../network/cluster/cluster.entity.js';
import { ClusterType } from '../network/cluster-type/cluster-type.entity.js';
import { Device } from '../network/device/device.entity.js';
import { DevicePort } from '../network/device-port/device-port.entity.js';
import { DeviceRole } from '../network/device-role/device-role.entity.js';
import { DeviceType } from '../network/device-type/device-type.entity.js';
import { DeviceTypeModule } from '../network/device-type-module/device-type-module.entity.js';
import { IpAddress } from '../network/ip-address/ip-address.entity.js';
import { Location } from '../network/location/location.entity.js';
import { Platform } from '../network/platform/platform.entity.js';
import { Rack } from '../network/rack/rack.entity.js';
import { Site } from '../network/site/site.entity.js';
import { VirtualMachine } from '../network/virtual-machine/virtual-machine.entity.js';
import { Vrf } from '../network/vrf/vrf.entity.js';
import { ChangeRequest } from '../operations/change-request/change-request.entity.js';
import { Incident } from '../operations/incident/incident.entity.js';
import { KnownIssue } from '../operations/known-issue/known-issue.entity.js';
import { MaintenanceWindow } from '../operations/maintenance-window/maintenance-window.entity.js';
import { OnCallSchedule } from '../operations/on-call-schedule/on-call-schedule.entity.js';
import { Runbook } from '../operations/runbook/runbook.entity.js';
import { Person } from '../people/person/person.entity.js';
import { TenantGroup } from '../people/tenant-group/tenant-group.entity.js';
import { Asset } from '../procurement/asset/asset.entity.js';
import { AssetAssignment } from '../procurement/asset/asset-assignment.entity.js';
import { AssetCategory } from '../procurement/asset-category/asset-category.entity.js';
import { Contract } from '../procurement/contract/contract.entity.js';
import { Manufacturer } from '../procurement/manufacturer/manufacturer.entity.js';
import { PurchaseOrder } from '../procurement/purchase-order/purchase-order.entity.js';
import { PurchaseOrderItem } from '../procurement/purchase-order/purchase-order-item.entity.js';
import { Renewal } from '../procurement/renewal/renewal.entity.js';
import { Sla } from '../procurement/sla/sla.entity.js';
import { SoftwareLicence } from '../procurement/software-licence/software-licence.entity.js';
import { Vendor } from '../procurement/vendor/vendor.entity.js';
import { Setting } from '../database/setting.entity.js';

/** Every table of the service. */
export const entities = [
  Profile,
  Session,
  LoginThrottle,
  IdempotencyKey,
  Setting,
  CatalogueEntry,
  ChangeLogEntry,
  Person,
  TenantGroup,
  OnCallSchedule,
  Runbook,
  KnownIssue,
  MaintenanceWindow,
  ChangeRequest,
  Incident,
  Site,
  Location,
  Rack,
  DeviceType,
  DeviceTypeModule,
  DeviceRole,
  Platform,
  Device,
  DevicePort,
  Vrf,
  IpAddress,
  ClusterType,
  Cluster,
  VirtualMachine,
  Manufacturer,
  AssetCategory,
  Asset,
  AssetAssignment,
  PurchaseOrder,
  PurchaseOrderItem,
  Vendor,
  Contract,
  Sla,
  SoftwareLicence,
  Renewal,
];

// Indexes that migrations make, as TypeORM knows none of their kind: it would drop what it is not told of.
for (const entity of entities) {
  const { table, searched } = resourceOf(entity as Class<StoredRecord>);
  const lines = searched.filter(isLine).map((field) => field.columnName);
  for (const name of listIndexNames(table, lines)) Index(name, { synchronize: false })(entity);
}
