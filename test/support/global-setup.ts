import './typescript-resolution.cjs';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, migrate, serverPool } from '../../src/database/data-source.js';
import { EmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { administer, onServer, serverConfiguration, urlOf } from './database.js';

/** Migrates one database, which every test file takes a copy of. */
export default async function setUp(): Promise<void> {
  if (onServer) {
    const prefix = `inventory_test_${randomBytes(5).toString('hex')}`;
    process.env.TEST_DATABASE_PREFIX = prefix;
    await administer(`CREATE DATABASE ${prefix}`);
    const options = serverPool(serverConfiguration(urlOf(prefix)));
    const dataSource = await createDataSource(options).initialize();
    await migrate(dataSource, options, true);
    await dataSource.destroy();
    return;
  }
  const embedded = await EmbeddedDatabase.open({});
  const options = embedded.poolOptions();
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, false);
  await dataSource.destroy();
  const directory = mkdtempSync(join(tmpdir(), 'inventory-test-'));
  const file = join(directory, 'template.tar');
  writeFileSync(file, Buffer.from(await (await embedded.dump()).arrayBuffer()));
  await embedded.close();
  process.env.TEST_DATABASE_TEMPLATE = file;
}
