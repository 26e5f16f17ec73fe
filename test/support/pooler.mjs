// PgBouncer in transaction mode, in front of a PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program; undefined if it is not installed. */
export const pgbouncer = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() && true));
    socket.on('error', () => resolve(false));
  });

/**
 * Starts it for every database of the server.
 * @param {string} server URL of the PostgreSQL server
 * @param {Record<string, string | number>} settings beside those that every run has
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} a URL of the same database through it
 */
export async function startPooler(server, settings = {}) {
  const to = new URL(server);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  const file = join(folder, 'pgbouncer.ini');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    // The name that a client gives is that of the role.
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    auth_user: decodeURIComponent(to.username),
    auth_query: `SELECT rolname, '' FROM pg_roles WHERE rolname = $1`,
    pool_mode: 'transaction',
    default_pool_size: 8,
    max_client_conn: 2_000,
    server_idle_timeout: 5,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const password = to.password ? ` password=${decodeURIComponent(to.password)}` : '';
  writeFileSync(
    file,
    `[databases]\n* = host=${to.hostname} port=${to.port || 5432}${password}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  writeFileSync(all.auth_file, `"${decodeURIComponent(to.username)}" ""\n`);
  for (const path of [folder, file, all.auth_file]) chmodSync(path, 0o755);
  // It does not run as root.
  const as = process.getuid() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgbouncer, ['-q', ...as, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start');
    await sleep(20);
  }
  const url = Object.assign(new URL(server), { hostname: '127.0.0.1', port: String(port) });
  return {
    url: url.href,
    async stop() {
      process.off('exit', kill);
      kill();
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}
