import { realpathSync } from 'node:fs';
import type { Configuration } from '../config/configuration.js';
import type { Executor } from './executor.js';
import { sql, write, type Write } from './sql.js';

/** What a database has and its copy does not: its server, its number there, and the directory of an embedded one. */
export interface Identity {
  /** Absent if the role may not ask for it. */
  server?: string;
  database: string;
  directory?: string;
}

const NAME = 'database_identity';

// A statement that names the function is refused where the right to call it was revoked, even if it is not called.
const MAY_ASK = sql`SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`;
const SERVER = sql`SELECT system_identifier::text AS server FROM pg_control_system()`;

/**
 * Reads what the database is. A standby that takes over, and a server that is started again, have the same identity. A database that was
 * restored from a dump, copied with `CREATE DATABASE … TEMPLATE` or upgraded to another major version has another one.
 */
export async function identityOf(
  db: Pick<Executor, 'query'>,
  { databaseUrl, dataDir }: Pick<Configuration, 'databaseUrl' | 'dataDir'>,
): Promise<Identity> {
  const [{ may, database }] = (await db.query(MAY_ASK)) as [{ may: boolean; database: string }];
  const [found] = may ? await db.query<{ server: string }>(SERVER) : [];
  return { ...found, database, ...(databaseUrl === undefined && { directory: realPath(dataDir) }) };
}

/** Whether the stored identity is this one. A database that has none takes it. */
export async function isOwn(db: Executor, identity: Identity): Promise<boolean> {
  let stored = await storedIn(db);
  if (!stored) {
    await db.write(
      write`INSERT INTO settings (name, value) VALUES (${NAME}, ${JSON.stringify(identity)}) ON CONFLICT (name) DO NOTHING RETURNING name`,
    );
    stored = (await storedIn(db))!;
  }
  const { server, database, directory } = stored;
  // Which roles may ask for the server can change.
  const isServer = server === undefined || identity.server === undefined || server === identity.server;
  return isServer && database === identity.database && directory === identity.directory;
}

async function storedIn(db: Executor): Promise<Partial<Identity> | undefined> {
  const [stored] = await db.query<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${NAME}`);
  return stored && (JSON.parse(stored.value) as Partial<Identity>);
}

/** Stores that the database is no copy. */
export async function takeIdentity(db: Executor, identity: Identity): Promise<void> {
  await db.write(storing(identity));
}

/** Stores that the database is a copy, wherever it is then. */
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
