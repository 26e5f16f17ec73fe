import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Each function has its current text in a file, with its triggers. */
const FOLDER = join(__dirname, '../../src/schema/functions');
const files = readdirSync(FOLDER).toSorted();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What `log_records` makes for each table. */
const MADE = `SELECT relname || event AS name FROM pg_class, unnest(ARRAY['_insert', '_update', '_delete']) event WHERE relnamespace = 'public'::regnamespace`;

const OURS = `proname NOT IN (${MADE}) AND pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`;

/** What files contain, as the database shows it. The triggers that every table of records has are made by `log_records`. */
async function definitions(runner: QueryRunner): Promise<Map<string, string>> {
  const rows: { name: string; text: string }[] = await runner.query(
    `SELECT proname || '.sql' AS name, pg_get_function_arguments(oid)
         || CASE prokind WHEN 'a' THEN '' ELSE pg_get_functiondef(oid) END || coalesce(proacl::text, '') AS text
       FROM pg_proc WHERE ${OURS}
     UNION ALL SELECT tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT tgisinternal AND tgnargs = 0 AND NOT c.relispartition AND tgfoid IN (SELECT oid FROM pg_proc WHERE ${OURS})`,
  );
  return new Map(rows.map(({ name, text }) => [name, text]));
}

/** Does something to the database that is undone. */
async function undone<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL search_path = public, pg_temp`);
    return await work(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** What the indexes of the tables are made of. A change of it needs a migration that makes them anew. */
const OF_INDEXES = ['natural_order.sql', 'numbers_in.sql'];

// The bodies are checked here, which they are not when the service applies them.
it('the database has the functions and triggers of the files, and no others', async () => {
  await undone(async (runner) => {
    const found = await definitions(runner);
    expect(found.size).toBeGreaterThan(60);
    expect([...found.keys()].filter((name) => name.endsWith('.sql')).toSorted()).toEqual(
      [...files, ...OF_INDEXES].toSorted(),
    );
    const triggers: { name: string; table: string }[] = await runner.query(
      `SELECT quote_ident(tgname) AS name, tgrelid::regclass AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT tgisinternal AND tgnargs = 0 AND NOT c.relispartition AND tgfoid IN (SELECT oid FROM pg_proc WHERE ${OURS})`,
    );
    for (const { name, table } of triggers) await runner.query(`DROP TRIGGER ${name} ON ${table}`);
    for (const file of files) await runner.query(readFileSync(join(FOLDER, file), 'utf8'));
    expect(await definitions(runner)).toEqual(found);
  });
});

it('no trigger joins the former rows of a statement with its new ones', () => {
  expect(files.length).toBeGreaterThan(50);
  // The plan of a trigger is kept from a statement of one row, and would compare each of ten thousand rows with all others. The rows
  // are compared by EXCEPT, or added up.
  const joining = files.filter((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(/--.*$/gm, '');
    return /\b(?:old|new)_rows(?:\s+\w+)?\s*(?:,|(?:\w+\s+){0,2}JOIN)\s*(?:LATERAL\s+)?\(?\s*(?:old|new)_rows\b/i.test(
      text,
    );
  });
  expect(joining).toEqual([]);
});
