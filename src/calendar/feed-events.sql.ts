import type { Area } from '../access/access.js';
import { HOURS, ROSTER } from '../operations/on-call-schedule/roster.js';
import { WINDOW_TIME } from '../operations/pending.js';
import { byKind, EXPIRATION_KINDS } from '../procurement/expiration/expiration-kinds.js';
import { expiring } from '../procurement/expiration/expirations.sql.js';
import type { CalendarFeed, FeedKind } from './calendar-feed.entity.js';

export const DAYS_BACK = 30;
export const DAYS_AHEAD = 366;

/** Area that the owner of a feed needs; undefined if a profile is enough. */
export const AREA_OF: Readonly<Record<FeedKind, Area | undefined>> = {
  'on-call': 'operations',
  maintenance: 'operations',
  changes: 'operations',
  expirations: undefined,
};

/** SQL of the window: the first two parameters of every statement here. */
export const WINDOW = 'tstzrange($1, $2)';

const lines = (...parts: string[]): string => `concat_ws(E'\\n', ${parts.join(', ')})`;
const content = (summary: string, description: string, status: string): string =>
  `jsonb_build_object('summary', ${summary}, 'description', ${description}, 'status', ${status})`;

const CHANGE_TIME = `tstzrange(t.scheduled_for, t.scheduled_for + interval '60 minutes')`;

const EXPIRES = byKind(({ event }) => `'${event}'`);
const DAY = `tstzrange(t.date::timestamp AT TIME ZONE 'UTC', (t.date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Roster and person of events that have none. */
const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;
const SHARED = `'' AS roster, ${NOBODY} AS person_id`;

/** The events within the window for each kind of feed: SELECT of `uid`, `roster`, `person_id`, `hours` and `content`. */
const SOURCES: Record<FeedKind, (values: unknown[]) => string> = {
  'on-call': () => `
    SELECT 'shift-' || t.id AS uid, ${ROSTER} AS roster, coalesce(t.person_id, ${NOBODY}) AS person_id, ${HOURS} AS hours, ${content(
      `t.name || ': ' || coalesce(p.full_name || CASE p.status WHEN 'inactive' THEN ' (inactive)' ELSE '' END, 'nobody assigned')`,
      lines(`'Roster: ' || ${ROSTER}`, 'p.email', 'p.phone', 't.description'),
      `'CONFIRMED'`,
    )} AS content
    FROM on_call_schedules t LEFT JOIN people p ON p.id = t.person_id
    WHERE ${HOURS} && ${WINDOW}`,
  maintenance: () => `
    SELECT 'maintenance-' || t.id AS uid, ${SHARED}, ${WINDOW_TIME} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Impact: ' || t.impact`, 't.description'),
      `CASE t.status WHEN 'cancelled' THEN 'CANCELLED' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM maintenance_windows t
    WHERE ${WINDOW_TIME} && ${WINDOW} AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL)`,
  changes: () => `
    SELECT 'change-' || t.id AS uid, ${SHARED}, ${CHANGE_TIME} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Risk: ' || t.risk`, `'Requested by: ' || p.full_name`, 't.description'),
      `CASE WHEN t.status IN ('cancelled', 'rejected') THEN 'CANCELLED'
        WHEN t.status IN ('draft', 'submitted') THEN 'TENTATIVE' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM change_requests t LEFT JOIN people p ON p.id = t.requested_by_id
    WHERE t.scheduled_for > $1::timestamptz - interval '60 minutes' AND t.scheduled_for < $2`,
  expirations: (values) => `
    SELECT t.kind || '-' || t.id AS uid, ${SHARED}, ${DAY} AS hours, ${content(
      `${EXPIRES} || ': ' || t.name`,
      lines(`'Vendor: ' || v.name`),
      `'CONFIRMED'`,
    )} AS content
    FROM (${expiring({ kinds: EXPIRATION_KINDS, vendorIds: [], until: `($2::timestamptz AT TIME ZONE 'UTC')::date` }, values)}) t
      LEFT JOIN vendors v ON v.id = t.vendor_id
    WHERE ${DAY} && ${WINDOW}`,
};

export type Narrowing = Pick<CalendarFeed, 'roster' | 'personId'>;

/** SQL condition on `roster` and `person_id`: the feed shows the event. @param values receives the values of its parameters */
const shownBy = ({ roster, personId }: Narrowing, values: unknown[]): string =>
  [
    'true',
    ...(roster === null ? [] : [`roster = $${values.push(roster)}`]),
    ...(personId === null ? [] : [`person_id = $${values.push(personId)}`]),
  ].join(' AND ');

/**
 * CTEs of the events of a feed: `current` ones of its records, and those that are `stored`.
 * @param values begins with the window and the kind; parameters are added to it
 */
export function eventsOf(feed: Narrowing & Pick<CalendarFeed, 'kind'>, values: unknown[]): string {
  const shown = shownBy(feed, values);
  return `current AS MATERIALIZED (SELECT * FROM (${SOURCES[feed.kind](values)}) t WHERE ${shown}),
    stored AS MATERIALIZED (SELECT * FROM calendar_events WHERE kind = $3 AND ${shown})`;
}

/**
 * SELECT of the stored events that a feed shows. A shift that has changed hands has several rows, of which the present one is shown
 * with a number that counts the changes of all. What was removed before the feed was created was never in it.
 * @param values begins with the window, the kind and the time of the feed's creation; parameters are added to it
 */
export const shownEvents = (feed: Narrowing, values: unknown[]): string => `
  SELECT * FROM (
    SELECT uid, hours, content, removed, changed_at, sum(sequence) OVER (PARTITION BY uid)::int AS sequence,
      row_number() OVER (PARTITION BY uid ORDER BY removed, changed_at DESC, roster, person_id) AS place
    FROM calendar_events WHERE kind = $3 AND ${shownBy(feed, values)}
  ) e WHERE place = 1 AND hours && ${WINDOW} AND (NOT removed OR changed_at > $4)`;
