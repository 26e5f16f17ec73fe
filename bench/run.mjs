// `npm run bench`: the service against a reference server on the same PostgreSQL server. See bench/README.md.
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { ask, load } from './load.mjs';
import { operations } from './operations.mjs';
import { build, cpuOf, memoryOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stderr.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** An answer without what no two answers have in common. */
function comparable({ status, body }, unlike = []) {
  const strip = (value) =>
    Array.isArray(value)
      ? value.map(strip)
      : value && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([key]) => !unlike.includes(key))
              .map(([key, entry]) => [key, strip(entry)]),
          )
        : value;
  return { status, body: strip(body) };
}

build();
const databaseUrl = await prepareDatabase('inventory_bench', options);
const client = await connect(databaseUrl);
const chosen = (await operations(client)).filter(({ key }) => !options.only || options.only.split(',').includes(key));
const servers = [await startServer('service', databaseUrl), await startServer('reference', databaseUrl)];
const session = openSession(databaseUrl);
const undo = async ({ after }) => {
  if (after) await client.query(after);
};

for (const operation of chosen) {
  const answers = [];
  for (const server of servers) {
    answers.push(comparable(await ask(server, session, operation.request(1)), operation.unlike));
    await undo(operation);
  }
  if (!isDeepStrictEqual(...answers)) {
    say(JSON.stringify(answers, null, 1).slice(0, 4000));
    throw new Error(`The two servers answer '${operation.name}' differently`);
  }
  say(`same answer: ${operation.name} (${answers[0].status})`);
}

const rows = [];
for (const operation of chosen) {
  const measured = { service: [], reference: [] };
  const ratios = [];
  for (const server of servers) await load(server, session, operation, { seconds: 1 });
  await undo(operation);
  for (let round = 0; round < Number(options.rounds); round++) {
    // Turn and turn about, so that neither always follows the other.
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const before = cpuOf(server.pid);
      const result = await load(server, session, operation, { seconds: Number(options.seconds) });
      measured[server.kind].push({ ...result, cpu: (cpuOf(server.pid) - before) / result.answered });
      await undo(operation);
    }
    ratios.push(measured.service.at(-1).rate / measured.reference.at(-1).rate);
  }
  const of = (kind, figure) => median(measured[kind].map((result) => result[figure]));
  const row = { operation, ratio: median(ratios) };
  for (const kind of ['service', 'reference']) {
    row[kind] = Object.fromEntries(['rate', 'p50', 'p99', 'cpu'].map((figure) => [figure, of(kind, figure)]));
  }
  rows.push(row);
  say(`${operation.name}: ${row.ratio.toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`);
}

const n = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const pair = (row, figure, digits) => `${n(row.service[figure], digits)} / ${n(row.reference[figure], digits)}`;
const table = [
  '| Operation | requests/s | p50 ms | p99 ms | CPU ms each | service / reference | asked |',
  '|---|---|---|---|---|---|---|',
  ...rows.map(
    (row) =>
      `| ${row.operation.name} | ${pair(row, 'rate', row.service.rate < 100 ? 1 : 0)} | ${pair(row, 'p50')} | ${pair(row, 'p99')} | ${pair(row, 'cpu', 2)} | **${row.ratio.toFixed(2)}** | ${row.operation.target || ''} |`,
  ),
];
process.stdout.write(
  `${table.join('\n')}\n\nPeak RSS: ${servers.map(({ kind, pid }) => `${kind} ${n(memoryOf(pid).peak)} MB`).join(', ')}\n`,
);
for (const server of servers) await server.stop();
await client.end();
const short = rows.filter(({ operation, ratio }) => ratio < operation.target);
for (const { operation, ratio } of short)
  say(`short of what is asked: ${operation.name}, ${ratio.toFixed(2)} of ${operation.target}`);
