import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startServiceOn, type Api, type TestService } from '../support/app.js';
import { connectTo, createTestDatabase, onServer, type TestDatabase } from '../support/database.js';

const describeOnServer = onServer ? describe : describe.skip;

describeOnServer('an import whose process is killed with SIGKILL', () => {
  let database: TestDatabase;
  let service: TestService;
  let admin: Api;
  let client: Client;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Another replica. It keeps running when the importing one is killed.
    service = await startServiceOn(await connectTo(database.url!));
    admin = await service.as('admin');
    client = new Client({ connectionString: database.url });
    await client.connect();
  }, 300_000);
  afterAll(async () => {
    child?.kill('SIGKILL');
    await client.end();
    await service.stop();
    await database.drop();
  });

  /** The service in a separate process. Resolves to its address. */
  async function start(): Promise<string> {
    child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: join(__dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        SECRET_KEY: 'a key that only the tests use, 32+',
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_EMAIL: 'first@example.com',
        ADMIN_PASSWORD: 'a password of the tests',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
    for (;;) {
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (url) return url;
      if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
      await sleep(50);
    }
  }

  /** Waits until a count has the expected value. */
  async function until(sql: string, count: number): Promise<void> {
    for (let i = 0; ; i++) {
      const { rows } = await client.query<{ count: number }>(sql);
      if (rows[0]!.count === count) return;
      if (i === 1200) throw new Error(`${sql} still gave ${rows[0]!.count}`);
      await sleep(50);
    }
  }
  const OTHERS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  const WAITING = `SELECT count(*)::int AS count ${OTHERS} AND wait_event_type = 'Lock'`;
  const IN_TRANSACTION = `SELECT count(*)::int AS count ${OTHERS} AND xact_start IS NOT NULL`;

  it('leaves nothing, no transaction and no lock, and can be repeated', async () => {
    await admin.make('/api/sites', { name: 'Early' });
    const late = await admin.make('/api/sites', { name: 'Late' });
    const rows = Array.from({ length: 5000 }, (_, i) => `Asset ${i},KILL-${i},${i < 4000 ? 'Early' : 'Late'}`);
    const file = `name,assetTag,site.name\n${rows.join('\n')}\n`;
    const path = '/api/assets/import?mode=upsert&key=assetTag';
    const { hostname, port } = new URL(await start());
    // The import writes four batches, and waits at the fifth.
    await client.query('BEGIN');
    await client.query('SELECT FROM sites WHERE id = $1 FOR UPDATE', [late.id]);
    const headers = { cookie: `session=${admin.cookie}`, 'content-type': 'text/csv' };
    const upload = request({ hostname, port, path, method: 'POST', headers });
    const answered = once(upload, 'response').then(
      () => true,
      () => false,
    );
    upload.end(file);
    await until(WAITING, 1);
    const exited = once(child!, 'exit');
    child!.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    await client.query('ROLLBACK');
    expect(await answered).toBe(false);
    await until(IN_TRANSACTION, 0);
    expect((await admin.get('/api/assets?pageSize=1')).body.total).toBe(0);
    expect((await admin.get('/api/change-log?resource=assets&pageSize=1')).body.total).toBe(0);
    const again = await admin.request('POST', path, file, { 'content-type': 'text/csv' });
    expect([again.status, again.body.data?.created]).toEqual([200, rows.length]);
  }, 300_000);
});
