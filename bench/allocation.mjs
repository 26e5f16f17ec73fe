// `npm run bench -- allocation`: allocation of addresses, the cost of the maintained numbers of hosts for writers of addresses, and
// pages of prefixes with their utilisation.
import '../scripts/help.mjs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { ask, load } from './load.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const WITHOUT_TREE = fileURLToPath(new URL('without-tree.cjs', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const BUSY = { id: id(1), prefix: '10.0.0.0/8' };
const LONG = { id: id(2), prefix: '2001:db8::/64' };
const FULL = { id: id(3), prefix: '172.16.0.0/16' };

/** Three prefixes to allocate from, each in its own VRF, and 100,000 prefixes nested eight deep. */
async function fill(client, report) {
  for (const { id: prefixId, prefix } of [BUSY, LONG, FULL]) {
    await client.query(`INSERT INTO vrfs (id, name) VALUES ($1, 'v')`, [prefixId]);
    await client.query('INSERT INTO prefixes (id, prefix, vrf_id) VALUES ($1, $2, $1)', [prefixId, prefix]);
  }
  report('50,000 addresses of a /64, 65,000 of a /16');
  await client.query(`INSERT INTO ip_addresses (address, family, vrf_id)
    SELECT set_masklen('2001:db8::'::inet + i, 64), 6, '${LONG.id}' FROM generate_series(1, 50000) i`);
  await client.query(`INSERT INTO ip_addresses (address, family, vrf_id)
    SELECT set_masklen('172.16.0.0'::inet + i, 16), 4, '${FULL.id}' FROM generate_series(1, 64880) i`);
  report('100,000 prefixes, 100,000 addresses');
  await client.query(`INSERT INTO prefixes (prefix, description, created_at)
    SELECT DISTINCT ON (prefix) prefix, 'Network ' || i, now() + i * interval '1 second' FROM (
      SELECT i, network(set_masklen('10.0.0.0'::inet + i * 128, 11 + 2 * depth)) AS prefix
      FROM generate_series(0, 75100) i, generate_series(0, 7) depth
    ) nested ORDER BY prefix LIMIT 100000`);
  await client.query(`INSERT INTO ip_addresses (address, family)
    SELECT set_masklen('10.0.0.0'::inet + i * 97, 24), 4 FROM generate_series(1, 100000) i`);
  await client.query('VACUUM ANALYZE');
}

build();
const url = await prepareDatabase('inventory_bench_allocation', options, fill);
const client = await connect(url);
const service = await startServer('service', url);
const session = openSession(url);

/** Median requests per second of each operation, measured in turn; of another `server` if it names one. */
async function rates(operations) {
  const found = operations.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, operation] of operations.entries()) {
      const { server = service } = operation;
      found[index].push((await load(server, [session], operation, { seconds: SECONDS })).rate);
    }
  }
  return found.map(median);
}

/** Median milliseconds of an INSERT of one address. */
async function insertTime(ways) {
  const found = ways.map(() => []);
  for (let round = 0; round < 400; round++) {
    for (const [index, way] of ways.entries()) {
      await client.query(`BEGIN; ${way}`);
      const started = performance.now();
      await client.query({
        name: `insert-${index}`,
        text: 'INSERT INTO ip_addresses (address, family) VALUES ($1, 4)',
        values: [`11.${round % 7}.${round % 250}.${index}/24`],
      });
      found[index].push(performance.now() - started);
      await client.query('ROLLBACK');
    }
  }
  return found.map(median);
}

say('| Measured | found | asked |');
say('|---|---|---|');

let created = 0;
const [allocated, plain] = await rates([
  {
    name: 'allocation',
    request: () => ({ method: 'POST', path: `/api/prefixes/${BUSY.id}/available-ips`, body: {} }),
  },
  {
    name: 'create',
    request: () => {
      created++;
      const address = `100.${(created >> 16) % 256}.${(created >> 8) % 256}.${created % 256}/10`;
      return { method: 'POST', path: '/api/ip-addresses', body: { address, vrfId: BUSY.id } };
    },
  },
]);
say(`| allocations/s from one prefix, 32 clients | **${Math.round(allocated)}** | 500 |`);
say(`| creates/s of the same clients | ${Math.round(plain)} | |`);

for (const [what, { id: prefixId }] of Object.entries({
  'a /64 with 50,000 used': LONG,
  'a /16 that is 99 % full': FULL,
})) {
  const times = [];
  for (let round = 0; round < 50; round++) {
    const started = performance.now();
    const { status } = await ask(service, session, { path: `/api/prefixes/${prefixId}/available-ips?pageSize=1` });
    if (status !== 200) throw new Error(`The service answered ${status}`);
    times.push(performance.now() - started);
  }
  say(`| first free address of ${what}, ms | **${median(times).toFixed(1)}** | 20 |`);
}

const [kept, bare] = await insertTime([
  'SELECT 1',
  'ALTER TABLE ip_addresses DISABLE TRIGGER ip_addresses_hosts_insert',
]);
say(`| INSERT of an address, ms, with / without kept hosts | ${kept.toFixed(2)} / ${bare.toFixed(2)} | |`);

// The same pages of a server whose statements omit the parents and the utilisation.
const without = await startServer('service', url, { NODE_OPTIONS: `--require ${WITHOUT_TREE}` });
for (const sort of ['createdAt', 'id']) {
  const page = { request: (n) => ({ path: `/api/prefixes?page=${1 + (n % 19)}&pageSize=50&sort=${sort}` }) };
  const [whole, flat] = await rates([page, { ...page, server: without }]);
  const ratio = (whole / flat).toFixed(2);
  const what = `page of prefixes, eight deep / without parents and utilisation, by ${sort}, pages/s`;
  say(`| ${what} | ${Math.round(whole)} / ${Math.round(flat)} = **${ratio}** | 0.5 |`);
}
await without.stop();

await client.end();
await service.stop();
