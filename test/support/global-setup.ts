import './typescript-resolution.cjs';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, serverPool } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { EmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { administer, onServer, serverConfiguration, urlOf } from './database.js';

/**
 * Migrates one database, of which every test file takes a copy. TEST_DATABASE_TEMPLATE names one that several runs share (on a
 * server by its name, otherwise by its file): the first of them creates it, and the caller that set the variable removes it.
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
  const file = (process.env.TEST_DATABASE_TEMPLATE ||= join(
    mkdtempSync(join(tmpdir(), 'inventory-test-')),
    'template.tar',
  ));
  if (existsSync(file)) return;
  const embedded = await EmbeddedDatabase.open({});
  const options = embedded.poolOptions();
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, false);
  await dataSource.destroy();
  writeFileSync(file, Buffer.from(await (await embedded.dump()).arrayBuffer()));
  await embedded.close();
}
