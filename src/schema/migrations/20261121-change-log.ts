import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countRecords, logChanges, unlogChanges, type Logged } from './record-table.js';

/*
 * The change log, made in the database: a statement that writes records leaves an entry for each record that it wrote, in
 * its own transaction, whoever sent it. `inventory.by` is who did it, as JSON with profileId, email and requestId; where
 * it is not set it was the system.
 */

/** Setting, local to the transaction, that says on whose behalf it writes. */
const ATTRIBUTION = 'inventory.by';
/** Stands in entries for a secret that is set. */
const WITHHELD = '(withheld)';

const functions = [
  'CREATE SEQUENCE change_log_sequence',
  // A UUID of version 7: the time, and then the order of writing, so that ids ascend and the index grows at its end.
  `CREATE FUNCTION change_log_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '70008'
      || lpad(to_hex(nextval('change_log_sequence')), 15, '0'))::uuid
  $$`,
  // The values of later entries are laid over each other, to take a record back in time.
  "CREATE AGGREGATE jsonb_merge(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}')",
  `CREATE FUNCTION withhold(record jsonb, secrets text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT record || coalesce(
      (SELECT jsonb_object_agg(key, '${WITHHELD}') FROM jsonb_each(record) WHERE key = ANY(secrets) AND value <> 'null'), '{}')
  $$`,
  // OFFSET 0 keeps the planner from working a record's JSON out again for each of its uses.
  `CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at constant timestamptz := clock_timestamp();
  attribution constant jsonb := nullif(current_setting('${ATTRIBUTION}', true), '')::jsonb;
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
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, new_values)
      SELECT change_log_id(), at, at, 'create', resource, area, n.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, to_jsonb(new_rows) AS row FROM new_rows OFFSET 0) n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, old_values, new_values)
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
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, old_values)
      SELECT change_log_id(), at, at, 'delete', resource, area, o.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, to_jsonb(old_rows) AS row FROM old_rows OFFSET 0) o;
  ELSE
    -- TRUNCATE has no transition table: the rows are read before they go.
    EXECUTE format(
      'INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, old_values)
       SELECT change_log_id(), $1, $1, ''delete'', $2, $3, t.id, left(to_jsonb(t)->>$4, 255), $5, $6, $7, $8, withhold(to_jsonb(t), coalesce($9, ''{}'')) FROM %I t', TG_TABLE_NAME)
      USING at, resource, area, name, actor_id, actor, request_id, transaction_id, secrets;
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE FUNCTION keep_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('inventory.pruning', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted' USING ERRCODE = 'insufficient_privilege';
END
$$`,
  // The one way that an entry goes: it is older than the retention, and so is everything before it.
  `CREATE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql AS $$
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
];

const guards = [
  `CREATE TRIGGER change_log_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON change_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_change_log()`,
];

const changeLogTable = [
  `CREATE TABLE change_log (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    action varchar(32) NOT NULL,
    resource varchar(255) NOT NULL,
    area varchar(255),
    record_id uuid NOT NULL,
    record_name varchar(255),
    actor_id uuid,
    actor varchar(255) NOT NULL,
    request_id varchar(255),
    old_values jsonb,
    new_values jsonb,
    transaction_id bigint NOT NULL,
    CONSTRAINT pk_change_log PRIMARY KEY (id),
    CONSTRAINT ck_action CHECK (action IN ('create', 'update', 'delete'))
  )`,
  'CREATE INDEX ix_change_log_created_at_id ON change_log (created_at, id)',
  'CREATE INDEX ix_change_log_record_id_id ON change_log (record_id, id)',
  'CREATE INDEX ix_change_log_actor_id_created_at ON change_log (actor_id, created_at)',
  'CREATE INDEX ix_change_log_request_id ON change_log (request_id)',
];

const operations = { area: 'operations' };
const network = { area: 'network' };
const procurement = { area: 'procurement' };
const people = { area: 'people' };

/** The records that there were when the change log came in. */
const TABLES: Record<string, Logged> = {
  profiles: { name: 'email', secrets: ['password_hash'] },
  on_call_schedules: operations,
  runbooks: operations,
  known_issues: operations,
  maintenance_windows: operations,
  change_requests: operations,
  incidents: operations,
  sites: network,
  locations: network,
  racks: network,
  device_types: { ...network, name: 'model' },
  device_type_modules: network,
  device_roles: network,
  platforms: network,
  devices: network,
  device_ports: network,
  vrfs: network,
  ip_addresses: { ...network, name: 'address' },
  cluster_types: network,
  clusters: network,
  virtual_machines: network,
  manufacturers: procurement,
  asset_categories: procurement,
  assets: procurement,
  asset_assignments: procurement,
  purchase_orders: { ...procurement, name: 'order_number' },
  purchase_order_items: procurement,
  vendors: procurement,
  contracts: procurement,
  slas: procurement,
  software_licences: { ...procurement, secrets: ['licence_key'] },
  renewals: procurement,
  people: { ...people, name: 'full_name' },
  tenant_groups: people,
};

const log = [
  ...functions,
  ...guards,
  ...Object.entries(TABLES).flatMap(([table, logged]) => logChanges(table, logged)),
];

const unlog = [
  ...Object.keys(TABLES).flatMap(unlogChanges),
  'DROP TRIGGER change_log_keep ON change_log',
  'DROP FUNCTION prune_change_log(timestamptz, int)',
  'DROP FUNCTION keep_change_log()',
  'DROP FUNCTION log_changes()',
  'DROP FUNCTION withhold(jsonb, text[])',
  'DROP AGGREGATE jsonb_merge(jsonb)',
  'DROP FUNCTION change_log_id()',
  'DROP SEQUENCE change_log_sequence',
];

/** Words of a record that the title of an incident is matched with; as indexed. */
const MATCHED_WORDS = {
  known_issues: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
  runbooks: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
} as const;

const columns = (expression: string): string => expression.replaceAll('t.', '');

const indexWords: string[] = Object.entries(MATCHED_WORDS).map(
  ([table, expression]) => `CREATE INDEX ix_${table}_words ON ${table} USING gin ((${columns(expression)}))`,
);

const dropWords: string[] = Object.keys(MATCHED_WORDS).map((table) => `DROP INDEX ix_${table}_words`);

export class ChangeLog1795219200020 implements MigrationInterface {
  name = 'ChangeLog1795219200020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...changeLogTable, ...countRecords('change_log'), ...log, ...indexWords])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...dropWords, ...unlog, 'DROP TABLE change_log']) await runner.query(statement);
    await runner.query(`DELETE FROM record_counts WHERE table_name = 'change_log'`);
  }
}
