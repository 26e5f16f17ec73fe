import { literal, sql, type Sql } from '../database/sql.js';
import { LAST_INSTANT } from '../fields/types/time.js';

/*
 * SQL conditions that select unfinished records. They must equal the conditions of the indexes `ix_incidents_open`,
 * `ix_change_requests_pending` and `ix_maintenance_windows_pending`, or the indexes are not used.
 */

/** An incident, as `t`, is open. */
export const IS_OPEN = `coalesce(t.status, 'open') NOT IN ('resolved', 'closed')`;

/** A change request, as `t`, is neither finished nor cancelled. */
export const IS_UNFINISHED = `t.status NOT IN ('completed', 'failed', 'cancelled', 'rejected')`;

/** A maintenance window, as `t`, is neither finished nor cancelled. */
export const IS_PLANNED = `t.status NOT IN ('completed', 'cancelled')`;

/** The time of a maintenance window, as `t`. */
export const WINDOW_TIME = 'tstzrange(t.start_time, t.end_time)';

/** The time of a change request, as `t`. It ends within the years that an instant may have. @param length an `interval` */
export const changeTime = (length: Sql): Sql =>
  sql`tstzrange(t.scheduled_for, least(t.scheduled_for + ${length}, ${literal(LAST_INSTANT)}::timestamptz))`;
