import type { Class } from '../../fields/field.js';
import { tableOf } from '../../lists/record-sql.js';
import { containing, CONTAINMENT, linkOf, nameOfRecord, nameOfResource, type Contained } from '../containment.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { PowerFeed } from '../../network/power-feed/power-feed.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { IS_OPEN, IS_PLANNED, IS_UNFINISHED, WINDOW_TIME } from '../pending.js';
import { TARGETED_RESOURCES } from '../target/targeted-records.js';
import { MOST_REACHED } from './impact.js';

/** Name of the CTE with the ids of the reached records of a kind. */
const cteOf = (record: Class): string => `in_${tableOf(record)}`;

/** Name of the CTE with the ids of those that the response has: of devices also those that are degraded. */
const shownOf = (record: Class): string => (record === Device ? 'shown_devices' : cteOf(record));

const ROOT = '$1::uuid';

/** The kinds of records that are reached from a kind, itself first, with the containers through which they are. */
function reachedFrom(root: Class): Contained[] {
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

/** Kinds of records from which devices are reached otherwise than as what they contain. */
const POWERING: readonly Class[] = [PowerFeed, Circuit];

/** CTE of the devices that are reached otherwise, as `{device_id, effect, via_resource, via_id}`. */
function besides(root: Class, hasFeeds: boolean): string {
  if (root !== Circuit) {
    const feeds = hasFeeds ? `ARRAY(SELECT id FROM ${cteOf(PowerFeed)})` : `'{}'`;
    return `besides AS MATERIALIZED (SELECT * FROM power_lost(${feeds}, ARRAY(SELECT id FROM placed)))`;
  }
  return `besides AS MATERIALIZED (
      SELECT device_id, 'degraded' AS effect, 'circuits' AS via_resource, ${ROOT} AS via_id FROM circuit_devices(${ROOT}) device_id
    )`;
}

/** CTE of the ids of the reached records of a kind, each of them once. */
function idsOf({ record, containers }: Contained, isRoot: boolean, name = cteOf(record)): string {
  const table = tableOf(record);
  const others = containers.filter(({ record: container }) => container !== record);
  const selects = others.map((way) => {
    const link = linkOf(record, way);
    const ids = `SELECT id FROM ${cteOf(way.record)}`;
    return `SELECT l.${link.contained} FROM ${link.table} l WHERE l.${link.container} IN (${ids}) AND l.${link.contained} IS NOT NULL`;
  });
  const within = containers.find(({ record: container }) => container === record);
  const first = [...(isRoot ? [`SELECT ${ROOT}`] : []), ...selects];
  const next = within ? [`SELECT t.id FROM ${table} t JOIN ${name} c ON t.${within.column} = c.id`] : [];
  const parts = [...first, ...next];
  if (parts.length === 0) return `${name} (id) AS (SELECT NULL::uuid WHERE false)`;
  if (parts.length === 1) {
    // Ids of the kind's own table are different ones, and are not collected: of a site's ports there may be a million.
    const isOwn = isRoot || others[0]!.over === undefined;
    return isOwn
      ? `${name} (id) AS NOT MATERIALIZED (${parts[0]})`
      : `${name} (id) AS (SELECT DISTINCT * FROM (${parts[0]}) l)`;
  }
  // UNION leaves out what was found before, so that it ends where locations contain each other.
  return `${name} (id) AS (${next.length > 0 ? `(${first.join(' UNION ')}) UNION ${next[0]}` : first.join(' UNION ')})`;
}

/** SELECT of the record through which one of a kind, as `t`, was reached. */
function viaOf({ record, containers }: Contained): string {
  const selects = containers.map((way) => {
    const link = linkOf(record, way);
    const container = way.record;
    return `(SELECT '${nameOfResource(container)}' AS resource, v.id, ${nameOfRecord(container, 'v')} AS name FROM ${tableOf(container)} v
      WHERE v.id IN (SELECT l.${link.container} FROM ${link.table} l WHERE l.${link.contained} = t.id)
        AND v.id IN (SELECT id FROM ${cteOf(container)})${record === container ? ' AND v.id <> t.id' : ''} ORDER BY v.id LIMIT 1)`;
  });
  if (record === Device) {
    selects.push(`(SELECT o.via_resource, o.via_id, coalesce((SELECT d.name FROM devices d WHERE d.id = o.via_id),
      (SELECT f.name FROM power_feeds f WHERE f.id = o.via_id), (SELECT c.circuit_number FROM circuits c WHERE c.id = o.via_id))
      FROM besides o WHERE o.device_id = t.id)`);
  }
  return `SELECT resource, id, name FROM (${selects.join(' UNION ALL ')}) ways (resource, id, name) LIMIT 1`;
}

/**
 * SQL of the JSON of records of operations with a related target, in their order. Unfinished records are read first, because they
 * are few. OFFSET 0 keeps the planner from reading all targets instead.
 */
const relatedRecords = (owner: string, table: string, condition: string, at: string, direction = ''): string => `(
  SELECT coalesce(json_agg(json_build_object('resource', '${table.replaceAll('_', '-')}', 'id', t.id, 'name', t.name)), '[]') FROM (
    SELECT DISTINCT due.at, due.id, due.name FROM (
      SELECT t.id, t.name, ${at} AS at, x.resource::text AS resource, x.record_id
      FROM ${table} t JOIN ${owner}_targets x ON x.${owner}_id = t.id WHERE ${condition} OFFSET 0
    ) due WHERE (due.resource, due.record_id) IN (SELECT resource, id FROM related)
    ORDER BY due.at ${direction}, due.id LIMIT ${MOST_REACHED}
  ) t)`;

/**
 * One statement that finds what goes down with the record with the id `$1`, as `{record, counts, records}` in JSON, with
 * `record` null if there is no such record.
 * @param root kind of the record
 * @param withOperations whether it also reads what operations has to do with it
 */
export function impactStatement(root: Class, withOperations: boolean): string {
  const kinds = reachedFrom(root);
  // Of a device that fails, others may lose power.
  const others = kinds.filter(({ record, containers }) => containers.length > 0 || record === Device);
  const has = (record: Class): boolean => kinds.some((kind) => kind.record === record);
  const isDegradable = has(Cluster) && has(Device);
  const except = (record: Class): string => (record === root ? ` WHERE t.id <> ${ROOT}` : '');
  const counts = others.map(
    ({ record }, place) =>
      `SELECT ${place} AS place, '${nameOfResource(record)}' AS resource, count(*)::int AS n FROM ${shownOf(record)} t${except(record)}`,
  );
  const effectOf = (record: Class): string => {
    if (record === Device)
      return `CASE WHEN t.id IN (SELECT device_id FROM besides WHERE effect = 'degraded') THEN 'degraded' ELSE 'down' END`;
    const cluster = record === Cluster ? 't.id' : record === VirtualMachine ? 't.cluster_id' : undefined;
    return cluster && isDegradable
      ? `CASE WHEN ${cluster} IN (SELECT id FROM degraded) THEN 'degraded' ELSE 'down' END`
      : `'down'`;
  };
  const pages = others.map((kind, place) => {
    const { record } = kind;
    const own = record === root ? ` AND t.id <> ${ROOT}` : '';
    // Of the records that are not shown, neither the names are read nor the way to them.
    return `(SELECT ${place} AS place, t.place AS at, json_build_object('resource', '${nameOfResource(record)}', 'id', t.id,
        'name', ${nameOfRecord(record, 't')}, 'effect', ${effectOf(record)}, 'via', row_to_json(via)) AS reached
      FROM (
        SELECT t.*, row_number() OVER (ORDER BY ${nameOfRecord(record, 't')} COLLATE "C", t.id) AS place FROM ${tableOf(record)} t
        WHERE t.id IN (SELECT id FROM ${shownOf(record)})${own} ORDER BY place
        LIMIT (SELECT greatest(0, ${MOST_REACHED} - coalesce(sum(n), 0)) FROM counts WHERE place < ${place})
      ) t LEFT JOIN LATERAL (${viaOf(kind)}) via ON true)`;
  });
  const targeted = kinds.filter(({ record }) => TARGETED_RESOURCES.includes(nameOfResource(record) as never));
  const ctes = [
    ...kinds.map((kind, index) => idsOf(kind, index === 0, kind.record === Device ? 'placed' : undefined)),
    ...(has(Device)
      ? [
          besides(root, has(PowerFeed)),
          `${cteOf(Device)} (id) AS (SELECT id FROM placed UNION SELECT device_id FROM besides WHERE effect = 'down')`,
          `${shownOf(Device)} (id) AS (SELECT id FROM placed UNION SELECT device_id FROM besides)`,
        ]
      : []),
    ...(isDegradable
      ? [
          `degraded AS (SELECT t.id FROM ${cteOf(Cluster)} t WHERE EXISTS (
            SELECT FROM devices d WHERE d.cluster_id = t.id AND d.id NOT IN (SELECT id FROM ${cteOf(Device)})))`,
        ]
      : []),
    ...(counts.length > 0 ? [`counts AS (${counts.join(' UNION ALL ')})`] : []),
    ...(withOperations
      ? [
          containing('around', `SELECT ${ROOT} AS seed, '${nameOfResource(root)}' AS resource, ${ROOT} AS id`),
          `related AS (SELECT resource, id FROM around ${targeted
            .map(({ record }) => `UNION SELECT '${nameOfResource(record)}', id FROM ${shownOf(record)}`)
            .join(' ')})`,
        ]
      : []),
  ];
  const operations = withOperations
    ? `, ${relatedRecords('incident', 'incidents', IS_OPEN, 'coalesce(t.detected_at, t.created_at)', 'DESC')} AS incidents,
      ${relatedRecords('maintenance_window', 'maintenance_windows', `${IS_PLANNED} AND ${WINDOW_TIME} && tstzrange(now(), NULL)`, 't.start_time')} AS "maintenanceWindows",
      ${relatedRecords('change_request', 'change_requests', IS_UNFINISHED, 't.scheduled_for')} AS "changeRequests"`
    : '';
  return `WITH RECURSIVE ${ctes.join(',\n')}
    SELECT row_to_json(r)::text AS json FROM (
      SELECT (SELECT json_build_object('resource', '${nameOfResource(root)}', 'id', t.id, 'name', ${nameOfRecord(root, 't')})
          FROM ${tableOf(root)} t WHERE t.id = ${ROOT}) AS record,
        ${counts.length > 0 ? `(SELECT coalesce(json_object_agg(resource, n ORDER BY place) FILTER (WHERE n > 0), '{}') FROM counts)` : `'{}'::json`} AS counts,
        ${pages.length > 0 ? `(SELECT coalesce(json_agg(reached ORDER BY place, at), '[]') FROM (${pages.join(' UNION ALL ')}) reached)` : `'[]'::json`} AS records${operations}
    ) r WHERE record IS NOT NULL`;
}
