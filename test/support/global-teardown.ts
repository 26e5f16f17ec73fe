import './typescript-resolution.cjs';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { administer, onServer } from './database.js';

/** Removes every database of this run, also those of test files that were stopped. */
export default async function tearDown(): Promise<void> {
  if (!onServer) {
    rmSync(dirname(process.env.TEST_DATABASE_TEMPLATE!), { recursive: true, force: true });
    return;
  }
  const prefix = process.env.TEST_DATABASE_PREFIX!;
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  await client.end();
  await administer(...rows.map(({ datname }) => `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`));
}
