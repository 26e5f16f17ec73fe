import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countValues, indexOfValues, valueIndexName } from './counted-column.js';

/*
 * Kept counts of the records in each status, and an index of their lists: counting and finding them read whole tables. No
 * table is locked for longer than its triggers take. Every step may be repeated.
 */

/** The tables of records with a status when counts of values came in. */
const TABLES = [
  'assets',
  'change_requests',
  'clusters',
  'contracts',
  'devices',
  'incidents',
  'ip_addresses',
  'known_issues',
  'locations',
  'maintenance_windows',
  'people',
  'prefixes',
  'purchase_orders',
  'racks',
  'renewals',
  'sites',
  'software_licences',
  'vendors',
  'virtual_machines',
  'vlans',
];

const table = [
  `CREATE TABLE IF NOT EXISTS value_counts (
    table_name text COLLATE "C" NOT NULL,
    column_name text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    delta bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE INDEX IF NOT EXISTS ix_value_counts_value ON value_counts (table_name, column_name, value)`,
];

// A trigger waits for the writers of its table, and other writers wait for it meanwhile.
const LOCK_TIMEOUT = "'500ms'";
const PAUSE_MS = 500;
const ATTEMPTS = 1200;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs a statement that waits for writers, and makes way for those that would wait for it. */
async function patiently(runner: QueryRunner, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runner.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export class ValueCounts1795600000000 implements MigrationInterface {
  readonly name = 'ValueCounts1795600000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET statement_timeout = 0');
    try {
      for (const statement of table) await runner.query(statement);
      for (const name of TABLES) {
        await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT}`);
        for (const statement of countValues(name, 'status')) await patiently(runner, statement);
        // These wait for the transactions that run, and nobody waits for them.
        await runner.query('SET lock_timeout = 0');
        await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${valueIndexName(name, 'status')}`);
        await runner.query(indexOfValues(name, 'status', 'CONCURRENTLY'));
      }
    } finally {
      await runner.query('RESET lock_timeout');
      await runner.query('RESET statement_timeout');
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of TABLES) {
      await runner.query(`DROP INDEX ${valueIndexName(name, 'status')}`);
      for (const event of ['insert', 'delete', 'truncate', 'update']) {
        await runner.query(`DROP TRIGGER ${name}_count_status_${event} ON ${name}`);
      }
    }
    await runner.query('DROP FUNCTION count_values_of_status()');
    await runner.query('DROP TABLE value_counts');
  }
}
