import type { TestDatabase } from './database.js';
import { sql } from '../../src/database/sql.js';

/**
 * Makes every session of the pool report its statistics. By default a session does so about once a second. The statements run at once
 * and last a moment, so that a pooler gives each of them another session of the server.
 */
export async function reportCounts({ db }: TestDatabase): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: db.pool.totalCount }, () => db.pool.connect()));
  await Promise.all(sessions.map((session) => session.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.05)')));
  for (const session of sessions) session.release();
}

/** Number of table reads so far in PostgreSQL's statistics: one for each part of a statement that searches a table. */
async function scansOf(database: TestDatabase, ...tables: string[]): Promise<number> {
  await reportCounts(database);
  const [row] = await database.db.query<{ scans: number }>(
    sql`SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables WHERE relname = ANY (${tables})`,
  );
  return row!.scans;
}

/** How often tables are read during `work`. */
export async function scansDuring(
  database: TestDatabase,
  tables: string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await scansOf(database, ...tables);
  await work();
  return (await scansOf(database, ...tables)) - before;
}
