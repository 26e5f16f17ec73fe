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

/** Statements that keep a table's counts from now on. */
export const countRecords = (name: string): string[] => [
  `INSERT INTO record_counts
    SELECT '${name}', coalesce(${HOUR}, 'infinity'), count(*) FROM ${name} GROUP BY GROUPING SETS ((${HOUR}), ()) HAVING count(*) > 0`,
  `CREATE TRIGGER ${name}_count_insert AFTER INSERT ON ${name} REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_count_delete AFTER DELETE ON ${name} REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_count_truncate AFTER TRUNCATE ON ${name}
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_recount AFTER UPDATE OF created_at ON ${name}
    FOR EACH ROW WHEN (OLD.created_at IS DISTINCT FROM NEW.created_at) EXECUTE FUNCTION recount_record()`,
];

const uncount = (name: string): string[] =>
  ['count_insert', 'count_delete', 'count_truncate', 'recount'].map(
    (trigger) => `DROP TRIGGER ${name}_${trigger} ON ${name}`,
  );

/** The tables that had a list of their own when counts came in. A later table's migration calls `countRecords`. */
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

export const up: string[] = [...table, ...functions, ...TABLES.flatMap(countRecords)];

export const down: string[] = [
  ...TABLES.flatMap(uncount),
  'DROP FUNCTION recount_record()',
  'DROP FUNCTION count_records()',
  'DROP TABLE record_counts',
];
