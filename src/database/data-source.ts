import * as pg from 'pg';
import type { ClientBase, Pool, PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import type { Configuration } from '../config/configuration.js';
import { Database } from './database.js';
import { SnakeNamingStrategy } from './naming.js';
import { Notifications } from './notifications.js';
import { applySettings } from './settings.js';

/** Timeouts in milliseconds for waiting on the database. */
const CONNECT_TIMEOUT = 3_000;
const LOCK_TIMEOUT = 5_000;
// With a single connection, all requests wait for the lock that it waits for.
const LOCK_TIMEOUT_OF_ONE_CONNECTION = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000;

/** Pool of connections to a PostgreSQL server. Every wait on them has a timeout. */
export function serverPool({ databaseUrl, databasePoolSize, statementTimeout }: Configuration): PoolConfig {
  return {
    connectionString: databaseUrl,
    max: databasePoolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementTimeout,
    // The server's statement timeout fires first. This one covers a server that does not respond at all.
    query_timeout: statementTimeout + 5_000,
    lock_timeout: databasePoolSize === 1 ? LOCK_TIMEOUT_OF_ONE_CONNECTION : LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    application_name: 'infrastructure-inventory',
  };
}

/** The expected contents of the database: its tables, the migrations that create them, and the channels that its triggers notify. */
export interface Schema {
  entities: readonly Function[];
  migrations: readonly (new () => MigrationInterface)[];
  channels: readonly string[];
}

type PostgresOptions = Omit<Extract<DataSourceOptions, { type: 'postgres' }>, 'url' | 'extra'>;

/** TypeORM's data source, and the service's own statements on the pool that it opens. */
export class ServiceDataSource extends DataSource {
  private readonly notifications: Notifications;
  private opened?: Database;
  private readonly isOneSession: boolean;

  /** @param preparedStatements must be false behind a pooler that may use another connection for each transaction */
  constructor(
    pool: PoolConfig,
    channels: readonly string[],
    options: PostgresOptions,
    private readonly preparedStatements: boolean,
  ) {
    const notifications = new Notifications(channels);
    const onConnect = async (client: ClientBase): Promise<void> => {
      // A pooler passes on only some of the settings, and keeps these for its client. The others are defaults of the role.
      await applySettings(client);
      // It uses another server connection for each transaction, where a LISTEN would affect other clients.
      if (preparedStatements) await notifications.listen(client);
    };
    const extra: PoolConfig = { ...pool, onConnect };
    super({ ...options, url: pool.connectionString, extra });
    this.notifications = notifications;
    // The embedded database brings its own stream in place of a socket.
    this.isOneSession = pool.stream !== undefined;
  }

  /** Available after `initialize`. */
  get database(): Database {
    // TypeORM creates the pool, and shows it only here.
    const { master: pool } = this.driver as typeof this.driver & { master: Pool };
    return (this.opened ??= new Database(pool, this.notifications, this.preparedStatements, this.isOneSession));
  }
}

/** TypeORM's view of a database behind this pool: entities, migrations, and snake_case names. */
export function dataSourceOf(
  pool: PoolConfig,
  { entities, migrations, channels }: Schema,
  preparedStatements = true,
): ServiceDataSource {
  const options: PostgresOptions = {
    type: 'postgres',
    // TypeORM would otherwise search for the driver and load it a second time.
    driver: pg,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    // gen_random_uuid() is built into PostgreSQL, so no extension is needed.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
  };
  return new ServiceDataSource(pool, channels, options, preparedStatements);
}

// Maximum of PostgreSQL in milliseconds, 24 days. The role or the database may have timeouts of its own, and pg does not send 0.
const NEVER = 2 ** 31 - 1;

/** For statements that take longer than the timeouts of requests. */
export function withoutTimeouts(pool: PoolConfig): PoolConfig {
  const { query_timeout: _query, ...rest } = pool;
  return { ...rest, statement_timeout: NEVER, lock_timeout: NEVER, idle_in_transaction_session_timeout: NEVER };
}
