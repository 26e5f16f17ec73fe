import { raw, sql, type Sql } from '../../database/sql.js';
import { COVERS, HOURS, ROSTER } from './roster.js';

/**
 * SELECT of the times within a span that no shift of a roster covers, as `{roster, span}`. The roster of a shift is its
 * rotation, or its name if it has none.
 * @param rosters SQL of an array of names
 * @param span SQL of the span, a `tstzrange`
 */
export const rosterGaps = (rosters: Sql, span: Sql): Sql => sql`
  SELECT r.roster, unnest(tstzmultirange(${span}) - coalesce((
    SELECT range_agg(${raw(HOURS)}) FROM on_call_schedules t
    WHERE ${raw(ROSTER)} = r.roster AND ${raw(COVERS)}
      AND (t.start_time IS NULL OR t.start_time < coalesce(upper(${span}), 'infinity'))
      AND (t.end_time IS NULL OR t.end_time > coalesce(lower(${span}), '-infinity'))
  ), '{}'::tstzmultirange)) AS span
  FROM (SELECT DISTINCT roster FROM unnest(${rosters}) roster) r`;
