import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { Client, Pool, type PoolClient, type QueryConfig } from 'pg';
import { askOwner } from './data-dir-lock.js';
import { EmbeddedDatabase } from './embedded-database.js';
import { frontendMessage } from './pglite-session.js';
import { itInFull } from '../../../test/support/size.js';

// PgliteStream, under test here, speaks the protocol of PostgreSQL. Its tests therefore write messages of that protocol, and
// use pg's own connection where a client breaks off within them.

// PGlite throws an error through the engine, like a stack overflow in V8, but reproducibly.
const BREAKING = `COPY (SELECT 1) TO PROGRAM 'true'`;

const rowsOf = async (
  on: Pool | Client | PoolClient,
  sql: string | QueryConfig,
  values?: unknown[],
): Promise<unknown[]> => (await on.query(sql, values)).rows;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the embedded database, in memory', () => {
  let embedded: EmbeddedDatabase;
  let pool: Pool;

  beforeAll(async () => {
    embedded = await EmbeddedDatabase.open();
  });
  afterAll(() => embedded.close());

  beforeEach(async () => {
    pool = new Pool(embedded.poolOptions());
    pool.on('error', () => {});
    await pool.query('DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, name text)');
  });
  afterEach(() => pool.end());

  /** Runs `work` with a separate client, which gets the session once the pool has released it. */
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    await pool.end();
    pool = new Pool(embedded.poolOptions());
    pool.on('error', () => {});
    const client = new Client(embedded.poolOptions());
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  it('is a current PostgreSQL in UTC with the extensions', async () => {
    await pool.query('CREATE EXTENSION pg_trgm; CREATE EXTENSION citext; CREATE EXTENSION btree_gist');
    expect(
      await rowsOf(pool, `SELECT current_setting('TimeZone') AS zone, similarity('abc', 'abd') > 0 AS similar`),
    ).toEqual([{ zone: 'UTC', similar: true }]);
  });

  it('leaves the memory of the machine to others', async () => {
    expect(await rowsOf(pool, 'SHOW shared_buffers')).toEqual([{ shared_buffers: '32MB' }]);
  });

  it('honours a rollback', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO t VALUES (1)');
    await client.query('ROLLBACK');
    client.release();
    expect(await rowsOf(pool, 'SELECT * FROM t')).toEqual([]);
  });

  it.each([
    ['simple', 'SELEC 1', undefined],
    ['prepared', 'SELECT 1/$1::int', [0]],
    ['constraint', 'INSERT INTO t VALUES ($1), ($1)', [1]],
  ])('responds after a failed query (%s)', async (_kind, sql, values) => {
    await expect(pool.query(sql, values)).rejects.toMatchObject({ code: expect.stringMatching(/^\w{5}$/) });
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('locks rows in a transaction, which stays aborted after an error until it is rolled back', async () => {
    await pool.query('INSERT INTO t VALUES (1)');
    const client = await pool.connect();
    await client.query('BEGIN');
    expect(await rowsOf(client, 'SELECT id FROM t WHERE id = $1 FOR UPDATE', [1])).toEqual([{ id: 1 }]);
    await expect(client.query('bogus')).rejects.toMatchObject({ code: '42601' });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    client.release();
  });

  it('rolls back the work of a client that was destroyed within a transaction', async () => {
    const client = await pool.connect();
    await client.query(`SET search_path = nowhere; SET TimeZone = 'Asia/Tokyo'; CREATE TEMP TABLE left_behind (a int)`);
    await client.query('BEGIN');
    await client.query('INSERT INTO public.t VALUES (1)');
    client.release(true);
    expect(await rowsOf(pool, 'SELECT * FROM t')).toEqual([]);
    expect(
      await rowsOf(pool, `SELECT to_regclass('left_behind') AS temp, current_setting('TimeZone') AS zone`),
    ).toEqual([{ temp: null, zone: 'UTC' }]);
  });

  it('rolls back the work of a client that was destroyed during a statement or before it sent Sync', async () => {
    await withClient(async (client) => {
      await client.query('BEGIN');
      const running = client.query('INSERT INTO t SELECT generate_series(1, 20000)');
      const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
      setImmediate(() => stream.destroy());
      await expect(running).rejects.toThrow('Connection terminated');
    });
    await withClient(async (client) => {
      const { connection } = client as unknown as { connection: { parse(query: object): void; flush(): void } };
      connection.parse({ text: 'SELECT bogus' });
      connection.flush();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    expect(await rowsOf(pool, 'SELECT * FROM t')).toEqual([]);
  });

  it('lets the next client prepare a statement of the same name', async () => {
    for (const [text, value] of [
      ['SELECT $1::int AS value', 7],
      ['SELECT $1::text AS value', '7'],
    ]) {
      const rows = await withClient((client) => rowsOf(client, { name: 's', text: String(text) }, [7]));
      expect(rows).toEqual([{ value }]);
    }
  });

  it('serves one client at a time: a second one waits until the first has disconnected', async () => {
    const order: string[] = [];
    await withClient(async (first) => {
      await first.query('BEGIN');
      const second = pool.query('SELECT count(*)::int AS count FROM t').then(({ rows }) => {
        order.push('second');
        return rows;
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await first.query('INSERT INTO t VALUES (1)');
      await first.query('COMMIT');
      order.push('first');
      void second.then((rows) => expect(rows).toEqual([{ count: 1 }]));
    });
    await pool.query('SELECT 1');
    expect(order).toEqual(['first', 'second']);
  });

  it('continues when waiting clients disconnect', async () => {
    const holder = await pool.connect();
    const waiting = Array.from({ length: 3 }, () => {
      const client = new Client({ ...embedded.poolOptions(), connectionTimeoutMillis: 20 });
      client.on('error', () => {});
      return client.connect();
    });
    for (const connecting of waiting) await expect(connecting).rejects.toThrow('timeout expired');
    holder.release();
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('responds to 200 concurrent queries, each with its own result', async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, i) => rowsOf(pool, 'SELECT $1::int AS i', [i])),
    );
    expect(responses).toEqual(Array.from({ length: 200 }, (_, i) => [{ i }]));
  });

  it('carries a large result and a large parameter', async () => {
    const rows = await rowsOf(pool, `SELECT i, repeat('ä', 256) AS text FROM generate_series(1, 10000) i`);
    expect(rows).toHaveLength(10_000);
    expect(rows.at(-1)).toEqual({ i: 10_000, text: 'ä'.repeat(256) });
    const text = 'ö'.repeat(512 * 1024);
    expect(await rowsOf(pool, 'SELECT $1::text AS text', [text])).toEqual([{ text }]);
  });

  it('lets timers fire between queries', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const queries = Array.from({ length: 300 }, () => pool.query('SELECT count(*) FROM generate_series(1, 5000)'));
    await Promise.all(queries);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(50);
  });

  it('reads a result in portions and delivers notifications', async () => {
    await withClient(async (client) => {
      const portions = { text: 'SELECT generate_series(1, 5) AS i', rows: 2 };
      expect((await client.query(portions)).rows).toEqual([1, 2, 3, 4, 5].map((i) => ({ i })));
      const heard: unknown[] = [];
      client.on('notification', ({ channel, payload }) => heard.push([channel, payload]));
      await client.query('LISTEN news');
      await client.query(`NOTIFY news, 'hello'`);
      expect(heard).toEqual([['news', 'hello']]);
    });
  });

  it.each([[undefined], [[]]])('refuses COPY FROM STDIN and continues (values: %p)', async (values) => {
    await expect(pool.query({ text: 'COPY t FROM STDIN', values })).rejects.toMatchObject({ code: '57014' });
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('responds to a request for TLS', async () => {
    const client = new Client({ ...embedded.poolOptions(), ssl: true });
    client.on('error', () => {});
    await expect(client.connect()).rejects.toThrow('The server does not support SSL connections');
  });

  it.each([1, 3, 100_000])('accepts messages in pieces of %i bytes', async (size) => {
    const statements = ['SELECT 1', 'bogus', 'SELECT 2'].map((sql) => frontendMessage('Q', `${sql}\0`));
    const startup = Buffer.from(`\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0\0`, 'latin1');
    startup.writeInt32BE(startup.length);
    const bytes = Buffer.concat([startup, ...statements, frontendMessage('X')]);
    await pool.end();
    pool = new Pool(embedded.poolOptions());
    const stream = embedded.poolOptions().stream!()!;
    let response = '';
    stream.setEncoding('latin1').on('data', (text: string) => (response += text));
    for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => stream.on('close', resolve));
    const outcomes = [...response.matchAll(/SELECT 1\0|SERROR\0|Z\0\0\0.I/gs)].map(([text]) => text[0]);
    expect(outcomes.join('')).toBe('ZSZSZSZ');
  });

  it('is not restarted once it broke in memory, where its data is lost', async () => {
    const other = await EmbeddedDatabase.open();
    const itsPool = new Pool(other.poolOptions());
    await expect(itsPool.query(BREAKING)).rejects.toMatchObject({ code: '57P02' });
    await expect(itsPool.query('SELECT 1')).rejects.toMatchObject({ code: '57P03' });
    await itsPool.end();
    await other.close();
  });

  it('vacuums, analyzes and checkpoints only after writes', async () => {
    await pool.query('INSERT INTO t SELECT generate_series(1, 1000); DELETE FROM t WHERE id > 500');
    const work = async () => {
      const [row] = await rowsOf(
        pool,
        `SELECT (SELECT sum(vacuum_count)::int FROM pg_stat_all_tables) AS vacuums,
           (SELECT sum(analyze_count)::int FROM pg_stat_all_tables) AS analyses,
           (SELECT checkpoint_lsn::text FROM pg_control_checkpoint()) AS checkpoint`,
      );
      return row as { vacuums: number; analyses: number; checkpoint: string };
    };
    const checkpointAfter = async ({ checkpoint }: { checkpoint: string }) => {
      for (;;) {
        await pause(10);
        const now = await work();
        if (now.checkpoint !== checkpoint) return now;
      }
    };
    const before = await work();
    const errors: unknown[] = [];
    embedded.startMaintenance(pool, (error) => errors.push(error), 10);
    const first = await checkpointAfter(before);
    expect(first.vacuums - before.vacuums).toBeGreaterThan(10);
    expect(first.analyses - before.analyses).toBeGreaterThan(10);
    expect(await rowsOf(pool, `SELECT reltuples FROM pg_class WHERE relname = 't'`)).toEqual([{ reltuples: 500 }]);

    // What the first rounds have written themselves is seen by the next ones. Then dozens of rounds do nothing. On a busy machine one may
    // take longer than a pause.
    let settled = first;
    for (let same = 0; same < 3;) {
      await pause(300);
      const now = await work();
      same = JSON.stringify(now) === JSON.stringify(settled) ? same + 1 : 0;
      settled = now;
    }
    expect(settled.vacuums - first.vacuums).toBeLessThan(20);

    await pool.query('DELETE FROM t');
    const again = await checkpointAfter(settled);
    expect(again.vacuums).toBeGreaterThan(settled.vacuums);
    expect(again.vacuums - settled.vacuums).toBeLessThan(10);
    expect(errors).toEqual([]);
  });
});

describe('the embedded database, in a directory', () => {
  let folder: string;
  const open: EmbeddedDatabase[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  });
  afterEach(async () => {
    for (const database of open.splice(0)) await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const openIn = async (dataDir: string) => {
    const embedded = await EmbeddedDatabase.open({ dataDir });
    open.push(embedded);
    const pool = new Pool(embedded.poolOptions());
    pool.on('error', () => {});
    return { embedded, pool };
  };

  itInFull(
    'refuses a second process, and keeps records across a restart and a statement that breaks the engine',
    async () => {
      const dataDir = join(folder, 'not', 'yet', 'there');
      const first = await openIn(dataDir);
      await expect(EmbeddedDatabase.open({ dataDir })).rejects.toThrow(
        `The data directory ${dataDir} is in use by another process (pid ${process.pid}). Stop it first, or give this one its own DATA_DIR.`,
      );
      await first.pool.query('CREATE TABLE t (id int); INSERT INTO t VALUES (1)');
      await first.pool.end();
      await Promise.all([first.embedded.close(), first.embedded.close()]);

      const { embedded, pool } = await openIn(dataDir);
      const client = await pool.connect();
      await client.query('INSERT INTO t VALUES (2)');
      await client.query('BEGIN');
      await client.query('INSERT INTO t VALUES (3)');
      const lost = new Promise((resolve) => client.on('error', resolve));
      await expect(client.query(BREAKING)).rejects.toMatchObject({ code: '57P02' });
      await lost;
      client.release(true);
      for (const statement of [{ text: BREAKING }, { text: BREAKING, values: [] }]) {
        await expect(pool.query(statement)).rejects.toMatchObject({ code: '57P02' });
        expect(await rowsOf(pool, 'SELECT id FROM t ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
      }
      await expect(pool.query(BREAKING)).rejects.toThrow('crashed');
      await embedded.close();
      await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '57P03' });
      await pool.end();
      expect(await askOwner(dataDir, {})).toBeNull();
    },
  );

  it('explains why a directory cannot be used', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(openIn(file)).rejects.toThrow(/^The data directory .*file cannot be used by this process: EEXIST/);
    await expect(openIn(join(file, 'below'))).rejects.toThrow('cannot be used by this process: ENOTDIR');

    mkdirSync(join(folder, 'postgres'));
    await expect(openIn(folder)).rejects.toThrow('it has no PG_VERSION');
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    await expect(openIn(folder)).rejects.toThrow('postgresql.conf');
    // Each refusal must have released the directory.
    expect(await askOwner(folder, {})).toBeNull();
  });

  itInFull(
    'starts after an interrupted first start, and refuses the files of another version of PostgreSQL',
    async () => {
      mkdirSync(join(folder, 'postgres.incomplete', 'base'), { recursive: true });
      const { pool, embedded } = await openIn(folder);
      expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await pool.end();
      await embedded.close();

      writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n');
      await expect(openIn(folder)).rejects.toThrow(/initialized by PostgreSQL version 17, which is not compatible/);
    },
  );
});
