// `npm run bench`: the service against two reference servers on the same PostgreSQL server. See bench/README.md.
import '../scripts/help.mjs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { bareUrl, prepareBareTables } from './bare-tables.mjs';
import { connect, prepareDatabase } from './database.mjs';
import { ask, load, timesOf } from './load.mjs';
import { operations } from './operations.mjs';
import { save, table, write } from './results.mjs';
import {
  build,
  cpuOf,
  cpuOfConnections,
  cpuOfDatabase,
  memoryOf,
  openSession,
  openSessions,
  startServer,
} from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    database: { type: 'string', default: 'inventory_bench' },
    connections: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stderr.write(`${line}\n`);
/** For an even number of values the mean of the two in the middle, as either one would bias the ratios. */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}

const KINDS = ['service', 'rows', 'json'];
const REFERENCES = ['rows', 'json'];
/** In this time V8 compiles most of what an operation calls. */
const WARM_UP_SECONDS = 3;
/** Longest wait for a server to become idle, and the CPU milliseconds in a fifth of a second that count as idle. */
const SETTLE_MS = 30_000;
const IDLE_MS = 20;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A response without the properties that always differ, and with timestamps normalised. */
function comparable({ status, body }, unlike = []) {
  const strip = (value) => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value === 'string' && INSTANT.test(value)) return Date.parse(value);
    if (!value || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !unlike.includes(key))
        .map(([key, entry]) => [key, strip(entry)]),
    );
  };
  return { status, body: strip(body) };
}

build();
const databaseUrl = await prepareDatabase(options.database, options);
const client = await connect(databaseUrl);
await prepareBareTables(client);
const bare = await connect(bareUrl(databaseUrl));
const keys = options.only?.split(',');
const chosen = (await operations(client))
  .filter(({ key, isMain }) => (keys ? keys.includes(key) : options.all || isMain))
  .flatMap((operation) => (operation.callers ?? [1]).map((callers) => ({ ...operation, callers })));
const servers = [
  await startServer('service', databaseUrl),
  await startServer('rows', databaseUrl),
  await startServer('json', bareUrl(databaseUrl)),
];
const session = openSession(databaseUrl);
const most = Math.max(...chosen.map(({ callers }) => callers));
const sessions = [session, ...(await openSessions(databaseUrl, most - 1))];
const databaseCpu = () => (options.connections ? cpuOfConnections(client) : cpuOfDatabase(client));
const provide = async ({ kind }, { before = () => [] }, seconds = 0) => {
  for (const sql of before(seconds)) await (kind === 'json' ? bare : client).query(sql);
};
const undo = async ({ after }) => {
  if (after) for (const each of [client, bare]) await each.query(after);
};

for (const operation of chosen.filter(({ callers }) => callers === 1)) {
  const answers = [];
  for (const server of servers) {
    await provide(server, operation);
    answers.push(comparable(await ask(server, session, operation.request(1)), operation.unlike));
    await undo(operation);
  }
  for (const answer of answers.slice(1)) {
    if (isDeepStrictEqual(answers[0], answer)) continue;
    say(JSON.stringify([answers[0], answer], null, 1).slice(0, 4000));
    throw new Error(`The servers respond to '${operation.name}' differently`);
  }
  say(`same answer: ${operation.name} (${answers[0].status})`);
}

/** Waits until a server has finished background work, so that it does not disturb the next measurement. */
async function settle(server) {
  const used = async () => cpuOf(server.pid) + (await databaseCpu());
  const deadline = performance.now() + SETTLE_MS;
  for (let before = await used(); performance.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = await used();
    if (now - before <= IDLE_MS) return;
    before = now;
  }
}

/** One measurement of a server. The CPU time per response is that of its process and of the database. */
async function measure(server, operation) {
  await provide(server, operation, Number(options.seconds));
  const before = { cpu: cpuOf(server.pid), database: await databaseCpu() };
  const result = await load(server, sessions.slice(0, operation.callers), operation, {
    seconds: Number(options.seconds),
  });
  if (result.answered === 0)
    throw new Error(`${server.kind}: no response to '${operation.name}' in time. Measure with more --seconds`);
  const cpu = (cpuOf(server.pid) - before.cpu) / result.answered;
  const database = ((await databaseCpu()) - before.database) / result.answered;
  await settle(server);
  await undo(operation);
  return { ...result, cpu, database };
}

/** Median times of single sequential requests. */
async function measureFirstByte(server, operation) {
  const times = [];
  for (let n = 0; n < 9; n++) times.push(await timesOf(server, session, operation.request(n)));
  return { first: median(times.map(({ first }) => first)), last: median(times.map(({ last }) => last)) };
}

const rows = [];
for (const operation of chosen) {
  const measured = { service: [], rows: [], json: [] };
  const alone = { service: [], rows: [], json: [] };
  const ratios = { rows: [], json: [] };
  for (const server of servers) {
    const seconds = WARM_UP_SECONDS / (operation.longer ?? 1);
    await provide(server, operation, seconds);
    await load(server, sessions.slice(0, operation.callers), operation, { seconds });
    await settle(server);
    await undo(operation);
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    // Rotates, so that no server always follows the same other one.
    const turn = round % servers.length;
    for (const server of [...servers.slice(turn), ...servers.slice(0, turn)]) {
      measured[server.kind].push(await measure(server, operation));
      if (operation.firstByte) alone[server.kind].push(await measureFirstByte(server, operation));
    }
    for (const kind of REFERENCES) ratios[kind].push(measured.service.at(-1).rate / measured[kind].at(-1).rate);
  }
  const medians = (results, figures) =>
    Object.fromEntries(figures.map((figure) => [figure, median(results.map((result) => result[figure]))]));
  const { key, name, callers, floor } = operation;
  const row = { key, name, callers, floor, ratio: {} };
  for (const kind of REFERENCES) row.ratio[kind] = median(ratios[kind]);
  for (const kind of KINDS) row[kind] = medians(measured[kind], ['rate', 'p50', 'p99', 'cpu', 'database']);
  if (operation.firstByte) {
    row.alone = Object.fromEntries(KINDS.map((kind) => [kind, medians(alone[kind], ['first', 'last'])]));
  }
  rows.push(row);
  const each = (kind) => `${row.ratio[kind].toFixed(2)} (${ratios[kind].map((ratio) => ratio.toFixed(2)).join(' ')})`;
  say(`${name}, callers: ${callers}: to rows ${each('rows')}, to JSON ${each('json')}`);
}

const { rounds, seconds } = options;
const peak = Object.fromEntries(servers.map(({ kind, pid }) => [kind, memoryOf(pid).peak]));
const results = { rows, peak, rounds: Number(rounds), seconds: Number(seconds) };
process.stdout.write(`${table(results)}\n`);
if (options.write) {
  save(results);
  write();
}
for (const server of servers) await server.stop();
await client.end();
await bare.end();
for (const { name, callers, floor, ratio } of rows.filter((row) => row.ratio.json < row.floor))
  say(`below the floor: ${name}, callers: ${callers}: ${ratio.json.toFixed(2)} of ${floor}`);
