import { snakeCase } from '../../database/naming.js';
import { join, literal, raw, sql, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { instantText } from '../../fields/types/time.js';
import { jsonOf } from '../../lists/computed-list.js';
import { tableOf } from '../../lists/record-sql.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { responsibilitiesOn } from '../responsibility/responsibilities-on-way.js';
import { RESPONSIBLE } from '../responsibility/responsibility.entity.js';
import { IS_KNOWN, KINDS_OF, KNOWN_ISSUE_STEP } from '../call/call.statement.js';
import { CONTAINMENT, linkOf, nameOfResource, outward, seedsAmong } from '../containment.js';
import { reachOfTargets } from '../impact/impact-statement.js';
import { gapsIn, shiftsIn } from '../on-call/on-call.lists.js';
import { TARGETED_RECORDS, targetName } from '../target/targeted-records.js';
import { assetPrices, pricesOf } from './prices.js';

const instant = (time: string): Sql => raw(instantText(time));

/**
 * CTEs of the work with its time, and of its targets. @param time SELECT of `{id, name, from_time, to_time}` @param targets SELECT of
 * `{resource, id}`
 */
const workWith = (time: Sql, targets: Sql): Sql => sql`
  work AS MATERIALIZED (
    SELECT w.*, (coalesce(w.from_time, now()) AT TIME ZONE INTERVAL '0')::date AS day FROM (${time}) w
  ),
  target AS MATERIALIZED (SELECT resource::text, id FROM (${targets}) t)`;

/** SELECT of the work and its targets as JSON. */
const workOf = (resource: string): Sql => sql`
  SELECT json_build_object('resource', ${literal(resource)}, 'id', w.id, 'name', w.name) AS record, ${instant('w.from_time')} AS "from",
    ${instant('w.to_time')} AS "to", coalesce((
      SELECT json_agg(json_build_object('resource', t.resource, 'id', t.id, 'name', t.name) ORDER BY t.resource, t.name COLLATE "C", t.id)
      FROM (SELECT x.resource, x.id, ${raw(targetName('x.resource', 'x.id'))} AS name FROM target x) t
    ), '[]') AS targets
  FROM work w`;

/** Arrays of the ids of touched records of a kind: all, those that are targets, and the others. */
type Part = 'ids' | 'targets' | 'others';

/** CTEs of touched records, each once, and of their ids by resource. @param reached SELECT of `{resource, id}` */
const touchedWith = (reached: Sql): Sql => sql`
  touched AS MATERIALIZED (
    SELECT resource, id, bool_or(is_target) AS is_target FROM (
      SELECT resource, id, true FROM target UNION ALL SELECT resource, id, false FROM (${reached}) r (resource, id)
    ) t (resource, id, is_target) GROUP BY resource, id
  ),
  kind AS MATERIALIZED (
    SELECT resource, array_agg(id) AS ids, array_agg(id) FILTER (WHERE is_target) AS targets, array_agg(id) FILTER (WHERE NOT is_target) AS others
    FROM touched GROUP BY resource
  )`;

/**
 * SQL of an array of ids of touched records of a kind. The planner expects few ids in an array, and therefore uses indexes instead of
 * reading whole tables.
 */
const idsOf = (record: Class, part: Part = 'ids'): Sql =>
  sql`(SELECT ${raw(part)} FROM kind WHERE resource = ${literal(nameOfResource(record))})::uuid[]`;

/** Kinds of touched records whose rosters are on a card. Of other kinds, only targets have rosters there. */
const OPERATED: readonly Class[] = [Device, Cluster, VirtualMachine];

const operatedIds = (record: Class): Sql => idsOf(record, OPERATED.includes(record) ? 'ids' : 'targets');

/** The kinds of records that are in containers. */
const PLACED = Object.values<() => Class>(TARGETED_RECORDS)
  .filter((recordOf) => recordOf !== TARGETED_RECORDS['software-licences'])
  .map((recordOf) => recordOf());

/** FROM and WHERE of what operates records themselves, as `o`. @param which SQL of a condition on the id */
const operators = ({ field, record }: (typeof RESPONSIBLE)[number], which: Sql): Sql =>
  sql`FROM ${raw(tableOf(record))} o WHERE o.${raw(snakeCase(field))} ${which} AND o.kind = 'operates'`;

/**
 * SQL of an array of the touched records of a kind. Targets are left out. So are records whose next step outward is a touched device or
 * virtual machine: their way outward is only longer than that one's.
 */
function othersOf(record: Class): Sql {
  const others = idsOf(record, 'others');
  const { next, containers } = CONTAINMENT.find((kind) => kind.record === record)!;
  const within = (next ? [next] : containers).flatMap((way) => {
    if (way.record !== Device && way.record !== VirtualMachine) return [];
    const { table, contained, container } = linkOf(record, way);
    return [sql`SELECT l.${contained} FROM ${table} l WHERE l.${container} = ANY(${idsOf(way.record)})`];
  });
  return within.length === 0 ? others : sql`ARRAY(${join([sql`SELECT unnest(${others})`, ...within], ' EXCEPT ')})`;
}

/**
 * CTEs of the way outward from touched records: `seed`, as `{seed, resource, id, is_operated}`, and `way`. Records in the same
 * containers share one seed. If some of them have rosters of their own, the seed is one without.
 */
function wayFromTouched(): Sql {
  const seeds = PLACED.flatMap((record) => {
    const responsible = RESPONSIBLE.find(({ owner }) => owner === record);
    const hasNone = responsible ? sql`NOT EXISTS (SELECT ${operators(responsible, sql`= r.id`)})` : undefined;
    const seedsOf = (ids: Sql, isOperated: boolean): Sql =>
      sql`SELECT *, ${raw(String(isOperated))} AS is_operated FROM (${seedsAmong(record, ids, hasNone)}) s`;
    const operated = seedsOf(operatedIds(record), true);
    return OPERATED.includes(record) ? [operated] : [operated, seedsOf(othersOf(record), false)];
  });
  return sql`seed AS MATERIALIZED (${join(seeds, ' UNION ALL ')}), ${outward('way', sql`SELECT seed, resource, id FROM seed`, PLACED)}`;
}

/** SELECT of who is on call during the work, and of the gaps, as JSON. @param rosters SQL of an array of names */
function onCallIn(rosters: Sql): Sql {
  // Without a start and an end the window is empty, and nobody is on call in it.
  const edge = (time: string): Sql =>
    sql`(SELECT CASE WHEN from_time < to_time THEN date_trunc('milliseconds', ${raw(time)}) ELSE 'epoch' END FROM work)`;
  const window = { from: edge('from_time'), to: edge('to_time') };
  return sql`
    SELECT (SELECT coalesce(json_agg(s.record::json), '[]') FROM (${jsonOf(shiftsIn({ ...window, rosters, personIds: [] }))}) s) AS shifts,
      (SELECT coalesce(json_agg(g.record::json), '[]') FROM (${jsonOf(gapsIn({ ...window, rosters }))}) g) AS gaps`;
}

/**
 * SELECT of the knowledge about touched records and their containers, as JSON: the nearest rosters that operate some of them, as
 * `{roster, via}`; who is on call in these; and the known issues of the records, their kinds and their containers, the nearest first.
 */
function surroundings(): Sql {
  const own = RESPONSIBLE.map((responsible) => {
    const id = raw(snakeCase(responsible.field));
    const which = sql`= ANY(${operatedIds(responsible.owner)})`;
    return sql`SELECT o.roster, ${literal(nameOfResource(responsible.owner))}, o.${id} ${operators(responsible, which)}`;
  });
  const kinds = [...KINDS_OF].map(
    ([record, select]) =>
      sql`SELECT DISTINCT k.resource, k.id, 0, k.place FROM unnest(${idsOf(record)}) s (id) CROSS JOIN LATERAL (${raw(select)}) k (place, resource, id)`,
  );
  return sql`WITH RECURSIVE ${wayFromTouched()},
    operating AS MATERIALIZED (
      SELECT e.roster, e.resource, e.id FROM (${responsibilitiesOn('way', sql`ARRAY['operates']`)}) e
      WHERE e.distance = e.nearest AND e.seed IN (SELECT seed FROM seed WHERE is_operated)
      UNION ${join(own, ' UNION ')}
    ),
    subject AS (
      SELECT resource, id, distance, 0 AS place FROM way
      UNION ALL SELECT resource, id, 0, 0 FROM touched
      UNION ALL ${join(kinds, ' UNION ALL ')}
    ),
    issue AS MATERIALIZED (
      SELECT DISTINCT ON (t.id) t.id, t.name, t.severity, t.workaround, s.distance, s.place
      FROM known_issue_targets l JOIN known_issues t ON t.id = l.known_issue_id AND ${IS_KNOWN}
        JOIN subject s ON s.id = l.record_id AND s.resource = l.resource
      ORDER BY t.id, s.distance, s.place
    )
    SELECT (
      SELECT coalesce(json_agg(json_build_object('roster', r.roster, 'via', r.via) ORDER BY r.roster COLLATE "C"), '[]') FROM (
        SELECT o.roster, json_agg(json_build_object('resource', o.resource, 'id', o.id, 'name', o.name) ORDER BY o.resource, o.name COLLATE "C", o.id) AS via
        FROM (SELECT o.*, ${raw(targetName('o.resource', 'o.id'))} AS name FROM operating o WHERE o.roster IS NOT NULL) o GROUP BY o.roster
      ) r
    ) AS rosters, on_call.*,
    (SELECT coalesce(json_agg(${KNOWN_ISSUE_STEP} ORDER BY x.distance, x.place, x.name COLLATE "C", x.id), '[]')::text FROM issue x) AS issues
    FROM (${onCallIn(sql`ARRAY(SELECT DISTINCT roster FROM operating WHERE roster IS NOT NULL)`)}) on_call`;
}

/** SELECT of the coverage and the replacement cost of touched devices and assets. An asset is left out if its device is among them. */
function coverage(): Sql {
  const devices = idsOf(Device);
  const assets = idsOf(Asset);
  return sql`WITH device AS MATERIALIZED (
    SELECT d.id, d.name, d.asset_id, d.device_type_id FROM devices d WHERE d.id = ANY(${devices})
  ),
  asset AS MATERIALIZED (
    SELECT a.id, a.name FROM assets a WHERE a.id = ANY(${assets}) AND (a.id IN (SELECT asset_id FROM device)) IS NOT TRUE
  ),
  covered AS MATERIALIZED (
    -- A device is covered with its asset. The ids narrow what is read, as a join of device_coverage would not.
    SELECT c.resource, c.record_id FROM work w CROSS JOIN LATERAL coverage_spans(w.day) c
    WHERE c.is_active AND c.device_id = ANY(${devices})
    UNION
    SELECT c.resource, c.record_id FROM work w CROSS JOIN LATERAL coverage_spans(w.day) c
    WHERE c.is_active AND c.asset_id = ANY(ARRAY(SELECT id FROM asset UNION ALL SELECT asset_id FROM device))
  ),
  subject AS MATERIALIZED (
    SELECT 'devices' AS resource, d.id, d.name::text AS name,
      ('devices', d.id) IN (SELECT resource, record_id FROM covered) OR (('assets', d.asset_id) IN (SELECT resource, record_id FROM covered)) IS TRUE AS is_covered
    FROM device d
    UNION ALL
    SELECT 'assets', a.id, a.name, ('assets', a.id) IN (SELECT resource, record_id FROM covered) FROM asset a
  ),
  price AS MATERIALIZED (
    SELECT amount, currency FROM (${pricesOf(raw('device'))}) p
    UNION ALL
    ${assetPrices(raw('SELECT id FROM asset'))}
  )
  SELECT json_build_object('covered', (SELECT count(*) FROM subject WHERE is_covered), 'uncovered', coalesce((
      SELECT json_agg(json_build_object('resource', s.resource, 'id', s.id, 'name', s.name) ORDER BY s.resource, s.name COLLATE "C", s.id)
      FROM subject s WHERE NOT is_covered
    ), '[]'))::text AS coverage,
    json_build_object('amounts', coalesce((
      SELECT json_agg(json_build_object('currency', p.currency, 'amount', p.amount::text, 'records', p.records) ORDER BY p.currency COLLATE "C")
      FROM (SELECT currency, sum(amount) AS amount, count(*) AS records FROM price WHERE amount IS NOT NULL GROUP BY currency) p
    ), '[]'), 'unknown', (SELECT count(*) FROM price WHERE amount IS NULL))::text AS replacement`;
}

/** The subject of a card. */
interface CardParts {
  resource: string;
  /** SELECT of the time of the work, as `{id, name, from_time, to_time}`. */
  time: Sql;
  /** SELECT of its targets, as `{resource, id}`. */
  targets: Sql;
  /** SELECT of `json`, its conflicts. */
  conflicts: Sql;
  /** SELECT of `json`, the last changes of the CTE `target`. */
  changes: Sql;
}

/**
 * One statement of a whole card. It has a row if the work exists. The touched records are found once and stay in the database. The text
 * is the same for all work of a kind.
 */
export function cardStatement({ resource, time, targets, conflicts, changes }: CardParts): Sql {
  const { ctes, counts, records, touched } = reachOfTargets();
  return sql`WITH RECURSIVE ${workWith(time, targets)},
    ${ctes},
    ${touchedWith(touched)}
    SELECT w.*, json_build_object('counts', ${counts}, 'records', ${records})::text AS reached, c.*, s.*,
      CASE WHEN w."from" IS NULL THEN '[]' ELSE (${conflicts}) END AS conflicts, (${changes}) AS changes
    FROM (${workOf(resource)}) w CROSS JOIN (${coverage()}) c CROSS JOIN (${surroundings()}) s`;
}
