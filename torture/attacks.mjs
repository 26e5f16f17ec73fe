// One caller does the worst that we know of, while health and a neighbour's small reads and creates are measured. The service has
// a heap of 512 MB, on a PostgreSQL server and on the embedded database. `ATTACKS` in attack-table.mjs is the table.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ATTACKS, CONTRACTS, RUNBOOK_LENGTH, RUNBOOKS } from './attack-table.mjs';
import { Api, milliseconds, percentile, PostgresServer, startService, temporaryDirectory } from './support.mjs';

const SECONDS = 15;
/** Milliseconds that 99 of 100 responses to others may take. */
const LIMIT = 250;
/** The same on the embedded database during a statement, as it runs one at a time. */
const LIMIT_OF_STATEMENTS = 1_000;
const PASSWORD = 'a neighbour of the attack 1';
const HEAP = '--max-old-space-size=512';

/**
 * @param only part of the names of the attacks, with the database: `calendar`, `imports, server`
 * @param of directory of another version, which has been built
 */
export default async function attacks({ check, say, times = SECONDS, only = '', of }) {
  const version = of && { entry: [join(of, 'dist', 'src', 'main.js')], cwd: of };
  const isAsked = (attack, database) => `${attack.name}, ${database}`.includes(only);
  if (ATTACKS.some((attack) => isAsked(attack, 'server'))) {
    const server = await PostgresServer.make();
    await onDatabase('server', { DATABASE_URL: server.url });
    await server.remove();
  }
  if (ATTACKS.some((attack) => isAsked(attack, 'embedded database'))) {
    const directory = temporaryDirectory();
    await onDatabase('embedded database', { DATA_DIR: directory.path, DATABASE_URL: '' });
    directory.remove();
  }

  async function onDatabase(database, settings) {
    const start = () => startService({ ...settings, NODE_OPTIONS: HEAP }, version);
    let service = await start();
    const prepared = await prepare(service.url);
    say(`${database}: prepared`);
    for (const attack of ATTACKS.filter((each) => isAsked(each, database))) {
      const limit = attack.isStatement && database !== 'server' ? LIMIT_OF_STATEMENTS : LIMIT;
      const row = {
        what: `${attack.name}, ${database}`,
        asked: `p99 ${milliseconds(limit)}, no 429 and no 503${attack.isReader ? ', no response broken off' : ''}`,
      };
      try {
        const measured = await during(attack, prepared, times, service.pid);
        const kept =
          measured.refused === 0 && measured.broken === 0 && Math.max(...Object.values(measured.p99)) <= limit;
        check({ ...row, reached: textOf(measured), kept });
      } catch (error) {
        check({ ...row, reached: error.message.split('\n')[0], kept: false });
      }
      if (await isWell(service)) continue;
      say(`${database}: the service is started again`);
      await service.end('SIGKILL');
      service = await start();
      moveTo(prepared, service.url);
    }
    await service.end();
  }
}

/** Whether the service answers again within a minute after an attack. */
async function isWell({ url, exited }) {
  const asked = new Api(url).request('GET', '/health/ready').then(({ status }) => status === 200);
  return Promise.race([asked.catch(() => false), exited.then(() => false)]);
}

/** A service that was started again has another address. */
function moveTo({ target, neighbour }, url) {
  target.url = url;
  neighbour.url = url;
}

const textOf = ({ p99, refused, requests, memory, complete, broken }) =>
  `${Object.entries(p99)
    .map(([what, ms]) => `${what} ${milliseconds(ms)}`)
    .join(
      ', ',
    )}; ${refused} of ${requests} refused; peak RSS ${memory} MB${complete === undefined ? '' : `; ${complete} responses complete, ${broken} broken off`}`;

/** A session of a new profile. */
async function newSession(url, admin, email, role) {
  const areas = ['operations', 'network', 'procurement', 'people'];
  await admin.must('POST', '/api/profiles', { email, password: PASSWORD, role, areas });
  return sessionOf(url, email, PASSWORD);
}

async function sessionOf(url, email, password) {
  const { headers } = await new Api(url).request('POST', '/api/auth/login', { email, password });
  return /session=([^;]+)/.exec(headers.get('set-cookie'))[1];
}

async function importRows(api, path, header, rows) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { cookie: `session=${api.cookie}`, 'content-type': 'text/csv' },
    body: `${header}\n${rows.join('\n')}\n`,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
}

const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Fills the database through the API, as both databases can be. */
async function prepare(url) {
  const admin = new Api(url, await sessionOf(url, 'admin@example.com', 'a test password that protects nothing'));
  const session = await newSession(url, admin, 'attacker@example.com', 'editor');
  const attacker = new Api(url, session);
  const day = (n) => new Date(Date.UTC(2027, 0, 1 + (n % 300))).toISOString().slice(0, 10);
  await importRows(
    attacker,
    '/api/contracts/import',
    'name,endDate',
    range(CONTRACTS, (n) => `Contract ${n},${day(n)}`),
  );
  const content = 'x'.repeat(RUNBOOK_LENGTH);
  for (let part = 0; part < 3; part++) {
    const rows = range(RUNBOOKS / 3, (n) => `Runbook ${part} ${n},${content}`);
    await importRows(attacker, '/api/runbooks/import', 'name,content', rows);
  }
  await importRows(
    attacker,
    '/api/assets/import',
    'name,assetTag,serialNumber',
    // Names that fill their label, and serial numbers that need the largest codes.
    range(100, (n) => `${`Asset ${n} `.padEnd(255, 'x')},TAG-${n},${`${n}${'😀'.repeat(250)}`}`),
  );
  const { data: assets } = await attacker.must('GET', '/api/assets?pageSize=100');
  const { data: feed } = await attacker.must('POST', '/api/calendar-feeds', { name: 'attack', kind: 'expirations' });
  const neighbour = new Api(url, await newSession(url, admin, 'neighbour@example.com', 'editor'));
  return {
    target: { url, session, feed: new URL(feed.url, url).pathname, assets: assets.map(({ id }) => id) },
    neighbour,
  };
}

/** The effects of an attack on others. */
async function during({ name, isReader }, { target, neighbour }, seconds, pid) {
  const { id } = (await neighbour.must('POST', '/api/vendors', { name: 'Neighbour' })).data;
  const anonymous = new Api(neighbour.url);
  const asked = {
    health: () => anonymous.request('GET', '/health/ready'),
    read: () => neighbour.request('GET', `/api/vendors/${id}`),
    create: () => neighbour.request('POST', '/api/vendors', { name: 'Neighbour' }),
  };
  const attacker = fork(fileURLToPath(new URL('attack-table.mjs', import.meta.url)));
  attacker.send({ name, target });
  await new Promise((resolve) => attacker.once('message', resolve));
  const outcomes = [];
  attacker.on('message', (more) => outcomes.push(...more));
  const until = Date.now() + seconds * 1000;
  const found = { p99: {}, refused: 0, requests: 0, broken: 0 };
  await Promise.all(
    Object.entries(asked).map(async ([what, ask]) => {
      const took = [];
      while (Date.now() < until) {
        const started = performance.now();
        // A response that does not come counts as a refusal.
        const { status, ms } = await ask().catch(() => ({ status: 599, ms: performance.now() - started }));
        took.push(ms);
        found.requests++;
        if (status >= 300) found.refused++;
        await sleep(20);
      }
      found.p99[what] = percentile(took, 0.99);
    }),
  );
  attacker.kill('SIGKILL');
  found.memory = peakMemory(pid);
  const count = (outcome) => outcomes.filter((each) => each === outcome).length;
  if (isReader) Object.assign(found, { complete: count('complete'), broken: count('broken') });
  await untilQuiet(neighbour.url);
  return found;
}

/** Waits until the service has finished the attacker's work, so that it does not affect the next attack. */
async function untilQuiet(url) {
  const deadline = Date.now() + 60_000;
  for (let quick = 0; quick < 10 && Date.now() < deadline; await sleep(100)) {
    const began = performance.now();
    await fetch(`${url}/health/ready`).then((response) => response.text());
    quick = performance.now() - began < 100 ? quick + 1 : 0;
  }
}

/** Peak of the memory of a process in megabytes. @throws Error if the process has ended */
function peakMemory(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
  } catch {
    throw new Error('The service has ended');
  }
}
