import { Client, escapeIdentifier, type PoolConfig } from 'pg';
import type { Transaction } from './executor.js';
import type { Database } from './database.js';

// In milliseconds. No role and no database has this value by chance.
const UNUSUAL = 4_321;

const REFUSED = /^unsupported startup parameter/;

/**
 * Whether connections lead to a pooler, such as PgBouncer. A pooler refuses or ignores the settings that a connection starts with,
 * because its client has another connection of the server for each transaction.
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
    const { rows } = await client.query(`SELECT setting FROM pg_settings WHERE name = 'lock_timeout'`);
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

// Any role may set its own defaults. Replicas that start at the same time take turns.
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('inventory.settings', 0))`;
// What is given for the role in this database is the service's own, and follows its configuration. What is given for the role in all
// databases, or for the database, is the operator's. Connections that the pooler has kept may be older than both.
const TO_SET = `WITH given AS (
    SELECT split_part(entry, '=', 1) AS name, substr(entry, strpos(entry, '=') + 1) AS value,
      setrole <> 0 AND setdatabase <> 0 AS is_own
    FROM pg_db_role_setting, unnest(setconfig) entry
    WHERE setrole IN (0, current_user::regrole)
      AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  )
  SELECT name, value FROM unnest($1::text[], $2::text[]) wanted (name, value)
  WHERE NOT EXISTS (SELECT FROM given WHERE given.name = wanted.name AND NOT is_own)
    AND NOT EXISTS (SELECT FROM given WHERE given.name = wanted.name AND is_own AND given.value = wanted.value)
    AND (EXISTS (SELECT FROM given WHERE given.name = wanted.name AND is_own)
      OR EXISTS (SELECT FROM pg_settings s WHERE s.name = wanted.name AND setting IN ('0', 'on')))
  ORDER BY name`;

/**
 * Makes the settings of connections, which a pooler does not pass on, the defaults of the service's role in this database. Those that the
 * operator has set for the role in all databases, or for the database, stay.
 * @returns the names of the settings that were set
 */
export function keepSettings(db: Database, pool: PoolConfig): Promise<string[]> {
  const settings: Record<string, string> = {
    statement_timeout: String(pool.statement_timeout),
    lock_timeout: String(pool.lock_timeout),
    idle_in_transaction_session_timeout: String(pool.idle_in_transaction_session_timeout),
    jit: 'off',
  };
  return db.transaction(async (tx: Transaction) => {
    await tx.query(TURN);
    const toSet = await tx.query<{ name: string; value: string }>(TO_SET, [
      Object.keys(settings),
      Object.values(settings),
    ]);
    if (toSet.length === 0) return [];
    const [{ database }] = (await tx.query('SELECT current_database() AS database')) as [{ database: string }];
    for (const { name, value } of toSet) {
      await tx.query(`ALTER ROLE CURRENT_USER IN DATABASE ${escapeIdentifier(database)} SET ${name} = ${value}`);
    }
    return toSet.map(({ name }) => name);
  });
}
