// Tables for the JSON reference: a copy of the service's data in a separate schema, with plain indexes only. They have no
// triggers (so no change log and no kept totals), no trigram indexes and no foreign keys.

const SCHEMA = 'bare';
const INDEXES = {
  devices: [],
  device_ports: ['device_id'],
  ip_addresses: ['created_at, id', 'device_id', 'interface_id', 'status', 'address', 'dns_name COLLATE "C", id'],
  known_issues: ['created_at, id', 'status', 'name COLLATE "C", id'],
  people: ['created_at, id'],
  sites: [],
  assets: ['purchase_order_id'],
  asset_assignments: ['person_id'],
  purchase_orders: [],
  purchase_order_items: ['purchase_order_id'],
};

/** A URL of the same database in which table names resolve to the bare tables. */
export function bareUrl(databaseUrl) {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${SCHEMA},public`);
  return url.href;
}

/** Recreates the bare tables from the contents of the service's tables. */
export async function prepareBareTables(client) {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}`);
  for (const [table, indexes] of Object.entries(INDEXES)) {
    await client.query(
      `CREATE TABLE ${SCHEMA}.${table} (LIKE public.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
       INSERT INTO ${SCHEMA}.${table} SELECT * FROM public.${table};
       ALTER TABLE ${SCHEMA}.${table} ADD PRIMARY KEY (id)`,
    );
    for (const columns of indexes) await client.query(`CREATE INDEX ON ${SCHEMA}.${table} (${columns})`);
  }
  await client.query('VACUUM ANALYZE');
}
