import { isLogged, isPart } from '../../src/fields/record-entity.js';
import { records } from '../../src/schema/entities.js';
import { valueIndexName } from '../../src/schema/migrations/counted-column.js';
import { countedOf, recordTableOf } from '../../src/schema/record-table-of.js';
import { isLine } from '../../src/types/text.js';
import { resourceOf } from '../../src/projection/resource.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the migrations leave no difference to the entities', async () => {
  const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map((query) => query.query)).toEqual([]);
});

it('the migrations can be reverted and applied again', async () => {
  const { dataSource } = database;
  for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
  const tables = await dataSource.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`,
  );
  expect(tables).toEqual([]);
  expect(await dataSource.runMigrations()).toHaveLength(dataSource.migrations.length);
});

it('the migrations index every foreign key', async () => {
  const bare = await database.db.query(
    `SELECT c.conname FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND i.indkey[0] = c.conkey[1])`,
  );
  expect(bare).toEqual([]);
});

it('the migrations index the columns that each list searches, sorts by and compares', async () => {
  const found = await database.db.query<{ name: string; definition: string }>(
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes',
  );
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  let looked = 0;
  for (const record of records) {
    const { table, searched } = resourceOf(record);
    // Parts are read within their owner, with an index on it.
    if (searched.length === 0 || isPart(record)) continue;
    const missing: string[] = [];
    const trigrams = definitions.get(`ix_${table}_search`) ?? '';
    for (const field of searched) {
      const { columnName } = field;
      if (!new RegExp(String.raw`\b${columnName}\b[^,]* gin_trgm_ops`).test(trigrams)) missing.push(columnName);
      const order = definitions.get(`ix_${table}_${columnName}_order`) ?? '';
      if (isLine(field) && !order.includes(`(${columnName} COLLATE "C", id)`))
        missing.push(`${columnName} in its order`);
      looked++;
    }
    expect({ table, missing }).toEqual({ table, missing: [] });
  }
  expect(looked).toBeGreaterThan(60);
});

/** Triggers of each table, with their arguments. */
async function triggers(): Promise<Map<string, Map<string, string[]>>> {
  const rows = await database.db.query<{ table: string; name: string; arguments: string }>(
    `SELECT c.relname AS table, t.tgname AS name, replace(encode(t.tgargs, 'escape'), '\\000', chr(10)) AS arguments
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal`,
  );
  const byTable = new Map<string, Map<string, string[]>>();
  for (const { table, name, arguments: given } of rows) {
    if (!byTable.has(table)) byTable.set(table, new Map());
    byTable.get(table)!.set(name, given.split('\n').slice(0, -1));
  }
  return byTable;
}

// A resource whose migration does not track its table would return `total: 0` next to its records.
it('the migrations log and count every table of records as its entity declares', async () => {
  const found = await triggers();
  expect(records.length).toBeGreaterThan(30);
  for (const record of records) {
    const { table } = resourceOf(record);
    const { area = '', name = 'name', secrets = [], list } = recordTableOf(record);
    const has = (names: readonly string[]): Record<string, boolean> =>
      Object.fromEntries(names.map((suffix) => [suffix, found.get(table)?.has(`${table}_${suffix}`) ?? false]));
    expect({ table, ...has(['stamp']) }).toEqual({ table, stamp: isLogged(record) });
    const counts = ['count_insert', 'count_delete', 'count_truncate', 'recount'];
    expect({ table, ...has(counts) }).toEqual({
      table,
      ...Object.fromEntries(counts.map((suffix) => [suffix, !!list])),
    });
    for (const event of ['insert', 'update', 'delete', 'truncate']) {
      const given = found.get(table)?.get(`${table}_log_${event}`);
      const expected = [area, name, ...(secrets.length > 0 ? [secrets.join(',')] : [])];
      expect({ table, event, given }).toEqual({ table, event, given: isLogged(record) ? expected : undefined });
    }
  }
});

it('the migrations count and index the values of every column whose lists have kept totals', async () => {
  const found = await triggers();
  const indexes = await database.db.query<{ name: string; definition: string }>(
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes',
  );
  const definitions = new Map(indexes.map(({ name, definition }) => [name, definition]));
  let looked = 0;
  for (const record of records) {
    const { table } = resourceOf(record);
    for (const column of countedOf(record)) {
      const events = ['insert', 'delete', 'truncate', 'update'];
      const missing = events.filter((event) => !found.get(table)?.has(`${table}_count_${column}_${event}`));
      const index = definitions.get(valueIndexName(table, column)) ?? '';
      expect({ table, missing, index }).toEqual({
        table,
        missing: [],
        index: expect.stringContaining(`(${column} COLLATE "C", created_at, id)`),
      });
      looked++;
    }
  }
  expect(looked).toBeGreaterThan(15);
});
