import { EMPTY, identifier, join, literal, raw, sql, Sql, where } from '../../database/sql.js';
import { recordsAsOf } from '../../change-log/past-states.js';
import { instantText } from '../../fields/types/time.js';
import { Person } from '../../people/person/person.entity.js';
import { type ComputedColumn, type ComputedList, selected } from '../../lists/computed-list.js';
import { OnCallSchedule } from '../on-call-schedule/on-call-schedule.entity.js';
import { COVERS, HOURS, ROSTER } from '../on-call-schedule/roster.js';
import type { Window } from '../../lists/parameters/window.js';
import type { MomentRequest } from './on-call.query.js';
import { Order } from '../../lists/order.js';

/*
 * The lists of the rosters as SQL. PostgreSQL does the arithmetic: a shift is a range of instants, half-open, and what a
 * roster covers is a multirange.
 */

// Days of 24 hours. Days of a session's time zone may be shorter or longer because of daylight saving time.
const REMEMBERED = raw(`interval '${90 * 24} hours'`);

const textColumn = (name: string, column = name): ComputedColumn => ({ name, sql: `t.${column}`, isText: true });
const column = (name: string, of = name): ComputedColumn => ({ name, sql: `t."${of}"`, isText: false });
const instant = (name: string, time: string): ComputedColumn => ({ name, sql: instantText(time), isText: false });

const roster = raw(ROSTER);
const hours = raw(HOURS);
const covers = raw(COVERS);

const ROSTER_COLUMN = textColumn('roster');
const INTERVAL = [instant('startTime', 'lower(t.hours)'), instant('endTime', 'upper(t.hours)')];

/** SQL of a person as an object; null if there is none. @param p alias of the table of people */
export const personOf = (p: string): Sql =>
  raw(
    `CASE WHEN ${p}.id IS NOT NULL THEN json_build_object('id', ${p}.id, 'fullName', ${p}.full_name, 'email', ${p}.email, 'phone', ${p}.phone, 'status', ${p}.status) END`,
  );

/** @param rosters names, of which none means all; or SQL of an array of them */
const amongRosters = (rosters: readonly string[] | Sql): Sql =>
  rosters instanceof Sql || rosters.length > 0 ? sql`AND ${roster} = ANY(${rosters}::text[])` : EMPTY;

/**
 * CTE of the rosters with shifts after a time. It has two conditions, and an index alone can answer each of them. DISTINCT in both
 * tells the planner how few rosters there are among many shifts.
 */
const rostersFrom = (schedules: Sql, from: Sql, among: Sql): Sql =>
  sql`roster AS MATERIALIZED (
    SELECT DISTINCT ${roster} AS roster FROM ${schedules} t WHERE t.end_time > ${from} - ${REMEMBERED} ${among}
    UNION SELECT DISTINCT ${roster} FROM ${schedules} t WHERE t.end_time IS NULL ${among}
  )`;

/** Who is on call at a time. */
export function onCallAt({
  at,
  asOf,
  rosters,
}: Pick<MomentRequest, 'at' | 'asOf'> & { rosters: readonly string[] | Sql }): ComputedList {
  const time = sql`${at}::timestamptz`;
  const among = amongRosters(rosters);
  const known = sql`${asOf}::timestamptz`;
  const schedules = raw(asOf === undefined ? 'on_call_schedules' : 'past');
  const people = asOf === undefined ? raw('people') : recordsAsOf(Person, known);
  const past =
    asOf === undefined ? EMPTY : sql`past AS MATERIALIZED (SELECT * FROM ${recordsAsOf(OnCallSchedule, known)} t),`;
  const coming = sql`t.start_time > ${time} AND t.end_time IS DISTINCT FROM t.start_time`;
  // One index lookup for each roster. There is no index for the past.
  const next =
    asOf === undefined
      ? sql`SELECT r.roster, n.* FROM roster r CROSS JOIN LATERAL (
          SELECT t.id, t.start_time, t.person_id FROM on_call_schedules t WHERE ${roster} = r.roster AND ${coming}
          ORDER BY t.start_time, t.id LIMIT 1
        ) n`
      : sql`SELECT DISTINCT ON (${roster}) ${roster} AS roster, t.id, t.start_time, t.person_id FROM past t
        WHERE ${coming} ORDER BY ${roster}, t.start_time, t.id`;
  return {
    name: 'on-call',
    rows: sql`WITH ${past}
      ${rostersFrom(schedules, time, among)},
      covering AS MATERIALIZED (
        SELECT ${roster} AS roster, t.id, t.name, t.start_time, t.end_time, t.person_id FROM ${schedules} t
        WHERE ${hours} @> ${time} ${among}
      ),
      next AS MATERIALIZED (${next})
      SELECT r.roster, c.id AS "scheduleId", c.name, c.start_time, c.end_time, ${personOf('p')} AS person,
        CASE WHEN n.id IS NOT NULL THEN
          json_build_object('scheduleId', n.id, 'startTime', ${raw(instantText('n.start_time'))}, 'person', ${personOf('q')}) END AS next
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
    order: new Order(['t.roster COLLATE "C"', 't.start_time NULLS FIRST', 't."scheduleId"']),
  };
}

/** The reason why nobody of a roster is on call, the most specific first. The last one: the roster does not count. */
export const REASONS = ['person_inactive', 'nobody_assigned', 'no_shift', 'no_roster'] as const;

/**
 * SELECT of the person who covers each of some rosters at a time: the columns of `onCallAt`, and `reason`, which is null if somebody
 * does. Of several covering shifts, the last one to begin counts. Rosters that do not count at the time are left out.
 * @param rosters SQL of an array of names
 */
export function coveringAt(at: string, rosters: Sql): Sql {
  const { rows, columns } = onCallAt({ at, rosters });
  return sql`SELECT DISTINCT ON (c.roster) c.*, (ARRAY[${join(REASONS.map(literal))}])[c.rank] AS reason
    FROM (
      SELECT ${selected(columns)}, t.start_time, CASE WHEN t.person->>'status' <> 'inactive' THEN 0 WHEN t.person IS NOT NULL THEN 1
        WHEN t."scheduleId" IS NOT NULL THEN 2 ELSE 3 END AS rank
      FROM (${rows}) t
    ) c
    ORDER BY c.roster, c.rank, c.start_time DESC NULLS LAST, c."scheduleId" DESC`;
}

const rangeOf = ({ from, to }: Pick<Rosters, 'from' | 'to'>): Sql => sql`tstzrange(${from}, ${to})`;

/** CTE of the shifts within a window, cut to the window. @param more columns */
const shiftsWithin = (window: Sql, condition: Sql, more = EMPTY): Sql =>
  sql`shift AS MATERIALIZED (
    SELECT ${roster} AS roster, t.id, t.name, t.person_id, ${hours} * ${window} AS hours${more}
    FROM on_call_schedules t WHERE ${hours} && ${window} ${condition}
  )`;

/** A window and rosters: values, or SQL of times and of an array of names. */
interface Rosters {
  from: string | Sql;
  to: string | Sql;
  rosters: readonly string[] | Sql;
}
type RostersOfPeople = Rosters & { personIds: readonly string[] };

/** The shifts within a window. */
export function shiftsIn({ rosters, personIds, ...window }: RostersOfPeople): ComputedList {
  const ofPeople = personIds.length > 0 ? sql`AND t.person_id = ANY(${personIds}::uuid[])` : EMPTY;
  const chosen = sql`${amongRosters(rosters)} ${ofPeople}`;
  return {
    name: 'on-call-shifts',
    rows: sql`WITH ${shiftsWithin(rangeOf(window), chosen)}
      SELECT s.roster, s.id AS "scheduleId", s.name, s.hours, ${personOf('p')} AS person
      FROM shift s LEFT JOIN people p ON p.id = s.person_id`,
    columns: [ROSTER_COLUMN, column('scheduleId'), textColumn('name'), ...INTERVAL, column('person')],
    order: new Order(['lower(t.hours)', 't.roster COLLATE "C"', 't."scheduleId"']),
  };
}

/** The gaps within a window. A shift of an inactive person determines the reason. */
export function gapsIn({ rosters, ...window }: Rosters): ComputedList {
  const among = amongRosters(rosters);
  const range = rangeOf(window);
  return {
    name: 'on-call-gaps',
    rows: sql`WITH ${rostersFrom(raw('on_call_schedules'), sql`${window.from}::timestamptz`, among)},
      ${shiftsWithin(range, among, sql`, ${covers} AS covers`)},
      known AS MATERIALIZED (
        SELECT roster, range_agg(hours) FILTER (WHERE covers) AS covered, range_agg(hours) FILTER (WHERE person_id IS NULL) AS unassigned,
          range_agg(hours) FILTER (WHERE person_id IS NOT NULL AND NOT covers) AS inactive
        FROM shift GROUP BY roster
      ),
      uncovered AS MATERIALIZED (
        SELECT roster, tstzmultirange(${range}) - coalesce(covered, '{}') AS hours, coalesce(unassigned, '{}') AS unassigned,
          coalesce(inactive, '{}') AS inactive
        FROM roster LEFT JOIN known USING (roster)
      )
      SELECT roster, unnest(hours - inactive - unassigned) AS hours, 'no_shift' AS reason FROM uncovered
      UNION ALL SELECT roster, unnest(hours * unassigned - inactive), 'nobody_assigned' FROM uncovered
      UNION ALL SELECT roster, unnest(hours * inactive), 'person_inactive' FROM uncovered`,
    columns: [ROSTER_COLUMN, ...INTERVAL, column('reason')],
    order: new Order(['lower(t.hours)', 't.roster COLLATE "C"']),
  };
}

/** The gaps of a picture. Each says whether there are shifts before and after it, even outside of the window. */
export function picturedGapsIn(request: Rosters): ComputedList {
  const gaps = gapsIn(request);
  const has = (when: string): Sql =>
    sql`EXISTS (SELECT FROM on_call_schedules t WHERE ${roster} = g.roster AND ${raw(when)})`;
  const before = has('(t.start_time IS NULL OR t.start_time < lower(g.hours))');
  return {
    ...gaps,
    rows: sql`SELECT g.*, ${before} AND ${has('t.start_time >= upper(g.hours)')} AS "isBetween" FROM (${gaps.rows}) g`,
    columns: [...gaps.columns, column('isBetween')],
  };
}

/** Maximum number of times at which shifts of a window may be divided by others of their roster. */
const MOST_DIVISIONS = 100_000;

// The person who covers a roster changes only when a shift begins or ends. A shift is the steps between these times.
const dividedIn = ({ rosters, ...window }: Rosters): Sql =>
  sql`${shiftsWithin(rangeOf(window), sql`AND ${covers} ${amongRosters(rosters)}`)},
    change AS MATERIALIZED (
      SELECT roster, array_agg(DISTINCT at ORDER BY at) AS times
      FROM shift CROSS JOIN LATERAL (VALUES (lower(hours)), (upper(hours))) edge (at) GROUP BY roster
    ),
    divided AS MATERIALIZED (
      SELECT s.roster, s.id, lower(s.hours) AS since, times, place.first, place.last
      FROM shift s JOIN change USING (roster)
        CROSS JOIN LATERAL (SELECT width_bucket(lower(s.hours), times) AS first, width_bucket(upper(s.hours), times) AS last) place
    )`;

/** SELECT of whether the shifts of a window are divided too often for a list of overlaps, whose length grows with their square. */
export const tooDivided = (request: Rosters): Sql =>
  sql`WITH ${dividedIn(request)} SELECT coalesce(sum(last - first - 1), 0) > ${raw(MOST_DIVISIONS)} AS "isTooMuch" FROM divided`;

/** The time within a window that several shifts cover. */
export function overlapsIn(request: Rosters): ComputedList {
  return {
    name: 'on-call-overlaps',
    rows: sql`WITH ${dividedIn(request)},
      step AS MATERIALIZED (
        SELECT s.roster, step.starts, step.ends, s.id, s.since
        FROM divided s CROSS JOIN LATERAL unnest(times[first : last - 1], times[first + 1 : last]) step (starts, ends)
      )
      SELECT roster, tstzrange(starts, ends) AS hours, to_json(array_agg(id ORDER BY since, id)) AS "scheduleIds"
      FROM step GROUP BY roster, starts, ends HAVING count(*) > 1`,
    columns: [ROSTER_COLUMN, ...INTERVAL, column('scheduleIds')],
    order: new Order(['lower(t.hours)', 't.roster COLLATE "C"']),
  };
}

/** SQL of the elapsed hours of a multirange. */
const elapsed = (ranges: string): Sql =>
  raw(
    `(SELECT coalesce(sum(extract(epoch FROM upper(part) - lower(part))), 0)::float8 / 3600 FROM unnest(${ranges}) part)`,
  );

/**
 * CTE of times that recur within a window, on the clock of a time zone.
 * @param first days before the window on which the first may begin
 * @param condition on the `day` on which it begins
 * @param start of each after the midnight of its day
 */
function recurring(
  name: string,
  { from, to }: Window,
  zone: Sql,
  first: number,
  condition: string,
  [start, end]: readonly [string, string],
): Sql {
  const dayOf = (time: string): Sql => sql`(${time}::timestamptz AT TIME ZONE ${zone})::date`;
  const [firstDay, lastDay] = [dayOf(from), dayOf(to)];
  const at = (after: string): Sql => sql`(day + interval ${literal(after)}) AT TIME ZONE ${zone}`;
  return sql`${identifier(name)} AS MATERIALIZED (
    SELECT coalesce(range_agg(tstzrange(starts, ends)), '{}') AS hours
    FROM generate_series(0, ${lastDay} - ${firstDay} + ${raw(first)}) n
      CROSS JOIN LATERAL (SELECT ${firstDay} - ${raw(first)} + n AS day) days
      CROSS JOIN LATERAL (SELECT ${at(start)} AS starts, ${at(end)} AS ends) local
    WHERE ${raw(condition)} AND starts < ends
  )`;
}

/** The hours of each person within a window. */
export function loadIn({
  rosters,
  personIds,
  timeZone,
  ...window
}: RostersOfPeople & Window & { timeZone: string }): ComputedList {
  const zone = sql`${timeZone}::text`;
  const ofPeople = where(personIds.length > 0 ? [sql`l.person_id = ANY(${personIds}::uuid[])`] : []);
  return {
    name: 'on-call-load',
    rows: sql`WITH ${shiftsWithin(rangeOf(window), sql`AND ${covers} ${amongRosters(rosters)}`)},
      ${recurring('night', window, zone, 1, 'true', ['22 hours', '30 hours'])},
      ${recurring('weekend', window, zone, 2, 'extract(isodow FROM day) = 6', ['0 hours', '48 hours'])},
      covered AS MATERIALIZED (
        SELECT roster, ${elapsed('hours')} AS hours FROM (SELECT roster, range_agg(hours) AS hours FROM shift GROUP BY roster) rosters
      ),
      load AS MATERIALIZED (
        SELECT roster, person_id, count(*)::int AS shifts, range_agg(hours) AS hours FROM shift GROUP BY roster, person_id
      )
      SELECT l.roster, ${personOf('p')} AS person, p.full_name, p.id AS person_id, m.hours, l.shifts, m.hours / c.hours AS share,
        ${elapsed('l.hours * night.hours')} AS "nightHours", ${elapsed('l.hours * weekend.hours')} AS "weekendHours"
      FROM load l JOIN covered c USING (roster) JOIN people p ON p.id = l.person_id CROSS JOIN night CROSS JOIN weekend
        CROSS JOIN LATERAL (SELECT ${elapsed('l.hours')} AS hours) m ${ofPeople}`,
    columns: [
      ROSTER_COLUMN,
      ...['person', 'hours', 'nightHours', 'weekendHours', 'shifts', 'share'].map((name) => column(name)),
    ],
    order: new Order(['t.roster COLLATE "C"', 't.full_name COLLATE "C"', 't.person_id']),
  };
}
