import type { Transaction } from '../../database/executor.js';
import { holdLock, LOCKS } from '../../database/locks.js';

/** SQL of the roster of a schedule; equals the indexed expression. */
export const ROSTER = 'coalesce(t.rotation, t.name)';

/** SQL of the time of a schedule; equals the indexed expression. It is empty if the schedule ends when it starts. */
export const HOURS = 'tstzrange(t.start_time, t.end_time)';

/** SQL condition that the shift covers its time: it has a person, who is active. */
export const COVERS = `EXISTS (SELECT FROM people holder WHERE holder.id = t.person_id AND holder.status <> 'inactive')`;

/** Locks a roster until the end of the transaction, so that each action sees the writes of the previous one. */
export const takeTurn = (tx: Transaction, roster: string): Promise<void> => holdLock(tx, LOCKS.roster(roster));
