import { COVERS, HOURS, ROSTER } from './roster.js';

/**
 * SELECT of the times within a span that no shift of a roster covers, as `{roster, span}`. The roster of a shift is its
 * rotation, or its name if it has none.
 * @param rosters SQL of an array of names
 * @param span SQL of the span, a `tstzrange`
 */
export const rosterGaps = (rosters: string, span: string): string => `
  SELECT r.roster, unnest(tstzmultirange(${span}) - coalesce((
    SELECT range_agg(${HOURS}) FROM on_call_schedules t
    WHERE ${ROSTER} = r.roster AND ${COVERS}
      AND (t.start_time IS NULL OR t.start_time < coalesce(upper(${span}), 'infinity'))
      AND (t.end_time IS NULL OR t.end_time > coalesce(lower(${span}), '-infinity'))
  ), '{}'::tstzmultirange)) AS span
  FROM (SELECT DISTINCT roster FROM unnest(${rosters}) roster) r`;
