import { join, raw, sql, type Sql } from '../database/sql.js';
import type { Area } from '../access/access.js';
import { HOURS, ROSTER } from '../operations/on-call-schedule/roster.js';
import { changeTime, WINDOW_TIME } from '../operations/pending.js';
import { byKind, DATED_KINDS } from '../procurement/expiration/expiration-kinds.js';
import { expiring } from '../procurement/expiration/expirations.sql.js';
import type { CalendarFeed, FeedKind } from './calendar-feed.entity.js';

export const DAYS_BACK = 30;
export const DAYS_AHEAD = 366;

/** Area that the owner of a feed needs; undefined if any profile may have the feed. */
export const AREA_OF: Readonly<Record<FeedKind, Area | undefined>> = {
  'on-call': 'operations',
  maintenance: 'operations',
  changes: 'operations',
  expirations: undefined,
  bookings: undefined,
};

/** The span of time of a calendar. */
interface Span {
  from: Sql;
  to: Sql;
  range: Sql;
}

export const spanOf = ([start, end]: readonly [from: string, to: string]): Span => {
  const [from, to] = [sql`${start}::timestamptz`, sql`${end}::timestamptz`];
  return { from, to, range: sql`tstzrange(${from}, ${to})` };
};

const lines = (...parts: string[]): Sql => raw(`concat_ws(E'\\n', ${parts.join(', ')})`);
const content = (summary: string, description: Sql, status: string): Sql =>
  sql`jsonb_build_object('summary', ${raw(summary)}, 'description', ${description}, 'status', ${raw(status)})`;

const CHANGE_TIME = changeTime(sql`interval '60 minutes'`);

const EXPIRES = byKind(({ event }) => `'${event}'`);
const DAY = sql`tstzrange(t.date::timestamp AT TIME ZONE 'UTC', (t.date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Roster and person of events that have none. */
const NOBODY = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
const SHARED = sql`'' AS roster, ${NOBODY} AS person_id`;

/** The events within the window for each kind of feed: SELECT of `uid`, `roster`, `person_id`, `hours` and `content`. */
const SOURCES: Record<FeedKind, (span: Span) => Sql> = {
  'on-call': ({ range }) => sql`
    SELECT 'shift-' || t.id AS uid, ${raw(ROSTER)} AS roster, coalesce(t.person_id, ${NOBODY}) AS person_id, ${raw(HOURS)} AS hours, ${content(
      `t.name || ': ' || coalesce(p.full_name || CASE p.status WHEN 'inactive' THEN ' (inactive)' ELSE '' END, 'nobody assigned')`,
      lines(`'Roster: ' || ${ROSTER}`, 'p.email', 'p.phone', 't.description'),
      `'CONFIRMED'`,
    )} AS content
    FROM on_call_schedules t LEFT JOIN people p ON p.id = t.person_id
    WHERE ${raw(HOURS)} && ${range}`,
  maintenance: ({ range }) => sql`
    SELECT 'maintenance-' || t.id AS uid, ${SHARED}, ${raw(WINDOW_TIME)} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Impact: ' || t.impact`, 't.description'),
      `CASE t.status WHEN 'cancelled' THEN 'CANCELLED' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM maintenance_windows t
    WHERE ${raw(WINDOW_TIME)} && ${range} AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL)`,
  changes: ({ from, to }) => sql`
    SELECT 'change-' || t.id AS uid, ${SHARED}, ${CHANGE_TIME} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Risk: ' || t.risk`, `'Requested by: ' || p.full_name`, 't.description'),
      `CASE WHEN t.status IN ('cancelled', 'rejected') THEN 'CANCELLED'
        WHEN t.status IN ('draft', 'submitted') THEN 'TENTATIVE' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM change_requests t LEFT JOIN people p ON p.id = t.requested_by_id
    WHERE t.scheduled_for > ${from} - interval '60 minutes' AND t.scheduled_for < ${to}`,
  expirations: ({ to, range }) => sql`
    SELECT t.kind || '-' || t.id AS uid, ${SHARED}, ${DAY} AS hours, ${content(
      `${EXPIRES} || ': ' || t.name`,
      lines(`'Vendor: ' || v.name`),
      `'CONFIRMED'`,
    )} AS content
    FROM (${expiring({ kinds: DATED_KINDS, vendorIds: [], until: sql`(${to} AT TIME ZONE 'UTC')::date` })}) t
      LEFT JOIN vendors v ON v.id = t.vendor_id
    WHERE ${DAY} && ${range}`,
  bookings: ({ from, to }) => sql`
    SELECT 'booking-' || t.id AS uid, ${SHARED}, tstzrange(t.start_time, t.end_time) AS hours, ${content(
      `coalesce(a.name, d.name) || coalesce(': ' || p.full_name, '')`,
      lines(`'Status: ' || t.status`, `'Purpose: ' || t.purpose`, 'p.email'),
      `CASE t.status WHEN 'cancelled' THEN 'CANCELLED' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM bookings t LEFT JOIN assets a ON a.id = t.asset_id LEFT JOIN devices d ON d.id = t.device_id LEFT JOIN people p ON p.id = t.person_id
    WHERE t.start_time < ${to} AND t.end_time > ${from}`,
};

type Narrowing = Pick<CalendarFeed, 'roster' | 'personId'>;

/** Condition on `roster` and `person_id`: the feed shows the event. */
const shownBy = ({ roster, personId }: Narrowing): Sql =>
  join(
    [
      raw('true'),
      ...(roster === null ? [] : [sql`roster = ${roster}`]),
      ...(personId === null ? [] : [sql`person_id = ${personId}`]),
    ],
    ' AND ',
  );

/** CTEs of the events of a feed: the `current` events and the `stored` ones. @param kind that of the feed */
export function eventsOf(feed: Narrowing & Pick<CalendarFeed, 'kind'>, kind: Sql, span: Span): Sql {
  const shown = shownBy(feed);
  return sql`current AS MATERIALIZED (SELECT * FROM (${SOURCES[feed.kind](span)}) t WHERE ${shown}),
    stored AS MATERIALIZED (SELECT * FROM calendar_events WHERE kind = ${kind} AND ${shown})`;
}

/**
 * SELECT of the stored events of a feed. If a shift has changed hands, it has several rows. The current one is shown with a number that
 * counts the changes of all. Events that were removed before the feed was created are left out.
 */
export const shownEvents = (feed: Narrowing & Pick<CalendarFeed, 'kind' | 'createdAt'>, { range }: Span): Sql => sql`
  SELECT * FROM (
    SELECT uid, hours, content, removed, changed_at, sum(sequence) OVER (PARTITION BY uid)::int AS sequence,
      row_number() OVER (PARTITION BY uid ORDER BY removed, changed_at DESC, roster, person_id) AS place
    FROM calendar_events WHERE kind = ${feed.kind} AND ${shownBy(feed)}
  ) e WHERE place = 1 AND hours && ${range} AND (NOT removed OR changed_at > ${feed.createdAt})`;
