import { EMPTY, identifier, join, literal, raw, sql, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { resourceNameOf, tableOf } from '../../lists/record-sql.js';
import {
  containing,
  CONTAINMENT,
  linkOf,
  nameOfRecord,
  nameOfResource,
  type Contained,
  type Container,
} from '../containment.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { PowerFeed } from '../../network/power-feed/power-feed.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { IS_OPEN, IS_PLANNED, IS_UNFINISHED, WINDOW_TIME } from '../pending.js';
import { isTargeted } from '../target/targeted-records.js';
import { MOST_REACHED } from './impact.js';

/** Name of the CTE with the ids of the reached records of a kind. */
const cteOf = (record: Class): Sql => identifier(`in_${tableOf(record)}`);

/** Name of the CTE with the ids in the response. For devices it includes degraded ones. */
const shownOf = (record: Class): Sql => (record === Device ? raw('shown_devices') : cteOf(record));

const resourceOf = (record: Class): Sql => literal(nameOfResource(record));
const nameOf = (record: Class, alias: string): Sql => raw(nameOfRecord(record, alias));

/** The records that go down first. */
interface Roots {
  /** Their kind; undefined if there are several. */
  only?: { kind: Class; id: Sql };
  /** SELECT of the ids of those of a kind; undefined if there are none. */
  idsOf(record: Class): Sql | undefined;
}

const rootOf = (kind: Class, id: Sql): Roots => ({
  only: { kind, id },
  idsOf: (record) => (record === kind ? sql`SELECT ${id}` : undefined),
});

/** The roots of a CTE `target` of `{resource, id}`. */
const TARGETS: Roots = {
  idsOf: (record) =>
    isTargeted(nameOfResource(record)) ? sql`SELECT id FROM target WHERE resource = ${resourceOf(record)}` : undefined,
};

/** The kinds of records that are reached from a kind, starting with itself, and for each the containers on the way. */
function reachedFrom(root: Class | undefined): readonly Contained[] {
  if (root === undefined) return CONTAINMENT;
  const reached = new Set([root]);
  const isReached = ({ record, containers }: Contained): boolean =>
    containers.some((way) => reached.has(way.record)) ||
    (record === Device && POWERING.some((kind) => reached.has(kind)));
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const kind of CONTAINMENT) if (isReached(kind)) reached.add(kind.record);
  }
  const kinds = CONTAINMENT.filter(({ record }) => reached.has(record)).map(({ record, containers }) => ({
    record,
    containers: containers.filter((way) => (record === root ? way.record === root : reached.has(way.record))),
  }));
  return [...kinds.filter(({ record }) => record === root), ...kinds.filter(({ record }) => record !== root)];
}

/** Kinds of records that also reach devices which they do not contain. */
const POWERING: readonly Class[] = [PowerFeed, Circuit];

/** CTE of these devices, as `{device_id, effect, via_resource, via_id}`. */
function besides(root: Roots['only'], hasFeeds: boolean): Sql {
  if (root === undefined) {
    return sql`besides AS MATERIALIZED (
      SELECT DISTINCT ON (device_id) * FROM (
        SELECT * FROM power_lost(ARRAY(SELECT id FROM ${cteOf(PowerFeed)}), ARRAY(SELECT id FROM placed))
        UNION ALL
        SELECT d.id, 'degraded', 'circuits', c.id FROM ${cteOf(Circuit)} c CROSS JOIN LATERAL circuit_devices(c.id) d (id)
        WHERE d.id NOT IN (SELECT id FROM placed)
      ) b ORDER BY device_id, effect DESC, via_resource, via_id
    )`;
  }
  if (root.kind !== Circuit) {
    const feeds = hasFeeds ? sql`ARRAY(SELECT id FROM ${cteOf(PowerFeed)})` : raw(`'{}'`);
    return sql`besides AS MATERIALIZED (SELECT * FROM power_lost(${feeds}, ARRAY(SELECT id FROM placed)))`;
  }
  return sql`besides AS MATERIALIZED (
      SELECT device_id, 'degraded' AS effect, 'circuits' AS via_resource, ${root.id} AS via_id FROM circuit_devices(${root.id}) device_id
    )`;
}

/** CTE of the ids of the reached records of a kind, each of them once. */
function idsOf({ record, containers }: Contained, roots: Sql | undefined, name = cteOf(record)): Sql {
  const others = containers.filter(({ record: container }) => container !== record);
  const selects = others.map((way) => {
    const { table, contained, container } = linkOf(record, way);
    const ids = sql`SELECT id FROM ${cteOf(way.record)}`;
    return sql`SELECT l.${contained} FROM ${table} l WHERE l.${container} IN (${ids}) AND l.${contained} IS NOT NULL`;
  });
  const within = containers.find(({ record: container }) => container === record);
  const first = [...(roots === undefined ? [] : [roots]), ...selects];
  const next = within
    ? sql`SELECT t.id FROM ${identifier(tableOf(record))} t JOIN ${name} c ON t.${identifier(within.column)} = c.id`
    : undefined;
  const parts = [...first, ...(next ? [next] : [])];
  if (parts.length === 0) return sql`${name} (id) AS (SELECT NULL::uuid WHERE false)`;
  if (parts.length === 1) {
    // Ids of the kind's own table are distinct and are not collected, because a site may have a million ports.
    const isOwn = roots !== undefined || others[0]!.over === undefined;
    return isOwn
      ? sql`${name} (id) AS NOT MATERIALIZED (${parts[0]})`
      : sql`${name} (id) AS (SELECT DISTINCT * FROM (${parts[0]}) l)`;
  }
  // UNION removes duplicates, so that the recursion ends if locations contain each other.
  const union = join(first, ' UNION ');
  return sql`${name} (id) AS (${next ? sql`(${union}) UNION ${next}` : union})`;
}

/** SQL of the ids of the containers of a record `t`, in parentheses. For most kinds the row itself has the id. */
function containerIdsOf(record: Class, way: Container): Sql {
  const { table, contained, container } = linkOf(record, way);
  return way.over === undefined
    ? sql`(t.${container})`
    : sql`(SELECT l.${container} FROM ${table} l WHERE l.${contained} = t.id)`;
}

/** SELECT of the record through which a record `t` was reached. */
function viaOf({ record, containers }: Contained): Sql {
  const selects = containers.map((way) => {
    const kind = way.record;
    const ids = containerIdsOf(record, way);
    return sql`(SELECT ${resourceOf(kind)} AS resource, v.id, ${nameOf(kind, 'v')} AS name FROM ${identifier(tableOf(kind))} v
      WHERE v.id IN ${ids} AND v.id IN (SELECT id FROM ${cteOf(kind)})${record === kind ? raw(' AND v.id <> t.id') : EMPTY} ORDER BY v.id LIMIT 1)`;
  });
  if (record === Device) {
    selects.push(sql`(SELECT o.via_resource, o.via_id, coalesce((SELECT d.name FROM devices d WHERE d.id = o.via_id),
      (SELECT f.name FROM power_feeds f WHERE f.id = o.via_id), (SELECT c.circuit_number FROM circuits c WHERE c.id = o.via_id))
      FROM besides o WHERE o.device_id = t.id)`);
  }
  return sql`SELECT resource, id, name FROM (${join(selects, ' UNION ALL ')}) ways (resource, id, name) LIMIT 1`;
}

/**
 * SQL of the JSON of operations records with a related target, in their order. Unfinished records are read first, because there are
 * few. OFFSET 0 keeps the planner from reading all targets instead.
 */
const relatedRecords = (owner: string, table: string, condition: string, at: string, direction = ''): Sql => sql`(
  SELECT coalesce(json_agg(json_build_object('resource', ${literal(resourceNameOf(table))}, 'id', t.id, 'name', t.name)), '[]') FROM (
    SELECT DISTINCT due.at, due.id, due.name FROM (
      SELECT t.id, t.name, ${raw(at)} AS at, x.resource::text AS resource, x.record_id
      FROM ${identifier(table)} t JOIN ${identifier(`${owner}_targets`)} x ON x.${identifier(`${owner}_id`)} = t.id WHERE ${raw(condition)} OFFSET 0
    ) due WHERE (due.resource, due.record_id) IN (SELECT resource, id FROM related)
    ORDER BY due.at ${raw(direction)}, due.id LIMIT ${raw(MOST_REACHED)}
  ) t)`;

/** The impact of roots, as SQL. */
interface Reach {
  kinds: readonly Contained[];
  /** CTEs, with the ids of each kind, roots included. */
  ctes: Sql[];
  /** SQL of the numbers of reached records by resource, and of the first records, as JSON. */
  counts: Sql;
  records: Sql;
}

/** Records that go down if all roots do. The roots are left out. */
function reachOf(roots: Roots): Reach {
  const kinds = reachedFrom(roots.only?.kind);
  // Other devices may lose power if a device fails.
  const others = kinds.filter(({ record, containers }) => containers.length > 0 || record === Device);
  const has = (record: Class): boolean => kinds.some((kind) => kind.record === record);
  const isDegradable = has(Cluster) && has(Device);
  /** Condition that a record of a kind is not a root. @param before the text before it, if there are roots of the kind */
  const isOther = (record: Class, before: string): Sql => {
    const ids = roots.idsOf(record);
    return ids === undefined ? EMPTY : sql`${raw(before)}t.id NOT IN (${ids})`;
  };
  const counts = others.map(
    ({ record }, place) =>
      sql`SELECT ${raw(place)} AS place, ${resourceOf(record)} AS resource, count(*)::int AS n FROM ${shownOf(record)} t${isOther(record, ' WHERE ')}`,
  );
  const effectOf = ({ record, containers }: Contained): Sql => {
    if (record === Device)
      return sql`CASE WHEN t.id IN (SELECT device_id FROM besides WHERE effect = 'degraded') THEN 'degraded' ELSE 'down' END`;
    if (!isDegradable) return raw(`'down'`);
    const effectBy = (isDegraded: Sql): Sql => sql`CASE WHEN ${isDegraded} THEN 'degraded' ELSE 'down' END`;
    if (record === Cluster) return effectBy(sql`t.id IN (SELECT id FROM degraded)`);
    if (record === VirtualMachine) return effectBy(sql`t.cluster_id IN (SELECT id FROM degraded)`);
    const way = containers.find((container) => container.record === VirtualMachine);
    if (way === undefined) return raw(`'down'`);
    // A degraded machine still runs, and so do the records that it contains.
    return effectBy(sql`${containerIdsOf(record, way)} IN (
      SELECT t.id FROM virtual_machines t WHERE t.cluster_id IN (SELECT id FROM degraded)${isOther(VirtualMachine, ' AND ')})`);
  };
  const pages = others.map((kind, place) => {
    const { record } = kind;
    // Names and `via` are read only for records that are shown.
    return sql`(SELECT ${raw(place)} AS place, t.place AS at, json_build_object('resource', ${resourceOf(record)}, 'id', t.id,
        'name', ${nameOf(record, 't')}, 'effect', ${effectOf(kind)}, 'via', row_to_json(via)) AS reached
      FROM (
        SELECT t.*, row_number() OVER (ORDER BY ${nameOf(record, 't')} COLLATE "C", t.id) AS place FROM ${identifier(tableOf(record))} t
        WHERE t.id IN (SELECT id FROM ${shownOf(record)})${isOther(record, ' AND ')} ORDER BY place
        LIMIT (SELECT greatest(0, ${raw(MOST_REACHED)} - coalesce(sum(n), 0)) FROM counts WHERE place < ${raw(place)})
      ) t LEFT JOIN LATERAL (${viaOf(kind)}) via ON true)`;
  });
  const ctes = [
    ...kinds.map((kind) => idsOf(kind, roots.idsOf(kind.record), kind.record === Device ? raw('placed') : undefined)),
    ...(has(Device)
      ? [
          besides(roots.only, has(PowerFeed)),
          sql`${cteOf(Device)} (id) AS (SELECT id FROM placed UNION SELECT device_id FROM besides WHERE effect = 'down')`,
          sql`${shownOf(Device)} (id) AS (SELECT id FROM placed UNION SELECT device_id FROM besides)`,
        ]
      : []),
    ...(isDegradable
      ? [
          sql`degraded AS (SELECT t.id FROM ${cteOf(Cluster)} t WHERE EXISTS (
            SELECT FROM devices d WHERE d.cluster_id = t.id AND d.id NOT IN (SELECT id FROM ${cteOf(Device)}))${roots.only ? EMPTY : isOther(Cluster, ' AND ')})`,
        ]
      : []),
    ...(counts.length > 0 ? [sql`counts AS (${join(counts, ' UNION ALL ')})`] : []),
  ];
  return {
    kinds,
    ctes,
    counts:
      counts.length > 0
        ? sql`(SELECT coalesce(json_object_agg(resource, n ORDER BY place) FILTER (WHERE n > 0), '{}') FROM counts)`
        : raw(`'{}'::json`),
    records:
      pages.length > 0
        ? sql`(SELECT coalesce(json_agg(reached ORDER BY place, at), '[]') FROM (${join(pages, ' UNION ALL ')}) reached)`
        : raw(`'[]'::json`),
  };
}

/** SELECTs of `{resource, id}` of the reached records that can be targets, by their kind. */
const targetable = (kinds: readonly Contained[]): Sql[] =>
  kinds
    .filter(({ record }) => isTargeted(nameOfResource(record)))
    .map(({ record }) => sql`SELECT ${resourceOf(record)}, id FROM ${shownOf(record)}`);

/**
 * The impact of the records of a CTE `target` of `{resource, id}` together: CTEs, SQL over them of `{counts, records}`, and a SELECT of
 * `{resource, id}` of everything, targets included.
 */
export function reachOfTargets(): { ctes: Sql; counts: Sql; records: Sql; touched: Sql } {
  const { kinds, ctes, counts, records } = reachOf(TARGETS);
  return { ctes: join(ctes, ',\n'), counts, records, touched: join(targetable(kinds), ' UNION ALL ') };
}

/**
 * One statement of the impact of a record, as `{record, counts, records}` in JSON. It has no row if the record does not exist.
 * @param withOperations whether it also reads related operations records
 */
export function impactStatement(kind: Class, id: string, withOperations: boolean): Sql {
  const root = sql`${id}::uuid`;
  const reach = reachOf(rootOf(kind, root));
  const ctes = [
    ...reach.ctes,
    ...(withOperations
      ? [
          containing('around', sql`SELECT ${root} AS seed, ${resourceOf(kind)} AS resource, ${root} AS id`),
          sql`related AS (${join([sql`SELECT resource, id FROM around`, ...targetable(reach.kinds)], ' UNION ')})`,
        ]
      : []),
  ];
  const operations = withOperations
    ? sql`, ${relatedRecords('incident', 'incidents', IS_OPEN, 'coalesce(t.detected_at, t.created_at)', 'DESC')} AS incidents,
      ${relatedRecords('maintenance_window', 'maintenance_windows', `${IS_PLANNED} AND ${WINDOW_TIME} && tstzrange(now(), NULL)`, 't.start_time')} AS "maintenanceWindows",
      ${relatedRecords('change_request', 'change_requests', IS_UNFINISHED, 't.scheduled_for')} AS "changeRequests"`
    : EMPTY;
  return sql`WITH RECURSIVE ${join(ctes, ',\n')}
    SELECT row_to_json(r)::text AS json FROM (
      SELECT (SELECT json_build_object('resource', ${resourceOf(kind)}, 'id', t.id, 'name', ${nameOf(kind, 't')})
          FROM ${identifier(tableOf(kind))} t WHERE t.id = ${root}) AS record,
        ${reach.counts} AS counts,
        ${reach.records} AS records${operations}
    ) r WHERE record IS NOT NULL`;
}
