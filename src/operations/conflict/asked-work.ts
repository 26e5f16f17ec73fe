import { identifier, raw, sql, type Sql } from '../../database/sql.js';
import { changeTime, IS_PLANNED, IS_UNFINISHED, WINDOW_TIME } from '../pending.js';
import type { AskedWork } from './conflict-list.js';

/** SELECT of the targets of recorded work, as `{resource, id}`. @param owner their table without `_targets` */
export const targetsOf = (owner: string, id: Sql): Sql =>
  sql`SELECT x.resource, x.record_id AS id FROM ${identifier(`${owner}_targets`)} x WHERE x.${identifier(`${owner}_id`)} = ${id}`;

/** A maintenance window, which does not count once it is finished or without both times. */
export const askedWindow = (id: string | Sql): AskedWork => ({
  span: sql`SELECT ${raw(WINDOW_TIME)} AS span FROM maintenance_windows t
    WHERE t.id = ${id}::uuid AND ${raw(IS_PLANNED)} AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL)`,
  targets: targetsOf('maintenance_window', sql`${id}::uuid`),
  id,
});

/** A change request, which does not count once it is finished or without a time. @param minutes that it takes */
export const askedChange = (id: string | Sql, minutes: number): AskedWork => ({
  span: sql`SELECT ${changeTime(sql`make_interval(mins => ${minutes}::int)`)} AS span FROM change_requests t
    WHERE t.id = ${id}::uuid AND ${raw(IS_UNFINISHED)} AND t.scheduled_for IS NOT NULL`,
  targets: targetsOf('change_request', sql`${id}::uuid`),
  id,
});
