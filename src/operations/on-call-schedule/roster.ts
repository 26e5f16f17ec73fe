import type { Executor } from '../../database/database.js';

/** SQL of the roster of a schedule; as indexed. */
export const ROSTER = 'coalesce(t.rotation, t.name)';

/** SQL of the time of a schedule; as indexed. It is empty if the schedule ends as it starts. */
export const HOURS = 'tstzrange(t.start_time, t.end_time)';

/** Makes the actions on one roster take turns: each sees what the one before has written. Ends with the transaction. */
export async function takeTurn(tx: Executor, roster: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('on-call roster'), hashtext($1))`, [roster]);
}
