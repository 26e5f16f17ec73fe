import type { ComputedList } from '../../lists/computed-list.js';
import { identifier, join, literal, raw, sql, type Sql } from '../../database/sql.js';
import { instantText } from '../../fields/types/time.js';
import { containing } from '../containment.js';
import { rosterGaps } from '../on-call-schedule/roster-gaps.js';
import { changeTime, IS_OPEN, IS_PLANNED, IS_UNFINISHED, WINDOW_TIME } from '../pending.js';
import { targetName } from '../target/targeted-records.js';
import { Order } from '../../lists/order.js';

/** Work whose conflicts are requested. */
export interface AskedWork {
  /** SELECT of `{span}`, its time; no row if it does not count. */
  span: Sql;
  /** SELECT of `{resource, id}`, its targets, each once. */
  targets: Sql;
  /** Id of the work, or SQL of it, if it is stored. Work is not in conflict with itself. */
  id?: string | Sql;
}

export interface ConflictOptions {
  /** Duration of every change. */
  minutes: number;
  /** Rosters that must be covered. */
  rosters: readonly string[];
}

/** SELECT of the targets of other work of a kind, as `{other, other_id, name, span, resource, id}`. */
const aims = (owner: string): Sql => sql`
  SELECT o.resource AS other, o.id AS other_id, o.name, o.span, x.resource::text AS resource, x.record_id AS id
  FROM others o JOIN ${identifier(`${owner}_targets`)} x ON x.${identifier(`${owner}_id`)} = o.id
  WHERE o.resource = ${literal(`${owner.replace('_', '-')}s`)}`;

const named = (resource: string, id: string, name: string): string =>
  `(CASE WHEN ${id} IS NOT NULL THEN json_build_object('resource', ${resource}, 'id', ${id}, 'name', ${name}) END)`;

/**
 * The conflicts of work, one for each pair of a target and other work. If the two meet in several ways, the closest one counts. Indexes
 * over unfinished work find the work at the same time. From its targets the search goes upwards, to the few records that contain them.
 * So its cost does not depend on how much the given targets contain.
 */
export function conflictList({ span, targets, id }: AskedWork, options: ConflictOptions): ComputedList {
  const itself = id === undefined ? raw('true') : sql`t.id <> ${id}::uuid`;
  const length = sql`make_interval(mins => ${options.minutes}::int)`;
  const rosters = sql`${options.rosters}::text[]`;
  const timeOfChange = changeTime(length);
  const noticed = raw('coalesce(t.detected_at, t.created_at)');
  const incidentTime = sql`tstzrange(${noticed}, CASE WHEN t.resolved_at IS NOT NULL THEN greatest(t.resolved_at, ${noticed}) END)`;
  const time = raw(WINDOW_TIME);
  const rows = sql`WITH RECURSIVE asked AS MATERIALIZED (${span}),
    own AS MATERIALIZED (SELECT resource::text, id FROM (${targets}) own WHERE EXISTS (SELECT FROM asked)),
    others AS MATERIALIZED (
      SELECT 'maintenance-windows' AS resource, t.id, t.name, ${time} AS span FROM asked, maintenance_windows t
      WHERE ${raw(IS_PLANNED)} AND ${time} && asked.span AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL) AND ${itself}
      UNION ALL
      SELECT 'change-requests', t.id, t.name, ${timeOfChange} FROM asked, change_requests t
      WHERE ${raw(IS_UNFINISHED)} AND t.scheduled_for > coalesce(lower(asked.span) - ${length}, '-infinity')
        AND t.scheduled_for < coalesce(upper(asked.span), 'infinity') AND ${timeOfChange} && asked.span AND ${itself}
      UNION ALL
      SELECT 'incidents', t.id, t.name, ${incidentTime} FROM asked, incidents t
      WHERE ${raw(IS_OPEN)} AND ${incidentTime} && asked.span AND ${itself}
    ),
    aims AS MATERIALIZED (${join(['maintenance_window', 'change_request', 'incident'].map(aims), ' UNION ALL ')}),
    ${containing('around_own', sql`SELECT id AS seed, resource, id FROM own`)},
    ${containing('around_aims', sql`SELECT DISTINCT id AS seed, resource, id FROM aims`)},
    ways AS (
      SELECT o.resource AS target, o.id AS target_id, a.*, CASE WHEN a.id = o.id THEN 0 ELSE 1 END AS rank
      FROM own o JOIN around_aims u ON u.resource = o.resource AND u.id = o.id JOIN aims a ON a.id = u.seed
      UNION ALL
      SELECT o.resource, o.id, a.*, 2
      FROM own o JOIN around_own u ON u.seed = o.id AND u.id <> o.id JOIN aims a ON a.resource = u.resource AND a.id = u.id
    ),
    pairs AS (SELECT DISTINCT ON (target, target_id, other, other_id) * FROM ways ORDER BY target, target_id, other, other_id, rank, resource, id)
    SELECT CASE WHEN other = 'incidents' THEN 'open_incident' ELSE ('{same_target,inside_target,around_target}'::text[])[1 + rank] END AS kind,
      p.span * asked.span AS span, target, target_id, ${raw(targetName('target', 'target_id'))} AS target_name,
      other, other_id, name AS other_name, resource AS via, p.id AS via_id, ${raw(targetName('resource', 'p.id'))} AS via_name, NULL::text AS roster
    FROM pairs p, asked
    UNION ALL
    SELECT 'on_call_gap', g.span, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, g.roster
    FROM asked, LATERAL (${rosterGaps(rosters, raw('asked.span'))}) g`;
  return {
    name: 'conflicts',
    rows,
    columns: [
      { name: 'kind', sql: 't.kind', isText: false },
      { name: 'from', sql: instantText('lower(t.span)'), isText: false },
      { name: 'to', sql: instantText('upper(t.span)'), isText: false },
      { name: 'target', sql: named('t.target', 't.target_id', 't.target_name'), isText: false },
      { name: 'other', sql: named('t.other', 't.other_id', 't.other_name'), isText: false },
      { name: 'via', sql: named('t.via', 't.via_id', 't.via_name'), isText: false },
      { name: 'roster', sql: 't.roster', isText: true, optional: true },
    ],
    order: new Order([
      'lower(t.span) NULLS FIRST',
      't.kind',
      't.target_name COLLATE "C"',
      't.target_id',
      't.other_name COLLATE "C"',
      't.other_id',
      't.roster COLLATE "C"',
    ]),
  };
}
