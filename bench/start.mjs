// `npm run bench:start`: the time from the start of the process to the first answer, and the memory then. See bench/README.md.
import '../scripts/help.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { build, cpuOf, environment, memoryOf } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '9' },
    addresses: { type: 'string', default: '0' },
    against: { type: 'string', multiple: true, default: [] },
    node: { type: 'string', default: process.execPath },
    database: { type: 'string', default: 'inventory_bench_start' },
    keep: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 60_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Status of the answer that needs the database; undefined while nothing listens. */
const ready = (port) =>
  new Promise((done) => {
    http
      .get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
        response.resume().on('end', () => done(response.statusCode));
      })
      .on('error', () => done(undefined));
  });

/** Starts the service of a directory and stops it after its first answer. */
async function startOnce(directory, databaseUrl, more) {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(options.node, [join(directory, 'dist', 'src', 'main.js')], {
    cwd: directory,
    env: environment(databaseUrl, { ...more, PORT: String(port) }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    while ((await ready(port)) !== 200) {
      if (child.exitCode !== null) throw new Error(`The service in ${directory} ended with ${child.exitCode}`);
      if (performance.now() - started > LIMIT_MS) throw new Error(`The service in ${directory} does not answer`);
      await sleep(5);
    }
    return { ms: performance.now() - started, cpu: cpuOf(child.pid), rss: memoryOf(child.pid).rss };
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

build();
const data = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  const url = await prepareDatabase(options.database, options, async (client) => {
    await client.query(
      `INSERT INTO ip_addresses (address, family) SELECT '10.0.0.0'::inet + n, 4 FROM generate_series(1, $1::int) n`,
      [Number(options.addresses)],
    );
    await client.query('ANALYZE');
  });
  const databases = { server: [url, {}], embedded: ['', { DATA_DIR: data }] };
  const runs = [root, ...options.against.map((path) => resolve(path))].flatMap((directory) =>
    Object.entries(databases).map(([database, settings]) => ({ directory, database, settings, results: [] })),
  );
  // The first start of each is not counted: it creates the embedded database and fills the compile cache.
  for (let round = 0; round <= Number(options.starts); round++) {
    for (const { directory, settings, results } of runs) {
      const result = await startOnce(directory, ...settings);
      if (round > 0) results.push(result);
    }
  }
  for (const { directory, database, results } of runs) {
    const of = (key) => results.map((result) => result[key]);
    const name = directory === root ? database : `${database}, ${directory}`;
    process.stdout.write(
      `${name}: first answer after ${Math.round(median(of('ms')))} ms (${Math.round(Math.min(...of('ms')))} at best), ` +
        `CPU ${median(of('cpu'))} ms, RSS ${Math.round(median(of('rss')))} MB; ${results.length} starts\n`,
    );
  }
  const client = await connect(url);
  const { rows } = await client.query(
    `SELECT relname, seq_tup_read FROM pg_stat_user_tables WHERE seq_tup_read > 0 ORDER BY 2 DESC LIMIT 3`,
  );
  await client.end();
  process.stdout.write(
    `Rows read by sequential scans since the database was created: ${rows.map((row) => `${row.relname} ${row.seq_tup_read}`).join(', ')}\n`,
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}
