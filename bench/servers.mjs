// The servers under test, each a process of its own.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMAIL, PASSWORD } from './data.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVICE = join(root, 'dist', 'src', 'main.js');
const REFERENCE = join(root, 'bench', 'reference.mjs');

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
 * @param {'service' | 'reference'} kind
 * @returns {Promise<{ kind: string, url: string, pid: number, log: string, startMs: number, stop(): Promise<void> }>}
 */
export async function startServer(kind, databaseUrl, more = {}) {
  const log = join(tmpdir(), `bench-${kind}-${process.pid}.log`);
  const out = openSync(log, 'w');
  const started = performance.now();
  const child = spawn(process.execPath, [kind === 'service' ? SERVICE : REFERENCE], {
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

/** Milliseconds of processor time that a process has used. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // utime and stime, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
