/*
 * The change log, made in the database: a statement that writes records leaves an entry for each record that it wrote, in
 * its own transaction, whoever sent it. `inventory.by` is who did it, as JSON with profileId, email and requestId; where
 * it is not set it was the system.
 *
 * The functions are as they first came in. The migration of History (20261121-history.ts) has replaced log_changes,
 * change_log_id and prune_change_log, and added stamp_record, which later tables need beside `logChanges`.
 */

/** Setting, local to the transaction, that says on whose behalf it writes. */
export const ATTRIBUTION = 'inventory.by';
/** Stands in entries for a secret that is set. */
export const WITHHELD = '(withheld)';

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

interface Logged {
  area?: string;
  /** Column that names a record. */
  name?: string;
  /** Columns whose values are withheld. */
  secrets?: readonly string[];
}

/** Statements that log the changes of a table's records from now on. */
export function logChanges(table: string, { area = '', name = 'name', secrets = [] }: Logged): string[] {
  const run = `EXECUTE FUNCTION log_changes(${[area, name, ...(secrets.length > 0 ? [secrets.join(',')] : [])]
    .map((argument) => `'${argument}'`)
    .join(', ')})`;
  return [
    `CREATE TRIGGER ${table}_log_insert AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_update AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_delete AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT ${run}`,
  ];
}

const unlog = (table: string): string[] =>
  ['insert', 'update', 'delete', 'truncate'].map((event) => `DROP TRIGGER ${table}_log_${event} ON ${table}`);

const operations = { area: 'operations' };
const network = { area: 'network' };
const procurement = { area: 'procurement' };
const people = { area: 'people' };

/** The records that there were when the change log came in. A later table's migration calls `logChanges`. */
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

export const up: string[] = [
  ...functions,
  ...guards,
  ...Object.entries(TABLES).flatMap(([table, logged]) => logChanges(table, logged)),
];

export const down: string[] = [
  ...Object.keys(TABLES).flatMap(unlog),
  'DROP TRIGGER change_log_keep ON change_log',
  'DROP FUNCTION prune_change_log(timestamptz, int)',
  'DROP FUNCTION keep_change_log()',
  'DROP FUNCTION log_changes()',
  'DROP FUNCTION withhold(jsonb, text[])',
  'DROP AGGREGATE jsonb_merge(jsonb)',
  'DROP FUNCTION change_log_id()',
  'DROP SEQUENCE change_log_sequence',
];
