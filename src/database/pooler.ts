import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier, escapeLiteral, type PoolConfig } from 'pg';
import { isConnectionLoss } from './database-errors.js';
import type { Transaction } from './executor.js';
import type { Database } from './database.js';
import { wantedSettings } from './settings.js';
import { holdLock, LOCKS } from './locks.js';
import { raw, sql, type Sql } from './sql.js';

// In milliseconds. A value that no role or database has by chance.
const UNUSUAL = 4_321;

const REFUSED = /^unsupported startup parameter/;

/**
 * Whether connections lead to a pooler, such as PgBouncer. A pooler refuses or ignores start-up settings of a connection, because its
 * client gets another server connection for each transaction.
 * @throws Error if the server cannot be reached
 */
export async function leadsToPooler({ connectionString, connectionTimeoutMillis }: PoolConfig): Promise<boolean> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis,
    query_timeout: connectionTimeoutMillis,
    lock_timeout: UNUSUAL,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    // The database may have a timeout that is too short for any statement. The statements that remove it are as short as possible.
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    const { rows } = await client.query(`SELECT setting FROM pg_settings WHERE name = 'lock_timeout'`);
    await client.query('COMMIT');
    return Number(rows[0].setting) !== UNUSUAL;
  } catch (error) {
    if (REFUSED.test((error as Error).message)) return true;
    throw error;
  } finally {
    await client.end();
  }
}

/** The same pool without the settings that a pooler refuses. */
export function throughPooler(pool: PoolConfig): PoolConfig {
  const {
    statement_timeout: _statement,
    lock_timeout: _lock,
    idle_in_transaction_session_timeout: _idle,
    ...rest
  } = pool;
  return rest;
}

// Settings of the role in this database belong to the service, and follow its configuration. Settings of the role in all databases, or
// of the database, belong to the operator, whose timeouts stay. Existing connections of the pooler may be older than both.
const defaultsToSet = (names: readonly string[], values: readonly string[], areLimits: readonly boolean[]): Sql => sql`
  WITH given AS (
    SELECT split_part(entry, '=', 1) AS name, substr(entry, strpos(entry, '=') + 1) AS value,
      setrole <> 0 AND setdatabase <> 0 AS is_own
    FROM pg_db_role_setting, unnest(setconfig) entry
    WHERE setrole IN (0, current_user::regrole)
      AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  ), wanted AS (
    SELECT *, EXISTS (SELECT FROM given WHERE given.name = wanted.name AND NOT is_own) AS is_given,
      EXISTS (SELECT FROM given WHERE given.name = wanted.name AND is_own) AS is_own
    FROM unnest(${names}::text[], ${values}::text[], ${areLimits}::boolean[]) wanted (name, value, is_limit)
  )
  SELECT name, value, NOT is_limit AND (is_given OR setting <> value) AS "isOther" FROM wanted JOIN pg_settings USING (name)
  WHERE NOT EXISTS (SELECT FROM given WHERE given.name = wanted.name AND is_own AND given.value = wanted.value)
    AND (NOT is_limit OR NOT is_given AND (is_own OR setting = '0'))
  ORDER BY name`;

/**
 * A pooler does not pass on the settings of connections, so they become defaults of the service's role in this database. Timeouts that
 * the operator has set for the role in all databases, or for the database, stay.
 * @returns the names of the new defaults, and whether existing connections of the pooler read or write values differently
 */
export function keepSettings(db: Database, pool: PoolConfig): Promise<{ names: string[]; isLate: boolean }> {
  const limits = {
    statement_timeout: String(pool.statement_timeout),
    lock_timeout: String(pool.lock_timeout),
    idle_in_transaction_session_timeout: String(pool.idle_in_transaction_session_timeout),
  };
  return db.transaction(async (tx: Transaction) => {
    // Any role may set its own defaults. A lock serializes replicas that start at the same time.
    await holdLock(tx, LOCKS.settings);
    const settings = { ...(await wantedSettings(tx)), ...limits };
    const names = Object.keys(settings);
    const toSet = await tx.query<{ name: string; value: string; isOther: boolean }>(
      defaultsToSet(
        names,
        Object.values(settings),
        names.map((name) => name in limits),
      ),
    );
    if (toSet.length > 0) {
      const [{ database }] = (await tx.query(sql`SELECT current_database() AS database`)) as [{ database: string }];
      const role = `ALTER ROLE CURRENT_USER IN DATABASE ${escapeIdentifier(database)}`;
      for (const { name, value } of toSet)
        await tx.query(sql`${raw(role)} SET ${raw(name)} = ${raw(escapeLiteral(value))}`);
    }
    return { names: toSet.map(({ name }) => name), isLate: toSet.some(({ isOther }) => isOther) };
  });
}

const NOW = 'SELECT extract(epoch FROM clock_timestamp())::text AS now';
// From the pooler's host, like this connection, which ends itself last.
const END_OLDER = `SELECT count(*) FILTER (WHERE state <> 'idle' AND pid <> pg_backend_pid())::int AS busy,
    bool_or(CASE WHEN state = 'idle' OR pid = pg_backend_pid() THEN pg_terminate_backend(pid) END)
  FROM (SELECT a.* FROM pg_stat_activity a JOIN pg_stat_activity own ON own.pid = pg_backend_pid()
    WHERE a.usename = current_user AND a.datname = current_database() AND a.client_addr IS NOT DISTINCT FROM own.client_addr
      AND a.backend_start < to_timestamp($1::float8)
    ORDER BY a.pid = pg_backend_pid()) older`;
const BETWEEN_MS = 50;
const MOST_ROUNDS = 100;

/**
 * Ends the role's connections that the pooler has opened so far, so that new ones get the current defaults. Connections in use finish
 * their transaction first.
 * @returns whether none is left
 */
export async function replaceConnections(pool: PoolConfig): Promise<boolean> {
  let before: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const client = new Client(throughPooler(pool));
    client.on('error', () => {});
    try {
      await client.connect();
      before ??= (await client.query<{ now: string }>(NOW)).rows[0]!.now;
      const { rows } = await client.query<{ busy: number }>(END_OLDER, [before]);
      if (rows[0]!.busy === 0) return true;
    } catch (error) {
      // This connection has ended itself.
      if (!isConnectionLoss(error)) throw error;
    } finally {
      await client.end();
    }
    await sleep(BETWEEN_MS);
  }
  return false;
}
