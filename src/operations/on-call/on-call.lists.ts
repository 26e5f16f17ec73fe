import { recordsAsOf } from '../../change-log/records-as-of.js';
import { instantText } from '../../fields/types/time.js';
import { Person } from '../../people/person/person.entity.js';
import type { ComputedColumn, ComputedList } from '../../lists/computed-list.js';
import { OnCallSchedule } from '../on-call-schedule/on-call-schedule.entity.js';
import { COVERS, HOURS, ROSTER } from '../on-call-schedule/roster.js';
import type { MomentRequest, Window } from './on-call.query.js';

/*
 * The lists of the rosters as SQL. PostgreSQL does the arithmetic: a shift is a range of instants, half-open, and what a
 * roster covers is a multirange.
 */

// Of 24 hours each: where the session has a summer time, its days are not.
const REMEMBERED = `interval '${90 * 24} hours'`;

const textColumn = (name: string, column = name): ComputedColumn => ({ name, sql: `t.${column}`, isText: true });
const column = (name: string, of = name): ComputedColumn => ({ name, sql: `t."${of}"`, isText: false });
const instant = (name: string, sql: string): ComputedColumn => ({ name, sql: instantText(sql), isText: false });

const ROSTER_COLUMN = textColumn('roster');
const INTERVAL = [instant('startTime', 'lower(t.hours)'), instant('endTime', 'upper(t.hours)')];

/** SQL of a person as an object; null if there is none. */
const personOf = (p: string): string =>
  `CASE WHEN ${p}.id IS NOT NULL THEN json_build_object('id', ${p}.id, 'fullName', ${p}.full_name, 'email', ${p}.email, 'phone', ${p}.phone, 'status', ${p}.status) END`;

const amongRosters = (rosters: readonly string[], values: unknown[]): string =>
  rosters.length > 0 ? `AND ${ROSTER} = ANY($${values.push(rosters)}::text[])` : '';

/**
 * CTE of the rosters that count from a time on. Two conditions, each of which the index alone can answer; DISTINCT in
 * both, because only then the planner knows from the index how few rosters there are among many shifts.
 */
const rostersFrom = (schedules: string, from: string, among: string): string =>
  `roster AS MATERIALIZED (
    SELECT DISTINCT ${ROSTER} AS roster FROM ${schedules} t WHERE t.end_time > ${from} - ${REMEMBERED} ${among}
    UNION SELECT DISTINCT ${ROSTER} FROM ${schedules} t WHERE t.end_time IS NULL ${among}
  )`;

/** Who is on call at a time. */
export function onCallAt({ at, asOf, rosters }: Pick<MomentRequest, 'at' | 'asOf' | 'rosters'>): ComputedList {
  const values: unknown[] = [at];
  const among = amongRosters(rosters, values);
  const known = asOf === undefined ? '' : `$${values.push(asOf)}::timestamptz`;
  const schedules = asOf === undefined ? 'on_call_schedules' : 'past';
  const people = asOf === undefined ? 'people' : recordsAsOf(Person, known);
  const coming = `t.start_time > $1 AND t.end_time IS DISTINCT FROM t.start_time`;
  // With one look into the index for each roster; the past has no index.
  const next =
    asOf === undefined
      ? `SELECT r.roster, n.* FROM roster r CROSS JOIN LATERAL (
          SELECT t.id, t.start_time, t.person_id FROM on_call_schedules t WHERE ${ROSTER} = r.roster AND ${coming}
          ORDER BY t.start_time, t.id LIMIT 1
        ) n`
      : `SELECT DISTINCT ON (${ROSTER}) ${ROSTER} AS roster, t.id, t.start_time, t.person_id FROM past t
        WHERE ${coming} ORDER BY ${ROSTER}, t.start_time, t.id`;
  return {
    name: 'on-call',
    rows: `WITH ${asOf === undefined ? '' : `past AS MATERIALIZED (SELECT * FROM ${recordsAsOf(OnCallSchedule, known)} t),`}
      ${rostersFrom(schedules, '$1::timestamptz', among)},
      covering AS MATERIALIZED (
        SELECT ${ROSTER} AS roster, t.id, t.name, t.start_time, t.end_time, t.person_id FROM ${schedules} t
        WHERE ${HOURS} @> $1::timestamptz ${among}
      ),
      next AS MATERIALIZED (${next})
      SELECT r.roster, c.id AS "scheduleId", c.name, c.start_time, c.end_time, ${personOf('p')} AS person,
        CASE WHEN n.id IS NOT NULL THEN
          json_build_object('scheduleId', n.id, 'startTime', ${instantText('n.start_time')}, 'person', ${personOf('q')}) END AS next
      FROM roster r LEFT JOIN covering c USING (roster) LEFT JOIN next n USING (roster)
        LEFT JOIN ${people} p ON p.id = c.person_id LEFT JOIN ${people} q ON q.id = n.person_id`,
    columns: [
      ROSTER_COLUMN,
      column('scheduleId'),
      textColumn('name'),
      instant('startTime', 't.start_time'),
      instant('endTime', 't.end_time'),
      column('person'),
      column('next'),
    ],
    orderBy: 't.roster COLLATE "C", t.start_time NULLS FIRST, t."scheduleId"',
    values,
  };
}

const WINDOW = 'tstzrange($1, $2)';

/** CTE of the shifts within a window, cut to it. @param more columns */
const shiftsWithin = (condition: string, more = ''): string =>
  `shift AS MATERIALIZED (
    SELECT ${ROSTER} AS roster, t.id, t.name, t.person_id, ${HOURS} * ${WINDOW} AS hours${more}
    FROM on_call_schedules t WHERE ${HOURS} && ${WINDOW} ${condition}
  )`;

type Rosters = Window & { rosters: readonly string[] };
type RostersOfPeople = Rosters & { personIds: readonly string[] };

/** The shifts within a window. */
export function shiftsIn({ from, to, rosters, personIds }: RostersOfPeople): ComputedList {
  const values: unknown[] = [from, to];
  const among = amongRosters(rosters, values);
  const ofPeople = personIds.length > 0 ? `AND t.person_id = ANY($${values.push(personIds)}::uuid[])` : '';
  return {
    name: 'on-call-shifts',
    rows: `WITH ${shiftsWithin(`${among} ${ofPeople}`)}
      SELECT s.roster, s.id AS "scheduleId", s.name, s.hours, ${personOf('p')} AS person
      FROM shift s LEFT JOIN people p ON p.id = s.person_id`,
    columns: [ROSTER_COLUMN, column('scheduleId'), textColumn('name'), ...INTERVAL, column('person')],
    orderBy: 'lower(t.hours), t.roster COLLATE "C", t."scheduleId"',
    values,
  };
}

/** The time within a window that nobody covers. Where a shift of somebody inactive is, that is the reason. */
export function gapsIn({ from, to, rosters }: Rosters): ComputedList {
  const values: unknown[] = [from, to];
  const among = amongRosters(rosters, values);
  return {
    name: 'on-call-gaps',
    rows: `WITH ${rostersFrom('on_call_schedules', '$1::timestamptz', among)}, ${shiftsWithin(among, `, ${COVERS} AS covers`)},
      known AS MATERIALIZED (
        SELECT roster, range_agg(hours) FILTER (WHERE covers) AS covered, range_agg(hours) FILTER (WHERE person_id IS NULL) AS unassigned,
          range_agg(hours) FILTER (WHERE person_id IS NOT NULL AND NOT covers) AS inactive
        FROM shift GROUP BY roster
      ),
      uncovered AS MATERIALIZED (
        SELECT roster, tstzmultirange(${WINDOW}) - coalesce(covered, '{}') AS hours, coalesce(unassigned, '{}') AS unassigned,
          coalesce(inactive, '{}') AS inactive
        FROM roster LEFT JOIN known USING (roster)
      )
      SELECT roster, unnest(hours - inactive - unassigned) AS hours, 'no_shift' AS reason FROM uncovered
      UNION ALL SELECT roster, unnest(hours * unassigned - inactive), 'nobody_assigned' FROM uncovered
      UNION ALL SELECT roster, unnest(hours * inactive), 'person_inactive' FROM uncovered`,
    columns: [ROSTER_COLUMN, ...INTERVAL, column('reason')],
    orderBy: 'lower(t.hours), t.roster COLLATE "C"',
    values,
  };
}

/** The gaps of a picture, with whether there are shifts before and after them, also outside of the window. */
export function picturedGapsIn(request: Rosters): ComputedList {
  const gaps = gapsIn(request);
  const has = (when: string): string =>
    `EXISTS (SELECT FROM on_call_schedules t WHERE ${ROSTER} = g.roster AND ${when})`;
  const before = has('(t.start_time IS NULL OR t.start_time < lower(g.hours))');
  return {
    ...gaps,
    rows: `SELECT g.*, ${before} AND ${has('t.start_time >= upper(g.hours)')} AS "isBetween" FROM (${gaps.rows}) g`,
    columns: [...gaps.columns, column('isBetween')],
  };
}

/** The time within a window that several shifts cover. */
export function overlapsIn({ from, to, rosters }: Rosters): ComputedList {
  const values: unknown[] = [from, to];
  return {
    name: 'on-call-overlaps',
    // Who covers a roster changes where a shift begins or ends, and a shift consists of the steps between such times.
    rows: `WITH ${shiftsWithin(`AND ${COVERS} ${amongRosters(rosters, values)}`)},
      change AS MATERIALIZED (
        SELECT roster, array_agg(DISTINCT at ORDER BY at) AS times
        FROM shift CROSS JOIN LATERAL (VALUES (lower(hours)), (upper(hours))) edge (at) GROUP BY roster
      ),
      step AS MATERIALIZED (
        SELECT s.roster, step.starts, step.ends, s.id, lower(s.hours) AS since
        FROM shift s JOIN change USING (roster)
          CROSS JOIN LATERAL (SELECT width_bucket(lower(s.hours), times) AS first, width_bucket(upper(s.hours), times) AS last) place
          CROSS JOIN LATERAL unnest(times[first : last - 1], times[first + 1 : last]) step (starts, ends)
      )
      SELECT roster, tstzrange(starts, ends) AS hours, to_json(array_agg(id ORDER BY since, id)) AS "scheduleIds"
      FROM step GROUP BY roster, starts, ends HAVING count(*) > 1`,
    columns: [ROSTER_COLUMN, ...INTERVAL, column('scheduleIds')],
    orderBy: 'lower(t.hours), t.roster COLLATE "C"',
    values,
  };
}

/** SQL of the elapsed hours of a multirange. */
const elapsed = (ranges: string): string =>
  `(SELECT coalesce(sum(extract(epoch FROM upper(part) - lower(part))), 0)::float8 / 3600 FROM unnest(${ranges}) part)`;

/**
 * CTE of times that recur within a window, on the clock of `zone()`.
 * @param first days before the window on which the first may begin
 * @param condition on the `day` on which it begins
 * @param start of each after the midnight of its day
 */
const recurring = (name: string, first: number, condition: string, start: string, end: string): string =>
  `${name} AS MATERIALIZED (
    SELECT coalesce(range_agg(tstzrange(starts, ends)), '{}') AS hours
    FROM generate_series(0, ($2::timestamptz AT TIME ZONE zone())::date - ($1::timestamptz AT TIME ZONE zone())::date + ${first}) n
      CROSS JOIN LATERAL (SELECT ($1::timestamptz AT TIME ZONE zone())::date - ${first} + n AS day) days
      CROSS JOIN LATERAL (SELECT (day + interval '${start}') AT TIME ZONE zone() AS starts, (day + interval '${end}') AT TIME ZONE zone() AS ends) local
    WHERE ${condition} AND starts < ends
  )`;

/** What each person covers within a window. */
export function loadIn({
  from,
  to,
  rosters,
  personIds,
  timeZone,
}: RostersOfPeople & { timeZone: string }): ComputedList {
  const values: unknown[] = [from, to];
  const among = amongRosters(rosters, values);
  const zone = `$${values.push(timeZone)}::text`;
  const ofPeople = personIds.length > 0 ? `WHERE l.person_id = ANY($${values.push(personIds)}::uuid[])` : '';
  const nights = recurring('night', 1, 'true', '22 hours', '30 hours');
  const weekends = recurring('weekend', 2, 'extract(isodow FROM day) = 6', '0 hours', '48 hours');
  return {
    name: 'on-call-load',
    rows: `WITH ${shiftsWithin(`AND ${COVERS} ${among}`)},
      ${nights}, ${weekends},
      covered AS MATERIALIZED (
        SELECT roster, ${elapsed('hours')} AS hours FROM (SELECT roster, range_agg(hours) AS hours FROM shift GROUP BY roster) rosters
      ),
      load AS MATERIALIZED (
        SELECT roster, person_id, count(*)::int AS shifts, range_agg(hours) AS hours FROM shift GROUP BY roster, person_id
      )
      SELECT l.roster, ${personOf('p')} AS person, p.full_name, p.id AS person_id, m.hours, l.shifts, m.hours / c.hours AS share,
        ${elapsed('l.hours * night.hours')} AS "nightHours", ${elapsed('l.hours * weekend.hours')} AS "weekendHours"
      FROM load l JOIN covered c USING (roster) JOIN people p ON p.id = l.person_id CROSS JOIN night CROSS JOIN weekend
        CROSS JOIN LATERAL (SELECT ${elapsed('l.hours')} AS hours) m ${ofPeople}`.replaceAll('zone()', zone),
    columns: [
      ROSTER_COLUMN,
      ...['person', 'hours', 'nightHours', 'weekendHours', 'shifts', 'share'].map((name) => column(name)),
    ],
    orderBy: 't.roster COLLATE "C", t.full_name COLLATE "C", t.person_id',
    values,
  };
}
