// Shared by all tests: a PostgreSQL server and a service that can be killed, a client that measures time, and percentiles.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as PgClient } from 'pg';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const PASSWORD = 'a test password that protects nothing';

/** Builds the service if its sources have changed. */
export function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The build of the service failed');
}

// Processes and files that must not outlive this process.
const running = new Set();
const directories = new Set();
process.once('exit', () => {
  for (const kill of running) kill();
  for (const path of directories) rmSync(path, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A directory that is removed when this process ends. Accessible to others, because PostgreSQL may run as another user. */
export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'torture-'));
  chmodSync(path, 0o755);
  directories.add(path);
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    directories.delete(path);
  };
  return { path, remove };
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** A separate PostgreSQL server, made from the installed binaries. */
export class PostgresServer {
  static async make() {
    const server = await PostgresServer.prepare();
    mkdirSync(server.data);
    if (process.getuid() === 0) execFileSync('chown', ['postgres', server.data]);
    await server.as('initdb', ['-D', server.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    await server.start();
    return server;
  }

  /** A standby of a server, which follows it until it is promoted. */
  static async standbyOf(primary) {
    const server = await PostgresServer.prepare();
    await primary.as('pg_basebackup', ['-d', primary.url, '-D', server.data, '-R', '-c', 'fast', '--no-sync']);
    await server.start();
    return server;
  }

  static async prepare() {
    const server = new PostgresServer();
    server.directory = temporaryDirectory();
    if (process.getuid() === 0) execFileSync('chown', ['postgres', server.directory.path]);
    server.data = join(server.directory.path, 'pg');
    server.port = await freePort();
    server.url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(a) - Number(b));
    server.binaries = join('/usr/lib/postgresql', versions.at(-1), 'bin');
    server.kill = () => server.signal('SIGKILL');
    running.add(server.kill);
    return server;
  }

  // PostgreSQL refuses to run as root.
  as(program, args) {
    const command = [join(this.binaries, program), ...args];
    return process.getuid() === 0
      ? run('runuser', ['-u', 'postgres', '--', ...command], { timeout: 60_000 })
      : run(command[0], command.slice(1), { timeout: 60_000 });
  }

  control(verb, ...more) {
    const options = `-p ${this.port} -k ${this.data} -c listen_addresses=127.0.0.1`;
    return this.as('pg_ctl', [verb, '-D', this.data, '-w', '-l', join(this.data, 'log'), '-o', options, ...more]);
  }

  start = () => this.control('start');
  restart = () => this.control('restart', '-m', 'fast');
  stop = () => this.as('pg_ctl', ['stop', '-D', this.data, '-w', '-m', 'fast']);

  /** Process ids of the postmaster and its children. */
  pids() {
    let pid;
    try {
      pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      return [pid, ...children.split(' ').filter(Boolean).map(Number)];
    } catch {
      return pid === undefined ? [] : [pid];
    }
  }

  /** Sends a signal to the postmaster and all its children. */
  signal(name) {
    for (const pid of this.pids()) send(pid, name);
  }

  /** Kills the postmaster. Its children notice and exit. */
  killPostmaster() {
    send(this.pids()[0], 'SIGKILL');
  }

  /** Starts a server whose postmaster was killed. It refuses to start while a process of the old one is alive. */
  async startAfterKill() {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.start();
      } catch (error) {
        if (attempt === 50) throw error;
        await sleep(100);
      }
    }
  }

  /** Rows of one statement, on a separate connection. */
  async query(sql) {
    const client = new PgClient({ connectionString: this.url, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** The start time of the server, which identifies one run of it. */
  async began() {
    const [{ at }] = await this.query('SELECT pg_postmaster_start_time()::text AS at');
    return at;
  }

  /** Waits until a later run of the server accepts connections. Resolves to the time, as `performance.now()`. */
  async acceptsAfter(began) {
    for (;;) {
      const now = await this.began().catch(() => began);
      if (now !== began) return performance.now();
      await sleep(10);
    }
  }

  async remove() {
    await this.stop();
    running.delete(this.kill);
    this.directory.remove();
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const environment = (more) => ({
  ...process.env,
  NODE_ENV: 'production',
  SECRET_KEY: 'a test key that protects nothing at all',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: PASSWORD,
  SESSION_IDLE_MINUTES: '600',
  HOST: '127.0.0.1',
  PORT: '0',
  ...more,
});

/**
 * Runs the service in a separate process until it listens or exits.
 * @param lifetime milliseconds after which it is killed, whatever its state
 * @param of another version: the arguments of Node, and its directory
 */
export async function launch(settings, lifetime, { entry = [join(root, 'dist', 'src', 'main.js')], cwd = root } = {}) {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'log');
  const out = openSync(file, 'a');
  const child = spawn(process.execPath, entry, {
    cwd,
    env: environment(settings),
    stdio: ['ignore', out, out],
    timeout: lifetime,
    killSignal: 'SIGKILL',
  });
  closeSync(out);
  const kill = () => child.kill('SIGKILL');
  running.add(kill);
  const exited = new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      resolve({ code, signal, at: performance.now() });
    }),
  );
  const log = () => readFileSync(file, 'utf8');
  let url;
  while (!url && child.exitCode === null && child.signalCode === null) {
    url = /listening on (http:\S+)/.exec(log())?.[1];
    if (!url) await sleep(20);
  }
  return {
    url,
    pid: child.pid,
    log,
    exited,
    /** Sends a signal and waits for the exit. */
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      const result = await exited;
      running.delete(kill);
      directory.remove();
      return result;
    },
    signal: (name) => child.kill(name),
  };
}

/** Starts the service and waits until it listens. @param of another version, as in `launch` */
export async function startService(settings, of) {
  const service = await launch(settings, undefined, of);
  if (!service.url) throw new Error(`The service did not start:\n${service.log()}`);
  return service;
}

/** Cookie value of an administrator's session, as `npm run session` prints it. */
export async function openSession(settings) {
  const { stdout } = await run(
    process.execPath,
    [join(root, 'dist', 'src', 'cli', 'session.js'), '--email', 'admin@example.com'],
    { env: environment(settings) },
  );
  return stdout.trim();
}

/** A client of the service. Its `url` may change, because a restarted service has a new one. */
export class Api {
  constructor(url, cookie) {
    this.url = url;
    this.cookie = cookie;
  }

  /** A response with its time in milliseconds. Rejects if there is none. */
  async request(method, path, body, headers = {}) {
    const started = performance.now();
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.cookie && { cookie: `session=${this.cookie}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const ms = performance.now() - started;
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined, ms };
  }

  /** The body of a response that must be a success. */
  async must(method, path, body, headers) {
    const answer = await this.request(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** All records of a list, by id. */
  async all(path) {
    const records = new Map();
    for (let page = 1; ; page++) {
      const { data, hasMore } = await this.must('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}`);
      for (const record of data) records.set(record.id, record);
      if (!hasMore) return records;
    }
  }
}

/** Repeats a request until `stop`. Resolves to the milliseconds of each response. */
export function probe(ask, { clients = 1, pause = 5 } = {}) {
  const times = [];
  const stop = new AbortController();
  const one = async () => {
    while (!stop.signal.aborted) {
      times.push((await ask()).ms);
      await sleep(pause);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, one));
  return {
    async stop() {
      stop.abort();
      await done;
      return times;
    },
  };
}

/** @param share for example 0.99 */
export function percentile(numbers, share) {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b), 0);
export const milliseconds = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`);
export const count = (n) => n.toLocaleString('en');
