import { createTestDatabase, onServer, type TestDatabase } from './database.js';
import { sql, raw } from '../../src/database/sql.js';

const migrations = async ({ db }: TestDatabase): Promise<number> =>
  (await db.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM migrations`))[0]!.count;

(onServer ? describe.skip : describe)('a copy of the embedded database', () => {
  it('keeps its changes to itself', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    // Removes rows from a page that all copies begin with, and writes it to its file.
    for (const text of ['DELETE FROM migrations', 'VACUUM (TRUNCATE off) migrations', 'CHECKPOINT']) {
      await one.db.query(raw(text));
    }
    const later = await createTestDatabase();
    expect(await migrations(one)).toBe(0);
    for (const database of [other, later]) expect(await migrations(database)).toBeGreaterThan(0);
    for (const database of [one, other, later]) await database.drop();
  });
});
