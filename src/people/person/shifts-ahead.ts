import type { Executor } from '../../database/executor.js';
import { sql } from '../../database/sql.js';

/** Maximum number of shifts with a link of their own. */
const MOST_NAMED = 20;

/** What the document says of the header. */
export const SHIFTS_AHEAD = {
  Link: {
    description: `Present if the change makes the person inactive and the person has current or future shifts that the caller may read. The title of the first link is the number of these shifts; it lists those of the next 30 days, and later ones with \`to\`. The others are the first ${MOST_NAMED} schedules by their starts`,
    required: false,
    schema: {
      type: 'string',
      example:
        '</api/on-call/shifts?personId=3f1c0a52-7f0e-4c3b-9a55-0d0d5f1f3b11>; rel="related"; title="1 shift ahead", </api/on-call-schedules/0f8fad5b-d9cb-469f-a165-70867728950e>; rel="related"',
    },
  },
} as const;

/** Links to the shifts of a person that have not ended, as the value of the header `Link`; undefined if there are none. */
export async function shiftsAhead(db: Executor, personId: string): Promise<string | undefined> {
  const shifts = await db.query<{ id: string; total: number }>(
    sql`SELECT id, count(*) OVER ()::int AS total FROM on_call_schedules
      WHERE person_id = ${personId} AND (end_time IS NULL OR end_time > now()) AND start_time IS DISTINCT FROM end_time
      ORDER BY start_time NULLS FIRST, id LIMIT ${MOST_NAMED}`,
  );
  const [first] = shifts;
  if (!first) return undefined;
  const title = first.total === 1 ? '1 shift ahead' : `${first.total} shifts ahead`;
  const links = shifts.map(({ id }) => `</api/on-call-schedules/${id}>; rel="related"`);
  return [`</api/on-call/shifts?personId=${personId}>; rel="related"; title="${title}"`, ...links].join(', ');
}
