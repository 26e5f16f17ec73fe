// `npm run bench -- growth`: the same requests on 10,000 and on 10,000,000 addresses, with the query plans of the larger database.
// See bench/README.md.
import '../scripts/help.mjs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { ids, idOf } from './data.mjs';
import { manyAddresses } from './many-addresses.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    database: { type: 'string', default: 'inventory_bench' },
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '9' },
    plans: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The nodes of a plan that read tables and indexes, and their conditions. */
const READS = /(?:Seq|Index|Only|Heap|Tid) Scan|Index Cond:|(?<!One-Time )Filter:|Rows Removed/;

const DEVICES = 20;
const PREFIX = idOf('prefix', '1');
/** The search term occurs in the same number of addresses in both databases. */
const KELVIN = `UPDATE ip_addresses SET description = 'Uplink to rack Kelvin' WHERE id IN (SELECT ${idOf('address', 'i * 97')} FROM generate_series(1, 100) i)`;

const filler = (size) => async (client, report) => {
  await manyAddresses(client, { size, devices: DEVICES, report });
  await client.query(KELVIN);
  // Outside of the addresses, so that allocations have the same space in both databases.
  await client.query(`INSERT INTO prefixes (id, prefix) VALUES (${PREFIX}, '10.255.0.0/16')`);
  await client.query('VACUUM ANALYZE');
};

build();
const sizes = { small: Number(options.small), large: Number(options.large) };
const estates = {};
for (const [name, size] of Object.entries(sizes)) {
  const url = await prepareDatabase(`${options.database}_${name}`, options, filler(size));
  estates[name] = {
    url,
    server: await startServer('service', url),
    cookie: `session=${openSession(url)}`,
    made: [],
    sent: {},
  };
}
const client = await connect(estates.large.url);
const [addressIds, deviceIds] = [await ids(client, 'address', 5_000), await ids(client, 'device', DEVICES)];
const prefixId = (await ids(client, 'prefix', 1))[0];
const ADDRESSES = '/api/ip-addresses';

const list = (query) => ({ path: `${ADDRESSES}${query}` });
const nth = (n) => `${ADDRESSES}/${addressIds[(n * 997) % addressIds.length]}`;
/** A moment of the first hours of both databases, in which one address is created per second. */
const from = (n) => new Date(Date.UTC(2026, 0, 1) + (n % 9_000) * 1000);
const tenMinutes = (n) =>
  `createdAt__gte=${from(n).toISOString()}&createdAt__lt=${new Date(+from(n) + 600_000).toISOString()}`;

/** The n-th request. `made` has the ids of the created records. */
const REQUESTS = {
  'read one': (n) => ({ path: nth(n) }),
  'page of 50 with total': () => list('?pageSize=50'),
  search: () => list('?search=kelvin&pageSize=50'),
  'search, whole list': () => list('?search=kelvin'),
  'search for a number whose trigrams are common': (n) => list(`?search=host-${4000 + (n % 1000)}.&pageSize=50`),
  'filter by a reference': (n) => list(`?deviceId=${deviceIds[n % DEVICES]}&pageSize=50`),
  'filter by a name': (n) => list(`?dnsName=host-${1 + (n % 9000)}.example.net`),
  'filter by a network': (n) => list(`?within=10.0.${n % 30}.0/24&pageSize=50`),
  'filter by two fields': (n) => list(`?deviceId=${deviceIds[n % DEVICES]}&status=reserved&pageSize=50`),
  'filter by a status': (n) => list(`?status=${['active', 'reserved', 'deprecated', 'dhcp'][n % 4]}&pageSize=50`),
  'filter by all statuses but one': (n) =>
    list(`?status__n=${['active', 'reserved', 'deprecated', 'dhcp'][n % 4]}&pageSize=50`),
  'filter by a role, which has no index': (n) => list(`?role=${['vip', 'loopback', 'mgmt'][n % 3]}&pageSize=50`),
  'filter by ten minutes of creation': (n) => list(`?${tenMinutes(n)}&pageSize=50`),
  'filter by a time of creation that most have': (n) => list(`?createdAt__gte=${from(n).toISOString()}&pageSize=50`),
  'sorted by address': () => list('?sort=address&pageSize=50'),
  'sorted by name, descending': () => list('?sort=dnsName&order=desc&pageSize=50'),
  'page 150': () => list('?pageSize=50&page=150'),
  'sorted by time of change, descending': () => list('?sort=updatedAt&order=desc&pageSize=50'),
  'first free addresses of a prefix': () => ({ path: `/api/prefixes/${prefixId}/available-ips` }),
  'a prefix with its utilisation': () => ({ path: `/api/prefixes/${prefixId}` }),
  PATCH: (n) => ({ path: nth(n), method: 'PATCH', body: { description: `Checked, round ${n}` } }),
  create: (n) => ({
    path: ADDRESSES,
    method: 'POST',
    body: { address: `11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}/8`, status: 'active' },
  }),
  delete: (n, made) => ({ path: `${ADDRESSES}/${made.pop()}`, method: 'DELETE' }),
  allocate: () => ({ path: `/api/prefixes/${prefixId}/available-ips`, method: 'POST', body: {} }),
};

/** Operations that take longer than this in total are repeated less often. */
const LONG_MS = 3_000;

/** Median of some sequential requests, in milliseconds. */
async function time({ server, cookie, made, sent }, name, times) {
  const taken = [];
  const started = performance.now();
  for (let n = 0; n < times && performance.now() - started < LONG_MS; n++) {
    // Writes differ between rounds, because otherwise they would change nothing.
    sent[name] = (sent[name] ?? 0) + 1;
    const { path, method = 'GET', body } = REQUESTS[name](sent[name], made);
    const asked = performance.now();
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    taken.push(performance.now() - asked);
    if (!answer.ok) throw new Error(`${method} ${path} gave ${answer.status}: ${text}`);
    if (name === 'create') made.push(JSON.parse(text).data.id);
  }
  return median(taken);
}

say(
  `| Request | ${sizes.small.toLocaleString('en')} addresses, ms | ${sizes.large.toLocaleString('en')} addresses, ms | ratio |`,
);
say('|---|---|---|---|');
for (const name of Object.keys(REQUESTS)) {
  const rounds = { small: [], large: [] };
  const ratios = [];
  for (const estate of Object.values(estates)) await time(estate, name, 30);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const size of round % 2 ? ['small', 'large'] : ['large', 'small']) {
      rounds[size].push(await time(estates[size], name, 40));
    }
    ratios.push(rounds.large.at(-1) / rounds.small.at(-1));
  }
  say(
    `| ${name} | ${median(rounds.small).toFixed(2)} | ${median(rounds.large).toFixed(2)} | **${median(ratios).toFixed(2)}** |`,
  );
}
for (const { server } of Object.values(estates)) await server.stop();

if (options.plans) await showPlans();
await client.end();

/** Prints the plans, on the larger database, of the statements that the requests cause. */
async function showPlans() {
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { IpAddress } = require('../dist/src/network/ip-address/ip-address.entity.js');
  const { within } = require('../dist/src/network/ip-address/within.filter.js');
  const { ListQuery } = require('../dist/src/lists/list-query.js');
  const { RecordCounts } = require('../dist/src/lists/record-counts.js');
  const { RecordStores } = require('../dist/src/records/record-store.js');
  const { RequestContext } = require('../dist/src/lists/request-context.js');
  const { NO_FIELDS } = require('../dist/src/fields/custom/defined-fields.js');
  const { serviceOf } = require('../dist/src/records/resource.service.js');
  let statements = [];
  const run = async (text, values) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`, values);
    statements.push(rows.map((row) => row['QUERY PLAN']));
    return (await client.query(text, values)).rows;
  };
  const db = {
    query: run,
    plan: run,
    transaction: () => Promise.resolve(),
  };
  const stores = new RecordStores(undefined, new RecordCounts(db), undefined, db);
  const service = new (serviceOf(IpAddress))(stores);
  const listQuery = new ListQuery(IpAddress, [within]);
  const ctx = new RequestContext({ profileId: 'growth', role: 'admin' }, 'growth', db, NO_FIELDS);
  for (const [name, request] of Object.entries(REQUESTS)) {
    const { path, method } = request(1, []);
    if (method || !path.startsWith(ADDRESSES)) continue;
    statements = [];
    const rest = path.slice(ADDRESSES.length);
    if (rest.startsWith('/')) await service.get(ctx, rest.slice(1));
    else await service.list(ctx, listQuery.parse(Object.fromEntries(new URLSearchParams(rest)), ctx));
    say(`\n${name}: ${rest}`);
    for (const lines of statements) for (const line of lines) if (READS.test(line)) say(`    ${line}`);
  }
}
