import { serverPool } from '../../src/database/data-source.js';
import { raw, sql } from '../../src/database/sql.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { createTestDatabase, onPooler, onServer, serverConfiguration, type TestDatabase } from '../support/database.js';

const describeDirectly = onServer && !onPooler ? describe : describe.skip;

describeDirectly('prepared statements of a connection', () => {
  let database: TestDatabase;
  let dataSource: ReturnType<typeof createDataSource>;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource({ ...serverPool(serverConfiguration(database.url!)), max: 1 });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  it('keeps those in use, and lets go of others', async () => {
    const db = dataSource.database;
    const oftenUsed = 'SELECT 1 AS often_used';
    const prepared = () =>
      db.query<{ statement: string; pid: number }>(
        sql`SELECT statement, pg_backend_pid() AS pid FROM pg_prepared_statements`.unprepared(),
      );
    await db.query(raw(oftenUsed));
    const { pid } = (await prepared())[0]!;
    for (let index = 0; index < 2_500; index++) {
      await db.query(sql`SELECT ${raw(index)} AS rarely_used`);
      await db.query(raw(oftenUsed));
    }
    await db.query(sql`SELECT 1 AS new`);
    const planned = sql`SELECT ${7}::int AS planned`.unprepared();
    expect(await db.transaction((tx) => tx.query(planned))).toEqual([{ planned: 7 }]);
    const now = await prepared();
    expect(now.length).toBeLessThanOrEqual(1_001);
    expect(now.map(({ statement }) => statement)).toEqual(
      expect.arrayContaining([oftenUsed, 'SELECT 2499 AS rarely_used', 'SELECT 1 AS new']),
    );
    // A connection that kept too many of them was replaced.
    expect(now[0]!.pid).not.toBe(pid);
  });
});
