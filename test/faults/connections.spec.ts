import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { createApp } from '../../src/app/app.setup.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { serverPool } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import type { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/executor.js';
import { Secrets } from '../../src/access/secrets.js';
import { Api, TestClock, type Answer } from '../support/app.js';
import {
  administer,
  createTestDatabase,
  onServer,
  serverConfiguration,
  type TestDatabase,
} from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { sql } from '../../src/database/sql.js';

// The embedded database has no connections that could break.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Faults of connections: skipped, as they need a server (TEST_DATABASE_URL)');

const POOL_SIZE = 4;

describeOnServer('a connection to the database that breaks', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let db: Database;
  let app: NestFastifyApplication;
  let api: Api;
  const log: { level: number; msg: string; failures?: number }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = database.url!;
    proxy = await DatabaseProxy.open(url);
    const pool = serverPool({ ...serverConfiguration(proxy.through(url)), databasePoolSize: POOL_SIZE });
    // Short enough for a test to wait for the timeouts, and long enough for a busy machine.
    const dataSource = createDataSource({ ...pool, query_timeout: 4_000, connectionTimeoutMillis: 4_000 });
    await dataSource.initialize();
    db = dataSource.database;
    const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
    db.outage.logTo(logger);
    // The session is not looked up again, however long a test takes.
    const clock = new TestClock();
    clock.stop();
    app = await createApp({
      clock,
      configuration: loadConfiguration({}),
      logger,
      dataSource,
      secrets: new Secrets('a key that only the tests use, 32+'),
    });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const email = 'faults@example.com';
    api = new Api(`http://127.0.0.1:${port}`, await openSession(db, app.get(Sessions), { email, role: 'admin' }));
  });

  afterAll(async () => {
    app?.getHttpServer().closeAllConnections();
    await app?.close();
    await proxy?.close();
    await database?.drop();
  });

  /** Every connection of the pool works: as many concurrent transactions as it has are all answered. */
  async function expectWholePool(): Promise<void> {
    const answers = await Promise.all(
      Array.from({ length: POOL_SIZE }, (_, index) =>
        db.transaction((tx) => tx.query<{ index: number }>(sql`SELECT ${index}::int AS index`)),
      ),
    );
    expect(answers.map(([row]) => row!.index)).toEqual([0, 1, 2, 3]);
    expect(db.pool.waitingCount).toBe(0);
    expect(db.pool.totalCount).toBeLessThanOrEqual(POOL_SIZE);
  }

  const stored = (name: string): Promise<{ n: number }[]> =>
    database.db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM runbooks WHERE name = ${name}`);

  /** The port of the connection of the service that waits for a lock. */
  async function waitingPort(): Promise<number> {
    for (;;) {
      const [waiting] = await database.db.query<{ port: number }>(
        sql`SELECT client_port AS port FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (waiting) return waiting.port;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The port of the connection of a transaction. */
  const portOf = async (tx: Transaction): Promise<number> =>
    (await tx.query<{ port: number }>(sql`SELECT inet_client_port() AS port`))[0]!.port;

  it.each(['cut', 'reset', 'stall'] as const)(
    '%s during a query: 503, and the next request succeeds',
    async (fault) => {
      expect((await api.get('/api/runbooks?search=before')).status).toBe(200);
      const asked = await database.db.transaction(async (tx) => {
        await tx.query(sql`LOCK TABLE runbooks`);
        const response = api.get(`/api/runbooks?search=fault-${fault}`);
        proxy.break(await waitingPort(), fault);
        return { refused: await response };
      });
      expect(asked.refused.status).toBe(503);
      expect(asked.refused.headers.get('retry-after')).toBe('2');
      expect((await api.get('/api/runbooks?search=after')).status).toBe(200);
      await expectWholePool();
    },
  );

  it('answers with 503 while the database takes no connections, and recovers', async () => {
    const name = new URL(database.url!).pathname.slice(1);
    await administer(
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    const refused = await api.get('/api/runbooks?search=refused');
    await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await api.get('/api/runbooks?search=accepted')).status).toBe(200);
    await expectWholePool();
  });

  it.each(['cut', 'reset', 'stall'] as const)(
    '%s during the response to COMMIT: never a false success, never done twice',
    async (fault) => {
      const name = `commit-${fault}`;
      let sprung: Promise<void>;
      let attempts = 0;
      await expect(
        db.transaction(async (tx) => {
          attempts++;
          await tx.query(sql`INSERT INTO runbooks (name) VALUES (${name})`);
          // Nothing but COMMIT follows.
          sprung = proxy.onNext(await portOf(tx), 'response', fault);
        }),
      ).rejects.toThrow();
      await sprung!;
      // The server had committed. The caller must check, because nobody else can know.
      expect(attempts).toBe(1);
      expect((await stored(name))[0]!.n).toBe(1);
      await expectWholePool();
    },
  );

  it.each(['cut', 'reset', 'stall'] as const)('%s before COMMIT arrives: nothing is kept', async (fault) => {
    const name = `before-commit-${fault}`;
    let sprung: Promise<void>;
    await expect(
      db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO runbooks (name) VALUES (${name})`);
        sprung = proxy.onNext(await portOf(tx), 'request', fault);
      }),
    ).rejects.toThrow();
    await sprung!;
    await expectWholePool();
    expect((await stored(name))[0]!.n).toBe(0);
  });

  it('a request whose COMMIT had no response is a 503', async () => {
    const vendor = await api.make('/api/vendors', { name: 'Vendor' });
    const order = await api.make('/api/purchase-orders', {
      orderNumber: 'F-1',
      vendorId: vendor.id,
      items: [{ name: 'Switch', quantity: 3 }],
    });
    // COMMIT runs what is deferred, and waits in it for this lock.
    await database.db.query(
      sql`CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'`,
    );
    await database.db.query(
      sql`CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON purchase_orders DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`,
    );
    const { sprung, receiving } = await database.db.transaction(async (tx) => {
      await tx.query(sql`SELECT pg_advisory_xact_lock(1)`);
      const sent = api.post(`/api/purchase-orders/${order.id}/receive`, {
        items: [{ itemId: order.items[0].id, quantity: 2, assets: [{}, {}] }],
      });
      return { sprung: proxy.onNext(await waitingPort(), 'response', 'reset'), receiving: sent };
    });
    const response = await receiving;
    await sprung;
    expect(response.status).toBe(503);
    await database.db.query(sql`DROP FUNCTION wait_at_commit CASCADE`);
    const [sums] = await database.db.query<{ received: number; assets: number }>(
      sql`SELECT (SELECT sum(quantity_received)::int FROM purchase_order_items) AS received,
              (SELECT count(*)::int FROM assets WHERE purchase_order_id = ${order.id}) AS assets`,
    );
    expect(sums).toEqual({ received: 2, assets: 2 });
  });

  it('a connection that breaks between two statements of a transaction: refused as unavailable', async () => {
    const failure = await db
      .transaction(async (tx) => {
        await tx.query(sql`SELECT 1`);
        proxy.breakAll('reset');
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tx.query(sql`SELECT 2`);
      })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { toDomainError } = await import('../../src/database/database-errors.js');
    expect(toDomainError(failure)?.refusal.status).toBe(503);
    await expectWholePool();
  });

  it('a transaction with an ignored failed statement is not a success', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO runbooks (name) VALUES (${'overlooked'})`);
        await tx.query(sql`SELECT 1 / 0`).catch(() => {});
      }),
    ).rejects.toThrow('COMMIT was answered with ROLLBACK');
    expect((await stored('overlooked'))[0]!.n).toBe(0);
    await expectWholePool();
  });

  it.each(['cut', 'reset', 'stall'] as const)(
    'an unavailable database (%s): live, not ready, and back',
    async (fault) => {
      proxy.onConnect = fault;
      proxy.breakAll('reset');
      expect((await api.get('/health/live')).status).toBe(200);
      expect((await api.get('/health/ready')).status).toBe(503);
      expect((await api.get('/api/runbooks')).status).toBe(503);
      proxy.onConnect = 'none';
      await expectWholePool();
      expect((await api.get('/health/ready')).status).toBe(200);
      expect((await api.get('/api/runbooks')).status).toBe(200);
    },
  );

  it('connections that failed silently while they were idle: the next requests succeed', async () => {
    await expectWholePool();
    proxy.silenceAll();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const answers = await Promise.all(Array.from({ length: 2 * POOL_SIZE }, () => api.get('/api/runbooks')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 2 * POOL_SIZE }, () => 200));
    await expectWholePool();
  });

  it('a page that waited for others, which had no response, does not wait for a connection of its own', async () => {
    const ask = (): Promise<Answer[]> =>
      Promise.all(Array.from({ length: POOL_SIZE }, () => api.get('/api/runbooks?pageSize=5')));
    await ask();
    await expectWholePool();
    const before = proxy.accepted;
    proxy.onConnect = 'stall';
    proxy.silenceAll();
    const sent = ask();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const waited = ask();
    const answers = [...(await sent), ...(await waited)];
    proxy.onConnect = 'none';
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      answers.map(() => [503, '2']),
    );
    expect(proxy.accepted).toBe(before);
    await expectWholePool();
  });

  it('the start and the end of an outage are logged once', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await api.get('/api/runbooks');
    log.length = 0;
    proxy.onConnect = 'reset';
    proxy.breakAll('reset');
    for (let n = 0; n < 5; n++) expect((await api.get('/api/runbooks')).status).toBe(503);
    proxy.onConnect = 'none';
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let n = 0; n < 2; n++) expect((await api.get('/api/runbooks')).status).toBe(200);
    const told = log.filter(({ msg }) => msg !== 'request');
    expect(told.map(({ level, msg }) => [level, msg])).toEqual([
      [50, 'The database is not available'],
      [30, 'The database is available again'],
    ]);
    expect(told[1]!.failures).toBeGreaterThanOrEqual(5);
  });

  it('leaves no connection behind', async () => {
    await expectWholePool();
    expect(proxy.open).toBeLessThanOrEqual(POOL_SIZE);
  });
});
