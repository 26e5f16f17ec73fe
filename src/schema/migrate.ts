import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { withoutTimeouts } from '../database/data-source.js';
import { LOCKS } from '../database/locks.js';
import { connect, applySettings } from '../database/settings.js';
import { sql } from '../database/sql.js';
import { applyFunctions, missingFunctions } from './functions.js';
import { takeOver } from './take-over.js';

const TAKE_MIGRATIONS = sql`SELECT pg_try_advisory_lock(${LOCKS.migrations}) AS free`;

// The lock is polled. A waiting statement would hold a snapshot. CREATE INDEX CONCURRENTLY in the migrations of another replica would
// wait for that snapshot, which is a deadlock.
const ASK_AGAIN_MS = 100;

/** Whether the database lacks migrations, functions or triggers of this version. */
export async function needsMigration(dataSource: DataSource): Promise<boolean> {
  return (await dataSource.showMigrations()) || (await missingFunctions(dataSource)).length > 0;
}

/**
 * Brings the database to this version: its tables by the migrations, then its functions and triggers.
 * @param shared whether other processes may migrate at the same time, so that they take turns
 * @param afterwards further work under the same lock
 */
export async function migrate(
  dataSource: DataSource,
  pool: PoolConfig,
  shared: boolean,
  afterwards?: () => Promise<void>,
): Promise<void> {
  if (!shared) {
    await bringUp(dataSource);
    return;
  }
  const client = await connect(withoutTimeouts(pool));
  try {
    while (!(await client.query(TAKE_MIGRATIONS.text)).rows[0].free) {
      await sleep(ASK_AGAIN_MS);
    }
    if (await needsMigration(dataSource)) await bringUpWithoutTimeouts(dataSource, pool);
    await afterwards?.();
  } finally {
    await client.end();
  }
}

async function bringUp(dataSource: DataSource): Promise<void> {
  await takeOver(dataSource);
  await dataSource.runMigrations();
  await applyFunctions(dataSource);
}

/** Creating the index of a large table takes longer than the statement timeout. */
async function bringUpWithoutTimeouts({ options }: DataSource, pool: PoolConfig): Promise<void> {
  const extra: PoolConfig = { ...withoutTimeouts(pool), max: 1, onConnect: applySettings };
  const unlimited = new DataSource({ ...options, extra } as DataSourceOptions);
  await unlimited.initialize();
  try {
    await bringUp(unlimited);
  } finally {
    await unlimited.destroy();
  }
}
