import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * What the change log says of times, equality and rights, held by the database:
 *
 * - An entry has the time that the record shows: `updatedAt` of the record as it was written, or as it was deleted.
 * - A value has changed when its text has: to jsonb, 1200 and 1200.00 are equal.
 * - Only the owner of these tables can write entries by other ways than the triggers, which act as that owner.
 */

const table = [
  // One row once entries were let go: the time of the latest of them.
  `CREATE TABLE change_log_pruned (
    single boolean NOT NULL DEFAULT true,
    until timestamptz(3) NOT NULL,
    CONSTRAINT pk_change_log_pruned PRIMARY KEY (single),
    CONSTRAINT ck_single CHECK (single)
  )`,
  // Where the oldest entry is not the first that was written, entries before it were let go before this was noted.
  `INSERT INTO change_log_pruned (until)
    SELECT created_at FROM (SELECT id, created_at FROM change_log ORDER BY created_at, id LIMIT 1) oldest
    WHERE right(replace(id::text, '-', ''), 15) <> lpad('1', 15, '0')`,
];

const times = [
  // The time of a transaction, so that all that it does is done at once. A transaction that began earlier than the last
  // change of the record, and waited for it, takes the time of that change: a record never goes back in time. A time
  // ahead of the clock is nobody's but that of SQL by hand.
  `CREATE FUNCTION change_time(last timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT greatest(now(), least(last, clock_timestamp()))::timestamptz(3)
  $$`,
  // Compares the stored bytes: a change that changes nothing leaves updated_at alone. A statement that sets updated_at by
  // itself says that parts of the record have changed.
  `CREATE FUNCTION stamp_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW *<> OLD THEN NEW.updated_at := change_time(OLD.updated_at); END IF;
  RETURN NEW;
END
$$`,
];

/** Triggers of one event run in the order of their names: this one is the last, after those that change the record. */
const stamp = (name: string): string =>
  `CREATE TRIGGER ${name}_stamp BEFORE UPDATE ON ${name} FOR EACH ROW EXECUTE FUNCTION stamp_record()`;

// Every table whose changes are logged, also by migrations that came between.
const LOGGED = `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgfoid = 'log_changes'::regproc ORDER BY 1`;
const STAMPED = `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgfoid = 'stamp_record'::regproc ORDER BY 1`;

const ENTRY =
  'id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id';

/** @param schema where the tables are: a function that acts as its owner must not be led elsewhere */
const log = (schema: string): string[] => [
  'DROP FUNCTION change_log_id()',
  // A UUID of version 7: the time of the entry, and then the order of writing. Entries in the order of their ids are in
  // the order of their times.
  `CREATE FUNCTION change_log_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008'
      || lpad(to_hex(nextval('change_log_sequence')), 15, '0'))::uuid
  $$`,
  // OFFSET 0 keeps the planner from working a record's JSON, or its time, out again for each of its uses.
  `CREATE OR REPLACE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  actor_id constant uuid := attribution->>'profileId';
  actor constant text := coalesce(attribution->>'email', 'system');
  request_id constant text := attribution->>'requestId';
  resource constant text := replace(TG_TABLE_NAME, '_', '-');
  area constant text := nullif(TG_ARGV[0], '');
  name constant text := TG_ARGV[1];
  secrets constant text[] := string_to_array(TG_ARGV[2], ',');
  transaction_id constant bigint := pg_current_xact_id()::text::bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO change_log (${ENTRY}, new_values)
      SELECT change_log_id(at), at, at, 'create', resource, area, n.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(new_rows) AS row FROM new_rows OFFSET 0) n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO change_log (${ENTRY}, old_values, new_values)
      SELECT change_log_id(at), at, at, 'update', resource, area, c.id, left(after->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN d.old ELSE withhold(d.old, secrets) END,
        CASE WHEN secrets IS NULL THEN d.new ELSE withhold(d.new, secrets) END
      FROM (
        SELECT id, change_time(n.updated_at) AS at, to_jsonb(o) AS before, to_jsonb(n) AS after
        FROM old_rows o JOIN new_rows n USING (id) OFFSET 0
      ) c
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(b.key, b.value) || jsonb_build_object('updated_at', before->'updated_at') AS old,
          jsonb_object_agg(b.key, after->b.key) AS new
        FROM jsonb_each(before) b WHERE b.key <> 'updated_at' AND b.value::text <> (after->b.key)::text
      ) d
      WHERE d.old IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO change_log (${ENTRY}, old_values)
      SELECT change_log_id(at), at, at, 'delete', resource, area, o.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(old_rows) AS row FROM old_rows OFFSET 0) o;
  ELSE
    -- TRUNCATE has no transition table: the rows are read before they go.
    EXECUTE format(
      'INSERT INTO change_log (${ENTRY}, old_values)
       SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7, withhold(row, coalesce($8, ''{}''))
       FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
      USING resource, area, name, actor_id, actor, request_id, transaction_id, secrets;
  END IF;
  RETURN NULL;
END
$$`,
  // The one way that an entry goes: it is older than the retention, and so is everything before it.
  `CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql
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
$$`,
  // Who could make a trigger of its own of this function could write entries about anything.
  'REVOKE ALL ON FUNCTION log_changes() FROM PUBLIC',
  'REVOKE ALL ON FUNCTION prune_change_log(timestamptz, int) FROM PUBLIC',
];

const defaults = [
  // A record that was deleted before its table got a column has that column's default.
  `CREATE FUNCTION with_defaults(table_name regclass, record jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  missing text;
  defaults jsonb;
BEGIN
  SELECT string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') INTO missing
    FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = table_name AND a.attgenerated = '' AND NOT record ? a.attname;
  IF missing IS NULL THEN RETURN record; END IF;
  EXECUTE format('SELECT jsonb_build_object(%s)', missing) INTO defaults;
  RETURN defaults || record;
END
$$`,
];

/** The functions as they were before. */
const before = [
  'DROP FUNCTION change_log_id(timestamptz)',
  `CREATE FUNCTION change_log_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '70008'
      || lpad(to_hex(nextval('change_log_sequence')), 15, '0'))::uuid
  $$`,
  `CREATE OR REPLACE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at constant timestamptz := clock_timestamp();
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  actor_id constant uuid := attribution->>'profileId';
  actor constant text := coalesce(attribution->>'email', 'system');
  request_id constant text := attribution->>'requestId';
  resource constant text := replace(TG_TABLE_NAME, '_', '-');
  area constant text := nullif(TG_ARGV[0], '');
  name constant text := TG_ARGV[1];
  secrets constant text[] := string_to_array(TG_ARGV[2], ',');
  transaction_id constant bigint := pg_current_xact_id()::text::bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO change_log (${ENTRY}, new_values)
      SELECT change_log_id(), at, at, 'create', resource, area, n.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, to_jsonb(new_rows) AS row FROM new_rows OFFSET 0) n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO change_log (${ENTRY}, old_values, new_values)
      SELECT change_log_id(), at, at, 'update', resource, area, c.id, left(after->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN d.old ELSE withhold(d.old, secrets) END,
        CASE WHEN secrets IS NULL THEN d.new ELSE withhold(d.new, secrets) END
      FROM (SELECT id, to_jsonb(o) AS before, to_jsonb(n) AS after FROM old_rows o JOIN new_rows n USING (id) OFFSET 0) c
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(b.key, b.value) || jsonb_build_object('updated_at', before->'updated_at') AS old,
          jsonb_object_agg(b.key, after->b.key) AS new
        FROM jsonb_each(before) b WHERE b.key <> 'updated_at' AND b.value <> after->b.key
      ) d
      WHERE d.old IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO change_log (${ENTRY}, old_values)
      SELECT change_log_id(), at, at, 'delete', resource, area, o.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, to_jsonb(old_rows) AS row FROM old_rows OFFSET 0) o;
  ELSE
    EXECUTE format(
      'INSERT INTO change_log (${ENTRY}, old_values)
       SELECT change_log_id(), $1, $1, ''delete'', $2, $3, t.id, left(to_jsonb(t)->>$4, 255), $5, $6, $7, $8, withhold(to_jsonb(t), coalesce($9, ''{}'')) FROM %I t', TG_TABLE_NAME)
      USING at, resource, area, name, actor_id, actor, request_id, transaction_id, secrets;
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  pruned bigint;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  DELETE FROM change_log WHERE id IN (SELECT id FROM change_log WHERE created_at < before ORDER BY created_at, id LIMIT most);
  GET DIAGNOSTICS pruned = ROW_COUNT;
  PERFORM set_config('inventory.pruning', 'off', true);
  RETURN pruned;
END
$$`,
  'GRANT EXECUTE ON FUNCTION log_changes() TO PUBLIC',
  'GRANT EXECUTE ON FUNCTION prune_change_log(timestamptz, int) TO PUBLIC',
];

export class History1795219200030 implements MigrationInterface {
  name = 'History1795219200030';

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = await runner.query('SELECT quote_ident(current_schema()) AS schema');
    for (const statement of [...table, ...times, ...log(schema), ...defaults]) await runner.query(statement);
    for (const { name } of await runner.query(LOGGED)) await runner.query(stamp(name));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of await runner.query(STAMPED)) await runner.query(`DROP TRIGGER ${name}_stamp ON ${name}`);
    for (const statement of [
      ...before,
      'DROP FUNCTION with_defaults(regclass, jsonb)',
      'DROP FUNCTION stamp_record()',
      'DROP FUNCTION change_time(timestamptz)',
      'DROP TABLE change_log_pruned',
    ]) {
      await runner.query(statement);
    }
  }
}
