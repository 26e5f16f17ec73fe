import type { PoolConfig } from 'pg';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/schema/migrations/index.js';
import { migrate } from '../../src/schema/migrate.js';
import { REPLACED } from '../../src/schema/take-over.js';
import { raw, sql } from '../../src/database/sql.js';
import { createTestDatabase, onServer, patientPool, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const start = (): Promise<void> => {
  const pool: PoolConfig = onServer ? patientPool(database.url!) : {};
  return migrate(database.dataSource, pool, onServer);
};

const MIGRATIONS = join(__dirname, '../../src/schema/migrations');

/** Takes away all that later migrations made: the tables are those of 0.9.0, and the next start makes the rest. */
async function onlyTables(): Promise<void> {
  const [file] = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  await database.db.query(raw('DROP SCHEMA public CASCADE'));
  await database.db.query(raw('CREATE SCHEMA public'));
  await database.dataSource.query(readFileSync(join(MIGRATIONS, file!), 'utf8'));
  await database.db.query(
    raw('CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)'),
  );
  await database.db.query(raw('CREATE TABLE applied_functions ()'));
}

/** The tables with these migrations noted, and the functions that databases before 0.9.0 had, without a note of them. */
async function madeBy(names: readonly string[]): Promise<void> {
  await database.db.query(raw('DELETE FROM migrations'));
  await database.db.query(raw('DROP TABLE applied_functions'));
  for (const name of names) {
    await database.db.query(
      sql`INSERT INTO migrations (timestamp, name) SELECT ${/\d{13}$/.exec(name)![0]}::bigint, ${name}`,
    );
  }
}

const noted = async (): Promise<string[]> =>
  (await database.db.query<{ name: string }>(sql`SELECT name FROM migrations ORDER BY name`)).map(({ name }) => name);

const functionsOf = async (): Promise<string> => {
  const [{ text }] = (await database.db.query(
    sql`SELECT string_agg(pg_get_functiondef(oid), '' ORDER BY proname) AS text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prosrc LIKE '%change_log%'`,
  )) as [{ text: string }];
  return text;
};

it('a database that has every migration before 0.9.0 is taken over, with its rows', async () => {
  const functions = await functionsOf();
  await onlyTables();
  await database.db.query(raw(`INSERT INTO sites (name) VALUES ('Hall 1')`));
  await database.db.query(
    raw(`CREATE OR REPLACE FUNCTION keep_change_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`),
  );
  await madeBy(REPLACED);
  await start();
  expect(await noted()).toEqual(migrations.map(({ name }) => name).toSorted());
  expect(await functionsOf()).toBe(functions);
  expect(await database.db.query(sql`SELECT name FROM sites`)).toEqual([{ name: 'Hall 1' }]);
});

it.each([
  ['an older one', REPLACED.slice(0, -2), /before 0\.9\.0: it lacks OrderQuantities\d+ and TransitionRows\d+$/],
  [
    'one of a branch',
    [...REPLACED, 'Other1795800000000'],
    /: it has Other1795800000000, which this version does not know$/,
  ],
  [
    'one of both kinds',
    [...REPLACED.slice(1), 'Other1795800000000'],
    /: it lacks Baseline\d+ and has Other1795800000000, which this version does not know$/,
  ],
])('%s is refused, and stays as it is', async (_, names, sentence) => {
  await madeBy(names);
  await expect(start()).rejects.toThrow(sentence);
  expect(await noted()).toEqual([...names].toSorted());
  expect(await database.db.query(sql`SELECT to_regclass('applied_functions')::text AS found`)).toEqual([
    { found: null },
  ]);
});
