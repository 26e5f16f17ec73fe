import type { PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import type { Configuration } from '../config/configuration.js';
import { createDataSource, databaseOf, migrate, serverPool } from './data-source.js';
import type { Database } from './database.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';

/** A database that is open and up to date. */
export interface OpenDatabase {
  db: Database;
  dataSource: DataSource;
  /** The embedded database, where that is the one. */
  embedded?: EmbeddedDatabase;
  close(): Promise<void>;
}

interface Log {
  error(details: object, message: string): void;
}

/** Opens the database that the configuration names, and migrates it. @throws Error with a sentence for the operator */
export async function openDatabase(configuration: Configuration, log: Log): Promise<OpenDatabase> {
  const embedded =
    configuration.databaseUrl === undefined
      ? await EmbeddedDatabase.open({ dataDir: configuration.dataDir })
      : undefined;
  try {
    const options: PoolConfig = embedded ? embedded.poolOptions() : serverPool(configuration);
    const dataSource = createDataSource(options);
    await dataSource.initialize();
    const db = databaseOf(dataSource, configuration.preparedStatements);
    const { pool } = db;
    // A connection that is lost while idle: the pool replaces it, and an unheard event would end the process.
    pool.on('error', (err) => log.error({ err: { message: err.message } }, 'An idle database connection was lost'));
    await migrate(dataSource, options, embedded === undefined);
    embedded?.startMaintenance(pool, (err) => log.error({ err }, 'Maintenance of the embedded database failed'));
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
