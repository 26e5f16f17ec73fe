import { raw, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { DeviceRole } from '../../network/device-role/device-role.entity.js';
import { DeviceType } from '../../network/device-type/device-type.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { IpAddress } from '../../network/ip-address/ip-address.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Platform } from '../../network/platform/platform.entity.js';
import { PowerFeed } from '../../network/power-feed/power-feed.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Region } from '../../network/region/region.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { SoftwareLicence } from '../../procurement/software-licence/software-licence.entity.js';
import { linkedName } from '../../records/record-link.js';

/** The records that can be targets, by the name of their resource. */
export const TARGETED_RECORDS = {
  sites: () => Site,
  locations: () => Location,
  racks: () => Rack,
  devices: () => Device,
  clusters: () => Cluster,
  'virtual-machines': () => VirtualMachine,
  'ip-addresses': () => IpAddress,
  assets: () => Asset,
  'software-licences': () => SoftwareLicence,
  regions: () => Region,
  circuits: () => Circuit,
  'power-feeds': () => PowerFeed,
} satisfies Record<string, () => Class>;

export type TargetedResource = keyof typeof TARGETED_RECORDS;

export const TARGETED_RESOURCES = Object.keys(TARGETED_RECORDS) as TargetedResource[];

/** Whether records of a resource can be targets. */
export const isTargeted = (resource: string): boolean => Object.hasOwn(TARGETED_RECORDS, resource);

/** The records that runbooks and known issues can be about. A kind of device stands for all devices of that kind. */
export const DESCRIBED_RECORDS = {
  ...TARGETED_RECORDS,
  'device-types': () => DeviceType,
  'device-roles': () => DeviceRole,
  platforms: () => Platform,
  manufacturers: () => Manufacturer,
} satisfies Record<string, () => Class>;

export type DescribedResource = keyof typeof DESCRIBED_RECORDS;

/** SQL of the name of a targeted record; null if there is no such record. @param resource SQL of its resource @param id SQL of its id */
export const targetName = (resource: string, id: string): string => linkedName(TARGETED_RECORDS, resource, id);

/** SQL of a described record as an object. @param r alias with its `resource` and `id` */
export const recordOf = (r: string): Sql =>
  raw(
    `json_build_object('resource', ${r}.resource, 'id', ${r}.id, 'name', ${linkedName(DESCRIBED_RECORDS, `${r}.resource`, `${r}.id`)})`,
  );
