import { EMPTY, identifier, join, literal, raw, sql, type Sql } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { CircuitTermination } from '../network/circuit-termination/circuit-termination.entity.js';
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

/** A kind of record that others contain, with the columns that identify them. */
export interface Contained {
  record: Class;
  /** In the order in which the response lists several of them: the closest first. */
  containers: readonly Container[];
  /** The next step outward if it does not lead to a container: the start of `outward`. */
  next?: Container;
}

/** A link to a container: two columns of a table. It is the table of the contained record unless another one is given. */
export interface Container {
  record: Class;
  /** Column with the id of the container. */
  column: string;
  /** The table of the link if it is another one: that of the container, as hosts refer to their cluster, or a third one. */
  over?: { record: Class; contained: string };
}

/** The table of a link, and its columns with the ids of what is contained and of the container. */
export const linkOf = (
  contained: Class,
  { column, over }: Container,
): Record<'table' | 'contained' | 'container', Sql> => ({
  table: identifier(tableOf(over?.record ?? contained)),
  contained: identifier(over?.contained ?? 'id'),
  container: identifier(column),
});

/** Containment of records, in the order of responses. Locations contain locations, and regions contain regions. */
export const CONTAINMENT: readonly Contained[] = [
  { record: Region, containers: [{ record: Region, column: 'parent_id' }] },
  { record: Site, containers: [{ record: Region, column: 'region_id' }] },
  {
    record: Circuit,
    containers: [],
    next: { record: Site, column: 'site_id', over: { record: CircuitTermination, contained: 'circuit_id' } },
  },
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
    next: { record: Device, column: 'id', over: { record: Device, contained: 'asset_id' } },
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
 * SQL of a recursive CTE with some seeds and everything that contains them, as `{seed, resource, id}`. A record that contains itself is
 * in it once.
 * @param name of the CTE
 * @param seeds SELECT of `{seed, resource, id}`
 */
export function containing(name: string, seeds: Sql): Sql {
  const steps = CONTAINMENT.flatMap(({ record, containers }) =>
    containers.map((way) => {
      const { table, contained, container } = linkOf(record, way);
      return sql`SELECT ${literal(nameOfResource(way.record))}, l.${container} FROM ${table} l
        WHERE a.resource = ${literal(nameOfResource(record))} AND l.${contained} = a.id AND l.${container} IS NOT NULL`;
    }),
  );
  return sql`${identifier(name)} (seed, resource, id) AS (
    SELECT seed, resource::text, id FROM (${seeds}) seeds
    UNION
    SELECT a.seed, e.resource::text, e.id FROM ${identifier(name)} a CROSS JOIN LATERAL (${join(steps, ' UNION ALL ')}) e (resource, id)
  )`;
}

/** Columns of `outward` with the places that records on the way refer to. They take precedence over the places of later records. */
const PLACES = new Map<Class, string>([
  [Location, 'location_id'],
  [Site, 'site_id'],
]);

/** The containers of a kind on the way outward. The place of a cluster is its site, not the places of its hosts. */
const waysOf = ({ containers }: Contained): Container[] =>
  containers.filter(({ record, over }) => record !== over?.record && record !== Asset);

/** SQL of the id of the only container of a record `r`. */
function containerOf(record: Class, way: Container): Sql {
  const { table, contained, container } = linkOf(record, way);
  if (way.over === undefined) return sql`r.${container}`;
  return sql`(SELECT l.${container} FROM ${table} l WHERE l.${contained} = r.id)`;
}

/** SELECTs of the next step outward from a record `w` of a kind, as `{resource, id, location_id, site_id}`. */
function stepsOutward(kind: Contained): Sql[] {
  const { record, next } = kind;
  const isKind = sql`w.resource = ${literal(nameOfResource(record))}`;
  const ways = waysOf(kind);
  const idOf = (way: Container | undefined): Sql => {
    const place = way && way.record !== record ? PLACES.get(way.record) : undefined;
    if (!way) return raw('NULL::uuid');
    const container = containerOf(record, way);
    return place ? sql`coalesce(w.${identifier(place)}, ${container})` : container;
  };
  const choices = ways.map((way, at) => {
    const places = [...PLACES.keys()].map((place) => idOf(ways.slice(at + 1).find((later) => later.record === place)));
    return sql`(${raw(at)}, ${literal(nameOfResource(way.record))}, ${idOf(way)}, ${join(places)})`;
  });
  const steps: Sql[] = [];
  let instead = EMPTY;
  if (next) {
    const { table, contained, container } = linkOf(record, next);
    const links = sql`FROM ${table} l WHERE l.${contained} = w.id AND l.${container} IS NOT NULL`;
    steps.push(
      sql`SELECT DISTINCT ${literal(nameOfResource(next.record))}, l.${container}, NULL::uuid, NULL::uuid ${links} AND ${isKind}`,
    );
    instead = sql` AND NOT EXISTS (SELECT ${links})`;
  }
  if (choices.length > 0) {
    steps.push(sql`SELECT n.resource, n.id, n.location_id, n.site_id FROM ${identifier(tableOf(record))} r CROSS JOIN LATERAL (
        SELECT * FROM (VALUES ${join(choices)}) v (place, resource, id, ${raw([...PLACES.values()].join(', '))})
        WHERE v.id IS NOT NULL ORDER BY place LIMIT 1
      ) n WHERE ${isKind} AND r.id = w.id${instead}`);
  }
  return steps;
}

/**
 * SELECT of seeds from among records of one kind, as `{seed, resource, id}`. Records in the same containers have the same way outward,
 * so one of them is enough. A record that leads to several containers is a seed of its own.
 * @param ids SQL of an array of the records
 * @param first SQL over the record `r` of a boolean: of several records one for which it is true is taken
 */
export function seedsAmong(kind: Class, ids: Sql, first?: Sql): Sql {
  const contained = CONTAINMENT.find(({ record }) => record === kind)!;
  const alike = contained.next ? [] : waysOf(contained).map((way) => containerOf(kind, way));
  const columns = alike.length > 0 ? join(alike) : raw('r.id');
  return sql`SELECT DISTINCT ON (${columns}) r.id AS seed, ${literal(nameOfResource(kind))} AS resource, r.id
    FROM ${raw(tableOf(kind))} r WHERE r.id = ANY(${ids}) ORDER BY ${columns}${first ? sql`, (${first}) DESC` : EMPTY}, r.id`;
}

/** The kinds of records on the way outward from some kinds, those included. */
function kindsOutward(from: readonly Class[]): Contained[] {
  const found = new Set<Class>(from);
  for (const record of found) {
    const kind = CONTAINMENT.find((candidate) => candidate.record === record)!;
    for (const { record: outer } of [...waysOf(kind), ...(kind.next ? [kind.next] : [])]) found.add(outer);
  }
  return CONTAINMENT.filter(({ record }) => found.has(record));
}

/**
 * SQL of recursive CTEs with the way outward from some seeds, as `{seed, resource, id, distance}`: device, rack, location and its
 * parents, site, regions. Each record has one next step: the closest container that it or an earlier record refers to. The place of an
 * asset is that of its devices, if any, and the place of a circuit is that of its ends. `distance` counts the steps, 0 for the seed. A
 * record is in it once per seed.
 * @param name of the CTE
 * @param seeds SELECT of `{seed, resource, id}`
 * @param from the kinds of the seeds
 */
export function outward(name: string, seeds: Sql, from: readonly Class[]): Sql {
  const steps = kindsOutward(from).flatMap(stepsOutward);
  const places = [...PLACES.values()];
  return sql`${raw(name)}_steps (seed, resource, id, distance, ${raw(places.join(', '))}) AS (
    SELECT seed, resource::text, id, 0, ${raw(places.map(() => 'NULL::uuid').join(', '))} FROM (${seeds}) seeds
    UNION ALL
    SELECT w.seed, e.resource, e.id, w.distance + 1, ${raw(places.map((place) => `e.${place}`).join(', '))}
    FROM ${raw(name)}_steps w
      CROSS JOIN LATERAL (${join(steps, '\n UNION ALL ')}) e (resource, id, ${raw(places.join(', '))})
  ) CYCLE seed, resource, id SET is_circle USING before,
  ${raw(name)} AS (
    SELECT seed, resource, id, min(distance) AS distance FROM ${raw(name)}_steps WHERE NOT is_circle GROUP BY seed, resource, id
  )`;
}
