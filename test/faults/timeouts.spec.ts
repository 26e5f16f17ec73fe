import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client, type PoolConfig } from 'pg';
import { createApp } from '../../src/app/app.setup.js';
import { Clock } from '../../src/auth/credential/clock.js';
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
import { until } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

// The embedded database has one session, which waits for nobody.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Waiting for the database: skipped, as it needs a server (TEST_DATABASE_URL)');

/** Shorter than in production, so that a test can wait for them, and much longer than a request takes that waits for nobody. */
const LIMITS = {
  lock_timeout: 3_000,
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 8_000,
  connectionTimeoutMillis: 2_000,
};

describeOnServer('waiting for the database', () => {
  let database: TestDatabase;
  let db: Database;
  let app: NestFastifyApplication;
  let api: Api;
  /** Another client of the database. */
  let other: Client;
  let ids: string[];

  /** The service with other limits. */
  async function start(
    limits: PoolConfig,
    email: string,
  ): Promise<{ app: NestFastifyApplication; db: Database; api: Api }> {
    const pool = serverPool({ ...serverConfiguration(database.url!), databasePoolSize: 2 });
    const dataSource = createDataSource({ ...pool, ...limits });
    await dataSource.initialize();
    const started = dataSource.database;
    started.pool.on('error', () => {});
    const service = await createApp({
      configuration: loadConfiguration({ LOG_LEVEL: 'silent' }),
      dataSource,
      secrets: new Secrets('a key that only the tests use, 32+'),
    });
    await service.listen(0, '127.0.0.1');
    const { port } = service.getHttpServer().address() as AddressInfo;
    const cookie = await openSession(started, service.get(Sessions), { email, role: 'admin' });
    return { app: service, db: started, api: new Api(`http://127.0.0.1:${port}`, cookie) };
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    ({ app, db, api } = await start(LIMITS, 'waiting@example.com'));
    ids = [(await api.make('/api/sites', { name: 'One' })).id, (await api.make('/api/sites', { name: 'Two' })).id];
    other = new Client({ connectionString: database.url });
    await other.connect();
  });

  afterEach(() => other.query('ROLLBACK'));
  afterAll(async () => {
    await other?.end();
    app?.getHttpServer().closeAllConnections();
    await app?.close();
    await database?.drop();
  });

  /** How many statements wait for a lock. */
  const lockWaits = async (): Promise<number> => {
    const { rows } = await database.db.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]!.count;
  };

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
        sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
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
    expect(late.body.error).toBe('Another change holds a lock that this request needs. Try again shortly');
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
    expect(slow.body.error).toBe(
      'The database took too long for this request. Try again shortly, or request less at once',
    );
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
    await until(async () => (await lockWaits()) > 0);
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
    await db.query(sql`UPDATE profiles SET updated_at = now() WHERE email = ${email}`);
    // Behind a pooler, and on another replica, the session is looked up again.
    const late = new Clock();
    late.now = () => new Date(Date.now() + 5 * 60_000);
    const limits = { idleMinutes: 30, absoluteHours: 12 };
    const sessions = new Sessions(db, late, limits);
    expect((await sessions.find(api.cookie!))?.email).toBe(email);
    await other.query('ROLLBACK');
  });

  it('an idle transaction is ended by the server and rolled back', async () => {
    const still = db.transaction(async (tx) => {
      await tx.query(sql`UPDATE sites SET name = 'Still' WHERE id = ${ids[1]}`);
      await new Promise((resolve) => setTimeout(resolve, LIMITS.idle_in_transaction_session_timeout + 1_000));
      await tx.query(sql`SELECT 1`);
    });
    await expect(still).rejects.toThrow();
    // Its lock was released with it.
    expect((await api.patch(`/api/sites/${ids[1]}`, { description: 'Free' })).body.data.name).toBe('Two');
  });

  describe('an import with an Idempotency-Key', () => {
    const send = (key: string, path: string, names: readonly string[], caller = api): Promise<Answer> =>
      caller.request(
        'POST',
        `/api/vendors/import${path}`,
        names.map((name) => `${JSON.stringify({ name })}\n`).join(''),
        {
          'content-type': 'application/x-ndjson',
          'idempotency-key': key,
        },
      );

    it('of a file that takes longer to read than a transaction may be idle succeeds', async () => {
      const chunks = FileBody.prototype.chunks;
      let pieces = 0;
      const slow = jest.spyOn(FileBody.prototype, 'chunks').mockImplementation(async function* (this: FileBody) {
        for await (const chunk of chunks.call(this)) {
          pieces++;
          await new Promise((resolve) => setTimeout(resolve, 160));
          yield chunk;
        }
      });
      // A busy machine has time enough for each of the statements.
      const patient = await start({ idle_in_transaction_session_timeout: 6_000 }, 'patient@example.com');
      try {
        const names = Array.from({ length: 16_000 }, (_, n) => `Slowly ${n} ${'x'.repeat(80)}`);
        const { status, body } = await send('slow', '', names, patient.api);
        expect([status, body.data?.created]).toEqual([200, 16_000]);
        expect(pieces * 160).toBeGreaterThan(6_000);
      } finally {
        slow.mockRestore();
        await patient.app.close();
      }
    });

    it('waits for the lock of another import without a connection', async () => {
      const name = jest.spyOn(ImportKey.prototype, 'lockName', 'get').mockReturnValue('of the test');
      try {
        await other.query('BEGIN');
        await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('of the test', 0))`);
        const waiting = send('locked', '?mode=upsert&key=name', ['Locked']);
        const tried = jest.spyOn(db, 'runTransaction');
        // Between its attempts it has none.
        for (let attempt = 1; attempt <= 3; attempt++) {
          await until(() => tried.mock.calls.length >= attempt);
          await until(() => db.pool.totalCount === db.pool.idleCount);
        }
        tried.mockRestore();
        await other.query('ROLLBACK');
        const { status, body } = await waiting;
        expect([status, body.data?.created]).toEqual([200, 1]);
      } finally {
        name.mockRestore();
      }
    });
  });

  it('a deadlock is retried until both transactions have succeeded', async () => {
    let attempts = 0;
    let holding = 0;
    const [first, second] = ids;
    // A pool of two admits one writer at a time.
    const cross = (from: string, to: string): Promise<void> =>
      database.db.transaction(async (tx) => {
        attempts++;
        await tx.query(sql`UPDATE sites SET facility = coalesce(facility, '') || 'x' WHERE id = ${from}`);
        holding++;
        // Each of the first two has the row that the other one wants.
        await until(() => holding >= 2);
        await tx.query(sql`UPDATE sites SET facility = coalesce(facility, '') || 'x' WHERE id = ${to}`);
      });
    await Promise.all([cross(first!, second!), cross(second!, first!)]);
    expect(attempts).toBeGreaterThanOrEqual(3);
    const rows = await db.query<{ facility: string }>(sql`SELECT facility FROM sites`);
    expect(rows.map(({ facility }) => facility)).toEqual(['xx', 'xx']);
  });

  it('a serialization failure is retried a few times only', async () => {
    let attempts = 0;
    const failing = (times: number): Promise<string> =>
      db.transaction(async (tx) => {
        if (attempts++ < times)
          await tx.query(sql`DO $$ BEGIN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END $$`);
        return 'done';
      });
    expect([await failing(2), attempts]).toEqual(['done', 3]);
    attempts = 0;
    await expect(failing(Infinity)).rejects.toThrow('collision');
    expect(attempts).toBeLessThanOrEqual(10);
  });
});
