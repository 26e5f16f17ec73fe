// `npm run bench -- conflicts`: the conflicts of a maintenance window while the past grows, and the impact of a large site.
// See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { idOf, ids } from './data.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    windows: { type: 'string', default: '10000' },
    growth: { type: 'string', default: '90000' },
    devices: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '60' },
  },
});
const [WINDOWS, GROWTH, DEVICES, ROUNDS] = ['windows', 'growth', 'devices', 'rounds'].map((name) =>
  Number(options[name]),
);
const PORTS = 4;
const RACKS = 250;
const COMING = 1000;
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** One site with racks, devices and ports; clusters of forty devices, each with machines. */
async function fill(client, report) {
  const estate = [
    `INSERT INTO sites (id, name) VALUES (${idOf('site', '1')}, 'Large')`,
    `INSERT INTO racks (id, name, site_id) SELECT ${idOf('rack', 'i')}, 'rack-' || i, ${idOf('site', '1')} FROM generate_series(1, ${RACKS}) i`,
    `INSERT INTO clusters (id, name) SELECT ${idOf('cluster', 'i')}, 'cluster-' || i FROM generate_series(1, ${RACKS}) i`,
    `INSERT INTO devices (id, name, rack_id, cluster_id) SELECT ${idOf('device', 'i')}, 'device-' || i, ${idOf('rack', `1 + i % ${RACKS}`)}, ${idOf('cluster', `1 + i % ${RACKS}`)} FROM generate_series(1, ${DEVICES}) i`,
    `INSERT INTO device_ports (device_id, name) SELECT ${idOf('device', 'i')}, 'Ethernet1/' || n FROM generate_series(1, ${DEVICES}) i, generate_series(1, ${PORTS}) n`,
    `INSERT INTO virtual_machines (id, name, cluster_id) SELECT ${idOf('vm', 'i')}, 'vm-' || i, ${idOf('cluster', `1 + i % ${RACKS}`)} FROM generate_series(1, ${DEVICES}) i`,
  ];
  for (const statement of estate) await client.query(statement);
  // Two hours each, one after another; a tenth is still to come.
  await windows(client, 'window', WINDOWS, COMING);
  report(`${WINDOWS} windows`);
}

/** Windows on devices, of which the last ones are to come. What is past was never marked as completed. */
async function windows(client, kind, count, coming) {
  await client.query(
    `INSERT INTO maintenance_windows (id, name, start_time, end_time)
     SELECT ${idOf(kind, 'i')}, '${kind}-' || i, at, at + interval '2 hours'
     FROM generate_series(1, ${count}) i, LATERAL (SELECT now() + (i - ${count - coming}) * interval '1 hour' AS at) t`,
  );
  await client.query(
    `INSERT INTO maintenance_window_targets (maintenance_window_id, resource, record_id)
     SELECT ${idOf(kind, 'i')}, 'devices', ${idOf('device', `1 + i % 10`)} FROM generate_series(1, ${count}) i`,
  );
  await client.query('VACUUM ANALYZE');
}

build();
const url = await prepareDatabase('inventory_bench_conflicts', options, fill);
const client = await connect(url);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
const { rows: coming } = await client.query(
  `SELECT id FROM maintenance_windows WHERE start_time > now() ORDER BY start_time LIMIT ${ROUNDS}`,
);
const [siteId] = await ids(client, 'site', 1);

/** Median and 95th percentile of sequential requests, in milliseconds. */
async function time(path, times) {
  const taken = [];
  for (let n = 0; n < times + 5; n++) {
    const started = performance.now();
    const answer = await fetch(`${server.url}${path(n)}`, { headers: { cookie } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${path(n)} gave ${answer.status}: ${body}`);
    if (n >= 5) taken.push(performance.now() - started);
  }
  return [median(taken), taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)]];
}

const conflictsOf = (n) => `/api/maintenance-windows/${coming[n % coming.length].id}/conflicts`;
const line = (name, [mid, high]) => say(`| ${name} | ${mid.toFixed(1)} | ${high.toFixed(1)} |`);

say('| Request | median, ms | 95 %, ms |');
say('|---|---|---|');
const before = await time(conflictsOf, ROUNDS);
line(`conflicts of a window among ${WINDOWS.toLocaleString('en')} windows`, before);
await windows(client, 'past', GROWTH, 0);
const after = await time(conflictsOf, ROUNDS);
line(`the same with ${GROWTH.toLocaleString('en')} more in the past`, after);
line(
  `impact of a site with ${DEVICES.toLocaleString('en')} devices`,
  await time(() => `/api/sites/${siteId}/impact`, Math.min(ROUNDS, 20)),
);
say(`\nGrowth of the median: ${(after[0] / before[0]).toFixed(2)}`);
await client.end();
await server.stop();
