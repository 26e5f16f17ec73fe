import type { Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { Circuit } from '../network/circuit/circuit.entity.js';
import { Cluster } from '../network/cluster/cluster.entity.js';
import { DevicePort } from '../network/device-port/device-port.entity.js';
import { Device } from '../network/device/device.entity.js';
import { IpAddress } from '../network/ip-address/ip-address.entity.js';
import { Location } from '../network/location/location.entity.js';
import { PowerFeed } from '../network/power-feed/power-feed.entity.js';
import { Rack } from '../network/rack/rack.entity.js';
import { Region } from '../network/region/region.entity.js';
import { Site } from '../network/site/site.entity.js';
import { VirtualMachineAddress } from '../network/virtual-machine-address/virtual-machine-address.entity.js';
import { VirtualMachineInterface } from '../network/virtual-machine-interface/virtual-machine-interface.entity.js';
import { VirtualMachine } from '../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../procurement/asset/asset.entity.js';
import { resourceNameOf, tableOf, valueOf } from '../lists/record-sql.js';

/** A kind of record that others contain, and the columns that say which. */
export interface Contained {
  record: Class;
  /** In the order in which the response names one of several: the closest first. */
  containers: readonly Container[];
}

/** A link to a container: two columns of one table, that of the contained record unless it is another. */
export interface Container {
  record: Class;
  /** Column with the id of the container. */
  column: string;
  /** The table of the link, if it is that of the container, as hosts refer to their cluster, or a third one. */
  over?: { record: Class; contained: string };
}

/** The table of a link, and its columns with the ids of what is contained and of the container. */
export function linkOf(
  contained: Class,
  { column, over }: Container,
): Record<'table' | 'contained' | 'container', string> {
  return { table: tableOf(over?.record ?? contained), contained: over?.contained ?? 'id', container: column };
}

/** What contains what, in the order in which responses have it. Locations contain each other, and so do regions. */
export const CONTAINMENT: readonly Contained[] = [
  { record: Region, containers: [{ record: Region, column: 'parent_id' }] },
  { record: Site, containers: [{ record: Region, column: 'region_id' }] },
  { record: Circuit, containers: [] },
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
    record: PowerFeed,
    containers: [
      { record: Rack, column: 'rack_id' },
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
  {
    record: IpAddress,
    containers: [
      { record: Device, column: 'device_id' },
      {
        record: VirtualMachine,
        column: 'virtual_machine_id',
        over: { record: VirtualMachineAddress, contained: 'ip_address_id' },
      },
    ],
  },
  {
    record: Cluster,
    containers: [
      { record: Site, column: 'site_id' },
      { record: Device, column: 'id', over: { record: Device, contained: 'cluster_id' } },
    ],
  },
  { record: VirtualMachine, containers: [{ record: Cluster, column: 'cluster_id' }] },
  { record: VirtualMachineInterface, containers: [{ record: VirtualMachine, column: 'virtual_machine_id' }] },
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
    containers.map((way) => {
      const link = linkOf(record, way);
      return `SELECT '${nameOfResource(way.record)}', l.${link.container} FROM ${link.table} l
        WHERE a.resource = '${nameOfResource(record)}' AND l.${link.contained} = a.id AND l.${link.container} IS NOT NULL`;
    }),
  );
  return `${name} (seed, resource, id) AS (
    SELECT seed, resource::text, id FROM (${seeds}) seeds
    UNION
    SELECT a.seed, e.resource::text, e.id FROM ${name} a CROSS JOIN LATERAL (${steps.join(' UNION ALL ')}) e (resource, id)
  )`;
}
