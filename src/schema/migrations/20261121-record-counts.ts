import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countRecords, uncountRecords } from './record-table.js';

/*
 * How many records a table has, kept instead of counted: counting is nine tenths of the cost of a page. Each statement
 * adds what it changed as rows of its own, so that writers never wait for one another, and every snapshot sums up to what
 * it sees. `record-counts.ts` reads them and folds them together.
 *
 * They are kept by the hour of creation too, where a list in its default order finds the hour that a far page starts in.
 * The row of hour `infinity` counts all hours.
 */

const table = [
  `CREATE TABLE record_counts (
    table_name text COLLATE "C" NOT NULL,
    hour timestamptz NOT NULL,
    delta bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  'CREATE INDEX ix_record_counts_table_name_hour ON record_counts (table_name, hour)',
];

const HOUR = `date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00:00Z')`;

const functions = [
  `CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM record_counts WHERE table_name = TG_TABLE_NAME;
  ELSE
    INSERT INTO record_counts
      SELECT TG_TABLE_NAME, coalesce(${HOUR}, 'infinity'), CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed GROUP BY GROUPING SETS ((${HOUR}), ()) HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END
$$`,
  // The service never changes created_at, but SQL by hand may.
  `CREATE FUNCTION recount_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts
    SELECT TG_TABLE_NAME, ${HOUR}, delta FROM (VALUES (OLD.created_at, -1), (NEW.created_at, 1)) AS moved (created_at, delta);
  RETURN NULL;
END
$$`,
];

/** The tables that had a list of their own when counts came in. */
const TABLES = [
  'profiles',
  'cluster_types',
  'sites',
  'clusters',
  'tenant_groups',
  'locations',
  'asset_categories',
  'manufacturers',
  'people',
  'vendors',
  'purchase_orders',
  'assets',
  'device_roles',
  'device_types',
  'platforms',
  'racks',
  'devices',
  'vrfs',
  'ip_addresses',
  'virtual_machines',
  'change_requests',
  'incidents',
  'known_issues',
  'maintenance_windows',
  'on_call_schedules',
  'runbooks',
  'contracts',
  'renewals',
  'slas',
  'software_licences',
];

const up: string[] = [...table, ...functions, ...TABLES.flatMap(countRecords)];

const down: string[] = [
  ...TABLES.flatMap(uncountRecords),
  'DROP FUNCTION recount_record()',
  'DROP FUNCTION count_records()',
  'DROP TABLE record_counts',
];

export class RecordCounts1795219200011 implements MigrationInterface {
  name = 'RecordCounts1795219200011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
