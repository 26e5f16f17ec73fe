import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * The change log in partitions by the month (UTC) of its entries. Old months are dropped, not deleted row by row, and every index
 * is as large as a month.
 *
 * A log that has entries is not copied: its table becomes the partition of everything up to a month that has not begun. The
 * service may run meanwhile. What takes long takes no lock that writers or readers wait for: the index is built concurrently,
 * and the check that makes the scan of ATTACH PARTITION unnecessary is added without a scan and validated afterwards. What needs
 * the table for itself takes milliseconds, and gives up its place after half a second of waiting, because everybody else would
 * wait behind it. It is tried again until it succeeds. Therefore the migration is not one transaction, and every step of it may be
 * repeated.
 */

/** How long an exclusive lock is waited for at once, and how often. */
const LOCK_TIMEOUT = `'500ms'`;
const PAUSE_MS = 500;
const ATTEMPTS = 600;
const LOCK_NOT_AVAILABLE = '55P03';

/** Advisory lock of whoever adds or drops partitions. */
const LOCK = 7_260_514_402;

/** Months that have a partition before they begin. */
const AHEAD = 3;

// The boundary lies ahead by this much at least, so that it is not crossed between the check and the swap.
const MARGIN = '14 days';

const HOUR = `date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00:00Z')`;

const check = `DO $$
DECLARE
  latest constant timestamptz := (SELECT created_at FROM change_log ORDER BY created_at DESC, id DESC LIMIT 1);
  month constant timestamp := date_trunc('month', greatest(now() + interval '${MARGIN}', latest) AT TIME ZONE 'UTC') + interval '1 month';
BEGIN
  ALTER TABLE change_log DROP CONSTRAINT IF EXISTS ck_change_log_until;
  EXECUTE format('ALTER TABLE change_log ADD CONSTRAINT ck_change_log_until CHECK (created_at < %L) NOT VALID', month AT TIME ZONE 'UTC');
END
$$`;

const guard = (table: string): string =>
  `CREATE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION keep_change_log_partition()`;

// Triggers, indexes, rights and columns are taken over as they are, whichever migrations made them.
const swap = `DO $$
DECLARE
  boundary constant timestamptz := (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')
    FROM pg_constraint WHERE conrelid = 'change_log'::regclass AND conname = 'ck_change_log_until');
  past constant text := 'change_log_before_' || to_char(boundary AT TIME ZONE 'UTC', 'YYYY_MM');
  triggers constant text[] := ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = 'change_log'::regclass AND NOT tgisinternal AND tgname <> 'change_log_recount' ORDER BY tgname);
  indexes text[];
  entry record;
BEGIN
  LOCK TABLE change_log IN ACCESS EXCLUSIVE MODE;
  DROP INDEX IF EXISTS ix_change_log_request_id;
  ALTER INDEX ix_change_log_request_id_order RENAME TO ix_change_log_request_id;
  indexes := ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = 'change_log'::regclass AND NOT indisunique ORDER BY 1);
  FOR entry IN SELECT tgname AS name FROM pg_trigger WHERE tgrelid = 'change_log'::regclass AND NOT tgisinternal LOOP
    EXECUTE format('DROP TRIGGER %I ON change_log', entry.name);
  END LOOP;
  FOR entry IN SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = 'change_log'::regclass AND NOT i.indisunique LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', entry.name, replace(entry.name, 'change_log', past));
  END LOOP;
  EXECUTE format('ALTER TABLE change_log RENAME TO %I', past);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT pk_change_log, ADD CONSTRAINT %I PRIMARY KEY USING INDEX ix_change_log_id_created_at', past, 'pk_' || past);
  EXECUTE format('CREATE TABLE change_log (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    CONSTRAINT pk_change_log PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at)', past);
  ALTER TABLE change_log DROP CONSTRAINT ck_change_log_until;
  FOR i IN 1 .. cardinality(indexes) LOOP EXECUTE indexes[i]; END LOOP;
  FOR i IN 1 .. cardinality(triggers) LOOP EXECUTE triggers[i]; END LOOP;
  CREATE TRIGGER change_log_recount AFTER UPDATE ON change_log REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION recount_change_log();
  FOR entry IN EXECUTE format('SELECT privilege_type AS privilege, grantee FROM pg_class, aclexplode(relacl)
      WHERE oid = %L::regclass AND grantee <> relowner', past) LOOP
    EXECUTE format('GRANT %s ON change_log TO %s', entry.privilege, CASE entry.grantee WHEN 0 THEN 'PUBLIC' ELSE entry.grantee::regrole::text END);
  END LOOP;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I) AS filled', past) INTO entry;
  IF entry.filled THEN
    EXECUTE format('ALTER TABLE change_log ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', past, boundary);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT ck_change_log_until', past);
    EXECUTE format('${guard('%I')}', past);
    EXECUTE format('REVOKE ALL ON %I FROM PUBLIC', past);
    FOR entry IN EXECUTE format('SELECT DISTINCT grantee::regrole::text AS name FROM pg_class, aclexplode(relacl)
        WHERE oid = %L::regclass AND grantee NOT IN (0, relowner)', past) LOOP
      EXECUTE format('REVOKE ALL ON %I FROM %s', past, entry.name);
    END LOOP;
  ELSE
    EXECUTE format('DROP TABLE %I', past);
  END IF;
  CREATE TABLE change_log_default PARTITION OF change_log DEFAULT;
  ${guard('change_log_default')};
  CREATE TYPE change_log_key AS (created_at timestamptz, id uuid);
END
$$`;

const EXTEND = 'SELECT extend_change_log()';

/** @param schema where the tables are: a function that acts as its owner must not be led elsewhere */
function functions(schema: string): string[] {
  const asOwner = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET TimeZone = 'UTC' SET lock_timeout = ${LOCK_TIMEOUT}`;
  return [
    // A partition is written through the log only, where counts are kept.
    `CREATE OR REPLACE FUNCTION keep_change_log_partition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted, and written to change_log only' USING ERRCODE = 'insufficient_privilege';
END
$$`,
    // A trigger for each row would belong to the partitions, whose names are not those of counts.
    `CREATE OR REPLACE FUNCTION recount_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts SELECT TG_TABLE_NAME, hour, sum(delta) FROM (
    SELECT ${HOUR} AS hour, -1 AS delta FROM old_rows UNION ALL SELECT ${HOUR}, 1 FROM new_rows
  ) moved GROUP BY hour HAVING sum(delta) <> 0;
  RETURN NULL;
END
$$`,
    `CREATE OR REPLACE FUNCTION change_log_partitions() RETURNS TABLE (name regclass, starts timestamptz, ends timestamptz) LANGUAGE sql STABLE AS $$
  SELECT oid::regclass, CASE WHEN bound <> 'DEFAULT' THEN coalesce(substring(bound FROM 'FROM \\(''([^'']+)''\\)')::timestamptz, '-infinity') END,
    substring(bound FROM 'TO \\(''([^'']+)''\\)')::timestamptz
  FROM (
    SELECT c.oid, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'change_log'::regclass
  ) partitions
$$`,
    // A month whose entries already are in the default partition stays there: to move them, writers would have to wait.
    `CREATE OR REPLACE FUNCTION extend_change_log() RETURNS integer ${asOwner} AS $$
DECLARE
  first constant timestamptz := date_trunc('month', now());
  month timestamptz;
  name text;
  made integer := 0;
BEGIN
  FOR month IN SELECT generate_series(first, first + interval '${AHEAD} months', interval '1 month') LOOP
    CONTINUE WHEN EXISTS (SELECT FROM change_log_partitions() p WHERE p.starts <= month AND p.ends > month);
    IF NOT pg_try_advisory_xact_lock(${LOCK}) THEN RETURN made; END IF;
    name := 'change_log_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(name)) IS NOT NULL
      OR EXISTS (SELECT FROM change_log_default d WHERE d.created_at >= month AND d.created_at < month + interval '1 month');
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      EXECUTE format('${guard('%I')}', name);
      EXECUTE format('ALTER TABLE change_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month, month + interval '1 month');
      made := made + 1;
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN RETURN made;
    END;
  END LOOP;
  RETURN made;
END
$$`,
    // The counts of its hours are those of its entries: no other partition has entries of these hours.
    `CREATE OR REPLACE FUNCTION drop_change_log_month(before timestamptz) RETURNS boolean ${asOwner} AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  gone record;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(${LOCK}) THEN RETURN false; END IF;
  SELECT * INTO gone FROM change_log_partitions() p WHERE p.ends <= cut ORDER BY p.ends LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  BEGIN
    EXECUTE format('ALTER TABLE change_log DETACH PARTITION %s', gone.name);
  EXCEPTION WHEN lock_not_available THEN RETURN false;
  END;
  EXECUTE format('SELECT created_at FROM %s ORDER BY created_at DESC, id DESC LIMIT 1', gone.name) INTO latest;
  EXECUTE format('DROP TABLE %s', gone.name);
  IF latest IS NOT NULL THEN
    INSERT INTO record_counts
      SELECT 'change_log', coalesce(hour, 'infinity'), -sum(delta) FROM record_counts
      WHERE table_name = 'change_log' AND hour >= gone.starts AND hour < gone.ends
      GROUP BY GROUPING SETS ((hour), ()) HAVING sum(delta) <> 0;
    INSERT INTO change_log_pruned AS known (until) VALUES (latest)
      ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
  END IF;
  RETURN true;
END
$$`,
    // Only what is in no partition of its own month: entries from before the log had partitions, and those of odd times.
    `CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint ${asOwner} AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  part record;
  step bigint;
  pruned bigint := 0;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(${LOCK}) THEN RETURN 0; END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  FOR part IN SELECT * FROM change_log_partitions() p
      WHERE p.starts IS NULL OR (p.starts < cut AND p.ends > cut) ORDER BY p.starts NULLS FIRST LOOP
    EXECUTE format('WITH gone AS (
        DELETE FROM change_log USING (SELECT id, created_at FROM %s WHERE created_at < $1 ORDER BY created_at, id LIMIT $2) old
        WHERE change_log.id = old.id AND change_log.created_at = old.created_at RETURNING change_log.created_at
      ) SELECT count(*), max(created_at) FROM gone', part.name) INTO step, latest USING cut, most - pruned;
    pruned := pruned + step;
    IF step > 0 THEN
      INSERT INTO change_log_pruned AS known (until) VALUES (latest)
        ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
    END IF;
  END LOOP;
  PERFORM set_config('inventory.pruning', 'off', true);
  RETURN pruned;
END
$$`,
    'REVOKE ALL ON FUNCTION extend_change_log() FROM PUBLIC',
    'REVOKE ALL ON FUNCTION drop_change_log_month(timestamptz) FROM PUBLIC',
  ];
}

const unpartition = `DO $$
DECLARE
  triggers constant text[] := ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = 'change_log'::regclass AND NOT tgisinternal AND tgname <> 'change_log_recount' ORDER BY tgname);
  indexes constant text[] := ARRAY(SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index
    WHERE indrelid = 'change_log'::regclass AND NOT indisunique ORDER BY 1);
BEGIN
  ALTER TABLE change_log RENAME TO change_log_partitioned;
  CREATE TABLE change_log (LIKE change_log_partitioned INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  INSERT INTO change_log SELECT * FROM change_log_partitioned;
  DROP TABLE change_log_partitioned;
  ALTER TABLE change_log ADD CONSTRAINT pk_change_log PRIMARY KEY (id);
  FOR i IN 1 .. cardinality(indexes) LOOP EXECUTE indexes[i]; END LOOP;
  FOR i IN 1 .. cardinality(triggers) LOOP EXECUTE triggers[i]; END LOOP;
  CREATE TRIGGER change_log_recount AFTER UPDATE OF created_at ON change_log
    FOR EACH ROW WHEN (OLD.created_at IS DISTINCT FROM NEW.created_at) EXECUTE FUNCTION recount_record();
END
$$`;

/** As the migration `History1795219200030` made it. */
const pruneRows = (
  schema: string,
): string => `CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
DECLARE
  pruned bigint;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  WITH gone AS (
    DELETE FROM change_log WHERE id IN (SELECT id FROM change_log WHERE created_at < before ORDER BY created_at, id LIMIT most)
    RETURNING created_at
  )
  SELECT count(*), max(created_at) INTO pruned, latest FROM gone;
  PERFORM set_config('inventory.pruning', 'off', true);
  IF pruned > 0 THEN
    INSERT INTO change_log_pruned AS known (until) VALUES (latest)
      ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
  END IF;
  RETURN pruned;
END
$$`;

const remove = [
  'DROP TYPE change_log_key',
  'DROP FUNCTION drop_change_log_month(timestamptz)',
  'DROP FUNCTION extend_change_log()',
  'DROP FUNCTION change_log_partitions()',
  'DROP FUNCTION recount_change_log()',
  'DROP FUNCTION keep_change_log_partition()',
];

export class ChangeLogByMonth1795370000000 implements MigrationInterface {
  readonly name = 'ChangeLogByMonth1795370000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = await runner.query('SELECT quote_ident(current_schema()) AS schema');
    await runner.query('SET statement_timeout = 0');
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT}`);
    try {
      const [{ done }] = await runner.query(
        `SELECT relkind = 'p' AS done FROM pg_class WHERE oid = 'change_log'::regclass`,
      );
      for (const statement of functions(schema)) await runner.query(statement);
      if (!done) await this.partition(runner);
      await runner.query(EXTEND);
    } finally {
      await runner.query('RESET statement_timeout');
      await runner.query('RESET lock_timeout');
    }
  }

  private async partition(runner: QueryRunner): Promise<void> {
    // These wait for the transactions that run, and nobody waits for them.
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_change_log_id_created_at');
    await runner.query('CREATE UNIQUE INDEX CONCURRENTLY ix_change_log_id_created_at ON change_log (id, created_at)');
    // Filters compare texts by their bytes, which the index over request ids did not: every such filter read the whole log.
    for (const statement of [
      'DROP INDEX CONCURRENTLY IF EXISTS ix_change_log_request_id_order',
      'CREATE INDEX CONCURRENTLY ix_change_log_request_id_order ON change_log (request_id COLLATE "C")',
    ]) {
      await runner.query(statement);
    }
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT}`);
    await patiently(runner, check);
    try {
      await patiently(runner, 'ALTER TABLE change_log VALIDATE CONSTRAINT ck_change_log_until');
      await patiently(runner, swap);
    } catch (error) {
      // It would refuse entries once its month begins.
      await patiently(runner, 'ALTER TABLE change_log DROP CONSTRAINT IF EXISTS ck_change_log_until');
      throw error;
    }
  }

  /** Copies the log into one table again. Writers wait meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    const [{ schema }] = await runner.query('SELECT quote_ident(current_schema()) AS schema');
    for (const statement of [unpartition, pruneRows(schema), ...remove]) await runner.query(statement);
  }
}

/** Runs a statement that needs a table for itself, and makes way for others that wait for it meanwhile. */
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
