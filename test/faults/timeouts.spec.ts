import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { createApp } from '../../src/app/app.setup.js';
import { Clock } from '../../src/auth/credential/clock.js';
import { CredentialMarks } from '../../src/auth/credential/credential-marks.js';
import { FileBody } from '../../src/resource/import/file-body.js';
import { ImportKey } from '../../src/resource/import/import-key.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { serverPool } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import type { Database } from '../../src/database/database.js';
import { Secrets } from '../../src/access/secrets.js';
import { Api, type Answer } from '../support/app.js';
import { createTestDatabase, onServer, serverConfiguration, type TestDatabase } from '../support/database.js';

// The embedded database has one session, which waits for nobody.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Waiting for the database: skipped, as it needs a server (TEST_DATABASE_URL)');

describeOnServer('waiting for the database', () => {
  let database: TestDatabase;
  let db: Database;
  let app: NestFastifyApplication;
  let api: Api;
  /** Another client of the database. */
  let other: Client;
  let ids: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const pool = serverPool({ ...serverConfiguration(database.url!), databasePoolSize: 2 });
    // Shorter than in production, but in the same order.
    const dataSource = createDataSource({
      ...pool,
      lock_timeout: 700,
      statement_timeout: 1_200,
      idle_in_transaction_session_timeout: 3_000,
      connectionTimeoutMillis: 400,
    });
    await dataSource.initialize();
    db = dataSource.database;
    db.pool.on('error', () => {});
    app = await createApp({
      configuration: loadConfiguration({ LOG_LEVEL: 'silent' }),
      dataSource,
      secrets: new Secrets('a key that only the tests use, 32+'),
    });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const email = 'waiting@example.com';
    api = new Api(`http://127.0.0.1:${port}`, await openSession(db, app.get(Sessions), { email, role: 'admin' }));
    ids = [(await api.make('/api/sites', { name: 'One' })).id, (await api.make('/api/sites', { name: 'Two' })).id];
    other = new Client({ connectionString: database.url });
    await other.connect();
  }, 60_000);

  afterEach(() => other.query('ROLLBACK'));
  afterAll(async () => {
    await other?.end();
    app?.getHttpServer().closeAllConnections();
    await app?.close();
    await database?.drop();
  });

  const expectUnavailable = ({ status, headers, body }: Answer): void => {
    expect([status, headers.get('retry-after'), body.error]).toEqual([
      503,
      '2',
      expect.stringMatching(/not available|try again/i),
    ]);
  };

  it('has limits, which apply in the intended order', async () => {
    const earnest = createDataSource(serverPool(serverConfiguration(database.url!)));
    await earnest.initialize();
    try {
      const [settings] = await earnest.database.query<Record<string, string>>(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle`,
      );
      expect(settings).toEqual({ statement: '15s', lock: '5s', idle: '10s' });
      const { connectionTimeoutMillis, query_timeout: query } = earnest.database.pool.options as unknown as Record<
        string,
        number
      >;
      expect([connectionTimeoutMillis, query]).toEqual([3_000, 20_000]);
    } finally {
      await earnest.destroy();
    }
  });

  it('a lock held by another client: 503, and the write is not executed later', async () => {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sites WHERE id = $1 FOR UPDATE', [ids[0]]);
    const late = await api.patch(`/api/sites/${ids[0]}`, { name: 'Late' });
    expectUnavailable(late);
    expect(late.body.error).toContain('locked');
    await other.query('ROLLBACK');
    expect((await api.get(`/api/sites/${ids[0]}`)).body.data.name).toBe('One');
  });

  it('a statement that takes too long: 503, and its connection serves the next request', async () => {
    // As slow as a table of unexpected size.
    await other.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END'`,
    );
    await other.query('CREATE TRIGGER slow BEFORE UPDATE ON sites FOR EACH ROW EXECUTE FUNCTION slow()');
    const slow = await api.patch(`/api/sites/${ids[0]}`, { name: 'Slow' });
    expectUnavailable(slow);
    expect(slow.body.error).toContain('takes too long');
    await other.query('DROP TRIGGER slow ON sites');
    expect((await api.patch(`/api/sites/${ids[0]}`, { name: 'Quick' })).status).toBe(200);
    expect(db.pool.totalCount).toBeLessThanOrEqual(2);
  });

  it('a connection, when all are in use: 503 at once, and all are available again', async () => {
    await other.query('BEGIN');
    await other.query('LOCK TABLE sites IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.patch(`/api/sites/${ids[1]}`, { name: 'Full' })),
    );
    for (const answer of answers) expectUnavailable(answer);
    await other.query('ROLLBACK');
    expect((await api.patch(`/api/sites/${ids[1]}`, { name: 'Two' })).status).toBe(200);
    expect(db.pool.waitingCount).toBe(0);
  });

  it.each<[string, (id: string, n: number) => Promise<Answer>]>([
    ['single statements', (id) => api.patch(`/api/sites/${id}`, { name: 'Blocked' })],
    ['conditional writes', (id) => api.patch(`/api/sites/${id}`, { name: 'Blocked' }, { 'if-match': '*' })],
  ])('a row locked by another client delays its writers, %s, and no readers', async (_, write) => {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sites WHERE id = $1 FOR UPDATE', [ids[0]]);
    const writes = Array.from({ length: 30 }, (_each, n) => write(ids[0]!, n));
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const path of [`/api/sites/${ids[0]}`, '/api/sites?pageSize=50', '/api/sites', '/health/ready']) {
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    }
    for (const answer of await Promise.all(writes)) expectUnavailable(answer);
    await other.query('ROLLBACK');
  });

  it('a session whose last use cannot be written is still accepted for reading', async () => {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sessions FOR UPDATE');
    const email = 'waiting@example.com';
    await db.query(`UPDATE profiles SET updated_at = now() WHERE email = $1`, [email]);
    // Behind a pooler, and on another replica, the session is looked up again.
    const late = new Clock();
    late.now = () => new Date(Date.now() + 5 * 60_000);
    const limits = { idleMinutes: 30, absoluteHours: 12 };
    const sessions = new Sessions(db, late, limits, app.get(CredentialMarks));
    expect((await sessions.find(api.cookie!, () => '127.0.0.1'))?.email).toBe(email);
    await other.query('ROLLBACK');
  });

  it('an idle transaction is ended by the server and rolled back', async () => {
    const still = db.transaction(async (tx) => {
      await tx.query(`UPDATE sites SET name = 'Still' WHERE id = $1`, [ids[1]]);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      await tx.query('SELECT 1');
    });
    await expect(still).rejects.toThrow();
    // Its lock was released with it.
    expect((await api.patch(`/api/sites/${ids[1]}`, { description: 'Free' })).body.data.name).toBe('Two');
  });

  describe('an import with an Idempotency-Key', () => {
    const send = (key: string, path: string, names: readonly string[]): Promise<Answer> =>
      api.request('POST', `/api/vendors/import${path}`, names.map((name) => `${JSON.stringify({ name })}\n`).join(''), {
        'content-type': 'application/x-ndjson',
        'idempotency-key': key,
      });

    it('of a file that takes longer to read than a transaction may be idle succeeds', async () => {
      const chunks = FileBody.prototype.chunks;
      let pieces = 0;
      const slow = jest.spyOn(FileBody.prototype, 'chunks').mockImplementation(async function* (this: FileBody) {
        for await (const chunk of chunks.call(this)) {
          pieces++;
          await new Promise((resolve) => setTimeout(resolve, 80));
          yield chunk;
        }
      });
      try {
        const names = Array.from({ length: 16_000 }, (_, n) => `Slowly ${n} ${'x'.repeat(80)}`);
        const { status, body } = await send('slow', '', names);
        expect([status, body.data?.created]).toEqual([200, 16_000]);
        expect(pieces * 80).toBeGreaterThan(3_000);
      } finally {
        slow.mockRestore();
      }
    }, 30_000);

    it('waits for the lock of another import without a connection', async () => {
      const name = jest.spyOn(ImportKey.prototype, 'lockName', 'get').mockReturnValue('of the test');
      try {
        await other.query('BEGIN');
        await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('of the test', 0))`);
        const waiting = send('locked', '?mode=upsert&key=name', ['Locked']);
        const used: number[] = [];
        for (let n = 0; n < 100; n++) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          used.push(db.pool.totalCount - db.pool.idleCount);
        }
        // Between its attempts.
        expect(used.filter((count) => count === 0).length).toBeGreaterThan(20);
        await other.query('ROLLBACK');
        const { status, body } = await waiting;
        expect([status, body.data?.created]).toEqual([200, 1]);
      } finally {
        name.mockRestore();
      }
    }, 30_000);
  });

  it('a deadlock is retried until both transactions have succeeded', async () => {
    let attempts = 0;
    const [first, second] = ids;
    // A pool of two admits one writer at a time.
    const cross = (from: string, to: string): Promise<void> =>
      database.db.transaction(async (tx) => {
        attempts++;
        // The deadlock must be detected before the lock timeout.
        await tx.query(`SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '10s', true)`);
        await tx.query(`UPDATE sites SET facility = coalesce(facility, '') || 'x' WHERE id = $1`, [from]);
        if (attempts < 3) await new Promise((resolve) => setTimeout(resolve, 200));
        await tx.query(`UPDATE sites SET facility = coalesce(facility, '') || 'x' WHERE id = $1`, [to]);
      });
    await Promise.all([cross(first!, second!), cross(second!, first!)]);
    expect(attempts).toBeGreaterThanOrEqual(3);
    const rows = await db.query<{ facility: string }>('SELECT facility FROM sites');
    expect(rows.map(({ facility }) => facility)).toEqual(['xx', 'xx']);
  });

  it('a serialization failure is retried a few times only', async () => {
    let attempts = 0;
    const failing = (times: number): Promise<string> =>
      db.transaction(async (tx) => {
        if (attempts++ < times)
          await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END $$`);
        return 'done';
      });
    expect([await failing(2), attempts]).toEqual(['done', 3]);
    attempts = 0;
    await expect(failing(Infinity)).rejects.toThrow('collision');
    expect(attempts).toBeLessThanOrEqual(10);
  });
});
