import type { DataSource } from 'typeorm';
import { loadConfiguration } from './src/config/configuration.js';
import { serverPool } from './src/database/data-source.js';
import { createDataSource } from './src/schema/data-source.js';
import { EmbeddedDatabase } from './src/database/embedded/embedded-database.js';

/** For TypeORM's command line, after a build: `npx typeorm migration:generate <path> -d dist/ormconfig.js`. */
async function dataSource(): Promise<DataSource> {
  const configuration = loadConfiguration();
  if (configuration.databaseUrl !== undefined) return createDataSource(serverPool(configuration));
  return createDataSource((await EmbeddedDatabase.open({ dataDir: configuration.dataDir })).poolOptions());
}

export default dataSource();
