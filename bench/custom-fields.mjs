// `npm run bench -- custom-fields`: changes of definitions beside writers, filters and reads by custom fields, on many addresses. See
// bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { idOf, ids } from './data.mjs';
import { manyAddresses } from './many-addresses.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    addresses: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '9' },
    database: { type: 'string', default: 'inventory_bench_custom_fields' },
  },
});
const [ADDRESSES, ROUNDS] = ['addresses', 'rounds'].map((name) => Number(options[name]));
const WRITERS = 4;
/** Warm-up reads, in which every connection prepares the statements. */
const WARM_UP = 40;
/** Addresses that are read and written, in pages of 50. Every other page has 20 values of each record, and the rest three or four. */
const MANY = 5_000;
const PAGES = MANY / 50 / 2;
const MORE = Array.from({ length: 17 }, (_, n) => `more${n + 1}`);
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** SQL of the values of the i-th address: every one has a tier, seats and a code, and one of a hundred something rare. */
const VALUES = `jsonb_build_object('tier', (ARRAY['gold', 'silver'])[1 + i % 2], 'seats', i % 1000, 'code', 'C-' || i)
  || CASE WHEN i % 100 = 0 THEN jsonb_build_object('rare', 'R-' || i) ELSE '{}' END
  || CASE WHEN i <= ${MANY} AND (i - 1) / 50 % 2 = 0 THEN jsonb_build_object(${MORE.map((key) => `'${key}', 'Value ' || i`).join(', ')}) ELSE '{}' END`;

const fill = async (client, report) => {
  await manyAddresses(client, { size: ADDRESSES, devices: 20, report, values: VALUES });
  // The pages in between have descriptions as long as the values of the previous page.
  await client.query('SET session_replication_role = replica');
  await client.query(
    `UPDATE ip_addresses t SET description = rpad(t.description, length(t.description) + length(o.custom_fields::text), ' and so on')
     FROM generate_series(1, ${MANY}) i, ip_addresses o
     WHERE (i - 1) / 50 % 2 = 1 AND t.id = ${idOf('address', 'i')} AND o.id = ${idOf('address', 'i - 50')}`,
  );
  await client.query('RESET session_replication_role');
  await client.query('VACUUM ANALYZE');
};

build();
const url = await prepareDatabase(options.database, options, fill);
const client = await connect(url);
const addresses = await ids(client, 'address', MANY);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
await forget();
await untilKnown();

async function request(method, path, body) {
  const started = performance.now();
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, ms: performance.now() - started };
}

/** Reads one after the other. @returns their times in milliseconds, by name */
async function read(paths, times) {
  const taken = Object.fromEntries(Object.keys(paths).map((name) => [name, []]));
  for (let n = 0; n < times; n++) {
    for (const [name, pathOf] of Object.entries(paths)) {
      const { status, text, ms } = await request('GET', pathOf(n));
      if (status !== 200) throw new Error(`${pathOf(n)} gave ${status}: ${text}`);
      taken[name].push(ms);
    }
  }
  return taken;
}

/**
 * Defines the fields that the addresses already have values for, each time with the same ids, so that the statements are the same. The
 * service would store the values under the same names.
 */
async function defineAll() {
  await client.query(
    `INSERT INTO custom_fields (id, key, type, resources, choices)
     SELECT ${idOf('field', 'key')}, key, CASE key WHEN 'tier' THEN 'choice' WHEN 'seats' THEN 'integer' ELSE 'text' END, '{ip-addresses}',
       CASE key WHEN 'tier' THEN '{gold,silver,tin}'::text[] END FROM unnest($1::text[]) key`,
    [['tier', 'seats', 'code', 'rare', ...MORE]],
  );
}

async function forget() {
  await client.query('DELETE FROM custom_fields');
  await client.query('DELETE FROM custom_field_names');
}

/** Longer than a process may take to notice the definitions. */
function untilKnown() {
  return new Promise((resolve) => setTimeout(resolve, 1_500));
}

// The nth page with 20 values, or the one after it with long descriptions, and a record of either.
const page = (n, more) => `/api/ip-addresses?pageSize=50&page=${1 + 2 * (n % PAGES) + more}`;
const one = (n, more) => `/api/ip-addresses/${addresses[100 * ((n * 7) % PAGES) + 50 * more + (n % 50)]}`;
const WITH = { 'one record': (n) => one(n, 0), 'a page of 50': (n) => page(n, 0) };
const LONG = { 'one record': (n) => one(n, 1), 'a page of 50': (n) => page(n, 1) };

// In turns, because the load of a machine changes.
const reads = { without: {}, long: {}, having: {} };
for (let round = 0; round < ROUNDS; round++) {
  for (const [kind, paths] of Object.entries({ without: WITH, long: LONG, having: WITH })) {
    if (kind === 'having') {
      await defineAll();
      await untilKnown();
    }
    await read(paths, WARM_UP);
    for (const [name, ms] of Object.entries(await read(paths, 40))) (reads[kind][name] ??= []).push(...ms);
  }
  await forget();
  await untilKnown();
}
await defineAll();
await untilKnown();

say(
  '| Reading, ms | without values | as many bytes in a description | 20 values of each record | speed | of as many bytes |',
);
say('|---|---|---|---|---|---|');
for (const name of Object.keys(WITH)) {
  const [without, long, having] = Object.values(reads).map((taken) => median(taken[name]));
  const [speed, ofBytes] = [without, long].map((ms) => (ms / having).toFixed(2));
  say(
    `| ${name} | ${[without, long, having].map((ms) => ms.toFixed(2)).join(' | ')} | **${speed}** | **${ofBytes}** |`,
  );
}

const [builtIn, custom] = Object.values(
  await read(
    {
      builtIn: (n) => `/api/ip-addresses?dnsName=host-${1 + ((n * 7919) % ADDRESSES)}.example.net`,
      custom: (n) => `/api/ip-addresses?customFields.code=C-${1 + ((n * 7919) % ADDRESSES)}`,
    },
    40 * ROUNDS,
  ),
).map(median);
say(
  `\nA filter that finds one address: by a built-in field ${builtIn.toFixed(2)} ms, by a custom field ${custom.toFixed(2)} ms, **${(custom / builtIn).toFixed(2)}** times\n`,
);

const fields = Object.fromEntries(
  JSON.parse((await request('GET', '/api/custom-fields')).text).data.map(({ key, id }) => [
    key,
    `/api/custom-fields/${id}`,
  ]),
);
const define = (key, more = {}) => [
  'POST',
  '/api/custom-fields',
  { key, type: 'text', resources: ['ip-addresses'], ...more },
];
/** Each with the status that is expected. */
const CHANGES = {
  'define a field': [201, define('fresh')],
  'define one that is required': [409, define('needed', { required: true })],
  'change a label': [200, ['PATCH', fields.tier, { label: 'Tier' }]],
  'admit one more choice': [200, ['PATCH', fields.tier, { choices: ['gold', 'silver', 'tin', 'lead'] }]],
  'remove choices that no record has': [200, ['PATCH', fields.tier, { choices: ['gold', 'silver'] }]],
  'remove a choice that half of the records have': [409, ['PATCH', fields.tier, { choices: ['gold'] }]],
  'a maximum, every record has a value': [200, ['PATCH', fields.seats, { maximum: 999 }]],
  'a greater maximum': [200, ['PATCH', fields.seats, { maximum: 1_000_000 }]],
  'a pattern, one of 100 records has a value': [200, ['PATCH', fields.rare, { pattern: '^R-[0-9]+$' }]],
  'a pattern, every record has a value': [200, ['PATCH', fields.code, { pattern: '^C-[0-9]+$' }]],
  'require what every record has': [200, ['PATCH', fields.code, { required: true }]],
  'require what one of 100 has': [409, ['PATCH', fields.rare, { required: true }]],
  'unique, one of 100 records has a value': [200, ['PATCH', fields.rare, { unique: true }]],
  'delete, every record has a value': [409, ['DELETE', fields.code]],
  'delete with the values of one of 100': [204, ['DELETE', `${fields.rare}?dropValues=true`]],
  'delete with the values of every record': [204, ['DELETE', `${fields.code}?dropValues=true`]],
};

/** Writes without a pause, until the signal. @returns the longest write in milliseconds */
async function write(signal) {
  const longest = Array.from({ length: WRITERS }, async (_, writer) => {
    let most = 0;
    for (let n = writer; !signal.aborted; n += WRITERS) {
      const body = { description: `Round ${n}`, customFields: { [MORE[n % 17]]: `Value ${n}` } };
      const { status, text, ms } = await request('PATCH', `/api/ip-addresses/${addresses[(n * 31) % MANY]}`, body);
      if (status !== 200) throw new Error(`A write gave ${status}: ${text}`);
      most = Math.max(most, ms);
    }
    return most;
  });
  return Math.max(...(await Promise.all(longest)));
}

/** The duration of a change while others write, and their longest write. */
async function beside(work) {
  const over = new AbortController();
  const longest = write(over.signal);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { status, text, ms } = await work();
  await new Promise((resolve) => setTimeout(resolve, 200));
  over.abort();
  return { status, text, ms, longest: await longest };
}

const idle = await beside(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return { ms: 5_000 };
});
say(
  `| On ${ADDRESSES.toLocaleString('en')} addresses, while ${WRITERS} connections write | took, ms | longest write, ms |`,
);
say('|---|---|---|');
say(`| nothing, for 5 s | | ${Math.round(idle.longest)} |`);
for (const [name, [expected, args]] of Object.entries(CHANGES)) {
  const { status, text, ms, longest } = await beside(() => request(...args));
  if (status !== expected) throw new Error(`${name}: ${status}, not ${expected}: ${text}`);
  say(`| ${name}${status === 409 ? ' (409)' : ''} | ${Math.round(ms)} | ${Math.round(longest)} |`);
}
await server.stop();
await client.end();
