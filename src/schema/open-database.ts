import type { PoolConfig } from 'pg';
import { ConfigurationError, type Configuration } from '../config/configuration.js';
import { migrate, serverPool, type ServiceDataSource } from '../database/data-source.js';
import { continueChangeLog } from './continue-change-log.js';
import { createDataSource } from './data-source.js';
import type { Database } from '../database/database.js';
import type { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { admitRole } from './ordinary-role.js';
import type { DatabaseLog } from '../database/outage.js';

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
 * @throws Error with a sentence for the operator
 */
export async function openDatabase(configuration: Configuration, log: DatabaseLog): Promise<OpenDatabase> {
  const embedded = configuration.databaseUrl === undefined ? await openEmbedded(configuration) : undefined;
  let opened: ServiceDataSource | undefined;
  try {
    const options: PoolConfig = embedded ? embedded.poolOptions() : serverPool(configuration);
    const dataSource = createDataSource(options, configuration.preparedStatements);
    await dataSource.initialize();
    opened = dataSource;
    const db = dataSource.database;
    db.outage.logTo(log);
    if (configuration.databaseMigrationUrl === undefined) {
      await continueChangeLog(dataSource, log);
      await migrate(dataSource, options, embedded === undefined).catch(explainRefusal);
    } else {
      await migrateAsOwner(configuration, db, log);
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

/** Its modules are loaded only if it is used. */
async function openEmbedded({ dataDir }: Configuration): Promise<EmbeddedDatabase> {
  const { EmbeddedDatabase: Embedded } = await import('../database/embedded/embedded-database.js');
  return Embedded.open({ dataDir });
}

/** Migrates with the role that owns the tables, and grants the role of the service the use of them. */
async function migrateAsOwner(configuration: Configuration, db: Database, log: DatabaseLog): Promise<void> {
  const [{ role }] = (await db.query('SELECT current_user::text AS role')) as [{ role: string }];
  const { databaseMigrationUrl: databaseUrl } = configuration;
  const pool = serverPool({ ...configuration, databaseUrl, databasePoolSize: 1 });
  const owner = await createDataSource(pool).initialize();
  try {
    await continueChangeLog(owner, log);
    await migrate(owner, pool, true, () => admitRole(owner, role));
  } finally {
    await owner.destroy();
  }
}

/** A role that may not create tables is meant to be used together with one that may. */
function explainRefusal(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new ConfigurationError(
    `The role of DATABASE_URL may not migrate the database (${error.message}): set DATABASE_MIGRATION_URL to the same database with the role that owns its tables`,
  );
}
