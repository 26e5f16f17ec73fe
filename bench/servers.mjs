// The servers under test, each a process of its own.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMAIL, PASSWORD } from './data.mjs';

// The servers end when the benchmark exits, which a signal by itself does not make it do.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVICE = join(root, 'dist', 'src', 'main.js');
const REFERENCE = join(root, 'bench', 'reference.mjs');
const COMMANDS = { service: [SERVICE], rows: [REFERENCE], json: [REFERENCE, '--json'] };

/** Settings of both servers: the same database and as many connections to it. */
function environment(databaseUrl, more = {}) {
  return {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    SECRET_KEY: 'a key of the benchmark, which guards nothing',
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    SESSION_IDLE_MINUTES: '600',
    HOST: '127.0.0.1',
    PORT: '0',
    ...more,
  };
}

/** Builds the service where its sources have changed. */
export function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The service does not build');
}

/**
 * Starts a server and waits until it listens.
 * @param {'service' | 'rows' | 'json'} kind the service, or a reference that gets rows or JSON from the database
 * @returns {Promise<{ kind: string, url: string, pid: number, log: string, startMs: number, stop(): Promise<void> }>}
 */
export async function startServer(kind, databaseUrl, more = {}) {
  const log = join(tmpdir(), `bench-${kind}-${process.pid}.log`);
  const out = openSync(log, 'w');
  const started = performance.now();
  const child = spawn(process.execPath, COMMANDS[kind], {
    cwd: root,
    env: environment(databaseUrl, more),
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // Ends with the benchmark, however that ends.
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

/** Cookie value of a session of the administrator, as `npm run session` gives it. */
export function openSession(databaseUrl) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'src', 'cli', 'session.js'), '--email', EMAIL],
    { env: environment(databaseUrl), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const status = (pid, name) =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** Megabytes that a process holds now, and the most that it held. */
export const memoryOf = (pid) => ({ rss: status(pid, 'VmRSS'), peak: status(pid, 'VmHWM') });

/** What /proc says of a process after its name, from its state on. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
/** Milliseconds, of the hundredths of a second that /proc counts in. */
const sum = (hundredths) => hundredths.reduce((total, count) => total + Number(count), 0) * 10;

/** Milliseconds of processor time that a process has used: utime and stime. */
export const cpuOf = (pid) => sum(statOf(pid).slice(11, 13));

/**
 * Milliseconds of processor time that the whole PostgreSQL server of a client has used, those of its processes that have
 * ended included; 0 where it is on another machine.
 */
export async function cpuOfDatabase(client) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  let parent;
  try {
    parent = statOf(rows[0].pid)[1];
  } catch {
    return 0;
  }
  // cutime and cstime of the parent are those of its children that have ended.
  let used = sum(statOf(parent).slice(11, 15));
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = statOf(entry);
      if (stat[1] === parent) used += sum(stat.slice(11, 13));
    } catch {
      // It has ended meanwhile.
    }
  }
  return used;
}
