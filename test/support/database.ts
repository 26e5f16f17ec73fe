import { randomBytes } from 'node:crypto';
import { Client, type PoolConfig, type QueryResult } from 'pg';
import { serverPool, type ServiceDataSource } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import type { Database } from '../../src/database/database.js';
import { keepSettings, throughPooler } from '../../src/database/pooler.js';
import type { Configuration } from '../../src/config/configuration.js';
import { KeptDatabase } from './kept-database.js';

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  db: Database;
  dataSource: ServiceDataSource;
  /** Connection string, on a server; undefined on the embedded database. */
  url?: string;
  drop(): Promise<void>;
  /** Ends the embedded database while the service uses it. On a server a proxy does this. */
  goAway?(): Promise<void>;
}

/** Whether the tests run on a PostgreSQL server. Race conditions and faults can only be tested there. */
export const onServer = Boolean(process.env.TEST_DATABASE_URL);

/** Whether the services of the tests reach it through a pooler. */
export const onPooler = process.env.TEST_POOLER_URL !== undefined;

export const urlOf = (name: string): string => {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.toString();
};

/** Runs statements on the server, outside of any test's database. Returns their results. */
export async function administer(...statements: string[]): Promise<QueryResult[]> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const results: QueryResult[] = [];
  try {
    for (const statement of statements) results.push(await client.query(statement));
  } finally {
    await client.end();
  }
  return results;
}

export const serverConfiguration = (url: string): Configuration =>
  ({ databaseUrl: url, databasePoolSize: 10, statementTimeout: 15_000 }) as Configuration;

/** Longer than in production, so that a request waits for a busy machine. `test/faults` tests the timeout. */
const PATIENT: PoolConfig = {
  connectionTimeoutMillis: 30_000,
  lock_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: 70_000,
  query_timeout: 75_000,
};

/** The pool of a service of the tests. */
export const patientPool = (url: string, databasePoolSize = 10): PoolConfig => ({
  ...serverPool({ ...serverConfiguration(url), databasePoolSize }),
  ...PATIENT,
});

/** A copy of the migrated database that the global set-up has created. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return onServer ? onServerDatabase() : embeddedDatabase();
}

async function onServerDatabase(): Promise<TestDatabase> {
  const template = process.env.TEST_DATABASE_TEMPLATE!;
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const opened = await connectTo(urlOf(name));
  return {
    ...opened,
    async drop() {
      await opened.drop();
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Unless an application has closed it already. */
const close = async (dataSource: ServiceDataSource): Promise<void> => {
  if (dataSource.isInitialized) await dataSource.destroy();
};

/** A test's database on the server through another pool, like a second replica; `drop` closes that pool only. */
export async function connectTo(url: string, databasePoolSize = 10): Promise<TestDatabase> {
  const pool = patientPool(url, databasePoolSize);
  const pooled = process.env.TEST_POOLER_URL === undefined ? undefined : await throughTestPooler(pool);
  const dataSource = createDataSource(pooled ?? pool, pooled === undefined);
  await dataSource.initialize();
  const db = dataSource.database;
  db.pool.on('error', () => {});
  return { db, dataSource, url, drop: () => close(dataSource) };
}

/** The same pool through the pooler of `npm run test:pooler`, in the state of a pooler without connections. */
async function throughTestPooler(pool: PoolConfig): Promise<PoolConfig> {
  const direct = await createDataSource(throughPooler(pool), false).initialize();
  await keepSettings(direct.database, pool);
  await direct.destroy();
  const { hostname, port } = new URL(process.env.TEST_POOLER_URL!);
  const url = Object.assign(new URL(pool.connectionString!), { hostname, port });
  return throughPooler({ ...pool, connectionString: url.href });
}

async function embeddedDatabase(): Promise<TestDatabase> {
  const kept = await KeptDatabase.take();
  const { embedded, dataSource } = kept;
  return { db: dataSource.database, dataSource, drop: () => kept.giveBack(), goAway: () => embedded.close() };
}
