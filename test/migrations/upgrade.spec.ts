import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { loadConfiguration } from '../../src/config/configuration.js';
import { migrate } from '../../src/database/data-source.js';
import { EmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { records } from '../../src/schema/entities.js';
import { migrations } from '../../src/schema/migrations/index.js';
import { openDatabase } from '../../src/schema/open-database.js';
import { recordTableOf } from '../../src/schema/record-table-of.js';
import { administer, createTestDatabase, onServer, urlOf } from '../support/database.js';

/** A filled database of the last version before the baseline: the demo estate, a log, secrets, tokens and sessions. */
const FORMER = gunzipSync(readFileSync(join(__dirname, '../fixtures/upgrade/before-baseline.sql.gz'))).toString();

type Sql = <R = Record<string, unknown>>(text: string) => Promise<R[]>;

interface Upgraded {
  /** As the role of the service. */
  sql: Sql;
  upgrade(): Promise<void>;
  close(): Promise<void>;
}

const sqlOf =
  (dataSource: DataSource): Sql =>
  (text) =>
    dataSource.query(text);

/** @param roles one that owns the tables and serves, or one for each */
async function formerOnServer(roles: 1 | 2): Promise<Upgraded> {
  const name = `${process.env.TEST_DATABASE_PREFIX}_upgrade_${randomBytes(4).toString('hex')}`;
  const users = [`${name}_owner`, `${name}_service`].slice(0, roles);
  const [owner, service] = users.map((user) => {
    const url = new URL(urlOf(name));
    url.username = user;
    url.password = 'upgrade';
    return url.toString();
  });
  await administer(
    ...users.map((user) => `CREATE ROLE ${user} LOGIN PASSWORD 'upgrade'`),
    `CREATE DATABASE ${name} OWNER ${users[0]}`,
  );
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  await client.query(`ALTER SCHEMA public OWNER TO ${users[0]}`);
  await client.end();
  const restored = new Client({ connectionString: owner });
  await restored.connect();
  await restored.query(FORMER);
  await restored.query(`RESET ALL`);
  const settings = service ? { DATABASE_URL: service, DATABASE_MIGRATION_URL: owner } : { DATABASE_URL: owner };
  let close = (): Promise<void> => Promise.resolve();
  let sql: Sql = async (text) => (await restored.query(text)).rows;
  return {
    sql: (text) => sql(text),
    async upgrade() {
      const opened = await openDatabase(loadConfiguration(settings), { error: () => {}, info: () => {} });
      sql = sqlOf(opened.dataSource);
      close = () => opened.close();
    },
    async close() {
      await close();
      await restored.end();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`, ...users.toReversed().map((user) => `DROP ROLE ${user}`));
    },
  };
}

async function formerEmbedded(): Promise<Upgraded> {
  const embedded = await EmbeddedDatabase.open({});
  const pool = embedded.poolOptions();
  const dataSource = await createDataSource(pool).initialize();
  await dataSource.query(FORMER);
  await dataSource.query('RESET ALL');
  return {
    sql: sqlOf(dataSource),
    upgrade: () => migrate(dataSource, pool, false),
    async close() {
      await dataSource.destroy();
      await embedded.close();
    },
  };
}

const databases: [string, () => Promise<Upgraded>][] = onServer
  ? [
      ['of one role', () => formerOnServer(1)],
      ['of two roles', () => formerOnServer(2)],
    ]
  : [['that is embedded', formerEmbedded]];

interface Rows {
  rows: number;
  digest: string;
  columns: string;
}

/**
 * Number and digest of the rows of every table. Counts are compared with what they count.
 * @param before what there was: only the columns of then that are still there are compared
 */
async function contents(sql: Sql, before: Record<string, Rows> = {}): Promise<Record<string, Rows>> {
  const tables = await sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
     AND relname NOT IN ('migrations', 'record_counts', 'value_counts') ORDER BY 1`,
  );
  const found: Record<string, Rows> = {};
  for (const { name } of tables) {
    const [present] = await sql<{ columns: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    const now = present!.columns.split(', ');
    const columns = now.filter((column) => before[name]?.columns.split(', ').includes(column) ?? true).join(', ');
    const [rows] = await sql<Omit<Rows, 'columns'>>(
      `SELECT count(*)::int AS rows, md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS digest FROM (SELECT ${columns} FROM ${name}) t`,
    );
    found[name] = { ...rows!, columns: before[name]?.columns ?? columns };
  }
  return found;
}

/** Kept totals that are not those of the rows. */
async function wrongCounts(sql: Sql): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const { table, listed, counted } of [...records.map(recordTableOf)]) {
    const [total] = await sql(
      `SELECT '${table}' AS name, (SELECT count(*)::int FROM ${table}) AS rows,
         coalesce((SELECT sum(delta)::int FROM record_counts WHERE table_name = '${table}'), 0) AS kept`,
    );
    if (total!.rows !== total!.kept && listed && table !== 'sessions') wrong.push(total);
    for (const column of counted) {
      wrong.push(
        ...(await sql(
          `SELECT '${table}' AS name, value, sum(n) FROM (
             SELECT value, delta AS n FROM value_counts WHERE table_name = '${table}' AND column_name = '${column}'
             UNION ALL SELECT ${column}, -count(*) FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1
           ) c GROUP BY value HAVING sum(n) <> 0`,
        )),
      );
    }
  }
  return wrong;
}

/**
 * Everything that migrations make, without the months of the log. Conversions of lists of texts are left out: a restored dump has
 * them in other places.
 */
const schemaOf = (sql: Sql): Promise<unknown[]> =>
  sql(
    `SELECT kind, name, regexp_replace(text, '::(character varying|text)(\\[\\])?|[()]', '', 'g') AS text FROM (
       SELECT 'column' AS kind, table_name || '.' || column_name AS name,
         concat_ws(' ', data_type, character_maximum_length, datetime_precision, is_nullable, column_default) AS text
         FROM information_schema.columns WHERE table_schema = 'public'
       UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
       UNION ALL SELECT 'trigger', tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT 'function', oid::regprocedure::text, pg_get_functiondef(oid) || coalesce(array_length(proacl, 1)::text, '') FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND probin IS NULL
     ) found WHERE name !~ 'change_log_(2|default)' AND name !~ '_not_null$' ORDER BY 1, 2`,
  );

describe.each(databases)('a filled database of the last version before the baseline, %s', (_, start) => {
  let database: Upgraded;
  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database?.close());
  const sql: Sql = (text) => database.sql(text);

  it('is refused without the last migration of that version, and stays as it is', async () => {
    const isLast = `name = 'AssignmentsOfNobody1795600000001'`;
    const [last] = await sql<{ timestamp: string; name: string }>(
      `SELECT timestamp, name FROM migrations WHERE ${isLast}`,
    );
    await sql(`DELETE FROM migrations WHERE ${isLast}`);
    const before = await contents(sql);
    await expect(database.upgrade()).rejects.toThrow('Start the release before this one once, then this one again');
    expect(await contents(sql)).toEqual(before);
    await sql(`INSERT INTO migrations (timestamp, name) VALUES (${last!.timestamp}, '${last!.name}')`);
  });

  it('is upgraded without a loss', async () => {
    const before = await contents(sql);
    expect(Object.keys(before).length).toBeGreaterThan(50);
    expect(before).toMatchObject({
      sites: { rows: 31 },
      tokens: { rows: 1 },
      sessions: { rows: 1 },
      change_log: { rows: expect.any(Number) },
    });
    await database.upgrade();
    // Later migrations add tables and columns.
    expect(await contents(sql, before)).toMatchObject(before);
    expect(await sql('SELECT name FROM migrations ORDER BY timestamp')).toEqual(
      migrations.map(({ name }) => ({ name })),
    );
    expect(await wrongCounts(sql)).toEqual([]);
  });

  it('has the schema of a new one', async () => {
    const created = await createTestDatabase();
    try {
      const expected = await schemaOf(sqlOf(created.dataSource));
      expect(expected.length).toBeGreaterThan(800);
      const grants = (rows: unknown[]): unknown[] =>
        (rows as { kind: string; text: string }[]).map((row) =>
          row.kind === 'function' ? { ...row, text: row.text.replace(/\d*$/, '') } : row,
        );
      expect(grants(await schemaOf(sql))).toEqual(grants(expected));
    } finally {
      await created.drop();
    }
  });

  it('logs and counts what is written from then on', async () => {
    const [{ entries }] = (await sql('SELECT count(*)::int AS entries FROM change_log')) as [{ entries: number }];
    const [{ id }] = (await sql(
      `WITH made AS (INSERT INTO sites (name) VALUES ('After') RETURNING id) SELECT id FROM made`,
    )) as [{ id: string }];
    await sql(`UPDATE sites SET status = 'planned', facility = 'F' WHERE id = '${id}'`);
    await sql(`UPDATE sites SET status = 'planned' WHERE id = '${id}'`);
    await sql(`UPDATE software_licences SET licence_key = 'CCCC-DDDD' WHERE licence_key = 'AAAA-BBBB'`);
    await sql(`UPDATE tokens SET last_used_at = now()`);
    await sql(`DELETE FROM sites WHERE id = '${id}'`);
    const logged = await sql(
      `SELECT action, resource, area, record_name AS name, old_values - 'updated_at' AS old, new_values AS new
       FROM change_log ORDER BY created_at DESC, id DESC LIMIT 4`,
    );
    expect(logged.toReversed()).toEqual([
      {
        action: 'create',
        resource: 'sites',
        area: 'network',
        name: 'After',
        old: null,
        new: expect.objectContaining({ id }),
      },
      {
        action: 'update',
        resource: 'sites',
        area: 'network',
        name: 'After',
        old: { status: 'active', facility: null },
        new: { status: 'planned', facility: 'F' },
      },
      expect.objectContaining({
        action: 'update',
        resource: 'software-licences',
        old: { licence_key: '(withheld)' },
        new: { licence_key: '(withheld)' },
      }),
      {
        action: 'delete',
        resource: 'sites',
        area: 'network',
        name: 'After',
        old: expect.objectContaining({ id }),
        new: null,
      },
    ]);
    expect(await sql('SELECT count(*)::int AS entries FROM change_log')).toEqual([{ entries: entries + 4 }]);
    expect(await wrongCounts(sql)).toEqual([]);
  });
});
