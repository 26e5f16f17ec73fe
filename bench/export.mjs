// `npm run bench:export`: exports against psql, expanded references against the plain page, and the search of everything
// against the search of one list. See bench/README.md.
import '../scripts/help.mjs';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { addresses, idOf, ids } from './data.mjs';
import { build, memoryOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    addresses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string', default: 'inventory_bench_export' },
  },
});
const SIZE = Number(options.addresses);
const ROUNDS = Number(options.rounds);
const DEVICES = 2000;
const PORTS = 5;
const BATCH = 100_000;
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Addresses with references, and devices of which each has five. */
async function fill(client, report) {
  for (const table of ['sites', 'locations', 'racks', 'device_roles', 'platforms', 'vrfs'])
    await client.query(`INSERT INTO ${table} (name) SELECT '${table} ' || i FROM generate_series(1, 20) i`);
  await client.query(
    `INSERT INTO devices (id, name, ${REFERENCES.map((name) => `${name}_id`).join(', ')})
     SELECT ${idOf('device', 'i')}, 'device-' || i, ${REFERENCES.map((name) => `(SELECT (array_agg(id))[1 + i % 20] FROM ${name}s)`).join(', ')}
     FROM generate_series(1, ${DEVICES}) i`,
  );
  await client.query(
    `INSERT INTO device_ports (id, device_id, name) SELECT ${idOf('port', 'i')}, ${idOf('device', `1 + (i - 1) / ${PORTS}`)}, 'Ethernet1/' || i FROM generate_series(1, ${DEVICES * PORTS}) i`,
  );
  for (let from = 1; from <= SIZE; from += BATCH) {
    await client.query(addresses(from, Math.min(SIZE, from + BATCH - 1), DEVICES, PORTS));
    report(`${Math.min(SIZE, from + BATCH - 1)} addresses`);
  }
  await client.query('VACUUM ANALYZE');
}
const REFERENCES = ['site', 'location', 'rack', 'device_role', 'platform'];

// What an operator would type to get the same file.
const COPY = String.raw`\copy (SELECT t.id, t.address, t.vrf_id, v.name, t.device_id, d.name, t.interface_id, p.name, t.status, t.role, t.family, t.dns_name, t.description, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM ip_addresses t LEFT JOIN vrfs v ON v.id = t.vrf_id LEFT JOIN devices d ON d.id = t.device_id LEFT JOIN device_ports p ON p.id = t.interface_id ORDER BY t.created_at, t.id) TO STDOUT CSV HEADER`;

const copy = (url) =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    let bytes = 0;
    const child = spawn('psql', ['-X', '-q', url, '-c', COPY], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (chunk) => (bytes += chunk.length));
    child.once('close', (code) =>
      code === 0 ? resolve({ ms: performance.now() - started, bytes }) : reject(new Error(`psql ended with ${code}`)),
    );
  });

build();
const url = await prepareDatabase(options.database, options, fill);
const client = await connect(url);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
const [deviceId] = await ids(client, 'device', 1);

async function get(path) {
  const response = await fetch(`${server.url}${path}`, { headers: { cookie } });
  if (!response.ok) throw new Error(`${path} gave ${response.status}: ${await response.text()}`);
  return response;
}

async function download(path) {
  const started = performance.now();
  const response = await get(path);
  let [first, bytes, lines] = [undefined, 0, 0];
  for await (const chunk of response.body) {
    first ??= performance.now() - started;
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return { first, ms: performance.now() - started, bytes, lines };
}

/** Latencies of another user who reads one record after another until `done`. */
async function readMeanwhile(work) {
  const state = { done: false };
  const taken = [];
  const reading = (async () => {
    while (!state.done) {
      const started = performance.now();
      await (await get(`/api/devices/${deviceId}`)).text();
      taken.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const result = await work();
  state.done = true;
  await reading;
  return { result, p99: taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] };
}

async function time(path, times) {
  const taken = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    await (await get(path)).text();
    taken.push(performance.now() - started);
  }
  return median(taken);
}

/** Median ratio of rounds in which both are measured, in turn. */
async function compare(first, second) {
  const ratios = [];
  const times = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 ? [1, 0] : [0, 1];
    for (const index of order) times[index].push(await [first, second][index]());
    ratios.push(times[0].at(-1) / times[1].at(-1));
  }
  return { ratio: median(ratios), first: median(times[0]), second: median(times[1]) };
}

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
say(`${SIZE.toLocaleString('en')} addresses, ${DEVICES.toLocaleString('en')} devices`);
for (const format of ['csv', 'ndjson']) {
  const path = `/api/ip-addresses?format=${format}`;
  const firsts = [];
  const { ratio, first, second } = await compare(
    async () => (await copy(url)).ms,
    async () => {
      const file = await download(path);
      if (file.lines !== SIZE + (format === 'csv' ? 1 : 0)) throw new Error(`${path} has ${file.lines} lines`);
      firsts.push(file.first);
      return file.ms;
    },
  );
  say(
    `export as ${format}: ${ms(second)}, psql \\copy ${ms(first)}, rate **${ratio.toFixed(2)}** of psql; first byte after ${ms(median(firsts))}`,
  );
}
const { p99 } = await readMeanwhile(() => download('/api/ip-addresses?format=csv'));
say(`reading one record during an export: p99 ${ms(p99)}`);
say(`peak RSS of the service: ${memoryOf(server.pid).peak.toFixed(0)} MB`);

const plain = '/api/devices?pageSize=50';
await time(plain, 50);
const expanded = `${plain}&expand=site,location,rack,deviceRole,platform`;
await time(expanded, 50);
const expand = await compare(
  () => time(plain, 100),
  () => time(expanded, 100),
);
say(
  `50 devices with five expanded references: ${ms(expand.second)}, plain ${ms(expand.first)}, rate **${expand.ratio.toFixed(2)}** of the plain page`,
);
for (const text of ['host-4711.', 'kelvin', 'device-77']) {
  const search = await compare(
    () => time(`/api/search?q=${text}&pageSize=50`, 20),
    () => time(`/api/ip-addresses?search=${text}&pageSize=50`, 20),
  );
  say(
    `search of everything for ${text}: ${ms(search.first)}, of addresses alone ${ms(search.second)}, **${search.ratio.toFixed(2)}** times`,
  );
}
await server.stop();
await client.end();
