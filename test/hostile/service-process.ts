import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const root = join(__dirname, '../..');
const EMAIL = 'admin@example.com';
const PASSWORD = 'a passphrase of the fuzzer';

/** The service in a separate process, with a temporary database. */
export interface ServiceProcess {
  url: string;
  /** Session of an administrator. */
  cookie: string;
  /** Sends a signal to the process. */
  signal(name: NodeJS.Signals): void;
  /** Log lines at level warning or above. */
  complaints(): string[];
  stop(): Promise<void>;
}

/**
 * @param server connection string of a PostgreSQL server; absent for the embedded database
 * @param environment additional variables
 * @param files directory of a migrated embedded database to copy; absent for a new one
 */
export async function startServiceProcess(
  server?: string,
  environment: NodeJS.ProcessEnv = {},
  files?: string,
): Promise<ServiceProcess> {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The build of the service failed');
  const directory = mkdtempSync(join(tmpdir(), 'inventory-fuzz-'));
  const database = server === undefined ? undefined : await makeDatabase(server);
  if (files && server === undefined) cpSync(files, join(directory, 'data', 'postgres'), { recursive: true });
  const log = join(directory, 'log');
  const out = openSync(log, 'w');
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: join(directory, 'data'),
      DATABASE_URL: database?.url ?? '',
      SECRET_KEY: 'a fuzzer key that protects nothing',
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      // Each login has its own address. With a single address, all but the first hundred would be refused.
      TRUST_PROXY: 'loopback',
      ...environment,
    },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // The service must end with the fuzzer.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const read = (): string => readFileSync(log, 'utf8');
  let url: string | undefined;
  while (!(url = /listening on (http:\S+)/.exec(read())?.[1])) {
    if (child.exitCode !== null) throw new Error(`The service did not start:\n${read()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const cookie = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (!cookie) throw new Error(`The login failed: ${await answer.text()}`);
  return {
    url,
    cookie,
    signal: (name) => void child.kill(name),
    complaints: () =>
      read()
        .split('\n')
        .filter((line) => /"level":[4-6]0/.test(line)),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
      await database?.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function makeDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `inventory_fuzz_${randomBytes(5).toString('hex')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await administer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
