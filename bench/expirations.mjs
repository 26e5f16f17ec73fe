// `npm run bench:expirations`: what expires, and the licence position, as settled records grow. Both databases have the same
// records that are not settled; one has many settled ones beside them. See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { idOf } from './data.mjs';
import { connect, prepareDatabase } from './database.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    live: { type: 'string', default: '1000' },
    records: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const live = Number(options.live);

/** The dates of all records, settled or not, lie from 300 days ago to 300 days ahead. */
const date = `(current_date - 300 + (i * 7) % 600)`;
const status = (active, settled) => `CASE WHEN i <= ${live} THEN '${active}' ELSE '${settled}' END`;

const filler = (records) => async (client, report) => {
  const vendor = idOf('vendor', '1 + i % 50');
  const each = `FROM generate_series(1, ${records}) i`;
  const steps = {
    vendors: `INSERT INTO vendors (id, name) SELECT ${idOf('vendor', 'i')}, 'Vendor ' || i FROM generate_series(1, 50) i`,
    licences: `INSERT INTO software_licences (name, product, seats, assigned_seats, vendor_id, expiry_date, cost, status)
      SELECT 'Licence ' || i, 'Product ' || i % 100, i % 500, i % 300, ${vendor}, ${date}, i + 0.5, ${status('active', 'retired')} ${each}`,
    contracts: `INSERT INTO contracts (name, vendor_id, end_date, notice_date, cost, status)
      SELECT 'Contract ' || i, ${vendor}, ${date}, ${date} - 30, i, ${status('active', 'terminated')} ${each}`,
    renewals: `INSERT INTO renewals (name, vendor_id, renewal_date, amount, status)
      SELECT 'Renewal ' || i, ${vendor}, ${date}, i, ${status('upcoming', 'renewed')} ${each}`,
    orders: `INSERT INTO purchase_orders (id, order_number, vendor_id, expected_date, status)
      SELECT ${idOf('order', 'i')}, 'PO-' || i, ${vendor}, ${date}, ${status('ordered', 'received')} ${each}`,
    items: `INSERT INTO purchase_order_items (purchase_order_id, position, name, quantity, unit_price)
      SELECT ${idOf('order', 'i')}, 0, 'Item', 3, 1.25 ${each}`,
    assets: `INSERT INTO assets (name, warranty_until, purchase_price, purchase_order_id, status)
      SELECT 'Asset ' || i, ${date}, i, ${idOf('order', 'i')}, ${status('in_use', 'disposed')} ${each}`,
  };
  for (const [name, sql] of Object.entries(steps)) {
    await client.query(sql);
    report(`${records} ${name}`);
  }
  await client.query('VACUUM ANALYZE');
};

build();
const estates = {};
for (const [name, records] of Object.entries({ small: live, large: Number(options.records) })) {
  const url = await prepareDatabase(`inventory_bench_expirations_${name}`, options, filler(records));
  estates[name] = { url, server: await startServer('service', url), cookie: `session=${openSession(url)}` };
}
const client = await connect(estates.large.url);
const [{ id: vendor }] = (await client.query('SELECT id FROM vendors ORDER BY name LIMIT 1')).rows;
await client.end();

const REQUESTS = {
  'first page of what expires': '/api/expirations?pageSize=50',
  'all that expires within 90 days': '/api/expirations',
  'what is overdue': '/api/expirations?overdue=true&pageSize=50',
  'licences only': '/api/expirations?kind=licence&pageSize=50',
  'one vendor': `/api/expirations?vendorId=${vendor}`,
  'picture of the year': '/api/expirations?format=svg',
  'licence position by product': '/api/software-licences/position',
  'licence position by vendor': '/api/software-licences/position?groupBy=vendorId',
};

/** Median of some sequential requests, in milliseconds. */
async function time({ server, cookie }, path, times) {
  const taken = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    const answer = await fetch(server.url + path, { headers: { cookie } });
    await answer.text();
    taken.push(performance.now() - started);
    if (!answer.ok) throw new Error(`${path} gave ${answer.status}`);
  }
  return median(taken);
}

say(`| Request | ${live} records of each kind, ms | ${options.records}, the others settled, ms | ratio |`);
say('|---|---|---|---|');
for (const [name, path] of Object.entries(REQUESTS)) {
  const taken = { small: [], large: [] };
  const ratios = [];
  for (const estate of Object.values(estates)) await time(estate, path, 10);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const size of round % 2 ? ['small', 'large'] : ['large', 'small']) {
      taken[size].push(await time(estates[size], path, 15));
    }
    ratios.push(taken.large.at(-1) / taken.small.at(-1));
  }
  say(
    `| ${name} | ${median(taken.small).toFixed(1)} | ${median(taken.large).toFixed(1)} | **${median(ratios).toFixed(2)}** |`,
  );
}
for (const { server } of Object.values(estates)) await server.stop();
