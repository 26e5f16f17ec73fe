import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Configuration } from '../../src/config/configuration.js';
import { serverPool } from '../../src/database/data-source.js';
import { leadsToPooler } from '../../src/database/pooler.js';
import { openDatabase, type OpenDatabase } from '../../src/schema/open-database.js';
import { administer, onServer, serverConfiguration, urlOf } from '../support/database.js';
import { describeWith } from '../support/tools.js';
import { until } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

if (!onServer) console.warn('A pooler: skipped, as it needs a server (TEST_DATABASE_URL)');

interface Pooler {
  url: string;
  stop(): Promise<void>;
}

const { startPooler } = require('../support/pooler.mjs') as {
  startPooler(server: string, settings?: Record<string, string>): Promise<Pooler>;
};

const TIMEOUTS = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

(onServer ? describeWith('pgbouncer') : describe.skip)('behind a pooler in transaction mode', () => {
  let name: string;
  let pooler: Pooler | undefined;
  let opened: OpenDatabase | undefined;

  const said: string[] = [];
  const log = {
    error: (_: object, message: string) => void said.push(message),
    info: (_: object, message: string) => void said.push(message),
  };
  const configurationOf = (url: string, more: Partial<Configuration> = {}): Configuration => ({
    ...serverConfiguration(url),
    databasePoolSize: 4,
    // Short enough for a test to wait for it, and long enough for a busy machine.
    statementTimeout: 5_000,
    ...more,
  });
  /** The URL of the test's database through a pooler. */
  const throughPooler = async (settings?: Record<string, string>): Promise<string> => {
    pooler = await startPooler(urlOf(name), settings);
    return pooler.url;
  };

  beforeEach(async () => {
    name = `${process.env.TEST_DATABASE_TEMPLATE}_${randomBytes(5).toString('hex')}`;
    said.length = 0;
    await administer(`CREATE DATABASE ${name} TEMPLATE ${process.env.TEST_DATABASE_TEMPLATE}`);
  });

  afterEach(async () => {
    await opened?.close();
    await pooler?.stop();
    opened = pooler = undefined;
    await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  it.each([
    ['refuses the settings of a connection', {}],
    ['ignores them', { ignore_startup_parameters: TIMEOUTS }],
  ])('finds one that %s, and limits what a statement may take', async (_, settings) => {
    const url = await throughPooler({ ...settings, default_pool_size: '4', server_lifetime: '1' });
    expect(await leadsToPooler(serverPool(configurationOf(url)))).toBe(true);
    expect(await leadsToPooler(serverPool(configurationOf(urlOf(name))))).toBe(false);
    opened = await openDatabase(configurationOf(url), log);
    expect(said[0]).toContain('through a pooler');
    const { db } = opened;
    const shown = async (): Promise<object> =>
      (
        await db.query(
          sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
             current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit`,
        )
      )[0]!;
    // Connections that the pooler had are replaced after a second.
    const expected = { statement: '5s', lock: '5s', idle: '10s', jit: 'off' };
    await until(shown, (found) => JSON.stringify(found) === JSON.stringify(expected));
    await expect(db.query(sql`SELECT pg_sleep(20)`)).rejects.toMatchObject({ code: '57014' });
  });

  it('settles the connections that the pooler has already', async () => {
    await administer(
      `ALTER DATABASE ${name} SET datestyle = 'German'`,
      `ALTER DATABASE ${name} SET extra_float_digits = 0`,
    );
    const url = await throughPooler({ default_pool_size: '4' });
    const clients = Array.from({ length: 4 }, () => new Client({ connectionString: url }));
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    await Promise.all(clients.map((client) => client.query('SELECT pg_sleep(0.1)')));
    opened = await openDatabase(configurationOf(url), log);
    expect(said.at(-1)).toContain('were replaced');
    const { db } = opened;
    const shown = await Promise.all(
      Array.from({ length: 4 }, () =>
        db.query(sql`SELECT 0.1::float8 + 0.2 AS sum, '2026-01-02'::date::text AS day, pg_sleep(0.1)::text AS slept`),
      ),
    );
    expect(shown.map(([row]) => row)).toEqual(
      Array.from({ length: 4 }, () => ({ sum: 0.1 + 0.2, day: '2026-01-02', slept: '' })),
    );
    // What was done once is not done again.
    await (await openDatabase(configurationOf(url), log)).close();
    expect(said.filter((message) => message.includes('were replaced'))).toHaveLength(1);
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  });

  it('refuses what no setting can mend', async () => {
    await administer(`ALTER DATABASE ${name} SET session_replication_role = 'replica'`);
    await expect(openDatabase(configurationOf(await throughPooler()), log)).rejects.toThrow(
      'session_replication_role is replica',
    );
  });

  it('keeps what the operator has set', async () => {
    await administer(`ALTER DATABASE ${name} SET statement_timeout = '77s'`);
    opened = await openDatabase(configurationOf(await throughPooler()), log);
    const client = new Client({ connectionString: urlOf(name) });
    await client.connect();
    try {
      const { rows } = await client.query('SHOW statement_timeout');
      expect(rows[0].statement_timeout).toBe('77s');
      expect((await client.query('SHOW lock_timeout')).rows[0].lock_timeout).toBe('5s');
    } finally {
      await client.end();
    }
  });

  it('follows its configuration at each start', async () => {
    const url = await throughPooler();
    const shown = async (): Promise<string> => {
      const client = new Client({ connectionString: urlOf(name) });
      await client.connect();
      try {
        return (await client.query('SHOW statement_timeout')).rows[0].statement_timeout;
      } finally {
        await client.end();
      }
    };
    for (const [statementTimeout, expected] of [
      [5_000, '5s'],
      [60_000, '1min'],
      [60_000, '1min'],
      [4_000, '4s'],
    ] as const) {
      await (await openDatabase(configurationOf(url, { statementTimeout }), log)).close();
      expect(await shown()).toBe(expected);
    }
    // The third start found its own value.
    expect(said.filter((message) => message.startsWith('Set as defaults'))).toHaveLength(3);
  });

  it('runs the same statements on all connections of the pooler at the same time', async () => {
    opened = await openDatabase(configurationOf(await throughPooler({ default_pool_size: '3' })), log);
    const { db } = opened;
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    const doubled = await Promise.all(
      numbers.map(async (n) =>
        n % 2 === 0
          ? (await db.query<{ n: number }>(sql`SELECT 2 * ${n}::int AS n`))[0]!.n
          : db.transaction(async (tx) => (await tx.query<{ n: number }>(sql`SELECT 2 * ${n}::int AS n`))[0]!.n),
      ),
    );
    expect(doubled).toEqual(numbers.map((n) => 2 * n));
  });

  it('leaves nothing on the connections of the pooler that others would have', async () => {
    opened = await openDatabase(configurationOf(await throughPooler({ default_pool_size: '1' })), log);
    const client = new Client({ connectionString: pooler!.url });
    await client.connect();
    try {
      const { rows } = await client.query(
        `SELECT ARRAY(SELECT pg_listening_channels()) AS channels, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
           (SELECT count(*)::int FROM pg_locks JOIN pg_database d ON d.oid = database
              WHERE locktype = 'advisory' AND datname = current_database()) AS locks`,
      );
      expect(rows[0]).toEqual({ channels: [], prepared: 0, locks: 0 });
    } finally {
      await client.end();
    }
  });

  it('does not migrate through it, and says what to do', async () => {
    await administer(`DROP DATABASE ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`);
    const url = await throughPooler();
    await expect(openDatabase(configurationOf(url), log)).rejects.toThrow(
      'run `npm run migrate` with a DATABASE_URL that leads to the server itself',
    );
    await expect(openDatabase(configurationOf(url, { databaseMigrationUrl: url }), log)).rejects.toThrow(
      'DATABASE_MIGRATION_URL leads to a pooler',
    );
    opened = await openDatabase(configurationOf(urlOf(name)), log);
    await opened.close();
    opened = await openDatabase(configurationOf(url), log);
    expect(await opened.db.query(sql`SELECT FROM sites`)).toEqual([]);
  });
});
