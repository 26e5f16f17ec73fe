import { randomUUID } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { ConfigurationError, type Configuration } from '../config/configuration.js';
import { serverPool, type ServiceDataSource } from '../database/data-source.js';
import { holdLock, LOCKS, tryLock } from '../database/locks.js';
import { keepSettings, leadsToPooler, replaceConnections, throughPooler } from '../database/pooler.js';
import { refuseUnfit } from '../database/settings.js';
import { continueChangeLog } from './continue-change-log.js';
import { createDataSource } from './data-source.js';
import { migrate, needsMigration } from './migrate.js';
import { messageOf } from '../database/database-errors.js';
import type { Database } from '../database/database.js';
import type { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { admitRole } from './ordinary-role.js';
import type { DatabaseLog } from '../database/outage.js';
import { sql } from '../database/sql.js';

/** An open database with all migrations applied. */
export interface OpenDatabase {
  db: Database;
  dataSource: ServiceDataSource;
  embedded?: EmbeddedDatabase;
  /** Closes the data source too, unless an application has closed it. */
  close(): Promise<void>;
}

/**
 * Opens the configured database and migrates it.
 * @param tell gets what takes long at a first start, in sentences for the operator
 * @throws Error with a sentence for the operator
 */
export async function openDatabase(
  configuration: Configuration,
  log: DatabaseLog,
  tell: (doing: string) => void = () => {},
): Promise<OpenDatabase> {
  let isNew = false;
  const embedded =
    configuration.databaseUrl === undefined
      ? await openEmbedded(configuration, (files) => {
          isNew = true;
          tell(`Creating the database in ${files}. This takes some seconds, at the first start only.`);
        })
      : undefined;
  let opened: ServiceDataSource | undefined;
  try {
    const options: PoolConfig = embedded ? embedded.poolOptions() : serverPool(configuration);
    const keepsStatements =
      embedded !== undefined ||
      (configuration.preparedStatements ?? !(await opening('DATABASE_URL', () => leadsToPooler(options))));
    const pooled = !keepsStatements;
    const dataSource = createDataSource(pooled ? throughPooler(options) : options, !pooled);
    await (embedded ? dataSource.initialize() : opening('DATABASE_URL', () => dataSource.initialize()));
    opened = dataSource;
    const db = dataSource.database;
    db.outage.logTo(log);
    if (pooled) await prepareForPooler(db, options, log);
    // The owner's grants may include the schema.
    if (configuration.databaseMigrationUrl !== undefined) await migrateAsOwner(configuration, db, log);
    await refuseUnfit(db);
    await tellOfLocale(db, log);
    if (configuration.databaseMigrationUrl === undefined) {
      await continueChangeLog(dataSource, log);
      if (isNew) tell('Creating its tables.');
      // The lock of migrations belongs to a connection, and their statements need no timeout.
      if (!pooled) await migrate(dataSource, options, embedded === undefined).catch(explainRefusal);
      else if (await needsMigration(dataSource)) throw new ConfigurationError(MIGRATE_DIRECTLY);
    }
    embedded?.startMaintenance(db.pool, (err) => log.error({ err }, 'Maintenance of the embedded database failed'));
    return {
      db,
      dataSource,
      embedded,
      async close() {
        if (dataSource.isInitialized) await dataSource.destroy();
        await embedded?.close();
      },
    };
  } catch (error) {
    await opened?.destroy();
    await embedded?.close();
    throw error;
  }
}

/** @throws ConfigurationError that names the variable of a database to which there is no connection */
export async function opening<T>(variable: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const message = `The database of ${variable} cannot be opened: ${messageOf(error as Error)}`;
    throw new ConfigurationError(message, { cause: error });
  }
}

const MIGRATE_DIRECTLY =
  'The database needs migrations, and DATABASE_URL leads to a pooler: run `npm run migrate` with a DATABASE_URL that leads to the server itself, or set DATABASE_MIGRATION_URL';

/** The settings of a connection to the server itself. */
async function prepareForPooler(db: Database, pool: PoolConfig, log: DatabaseLog): Promise<void> {
  log.info({}, 'The database is reached through a pooler: without prepared statements and notifications');
  const { names: settings, isLate } = await keepSettings(db, pool);
  if (settings.length === 0) return;
  const isReplaced = isLate && (await replaceConnections(pool));
  log.info(
    { settings },
    `Set as defaults of the role in this database. Connections that the pooler already had ${isReplaced ? 'were replaced' : 'do not have them yet'}`,
  );
}

// The column of the ICU locale has another name since PostgreSQL 17.
const LOCALE = sql`SELECT coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', datctype) AS locale,
    lower('Ж') = 'ж' AS "isFolded", lower('I') = 'i' AS "isUsual"
  FROM pg_database d WHERE datname = current_database()`;

/** The effect of the database's locale on searches and filters. Keys do not depend on it. */
async function tellOfLocale(db: Database, log: DatabaseLog): Promise<void> {
  const [{ isFolded, isUsual, locale }] = (await db.query(LOCALE)) as [
    { isFolded: boolean; isUsual: boolean; locale: string },
  ];
  if (isFolded && isUsual) return;
  const change = isUsual ? 'only letters of ASCII are found in upper and lower case' : 'I and i are different letters';
  log.info({ locale }, `In searches and filters ${change}, because of the locale of the database`);
}

/** Its modules are loaded only if it is used. */
async function openEmbedded(
  { dataDir }: Configuration,
  whenCreating: (files: string) => void,
): Promise<EmbeddedDatabase> {
  const { EmbeddedDatabase: Embedded } = await import('../database/embedded/embedded-database.js');
  return Embedded.open({ dataDir, whenCreating });
}

/** Migrates with the role that owns the tables, and grants the role of the service the use of them. */
async function migrateAsOwner(configuration: Configuration, db: Database, log: DatabaseLog): Promise<void> {
  const [{ role }] = (await db.query(sql`SELECT current_user::text AS role`)) as [{ role: string }];
  const { databaseMigrationUrl: databaseUrl } = configuration;
  const pool = serverPool({ ...configuration, databaseUrl, databasePoolSize: 1 });
  const variable = 'DATABASE_MIGRATION_URL';
  if (await opening(variable, () => leadsToPooler(pool))) {
    throw new ConfigurationError('DATABASE_MIGRATION_URL leads to a pooler: it must lead to the server itself');
  }
  const owner = await opening(variable, () => createDataSource(pool).initialize());
  try {
    await refuseOther(db, owner.database);
    await refuseUnfit(owner.database);
    await continueChangeLog(owner, log);
    await migrate(owner, pool, true, () => admitRole(owner, role));
  } finally {
    await owner.destroy();
  }
}

/** @throws ConfigurationError if the owner's database is another one than that of the service */
async function refuseOther(db: Database, owner: Database): Promise<void> {
  // A lock of one of them is free for the other only in another database.
  const key = LOCKS.named(randomUUID());
  const isFree = await db.transaction(async (tx) => {
    await holdLock(tx, key);
    return owner.transaction((other) => tryLock(other, key));
  });
  if (isFree) throw new ConfigurationError('DATABASE_MIGRATION_URL leads to another database than DATABASE_URL');
}

/** A role that may not create tables is meant to be used with an owner role. */
function explainRefusal(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new ConfigurationError(
    `The role of DATABASE_URL may not migrate the database (${error.message}): set DATABASE_MIGRATION_URL to the same database with the role that owns its tables`,
  );
}
