// The data set of the benchmark: the same rows on every run, made by the database from their numbers.

/** Rows of each kind in the full data set. */
export const SIZES = {
  addresses: 100_000,
  knownIssues: 20_000,
  people: 5_000,
  assets: 50_000,
  devices: 2_000,
  portsOfADevice: 50,
  /** Orders to receive, each with one line of so many units that no run uses them up. */
  orders: 64,
};

/** The administrator that the service makes at its start. */
export const EMAIL = 'admin@example.com';
export const PASSWORD = 'bench-only passphrase 7';

/** SQL of the id of the i-th row of a kind. */
export const idOf = (kind, i) => `md5('${kind}' || (${i}))::uuid`;

const START = `timestamptz '2026-01-01 00:00:00Z'`;
const madeAt = `${START} + i * interval '1 second', ${START} + i * interval '1 second'`;
const one = (values, i) => `(ARRAY[${values.map((value) => `'${value}'`).join(',')}])[1 + (${i}) % ${values.length}]`;
// A row's number scattered over 32 bits, so that neighbours differ: its own arithmetic, not random(), so that it repeats.
const scatter = (i) => `(((${i})::bigint * 2654435761) % 4294967296)`;

const WORDS = ['switch', 'router', 'firewall', 'storage', 'cluster', 'uplink', 'firmware', 'power', 'optic', 'routing'];
const phrase = (i) =>
  `initcap(${one(WORDS, scatter(i))}) || ' ' || ${one(WORDS, scatter(`${i} + 7`))} || ' ' || ${one(['flaps', 'drops', 'stalls', 'reboots', 'overheats'], scatter(`${i} + 13`))} || ' ' || ${i}`;

/** Statements that make the addresses numbered `from` to `to`. */
export const addresses = (from, to, devices = SIZES.devices, ports = SIZES.portsOfADevice) => `
  INSERT INTO ip_addresses (id, created_at, updated_at, address, interface_id, status, role, family, dns_name, description)
  SELECT ${idOf('address', 'i')}, ${madeAt},
    ('10.' || (i >> 16) || '.' || ((i >> 8) & 255) || '.' || (i & 255) || '/24')::inet,
    CASE WHEN i <= ${devices * ports} THEN ${idOf('port', 'i')} END,
    ${one(['active', 'active', 'active', 'reserved', 'deprecated', 'dhcp'], scatter('i'))},
    ${one(['loopback', 'mgmt', 'peering', 'vip', 'secondary'], scatter('i + 3'))}, 4,
    'host-' || i || '.example.net', 'Address of port ' || (i % 50) || ' in row ' || (i % 997)
  FROM generate_series(${from}, ${to}) i`;

const knownIssues = `
  INSERT INTO known_issues (id, created_at, updated_at, name, severity, status, affected_system, workaround, description)
  SELECT ${idOf('issue', 'i')}, ${madeAt}, ${phrase('i')},
    ${one(['low', 'medium', 'high', 'critical'], scatter('i'))},
    ${one(['open', 'investigating', 'workaround_available', 'resolved', 'closed', 'wont_fix'], scatter('i + 5'))},
    ${one(WORDS, scatter('i + 11'))} || '-' || (i % 100), 'Restart ' || ${one(WORDS, scatter('i + 17'))},
    'Seen on ' || ${one(WORDS, scatter('i + 19'))} || ' number ' || i || ' after maintenance of ' || ${one(WORDS, scatter('i + 23'))}
  FROM generate_series(1, ${SIZES.knownIssues}) i`;

/** Fills a migrated, otherwise empty database. @param client connected pg client */
export async function fill(client, report = () => {}) {
  const { people, assets, devices, portsOfADevice: ports, orders } = SIZES;
  const steps = {
    sites: `INSERT INTO sites (id, created_at, updated_at, name) SELECT ${idOf('site', 'i')}, ${madeAt}, 'Site ' || i FROM generate_series(1, 20) i`,
    people: `
      INSERT INTO people (id, created_at, updated_at, full_name, email, job_title, department, employee_id, site_id, notes)
      SELECT ${idOf('person', 'i')}, ${madeAt}, 'Person ' || i, 'person' || i || '@example.net', 'Engineer', 'Department ' || (i % 20),
        'E-' || i, ${idOf('site', '1 + i % 20')}, 'Badge ' || i FROM generate_series(1, ${people}) i`,
    devices: `
      INSERT INTO devices (id, created_at, updated_at, name, site_id, serial_number)
      SELECT ${idOf('device', 'i')}, ${madeAt}, 'device-' || i, ${idOf('site', '1 + i % 20')}, 'SN' || i FROM generate_series(1, ${devices}) i`,
    ports: `
      INSERT INTO device_ports (id, created_at, updated_at, device_id, name, type, mtu, speed_mbps)
      SELECT ${idOf('port', 'i')}, ${madeAt}, ${idOf('device', `1 + (i - 1) / ${ports}`)}, 'Ethernet1/' || ((i - 1) % ${ports} + 1),
        '10gbase-x-sfpp', 9000, 10000 FROM generate_series(1, ${devices * ports}) i`,
    addresses: addresses(1, SIZES.addresses),
    'known issues': knownIssues,
    assets: `
      INSERT INTO assets (id, created_at, updated_at, name, asset_tag, serial_number, status, condition, site_id, purchase_price)
      SELECT ${idOf('asset', 'i')}, ${madeAt}, 'Laptop ' || i, 'A-' || i, 'S-' || i, 'in_use', 'good', ${idOf('site', '1 + i % 20')},
        ((i % 3000) + 0.99)::numeric(10,2) FROM generate_series(1, ${assets}) i`,
    assignments: `
      INSERT INTO asset_assignments (asset_id, person_id, assigned_at, returned_at)
      SELECT ${idOf('asset', 'i')}, ${idOf('person', `1 + i % ${people}`)}, ${START}, CASE WHEN i % 5 = 0 THEN ${START} + interval '1 day' END
      FROM generate_series(1, ${assets}) i`,
    orders: `
      WITH made AS (
        INSERT INTO purchase_orders (id, created_at, updated_at, order_number, site_id)
        SELECT ${idOf('order', 'i')}, ${madeAt}, 'PO-' || i, ${idOf('site', '1 + i % 20')} FROM generate_series(1, ${orders}) i RETURNING id
      )
      INSERT INTO purchase_order_items (id, purchase_order_id, name, quantity, unit_price, warranty_months, position)
      SELECT ${idOf('line', 'i')}, ${idOf('order', 'i')}, 'Optic ' || i, 1000000, 99.5, 36, 0 FROM generate_series(1, ${orders}) i`,
  };
  for (const [name, sql] of Object.entries(steps)) {
    const started = performance.now();
    await client.query(sql);
    report(`${name}: ${Math.round(performance.now() - started)} ms`);
  }
  await client.query('VACUUM ANALYZE');
}

/** Ids of the first `count` rows of a kind. @returns {Promise<string[]>} */
export async function ids(client, kind, count) {
  const { rows } = await client.query(`SELECT ${idOf(kind, 'i')} AS id FROM generate_series(1, ${count}) i`);
  return rows.map((row) => row.id);
}
