import './typescript-resolution.cjs';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, serverPool } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { EmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { administer, onServer, serverConfiguration, urlOf } from './database.js';

/**
 * Migrates one database, of which every test file takes a copy. TEST_DATABASE_TEMPLATE names one that several runs share (on a
 * server by its name, otherwise by its directory): the first of them creates it, and the caller that set the variable removes it.
 * TEST_DATABASE_BASE is the directory of a database with the first of the migrations, and saves the time that those take.
 */
export default async function setUp(): Promise<void> {
  process.env.TEST_DATABASE_TEMPLATE_SHARED = process.env.TEST_DATABASE_TEMPLATE ? 'yes' : '';
  await (onServer ? onServerTemplate() : embeddedTemplate());
}

async function onServerTemplate(): Promise<void> {
  const name = (process.env.TEST_DATABASE_TEMPLATE ||= `inventory_test_${randomBytes(5).toString('hex')}`);
  const [found] = await administer(`SELECT FROM pg_database WHERE datname = '${name}'`);
  if (found?.rowCount) return;
  await administer(`CREATE DATABASE ${name}`);
  const options = serverPool(serverConfiguration(urlOf(name)));
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, true);
  await dataSource.destroy();
}

async function embeddedTemplate(): Promise<void> {
  const directory = (process.env.TEST_DATABASE_TEMPLATE ||= join(
    mkdtempSync(join(tmpdir(), 'inventory-test-')),
    'template',
  ));
  if (existsSync(directory)) return;
  const draft = `${directory}.draft`;
  const base = process.env.TEST_DATABASE_BASE;
  if (base) cpSync(base, join(draft, 'postgres'), { recursive: true });
  const embedded = await EmbeddedDatabase.open({ dataDir: draft });
  const options = embedded.poolOptions();
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, false);
  await dataSource.destroy();
  // A copy of a database that was not shut down would begin with its recovery.
  await embedded.close();
  // Every copy would begin with preparing the usual 128 MB, which no test fills. Images of pages in the log are for power failures.
  appendFileSync(join(draft, 'postgres', 'postgresql.conf'), 'shared_buffers = 16MB\nfull_page_writes = off\n');
  renameSync(join(draft, 'postgres'), directory);
  rmSync(draft, { recursive: true });
}
