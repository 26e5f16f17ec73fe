import type { PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import type { Configuration } from '../config/configuration.js';
import { createDataSource, databaseOf, migrate, serverPool } from './data-source.js';
import type { Database } from './database.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import type { DatabaseLog } from './outage.js';

/** A database that is open and up to date. */
export interface OpenDatabase {
  db: Database;
  dataSource: DataSource;
  /** The embedded database, where that is the one. */
  embedded?: EmbeddedDatabase;
  close(): Promise<void>;
}

/** Opens the database that the configuration names, and migrates it. @throws Error with a sentence for the operator */
export async function openDatabase(configuration: Configuration, log: DatabaseLog): Promise<OpenDatabase> {
  const embedded =
    configuration.databaseUrl === undefined
      ? await EmbeddedDatabase.open({ dataDir: configuration.dataDir })
      : undefined;
  try {
    const options: PoolConfig = embedded ? embedded.poolOptions() : serverPool(configuration);
    const dataSource = createDataSource(options);
    await dataSource.initialize();
    const db = databaseOf(dataSource, configuration.preparedStatements);
    db.outage.logTo(log);
    await migrate(dataSource, options, embedded === undefined);
    embedded?.startMaintenance(db.pool, (err) => log.error({ err }, 'Maintenance of the embedded database failed'));
    return {
      db,
      dataSource,
      embedded,
      async close() {
        await dataSource.destroy();
        await embedded?.close();
      },
    };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}
