import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last of the migrations that the baseline replaces. */
const LAST_REPLACED = 'AssignmentsOfNobody1795600000001';

// Whoever waits for a lock makes others wait behind it, so the upgrade waits briefly and often.
const LOCK_TIMEOUT = "'500ms'";
const PAUSE_MS = 500;
const ATTEMPTS = 600;
const LOCK_NOT_AVAILABLE = '55P03';

/** Tables that the upgrade changes. */
const LOCKED = `SELECT string_agg(DISTINCT tgrelid::regclass::text, ', ') || ', record_counts, value_counts' AS tables
  FROM pg_trigger WHERE tgfoid IN ('log_changes'::regproc, 'count_records'::regproc)`;

/**
 * Everything that there was on 23 November 2026. On an empty database it makes the tables. A database that the migrations before
 * it have made is upgraded: functions and triggers are replaced, and every row stays.
 */
export class Baseline1795700000000 implements MigrationInterface {
  readonly name = 'Baseline1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    // A function that acts as its owner must not be led to tables of others.
    await runner.query(`SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
    const former: { name: string }[] = await runner.query('SELECT name FROM migrations');
    const run = (file: string): Promise<unknown> =>
      runner.query(readFileSync(join(__dirname, '20261123-baseline', file), 'utf8'));
    if (former.length === 0) {
      for (const file of ['tables.sql', 'functions.sql', 'search.sql', 'records.sql']) await run(file);
    } else {
      if (!former.some(({ name }) => name === LAST_REPLACED)) {
        throw new Error(
          `The database is of an older version than this one can upgrade: the migration ${LAST_REPLACED} has not run. Start the release before this one once, then this one again`,
        );
      }
      await lock(runner);
      for (const file of ['upgrade.sql', 'functions.sql', 'records.sql']) await run(file);
      await runner.query('DELETE FROM migrations');
    }
    await runner.query('SELECT extend_change_log()');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is nothing before the baseline: it cannot be reverted'));
  }
}

/** Locks all tables at once, between the transactions of a service that still runs. */
async function lock(runner: QueryRunner): Promise<void> {
  const [{ tables }] = await runner.query(LOCKED);
  await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  for (let attempt = 1; ; attempt++) {
    await runner.query('SAVEPOINT before_lock');
    try {
      await runner.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await runner.query('ROLLBACK TO SAVEPOINT before_lock');
      await sleep(PAUSE_MS);
    }
  }
}
