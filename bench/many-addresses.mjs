// Up to millions of addresses, in a migrated, otherwise empty database.
import { addresses, idOf } from './data.mjs';

const PORTS = 50;
const BATCH = 100_000;

/**
 * Devices with ports, and addresses.
 * @param {string} [values] SQL of the custom values of the i-th address, which no trigger looks at
 */
export async function manyAddresses(client, { size, devices, report, values }) {
  await client.query(
    `INSERT INTO devices (id, name) SELECT ${idOf('device', 'i')}, 'device-' || i FROM generate_series(1, ${devices}) i`,
  );
  await client.query(
    `INSERT INTO device_ports (id, device_id, name) SELECT ${idOf('port', 'i')}, ${idOf('device', `1 + (i - 1) / ${PORTS}`)}, 'Ethernet1/' || i FROM generate_series(1, ${devices * PORTS}) i`,
  );
  const few = values === undefined ? Math.min(size, BATCH) : 0;
  if (few > 0) await client.query(addresses(1, few, devices, PORTS));
  if (size > few) await addMany(client, { from: few + 1, size, devices, report, values });
}

/** The remaining addresses, without triggers. Their counts are computed afterwards, and the indexes are built at the end. */
async function addMany(client, { from: first, size, devices, report, values }) {
  const { rows: indexes } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'ip_addresses' AND indexname <> 'pk_ip_addresses'`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query('SET session_replication_role = replica');
  for (let from = first; from <= size; from += BATCH) {
    await client.query(addresses(from, Math.min(size, from + BATCH - 1), devices, PORTS, values));
    report(`${Math.min(size, from + BATCH - 1)} addresses`);
  }
  await client.query('RESET session_replication_role');
  await client.query(`SET maintenance_work_mem = '1GB'`);
  for (const { name, definition } of indexes) {
    await client.query(definition);
    report(name);
  }
  for (const statement of [
    `DELETE FROM record_counts WHERE table_name = 'ip_addresses'`,
    `DELETE FROM value_counts WHERE table_name = 'ip_addresses'`,
    `INSERT INTO record_counts SELECT 'ip_addresses', count(*) FROM ip_addresses`,
    `INSERT INTO value_counts SELECT 'ip_addresses', 'status', status, count(*) FROM ip_addresses GROUP BY status`,
    'TRUNCATE address_hosts, address_blocks',
    `INSERT INTO address_hosts
       SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000'), set_masklen(address, 32), count(*), count(*) FROM ip_addresses GROUP BY 1, 2`,
    `INSERT INTO address_blocks (space, block, hosts)
       SELECT space, block, count(*) FROM address_hosts,
         unnest(ARRAY[network(set_masklen(host, 24)), network(set_masklen(host, 16))]) block GROUP BY 1, 2`,
  ]) {
    await client.query(statement);
  }
}
