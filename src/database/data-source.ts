import { Client, type Pool, type PoolConfig } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Configuration } from '../config/configuration.js';
import { Database } from './database.js';
import { SnakeNamingStrategy } from './naming.js';
import { Notifications } from './notifications.js';

/** How long, in milliseconds, a request may wait for the database in the ways there are. */
const CONNECT_TIMEOUT = 3_000;
const LOCK_TIMEOUT = 5_000;
// Where it is the only connection that waits for the lock, everybody waits for it.
const LOCK_TIMEOUT_OF_ONE_CONNECTION = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000;

/** Pool of connections to a PostgreSQL server, none of which waits for ever. */
export function serverPool({ databaseUrl, databasePoolSize, statementTimeout }: Configuration): PoolConfig {
  return {
    connectionString: databaseUrl,
    max: databasePoolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementTimeout,
    // The server's own limit comes first; this one is for a server that no longer answers at all.
    query_timeout: statementTimeout + 5_000,
    lock_timeout: databasePoolSize === 1 ? LOCK_TIMEOUT_OF_ONE_CONNECTION : LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    application_name: 'infrastructure-inventory',
  };
}

/** What a database is expected to hold: its tables, how they came to be, and the channels that its triggers notify. */
export interface Schema {
  entities: readonly Function[];
  migrations: readonly (new () => MigrationInterface)[];
  channels: readonly string[];
}

/** TypeORM's data source, with what the database tells its connections. */
export class ListeningDataSource extends DataSource {
  readonly notifications: Notifications;

  constructor(
    pool: PoolConfig,
    channels: readonly string[],
    options: Omit<PostgresDataSourceOptions, 'url' | 'extra'>,
  ) {
    const notifications = new Notifications(channels);
    super({ ...options, url: pool.connectionString, extra: notifications.listening(pool) });
    this.notifications = notifications;
  }
}

/** TypeORM's view of a database that is reached through this pool: entities, migrations, and names as SQL writes them. */
export function dataSourceOf(pool: PoolConfig, { entities, migrations, channels }: Schema): ListeningDataSource {
  return new ListeningDataSource(pool, channels, {
    type: 'postgres',
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    // gen_random_uuid() is part of PostgreSQL: no extension is needed for it.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
  });
}

/** The service's own statements run on the pool that a data source has opened. */
export function databaseOf(dataSource: ListeningDataSource, preparedStatements = true): Database {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  return new Database(pool, dataSource.notifications, preparedStatements);
}

// Any number will do, as long as no other application locks the same in this database.
const MIGRATION_LOCK = 7_260_514_398;

/**
 * Brings the database up to date.
 * @param shared whether others may be doing the same at this moment: they wait for each other then
 * @param afterwards what else they must not do at the same time
 */
export async function migrate(
  dataSource: DataSource,
  pool: PoolConfig,
  shared: boolean,
  afterwards?: () => Promise<void>,
): Promise<void> {
  if (!shared) {
    await dataSource.runMigrations();
    return;
  }
  const { statement_timeout: _statement, query_timeout: _query, lock_timeout: _lock, ...patient } = pool;
  const client = new Client(patient);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
    await afterwards?.();
  } finally {
    await client.end();
  }
}
