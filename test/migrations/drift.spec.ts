import { entities } from '../../src/schema/entities.js';
import type { Class } from '../../src/fields/field.js';
import { isLine } from '../../src/fields/field-types.js';
import type { StoredRecord } from '../../src/fields/record.js';
import { resourceOf } from '../../src/records/resource.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('leaves nothing to generate in a migrated database', async () => {
  const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map((query) => query.query)).toEqual([]);
});

it('can be taken back and done again', async () => {
  const { dataSource } = database;
  for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
  const tables = await dataSource.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`,
  );
  expect(tables).toEqual([]);
  expect(await dataSource.runMigrations()).toHaveLength(dataSource.migrations.length);
});

it('indexes every foreign key', async () => {
  const bare = await database.db.query(
    `SELECT c.conname FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND i.indkey[0] = c.conkey[1])`,
  );
  expect(bare).toEqual([]);
});

it('indexes what each list searches, sorts names by and compares them with', async () => {
  const found = await database.db.query<{ name: string; definition: string }>(
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes',
  );
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  let looked = 0;
  for (const entity of entities) {
    const { table, searched, fields } = resourceOf(entity as Class<StoredRecord>);
    // Parts are read within their owner, of which they have an index.
    if (searched.length === 0 || fields.some(({ onDelete }) => onDelete === 'CASCADE')) continue;
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
