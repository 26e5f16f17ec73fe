// The servers under test, each in its own process.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EMAIL, PASSWORD } from './data.mjs';

// A signal alone does not run the exit handlers that stop the servers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVICE = join(root, 'dist', 'src', 'main.js');
const REFERENCE = join(root, 'bench', 'reference.mjs');
const COMMANDS = { service: [SERVICE], rows: [REFERENCE], json: [REFERENCE, '--json'] };

/** Settings of both servers: the same database and the same number of connections. */
export function environment(databaseUrl, more = {}) {
  return {
    ...process.env,
    NODE_ENV: 'production',
    // As in the image.
    NODE_OPTIONS: '--max-old-space-size=512',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    SECRET_KEY: 'a benchmark key that protects nothing',
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    SESSION_IDLE_MINUTES: '600',
    HOST: '127.0.0.1',
    PORT: '0',
    ...more,
  };
}

/** Builds the service if its sources have changed. */
export function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The build of the service failed');
}

/**
 * Starts a server and waits until it listens.
 * @param {'service' | 'rows' | 'json'} kind the service, or a reference that reads rows or JSON from the database
 * @param directory of the built project
 * @returns {Promise<{ kind: string, url: string, pid: number, log: string, startMs: number, stop(): Promise<void> }>}
 */
export async function startServer(kind, databaseUrl, more = {}, directory = root) {
  const log = join(tmpdir(), `bench-${kind}-${process.pid}.log`);
  const out = openSync(log, 'w');
  const started = performance.now();
  const command = COMMANDS[kind].map((part) => part.replace(root, directory));
  const child = spawn(process.execPath, command, {
    cwd: directory,
    env: environment(databaseUrl, more),
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // The server must not outlive the benchmark.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  for (;;) {
    const url = /listening on (http:\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (url) {
      return {
        kind,
        url,
        pid: child.pid,
        log,
        startMs: performance.now() - started,
        async stop() {
          child.kill('SIGTERM');
          await exited;
          process.off('exit', kill);
        },
      };
    }
    if (child.exitCode !== null) throw new Error(`The ${kind} did not start:\n${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Cookie value of an administrator's session, as `npm run session` prints it. */
export const openSession = (databaseUrl, more) => credential(databaseUrl, 'session', [], more);

/** Sessions of further administrators, each of a profile of its own. */
export async function openSessions(databaseUrl, count) {
  const command = join(root, 'dist', 'src', 'cli', 'session.js');
  const sessions = [];
  for (let i = 1; i <= count; i++) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [command, '--email', `caller-${i}@example.com`, '--role', 'admin'],
      { env: environment(databaseUrl) },
    );
    sessions.push(stdout.trim());
  }
  return sessions;
}

/** A token of the same profile. */

function credential(databaseUrl, command, options, settings) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'src', 'cli', `${command}.js`), '--email', EMAIL, ...options],
    { env: environment(databaseUrl, settings), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const status = (pid, name) =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** Resident memory of a process in megabytes, now and at its peak. */
export const memoryOf = (pid) => ({ rss: status(pid, 'VmRSS'), peak: status(pid, 'VmHWM') });

/** The fields of /proc/<pid>/stat from the state on, after the process name. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
/** Converts hundredths of a second, the unit of /proc, to milliseconds. */
const sum = (hundredths) => hundredths.reduce((total, count) => total + Number(count), 0) * 10;

/** CPU time of a process in milliseconds: utime and stime. */
export const cpuOf = (pid) => sum(statOf(pid).slice(11, 13));

/**
 * CPU time in milliseconds of the whole PostgreSQL server of a client, including processes that have ended; 0 if it runs on
 * another machine.
 */
export async function cpuOfDatabase(client) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  let parent;
  try {
    parent = statOf(rows[0].pid)[1];
  } catch {
    return 0;
  }
  // cutime and cstime of the parent cover its children that have ended.
  let used = sum(statOf(parent).slice(11, 15));
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = statOf(entry);
      if (stat[1] === parent) used += sum(stat.slice(11, 13));
    } catch {
      // The process has ended in the meantime.
    }
  }
  return used;
}

/**
 * CPU time in milliseconds of the connections to a client's database that are open. It leaves out what other clients of the
 * server use, and what PostgreSQL does in the background.
 */
export async function cpuOfConnections(client) {
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return rows.reduce((total, { pid }) => total + cpuOf(pid), 0);
}
