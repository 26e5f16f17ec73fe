// `npm run bench:coverage`: what covers a record, what is not covered, and what it costs to replace, among 100,000 devices with as many
// links. See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { idOf } from './data.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    devices: { type: 'string', default: '100000' },
    rosters: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '30' },
    database: { type: 'string', default: 'inventory_bench_coverage' },
  },
});
const [DEVICES, ROSTERS, ROUNDS] = ['devices', 'rosters', 'rounds'].map((name) => Number(options[name]));
const LARGE = 5000;
const PEOPLE = 1000;
// A connection plans a statement for its first five executions, and may keep the plan from then on.
const PLANNED = 6;
const say = (line) => process.stdout.write(`${line}\n`);
const at = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];

/**
 * One site with 5,000 devices, and 500 others with the rest; a tenth of the devices of no type. Seven tenths of the links are of
 * devices, the rest of their assets. Contracts end in the last and the next three years; a tenth of the assets has a warranty.
 */
async function fill(client, report) {
  const step = async (name, statement) => {
    await client.query(statement);
    report(name);
  };
  const siteOf = (i) =>
    `CASE WHEN ${i} <= ${LARGE} THEN ${idOf('site', '0')} ELSE ${idOf('site', `1 + ${i} % 500`)} END`;
  const rackOf = (i) => idOf('rack', `CASE WHEN ${i} <= ${LARGE} THEN ${i} % 125 ELSE 125 + ${i} % 2500 END`);
  await step(
    'sites',
    `INSERT INTO sites (id, name) SELECT ${idOf('site', 'i')}, 'Site ' || i FROM generate_series(0, 500) i`,
  );
  await step(
    'racks',
    `INSERT INTO racks (id, name, site_id) SELECT ${idOf('rack', 'i')}, 'Rack ' || i, CASE WHEN i < 125 THEN ${idOf('site', '0')} ELSE ${idOf('site', '1 + (i - 125) % 500')} END FROM generate_series(0, 2624) i`,
  );
  await step(
    'vendors',
    `INSERT INTO vendors (id, name) SELECT ${idOf('vendor', 'i')}, 'Vendor ' || i FROM generate_series(1, 50) i`,
  );
  await step(
    'manufacturers',
    `INSERT INTO manufacturers (id, name) SELECT ${idOf('maker', 'i')}, 'Maker ' || i FROM generate_series(1, 20) i`,
  );
  await step(
    'types',
    `INSERT INTO device_types (id, model, manufacturer_id) SELECT ${idOf('type', 'i')}, 'Model ' || i, ${idOf('maker', '1 + i % 20')} FROM generate_series(1, 60) i`,
  );
  await step(
    'orders',
    `INSERT INTO purchase_orders (id, order_number, vendor_id, currency) SELECT ${idOf('order', 'i')}, 'PO-' || i, ${idOf('vendor', '1 + i % 50')}, (ARRAY['USD', 'EUR', 'JPY'])[1 + i % 3] FROM generate_series(1, 1000) i`,
  );
  await step(
    'assets',
    `INSERT INTO assets (id, name, manufacturer_id, purchase_order_id, purchased_at, purchase_price, warranty_until)
     SELECT ${idOf('asset', 'i')}, 'Model ' || 1 + i % 60, ${idOf('maker', '1 + (1 + i % 60) % 20')}, ${idOf('order', '1 + i % 1000')}, now() - (i % 2000) * interval '1 day', (100 + i % 9000)::numeric,
       CASE WHEN i % 10 = 0 THEN now() + (i % 1500 - 700) * interval '1 day' END FROM generate_series(1, ${DEVICES}) i`,
  );
  await step(
    'devices',
    `INSERT INTO devices (id, name, site_id, rack_id, device_type_id, asset_id, serial_number, status)
     SELECT ${idOf('device', 'i')}, 'device-' || i, ${siteOf('i')}, ${rackOf('i')}, CASE WHEN i % 10 > 0 THEN ${idOf('type', '1 + i % 60')} END, ${idOf('asset', 'i')}, 'SN' || i, CASE WHEN i % 20 = 0 THEN 'planned' ELSE 'active' END
     FROM generate_series(1, ${DEVICES}) i`,
  );
  await step(
    'contracts',
    `INSERT INTO contracts (id, name, vendor_id, start_date, end_date, status) SELECT ${idOf('contract', 'i')}, 'Contract ' || i, ${idOf('vendor', '1 + i % 50')}, current_date - 1200, current_date + (i * 11) % 2200 - 1100, CASE WHEN i % 20 = 0 THEN 'draft' ELSE 'active' END FROM generate_series(1, 300) i`,
  );
  await step(
    'SLAs',
    `INSERT INTO slas (id, name, vendor_id) SELECT ${idOf('sla', 'i')}, 'SLA ' || i, ${idOf('vendor', '1 + i % 50')} FROM generate_series(1, 20) i`,
  );
  await step(
    'links',
    `INSERT INTO contract_coverage (contract_id, resource, record_id)
     SELECT ${idOf('contract', '1 + i % 300')}, CASE WHEN i % 10 < 7 THEN 'devices' ELSE 'assets' END, CASE WHEN i % 10 < 7 THEN ${idOf('device', 'i')} ELSE ${idOf('asset', 'i')} END
     FROM generate_series(1, ${DEVICES} * 9 / 10) i`,
  );
  await step(
    'links of SLAs',
    `INSERT INTO sla_coverage (sla_id, resource, record_id, end_date)
     SELECT ${idOf('sla', '1 + i % 20')}, 'devices', ${idOf('device', 'i')}, current_date + i % 1000 - 500 FROM generate_series(1, ${DEVICES} / 10) i`,
  );
  await step(
    'people',
    `INSERT INTO people (id, full_name, phone) SELECT ${idOf('person', 'i')}, 'Person ' || i, '+31 20 ' || i FROM generate_series(1, ${PEOPLE}) i`,
  );
  await step(
    'shifts',
    `INSERT INTO on_call_schedules (name, rotation, person_id, start_time, end_time)
     SELECT 'Roster ' || r || ', week ' || w, 'Roster ' || r, ${idOf('person', `1 + (r + w + 100) % ${PEOPLE}`)}, date_trunc('week', now()) + w * interval '7 days', date_trunc('week', now()) + (w + 1) * interval '7 days'
     FROM generate_series(1, ${ROSTERS}) r, generate_series(-4, 12) w`,
  );
  await step(
    'responsibilities',
    `INSERT INTO site_responsibilities (site_id, roster) SELECT ${idOf('site', 'i')}, 'Roster ' || 1 + i % ${ROSTERS} FROM generate_series(0, 500) i`,
  );
  await step(
    'responsibilities of racks',
    `INSERT INTO rack_responsibilities (rack_id, roster) SELECT ${idOf('rack', 'i')}, 'Roster ' || 1 + i % ${ROSTERS} FROM generate_series(0, 2624, 3) i`,
  );
  await step(
    'responsibilities of devices',
    `INSERT INTO device_responsibilities (device_id, roster) SELECT ${idOf('device', 'i')}, 'Roster ' || 1 + i % ${ROSTERS} FROM generate_series(1, ${DEVICES}, 20) i`,
  );
  await step(
    'a change',
    `INSERT INTO change_requests (id, name, scheduled_for) VALUES (${idOf('change', '1')}, 'Move the large site', now() + interval '1 day');
     INSERT INTO change_request_targets (change_request_id, resource, record_id) VALUES (${idOf('change', '1')}, 'sites', ${idOf('site', '0')})`,
  );
  await client.query('VACUUM ANALYZE');
}

build();
const url = await prepareDatabase(options.database, options, fill);
const client = await connect(url);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
const { rows } = await client.query(`SELECT id FROM devices ORDER BY md5(id::text) LIMIT ${ROUNDS + PLANNED}`);
const { rows: named } = await client.query(
  `SELECT ${idOf('type', '7')} AS type, ${idOf('site', '0')} AS site, ${idOf('vendor', '7')} AS vendor, ${idOf('change', '1')} AS change`,
);
const [{ type, site, vendor, change }] = named;

/** The longest of the first requests, and median and 95th percentile of those that follow one another then, in milliseconds. */
async function time(path, times) {
  const taken = [];
  for (let n = 0; n < times + PLANNED; n++) {
    const started = performance.now();
    const answer = await fetch(`${server.url}${path(n)}`, { headers: { cookie } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${path(n)} gave ${answer.status}: ${body}`);
    taken.push(performance.now() - started);
  }
  const kept = taken.splice(PLANNED);
  return [Math.max(...taken), at(kept, 0.5), at(kept, 0.95)];
}

const deviceOf = (n) => `/api/devices/${rows[n % rows.length].id}`;
const REQUESTS = {
  'coverage of a device': [(n) => `${deviceOf(n)}/coverage`, ROUNDS],
  'who is responsible for it': [(n) => `${deviceOf(n)}/responsible`, ROUNDS],
  'whom to call': [(n) => `${deviceOf(n)}/call`, ROUNDS],
  'exposure, page of 50': [() => '/api/exposure?pageSize=50', 10],
  'exposure within 90 days, page of 50': [() => '/api/exposure?within=90&pageSize=50', 10],
  'exposure by day, page of 50': [() => '/api/exposure?sort=lastCoveredOn&order=desc&pageSize=50', 10],
  'exposure by amount, page of 50': [() => '/api/exposure?sort=amount&order=desc&pageSize=50', 10],
  'exposure of a type, page of 50': [() => `/api/exposure?deviceTypeId=${type}&pageSize=50`, 10],
  'exposure of a site, page of 50': [() => `/api/exposure?siteId=${site}&pageSize=50`, 10],
  'exposure of a vendor, page of 50': [() => `/api/exposure?vendorId=${vendor}&pageSize=50`, 10],
  'exposure, the whole list as CSV': [() => '/api/exposure?format=csv', 3],
  'refresh plan by quarter and site': [
    () => '/api/exposure/summary?groupBy=lastCoveredOn:quarter,siteId&sum=amount',
    10,
  ],
  'refresh plan by year and currency': [
    () => '/api/exposure/summary?groupBy=lastCoveredOn:year,currency&sum=amount',
    10,
  ],
  [`card of a change that reaches ${LARGE.toLocaleString('en')} devices`]: [
    () => `/api/change-requests/${change}/card`,
    10,
  ],
};
say('| Request | first, ms | median, ms | 95 %, ms |');
say('|---|---|---|---|');
for (const [name, [path, times]] of Object.entries(REQUESTS)) {
  try {
    const figures = await time(path, times);
    say(`| ${name} | ${figures.map((ms) => ms.toFixed(1)).join(' | ')} |`);
  } catch (error) {
    say(`| ${name} | ${error.message.slice(0, 200)} | | |`);
  }
}
await client.end();
await server.stop();
