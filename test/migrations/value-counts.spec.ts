import { ValueCounts1795600000000 as ValueCounts } from '../../src/schema/migrations/20261122-value-counts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { itOnServer } from '../support/server.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const SEEN = `SELECT (SELECT json_object_agg(status, n ORDER BY status) FROM (SELECT status, count(*) AS n FROM sites GROUP BY 1) counted) AS counted,
  (SELECT json_object_agg(value, n ORDER BY value) FROM (
    SELECT value, sum(delta) AS n FROM value_counts WHERE table_name = 'sites' GROUP BY 1 HAVING sum(delta) <> 0) kept) AS kept`;

itOnServer('the counts of values begin, and begin again after an interruption, while others write', async () => {
  const { db, dataSource } = database;
  const runner = dataSource.createQueryRunner();
  const migration = new ValueCounts();
  await migration.down(runner);
  await db.query(`INSERT INTO sites (name, status) SELECT 'S' || i, 'active' FROM generate_series(1, 5000) i`);
  const state = { writing: true };
  let writes = 0;
  const write = async (): Promise<void> => {
    while (state.writing) {
      await db.query(`INSERT INTO sites (name, status) VALUES ('W', 'planned')`);
      await db.query(
        `UPDATE sites SET status = 'retired' WHERE id = (SELECT id FROM sites WHERE status = 'active' LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      );
      await db.query(
        `DELETE FROM sites WHERE id = (SELECT id FROM sites WHERE status = 'planned' LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      );
      writes += 3;
    }
  };
  const writers = [write(), write(), write()];
  await migration.up(runner);
  const between = writes;
  // What an interrupted migration has done is done again.
  await migration.up(runner);
  state.writing = false;
  await Promise.all(writers);
  await runner.release();
  expect(between).toBeGreaterThan(10);
  const [seen] = await db.query<{ counted: object; kept: object }>(SEEN);
  expect(seen!.kept).toEqual(seen!.counted);
  expect(seen!.counted).toMatchObject({ active: expect.any(Number), retired: expect.any(Number) });
});
