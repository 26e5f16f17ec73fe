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
