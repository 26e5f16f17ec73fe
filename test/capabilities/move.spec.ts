import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { loadConfiguration } from '../../src/config/configuration.js';
import { Outbound } from '../../src/database/outbound.js';
import { openDatabase, type OpenDatabase } from '../../src/schema/open-database.js';
import { Api, startServiceOn, type TestService } from '../support/app.js';
import { runCommand, startEntry } from '../support/command.js';
import { administer, createTestDatabase, onServer, urlOf } from '../support/database.js';

const folder = mkdtempSync(join(tmpdir(), 'move-'));
const dataDir = join(folder, 'data');
const environment = { DATA_DIR: dataDir, DATABASE_URL: '' };
const name = `${process.env.TEST_DATABASE_TEMPLATE}_move_${randomBytes(3).toString('hex')}`;

const open = (env: Record<string, string>): Promise<OpenDatabase> =>
  openDatabase(loadConfiguration(env), { error: () => {}, info: () => {} });

const serve = async (env: Record<string, string>): Promise<TestService> => {
  const { db, dataSource, close } = await open(env);
  return startServiceOn({ db, dataSource, drop: close }, env);
};

/** Whether a service that starts there sends anything. */
async function sends(env: Record<string, string>): Promise<boolean> {
  const service = await serve(env);
  try {
    return await service.app.get(Outbound).isOn();
  } finally {
    await service.stop();
  }
}

async function sql<R extends object = Record<string, unknown>>(url: string, ...statements: string[]): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) ({ rows } = await client.query<R>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const move = (url: string) => runCommand('move', [url], environment);

/** What a client sees: lists, the change log and the history, a secret. */
async function contents(api: Api): Promise<Record<string, unknown>> {
  const paths = ['/api/assets', '/api/software-licences', '/api/people', '/api/change-log?pageSize=200'];
  const found: Record<string, unknown> = {};
  for (const path of [...paths, '/api/tokens', '/api/auth/session']) {
    const { status, body, text } = await api.get(path);
    if (status !== 200) throw new Error(`${path}: ${text}`);
    found[path] = [status, path === '/api/auth/session' ? body.data.email : path === '/api/tokens' ? body.total : body];
  }
  return found;
}

interface Page {
  data: { id: string; recordId: string }[];
  cursor: string;
}

/** A page of the feed. An open transaction in any database of the server delays it. */
async function feedOf(api: Api, since: string, isThere: (page: Page) => boolean): Promise<Page> {
  for (;;) {
    const page = (await api.get(`/api/changes?since=${since}&limit=100`)).body as Page;
    if (isThere(page)) return page;
    await sleep(50);
  }
}

(onServer ? describe : describe.skip)('the move from the embedded database to a server', () => {
  let session: Api;
  let token: string;
  let before: Record<string, unknown>;
  let cursor: string;
  beforeAll(async () => {
    await administer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    const service = await serve(environment);
    session = await service.as('admin');
    ({ token } = await session.make('/api/tokens', { name: 'moves along' }));
    const asset = await session.make('/api/assets', { name: 'Ünïcode "quoted" \\ {brace}, NULL', status: 'retired' });
    await session.make('/api/software-licences', { name: 'Suite', licenceKey: 'AAAA-BBBB' });
    await session.make('/api/people', { fullName: 'Ada Lovelace' });
    await session.patch(`/api/assets/${asset.id}`, { notes: 'line\nline\ttab' });
    before = await contents(session);
    ({ cursor } = await feedOf(session, 'start', ({ data }) => data.some(({ recordId }) => recordId === asset.id)));
    await service.stop();
  }, 300_000);
  afterAll(async () => {
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    rmSync(folder, { recursive: true });
  });

  it('that is killed in the middle leaves the target empty', async () => {
    const target = await createTestDatabase();
    const url = target.url!;
    try {
      // The copy fails in the middle of the tables.
      await sql(url, `ALTER TABLE people ADD CONSTRAINT slow CHECK (pg_sleep(300)::text = '')`);
      const shape = `SELECT (SELECT count(*)::int FROM pg_constraint) AS constraints, (SELECT count(*)::int FROM pg_trigger WHERE tgenabled = 'O') AS triggers`;
      const rows = `SELECT (SELECT count(*)::int FROM assets) AS assets, (SELECT count(*)::int FROM change_log) AS log, (SELECT count(*)::int FROM record_counts) AS counts`;
      const made = await sql(url, shape);
      const { child, outcome } = startEntry('cli/move', [url], environment);
      const sleepers = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      let pid: number | undefined;
      while (pid === undefined && child.exitCode === null) {
        await sleep(20);
        pid = (await sql<{ pid: number }>(url, sleepers))[0]?.pid;
      }
      expect(pid).toBeDefined();
      child.kill('SIGKILL');
      await outcome;
      await sql(url, `SELECT pg_terminate_backend(${pid})`, `ALTER TABLE people DROP CONSTRAINT slow`);
      expect(await sql(url, shape)).toEqual([{ ...made[0], constraints: (made[0]!.constraints as number) - 1 }]);
      expect(await sql(url, rows)).toEqual([{ assets: 0, log: 0, counts: 0 }]);
      // The command can be repeated.
      const { code, err } = await move(url);
      expect([code, err]).toEqual([0, '']);
      expect((await sql(url, rows))[0]).toMatchObject({ assets: 1 });
      expect(await sql(url, shape)).toEqual([{ ...made[0], constraints: (made[0]!.constraints as number) - 1 }]);
    } finally {
      await target.drop();
    }
  });

  it('keeps every record, id, time, entry, session, token and secret, and the log goes on', async () => {
    // After the earlier move, only the target sends.
    expect(await sends(environment)).toBe(false);
    expect(await sends({ ...environment, OUTBOUND: 'true' })).toBe(true);
    const { code, out, err } = await move(urlOf(name));
    expect([code, err]).toEqual([0, '']);
    const tables = out.trimEnd().split('\n');
    expect(tables.find((line) => line.startsWith('assets '))).toMatch(/^assets +1 {2}[\da-f]{32}$/);
    expect(tables.at(-1)).toMatch(
      /^\d+ tables are the same in both databases\. Set DATABASE_URL, and keep the secret key/,
    );
    // The embedded database stays.
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
    const service = await serve({ DATABASE_URL: urlOf(name) });
    try {
      const moved = new Api(service.url, session.cookie);
      expect(await contents(moved)).toEqual(before);
      const next = await new Api(service.url, undefined, token).make('/api/assets', { name: 'After' });
      expect((await moved.get('/api/assets?pageSize=1')).body.total).toBe(2);
      const later = await feedOf(moved, cursor, ({ data }) => data.length > 0);
      expect(later.data.map(({ recordId }) => recordId)).toEqual([next.id]);
      expect(await service.app.get(Outbound).isOn()).toBe(true);
    } finally {
      await service.stop();
    }
    const target = await createTestDatabase();
    try {
      expect((await move(target.url!)).code).toBe(0);
      expect(await sends({ DATABASE_URL: target.url! })).toBe(false);
    } finally {
      await target.drop();
    }
  });

  it('refuses a database that is in use, of another application, or that cannot be reached', async () => {
    const other = await createTestDatabase();
    try {
      await sql(other.url!, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE orders ()');
      const outcomes = [
        await move(urlOf(name)),
        await move(other.url!),
        await move('postgres://postgres@127.0.0.1:1/nowhere'),
        await move('postgres://127.0.0.1:port/nowhere'),
        await move('mysql://127.0.0.1/x'),
        await runCommand('move', [urlOf(name)], { ...environment, DATA_DIR: join(folder, 'nothing') }),
      ];
      expect(outcomes.map(({ code, out, err }) => [code, out, err.trim()])).toEqual([
        [1, '', expect.stringMatching(/^The target is not empty: \w+ has rows\. Give a new, empty database$/)],
        [1, '', 'The target has tables of another application: orders. Give a new, empty database'],
        [1, '', 'The database of the address cannot be opened: connect ECONNREFUSED 127.0.0.1:1'],
        [1, '', 'The database of the address cannot be opened: Invalid URL'],
        [1, '', 'The address of the database must start with postgres:// or postgresql://'],
        [1, '', `There is no database in ${join(folder, 'nothing')}`],
      ]);
      expect(await sql(other.url!, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual(
        [{ relname: 'orders' }],
      );
    } finally {
      await other.drop();
    }
  });

  it('refuses an embedded database that a service uses', async () => {
    const target = await createTestDatabase();
    const opened = await open(environment);
    try {
      const { code, err } = await move(target.url!);
      expect([code, err]).toEqual([1, expect.stringContaining(`is in use by another process (pid ${process.pid})`)]);
    } finally {
      await opened.close();
      await target.drop();
    }
  });
});
