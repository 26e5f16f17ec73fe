import { hasCustomFields, isLogged, isPart } from '../../src/fields/record-entity.js';
import { records } from '../../src/schema/entities.js';
import { triggerArguments, valueIndexName } from '../../src/schema/record-table.js';
import { recordTableOf } from '../../src/schema/record-table-of.js';
import { isLine } from '../../src/fields/types/text.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { raw, sql } from '../../src/database/sql.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the migrations leave no difference to the entities', async () => {
  const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map((query) => query.query)).toEqual([]);
});

it('the migrations index every foreign key', async () => {
  const bare = await database.db.query(
    sql`SELECT c.conname FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1] AND coalesce(pg_get_expr(i.indpred, i.indrelid) =
         format('(%s IS NOT NULL)', (SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = c.conkey[1])), true))`,
  );
  expect(bare).toEqual([]);
});

it('the migrations index the columns that each list searches, sorts by and compares', async () => {
  const found = await database.db.query<{ name: string; definition: string }>(
    sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes`,
  );
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  let looked = 0;
  for (const record of records) {
    const { table, searched } = declaredSqlOf(record);
    // Parts are read within their owner, with an index on it.
    if (searched.length === 0 || isPart(record)) continue;
    const missing: string[] = [];
    const trigrams = definitions.get(`ix_${table}_search`) ?? '';
    for (const field of searched) {
      const { columnName } = field;
      if (!new RegExp(String.raw`\b${columnName}\b[^,]* gin_trgm_ops`).test(trigrams)) missing.push(columnName);
      const order = definitions.get(`ix_${table}_${columnName}_order`) ?? '';
      if (isLine(field) && !order.includes(`(${columnName} COLLATE "C", id)`))
        missing.push(`${columnName} in its order`);
      looked++;
    }
    expect({ table, missing }).toEqual({ table, missing: [] });
  }
  expect(looked).toBeGreaterThan(60);
});

/** Triggers of each table, with their arguments. */
async function triggers(): Promise<Map<string, Map<string, string[]>>> {
  const rows = await database.db.query<{ table: string; name: string; arguments: string }>(
    sql`SELECT c.relname AS table, t.tgname AS name, replace(encode(t.tgargs, 'escape'), '\\000', chr(10)) AS arguments
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal`,
  );
  const byTable = new Map<string, Map<string, string[]>>();
  for (const { table, name, arguments: given } of rows) {
    if (!byTable.has(table)) byTable.set(table, new Map());
    byTable.get(table)!.set(name, given.split('\n').slice(0, -1));
  }
  return byTable;
}

const ofFamily = (table: string): boolean =>
  records.some((record) => declaredSqlOf(record).table === table && hasCustomFields(record));

const EVENTS = ['insert', 'update', 'delete', 'truncate'];

// Where nobody has defined a custom field, none costs anything.
it('holds the custom fields of new records without values only where a definition asks for it', async () => {
  const held = () =>
    database.db.query<{ name: string }>(
      sql`SELECT tgname AS name FROM pg_trigger WHERE tgname LIKE '%custom_new' AND tgqual IS NULL`,
    );
  expect(await held()).toEqual([]);
  await database.db.query(
    raw(
      `INSERT INTO custom_fields (key, label, type, resources, required) VALUES ('tier', 'Tier', 'text', '{sites,device-types}', true)`,
    ),
  );
  expect((await held()).map(({ name }) => name).toSorted()).toEqual(['device_types_custom_new', 'sites_custom_new']);
  await expect(database.db.query(raw(`INSERT INTO sites (name) VALUES ('without')`))).rejects.toThrow(
    'customFields.tier is required',
  );
  await database.db.query(raw(`UPDATE custom_fields SET required = false`));
  await database.db.query(raw('SELECT rest_custom_fields()'));
  expect(await held()).toEqual([]);
  await database.db.query(raw(`DELETE FROM custom_fields`));
});

// A resource whose table is not logged would return `total: 0` next to its records.
it('the migrations log and count every table of records as its entity declares', async () => {
  const found = await triggers();
  expect(records.length).toBeGreaterThan(30);
  for (const record of records) {
    const { table } = declaredSqlOf(record);
    for (const event of EVENTS) {
      const given = found.get(table)?.get(`${table}_${event}`);
      const expected = table === 'change_log' && event !== 'update' ? [] : undefined;
      expect({ table, event, given }).toEqual({
        table,
        event,
        // The functions of the others are made for the table.
        given: isLogged(record) ? (event === 'truncate' ? triggerArguments(recordTableOf(record)) : []) : expected,
      });
    }
  }
});

it('the trigger of updates compares every column, also one that an entity gets', async () => {
  const compared = await database.db.query<{ table: string; column: string; isCompared: boolean }>(
    sql`SELECT c.relname AS table, attname AS column, strpos(prosrc, format('OLD.%1$I::text IS DISTINCT FROM NEW.%1$I::text', attname)) > 0 AS "isCompared"
      FROM pg_class c JOIN pg_proc p ON proname = c.relname || '_update' JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('id', 'updated_at', 'last_used_at', 'last_used_address')`,
  );
  expect(compared.length).toBeGreaterThan(500);
  expect(compared.filter(({ isCompared }) => !isCompared)).toEqual([]);
  // Of the declared ones the digest of the function is made.
  for (const { table, columns } of records.filter(isLogged).map(recordTableOf)) {
    const own = compared.filter((each) => each.table === table).map(({ column }) => column);
    expect({ table, missing: own.filter((column) => !columns.includes(column)) }).toEqual({ table, missing: [] });
  }
});

/** The triggers that all tables of records have: one for each of insert, update, delete and truncate, by the functions that they run. */
const isCommon = (table: string, name: string): boolean =>
  name === 'log_truncate' || ['insert', 'update', 'delete'].some((event) => name === `${table}_${event}`);

/** What holds the custom fields of the records of the families. */
const CUSTOM: Readonly<Record<string, readonly string[]>> = {
  insert: ['hold_custom_fields'],
  update: ['hold_custom_fields'],
  delete: ['clear_custom_references', 'free_custom_values'],
};

/** What the triggers of single tables do beyond that, by the functions that they run. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  // The exception: hosts of addresses are counted by triggers of their own, because they take locks that no other table needs.
  ip_addresses: ['ip_addresses_home', 'ip_addresses_machine', 'keep_hosts'],
  // The change log has no log of itself, and counts its entries.
  change_log: ['count_change_log', 'keep_change_log'],
  // Rules between records, which no constraint can express.
  assets: ['hold_site'],
  asset_categories: ['keep_stocktakes'],
  asset_assignments: ['book_assignments', 'end_assignment_of_nobody', 'end_bookings', 'follow_assignments'],
  bookings: ['keep_fixed', 'place_booking'],
  change_requests: ['cancel_bookings', 'end_reservations'],
  change_request_targets: ['point_target'],
  contract_coverage: ['contract_coverage_days', 'point_target'],
  contracts: ['contracts_coverage'],
  sla_coverage: ['point_target'],
  device_type_ports: ['keep_fixed', 'own_device_type_of_ports', 'port_defaults', 'port_links'],
  device_types: ['device_types_placement', 'own_device_type'],
  devices: ['devices_home', 'devices_placement', 'end_reservations', 'hold_site', 'move_bookings'],
  incident_targets: ['point_target'],
  cable_ends: ['free_ports'],
  cables: ['cable_ends', 'keep_fixed', 'point_cable'],
  circuit_terminations: ['keep_fixed'],
  device_port_vlans: ['device_port_vlans_mode', 'keep_fixed'],
  device_ports: [
    'device_port_links',
    'device_ports_cabled',
    'device_ports_kept',
    'free_ports',
    'keep_fixed',
    'port_defaults',
    'port_links',
  ],
  locations: ['hold_site', 'keep_stock', 'keep_stocktakes', 'locations_ancestry', 'move_site'],
  sites: ['keep_stock', 'keep_stocktakes'],
  stock_items: ['keep_stock'],
  stock_movements: ['move_stock', 'open_lot'],
  stocktakes: ['hold_site', 'keep_fixed', 'keep_stocktakes'],
  known_issue_targets: ['point_target'],
  maintenance_window_targets: ['point_target'],
  runbook_targets: ['point_target'],
  people: ['end_assignments', 'link_profile'],
  software_licence_seats: ['count_seats'],
  software_licences: ['keep_seats'],
  power_feeds: ['power_feeds_home'],
  purchase_orders: ['hold_site'],
  prefixes: ['share_prefix_space'],
  rack_reservations: ['place_reservations'],
  racks: ['end_reservations', 'hold_site', 'racks_placement'],
  regions: ['regions_ancestry'],
  virtual_machine_addresses: ['keep_fixed', 'virtual_machine_addresses_home'],
  virtual_machine_interfaces: ['keep_fixed'],
  vlan_groups: ['vlan_groups_range'],
  vlans: ['vlans_range'],
  vrfs: ['check_enforce_unique'],
  // A name for the values of each, and notifications of changed definitions.
  custom_fields: ['custom_fields_changed', 'custom_fields_held', 'keep_fixed', 'name_custom_field'],
  // The triggers of the tables whose records move come with the first definition.
  transitions: ['keep_fixed', 'transitions_held'],
  // Notifications of changed callers.
  profiles: ['session_changes'],
  sessions: ['session_changes'],
  tokens: ['token_changes'],
};

it('a write of a record runs one trigger that all tables have, and of others only those that are named here', async () => {
  const rows = await database.db.query<{ table: string; event: string; functions: string[] }>(
    sql`SELECT c.relname AS table, event, array_agg(p.proname::text ORDER BY p.proname) AS functions
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid,
       unnest(ARRAY[4, 8, 16, 32], ARRAY['insert', 'delete', 'update', 'truncate']) events (bit, event)
     WHERE NOT t.tgisinternal AND t.tgtype & bit > 0 AND NOT c.relispartition GROUP BY 1, 2`,
  );
  const common = ({ table, functions }: { table: string; functions: string[] }): number =>
    functions.filter((name) => isCommon(table, name)).length;
  const logged = records.filter(isLogged).map((record) => declaredSqlOf(record).table);
  expect(rows.filter((row) => common(row) > 0).map(({ table }) => table)).toHaveLength(logged.length * EVENTS.length);
  for (const row of rows)
    expect({ ...row, common: common(row) }).toMatchObject({ common: logged.includes(row.table) ? 1 : 0 });
  const own = new Map<string, string[]>();
  for (const { table, event, functions } of rows) {
    const custom = functions.filter((name) => Object.values(CUSTOM).flat().includes(name));
    expect({ table, event, custom }).toEqual({ table, event, custom: ofFamily(table) ? (CUSTOM[event] ?? []) : [] });
    const others = functions.filter((name) => !isCommon(table, name) && !custom.includes(name));
    if (others.length > 0) own.set(table, [...new Set([...(own.get(table) ?? []), ...others])].toSorted());
  }
  expect(Object.fromEntries(own)).toEqual(OWN);
  const hosts = rows.filter(({ functions }) => functions.includes('keep_hosts'));
  expect(hosts.map(({ table, event }) => [table, event]).toSorted()).toEqual(
    EVENTS.map((event) => ['ip_addresses', event]).toSorted(),
  );
});

it('the migrations index the values of every column whose lists have kept totals', async () => {
  const indexes = await database.db.query<{ name: string; definition: string }>(
    sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes`,
  );
  const definitions = new Map(indexes.map(({ name, definition }) => [name, definition]));
  let looked = 0;
  for (const record of records) {
    const { table, counted } = recordTableOf(record);
    for (const column of counted) {
      const index = definitions.get(valueIndexName(table, column)) ?? '';
      expect({ table, index }).toEqual({
        table,
        index: expect.stringContaining(`(${column} COLLATE "C", created_at, id)`),
      });
      looked++;
    }
  }
  expect(looked).toBeGreaterThan(15);
});
