import type { Executor } from './executor.js';
import { raw, sql } from './sql.js';

/** A server that replicates the database. */
interface Replica {
  name: string;
  /** `streaming`, or an earlier state. */
  state: string;
  /** Lag in seconds; null if PostgreSQL does not know it because nothing was written lately. */
  seconds: number | null;
  /** Lag in bytes of the write-ahead log. */
  bytes: number;
}

/** Maximum number of replicas that are listed separately. */
const MOST = 20;

// Only a member of pg_monitor, or a superuser, sees more than the existence of a replica. A standby has no position of its own.
const REPLICAS = sql`SELECT coalesce(application_name, '') AS name, coalesce(state, '') AS state,
    extract(epoch FROM replay_lag)::float8 AS seconds,
    CASE WHEN pg_is_in_recovery() OR state IS NULL THEN NULL ELSE greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::float8 END AS bytes
  FROM pg_stat_replication ORDER BY name, pid LIMIT ${raw(MOST)}`;

/** The replicas of the server: their number, and the state of those that the service's role may see. */
export async function replicasOf(db: Pick<Executor, 'query'>): Promise<{ count: number; visible: Replica[] }> {
  const rows = await db.query<Omit<Replica, 'bytes'> & { bytes: number | null }>(REPLICAS);
  return { count: rows.length, visible: rows.filter((row): row is Replica => row.bytes !== null) };
}
