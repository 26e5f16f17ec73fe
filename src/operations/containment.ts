import type { Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { Cluster } from '../network/cluster/cluster.entity.js';
import { DevicePort } from '../network/device-port/device-port.entity.js';
import { Device } from '../network/device/device.entity.js';
import { IpAddress } from '../network/ip-address/ip-address.entity.js';
import { Location } from '../network/location/location.entity.js';
import { Rack } from '../network/rack/rack.entity.js';
import { Site } from '../network/site/site.entity.js';
import { VirtualMachine } from '../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../procurement/asset/asset.entity.js';
import { resourceNameOf, tableOf, valueOf } from '../lists/resource.js';

/** A kind of record that others contain, and the columns that say which. */
export interface Contained {
  record: Class;
  /** In the order in which the response names one of several: the closest first. */
  containers: readonly Container[];
}

interface Container {
  record: Class;
  /** Column of the contained record that refers to its container; or of the container that refers to what it contains. */
  column: string;
  /** Whether the container refers to what it contains, as hosts do to their cluster. */
  isReferring?: true;
}

/** What contains what, every container before what it contains. Only locations contain each other. */
export const CONTAINMENT: readonly Contained[] = [
  { record: Site, containers: [] },
  {
    record: Location,
    containers: [
      { record: Location, column: 'parent_id' },
      { record: Site, column: 'site_id' },
    ],
  },
  {
    record: Rack,
    containers: [
      { record: Location, column: 'location_id' },
      { record: Site, column: 'site_id' },
    ],
  },
  {
    record: Asset,
    containers: [
      { record: Location, column: 'location_id' },
      { record: Site, column: 'site_id' },
    ],
  },
  {
    record: Device,
    containers: [
      { record: Rack, column: 'rack_id' },
      { record: Location, column: 'location_id' },
      { record: Site, column: 'site_id' },
      { record: Asset, column: 'asset_id' },
    ],
  },
  { record: DevicePort, containers: [{ record: Device, column: 'device_id' }] },
  { record: IpAddress, containers: [{ record: Device, column: 'device_id' }] },
  {
    record: Cluster,
    containers: [
      { record: Site, column: 'site_id' },
      { record: Device, column: 'cluster_id', isReferring: true },
    ],
  },
  { record: VirtualMachine, containers: [{ record: Cluster, column: 'cluster_id' }] },
];

/** Name of a record's resource. */
export const nameOfResource = (record: Class): string => resourceNameOf(tableOf(record));

/** SQL of the name of a record; `alias` is that of its table. */
export const nameOfRecord = (record: Class, alias: string): string => `${valueOf(namingOf(record)!, alias)}::text`;

/**
 * SQL of a recursive CTE with the records of some seeds and everything that contains them, as `{seed, resource, id}`. A
 * record that contains itself is there once.
 * @param name of the CTE
 * @param seeds SELECT of `{seed, resource, id}`
 */
export function containing(name: string, seeds: string): string {
  const steps = CONTAINMENT.flatMap(({ record, containers }) =>
    containers.map(({ record: container, column, isReferring }) => {
      const from = `a.resource = '${nameOfResource(record)}'`;
      return isReferring
        ? `SELECT '${nameOfResource(container)}', c.id FROM ${tableOf(container)} c WHERE ${from} AND c.${column} = a.id`
        : `SELECT '${nameOfResource(container)}', c.${column} FROM ${tableOf(record)} c WHERE ${from} AND c.id = a.id AND c.${column} IS NOT NULL`;
    }),
  );
  return `${name} (seed, resource, id) AS (
    SELECT seed, resource::text, id FROM (${seeds}) seeds
    UNION
    SELECT a.seed, e.resource::text, e.id FROM ${name} a CROSS JOIN LATERAL (${steps.join(' UNION ALL ')}) e (resource, id)
  )`;
}
