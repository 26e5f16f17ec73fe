// `npm run bench:limits`: start-up time, memory and latency under load. See bench/README.md.
import '../scripts/help.mjs';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { ids } from './data.mjs';
import { build, memoryOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '10' },
    database: { type: 'string', default: 'inventory_bench' },
  },
});
const SECONDS = Number(options.seconds);
const say = (line) => process.stdout.write(`${line}\n`);

build();
const url = await prepareDatabase(options.database, options);
const client = await connect(url);
const addresses = await ids(client, 'address', 5_000);
await client.end();

const starts = [];
for (let i = 0; i < 5; i++) {
  const started = performance.now();
  const service = await startServer('service', url);
  const answer = await fetch(`${service.url}/health/ready`);
  if (!answer.ok) throw new Error(`/health/ready gave ${answer.status}`);
  starts.push(performance.now() - started);
  await service.stop();
}
say(
  `Start to first response, on an existing database: ${Math.round(starts.toSorted((a, b) => a - b)[2])} ms (median of 5)`,
);

const service = await startServer('service', url);
const session = openSession(url);
const cookie = `session=${session}`;

/** Latencies of sequential requests with a pause between them, in milliseconds. */
async function probe(seconds) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < end; n++) {
    const started = performance.now();
    const answer = await fetch(`${service.url}/api/ip-addresses/${addresses[(n * 997) % addresses.length]}`, {
      headers: { cookie },
    });
    await answer.text();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), requests: times.length };
}
const shown = ({ p50, p99, requests }) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${requests} requests)`;

await probe(2);
const idle = await probe(SECONDS);
say(`Reading one record, idle: ${shown(idle)}`);
for (const connections of [1, 4, 32]) {
  // A separate process, because reading the lists would delay the single requests in this one.
  const settings = [service.url, session, String(connections), String(SECONDS + 1)];
  const lists = fork(fileURLToPath(new URL('whole-lists.mjs', import.meta.url)), settings);
  const done = new Promise((resolve, reject) => {
    lists.once('message', resolve);
    lists.once('exit', () => reject(new Error('The clients of the whole lists failed')));
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const busy = await probe(SECONDS);
  const rate = await done;
  say(
    `The same while ${connections} clients read different whole lists (${rate.toFixed(1)}/s): ${shown(busy)}, p99 ${(busy.p99 / idle.p99).toFixed(1)} times the idle value`,
  );
}
const { rss, peak } = memoryOf(service.pid);
say(`Memory afterwards: RSS ${Math.round(rss)} MB, peak ${Math.round(peak)} MB`);
await service.stop();
