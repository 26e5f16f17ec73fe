import type { Area } from '../access/access.js';
import { HOURS, ROSTER } from '../operations/on-call-schedule/roster.js';
import { WINDOW_TIME } from '../operations/pending.js';
import { EXPIRATION_KINDS } from '../procurement/expiration/expiration.js';
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

const EXPIRES = `CASE t.kind WHEN 'licence' THEN 'Licence expires' WHEN 'contract' THEN 'Contract ends'
  WHEN 'notice' THEN 'Contract: last day to give notice' WHEN 'renewal' THEN 'Renewal' WHEN 'warranty' THEN 'Warranty ends'
  WHEN 'delivery' THEN 'Delivery expected' END`;
const DAY = `tstzrange(t.date::timestamp AT TIME ZONE 'UTC', (t.date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** The events within the window for each kind of feed: SELECT of `uid`, `hours` and `content`. */
const SOURCES: Record<FeedKind, (feed: Narrowing, values: unknown[]) => string> = {
  'on-call': ({ roster, personId }, values) => `
    SELECT 'shift-' || t.id AS uid, ${HOURS} AS hours, ${content(
      `t.name || ': ' || coalesce(p.full_name, 'nobody assigned')`,
      lines(`'Roster: ' || ${ROSTER}`, 'p.email', 'p.phone', 't.description'),
      `'CONFIRMED'`,
    )} AS content
    FROM on_call_schedules t LEFT JOIN people p ON p.id = t.person_id
    WHERE ${HOURS} && ${WINDOW}
      ${roster === null ? '' : `AND ${ROSTER} = $${values.push(roster)}`}
      ${personId === null ? '' : `AND t.person_id = $${values.push(personId)}`}`,
  maintenance: () => `
    SELECT 'maintenance-' || t.id AS uid, ${WINDOW_TIME} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Impact: ' || t.impact`, 't.description'),
      `CASE t.status WHEN 'cancelled' THEN 'CANCELLED' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM maintenance_windows t
    WHERE ${WINDOW_TIME} && ${WINDOW} AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL)`,
  changes: () => `
    SELECT 'change-' || t.id AS uid, ${CHANGE_TIME} AS hours, ${content(
      't.name',
      lines(`'Status: ' || t.status`, `'Risk: ' || t.risk`, `'Requested by: ' || p.full_name`, 't.description'),
      `CASE WHEN t.status IN ('cancelled', 'rejected') THEN 'CANCELLED'
        WHEN t.status IN ('draft', 'submitted') THEN 'TENTATIVE' ELSE 'CONFIRMED' END`,
    )} AS content
    FROM change_requests t LEFT JOIN people p ON p.id = t.requested_by_id
    WHERE t.scheduled_for > $1::timestamptz - interval '60 minutes' AND t.scheduled_for < $2`,
  expirations: (_, values) => `
    SELECT t.kind || '-' || t.id AS uid, ${DAY} AS hours, ${content(
      `${EXPIRES} || ': ' || t.name`,
      lines(`'Vendor: ' || v.name`),
      `'CONFIRMED'`,
    )} AS content
    FROM (${expiring({ kinds: EXPIRATION_KINDS, vendorIds: [], until: `($2::timestamptz AT TIME ZONE 'UTC')::date` }, values)}) t
      LEFT JOIN vendors v ON v.id = t.vendor_id
    WHERE ${DAY} && ${WINDOW}`,
};

export type Narrowing = Pick<CalendarFeed, 'roster' | 'personId'>;

/** CTE of the current events of a feed. @param values begins with the window; parameters are added to it */
export const currentEvents = (kind: FeedKind, feed: Narrowing, values: unknown[]): string =>
  `current AS MATERIALIZED (${SOURCES[kind](feed, values)})`;
