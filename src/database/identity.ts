import { realpathSync } from 'node:fs';
import type { Configuration } from '../config/configuration.js';
import type { Executor } from './executor.js';
import { sql, write, type Write } from './sql.js';

/** What distinguishes a database from its copy: its server, its number there, and the directory of an embedded one. */
export interface Identity {
  /** Absent if the role has no right to read it. */
  server?: string;
  database: string;
  directory?: string;
}

const NAME = 'database_identity';

// If the right to call it was revoked, even a statement that only names the function is refused.
const MAY_ASK = sql`SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`;
const SERVER = sql`SELECT system_identifier::text AS server FROM pg_control_system()`;

/**
 * Reads the identity of the database. It stays the same after a failover to a standby, and after a restart. A database that was
 * restored from a dump, copied with `CREATE DATABASE … TEMPLATE` or upgraded to another major version has a new one.
 */
export async function identityOf(
  db: Pick<Executor, 'query'>,
  { databaseUrl, dataDir }: Pick<Configuration, 'databaseUrl' | 'dataDir'>,
): Promise<Identity> {
  const [{ may, database }] = (await db.query(MAY_ASK)) as [{ may: boolean; database: string }];
  const [found] = may ? await db.query<{ server: string }>(SERVER) : [];
  return { ...found, database, ...(databaseUrl === undefined && { directory: realPath(dataDir) }) };
}

/** Whether the stored identity is this one. A database without an identity gets it. */
export async function isOwn(db: Executor, identity: Identity): Promise<boolean> {
  let stored = await storedIn(db);
  if (!stored) {
    await db.write(
      write`INSERT INTO settings (name, value) VALUES (${NAME}, ${JSON.stringify(identity)}) ON CONFLICT (name) DO NOTHING RETURNING name`,
    );
    stored = (await storedIn(db))!;
  }
  const { server, database, directory } = stored;
  // The rights of roles can change.
  const isServer = server === undefined || identity.server === undefined || server === identity.server;
  return isServer && database === identity.database && directory === identity.directory;
}

async function storedIn(db: Executor): Promise<Partial<Identity> | undefined> {
  const [stored] = await db.query<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${NAME}`);
  return stored && (JSON.parse(stored.value) as Partial<Identity>);
}

/** Marks the database as an original. */
export async function takeIdentity(db: Executor, identity: Identity): Promise<void> {
  await db.write(storing(identity));
}

/** Marks the database as a copy, wherever it is. */
export const leaveIdentity = (): Write => storing({});

const storing = (identity: Partial<Identity>): Write =>
  write`INSERT INTO settings (name, value) VALUES (${NAME}, ${JSON.stringify(identity)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING name`;

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
