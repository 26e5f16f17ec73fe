import type { Executor } from '../database/database.js';

/** Rows of a table's count above which they are folded into one. */
const MAX_PARTS = 64;
const FOLD_LOCK = 7_260_514_399;

/** SQL of a table's kept count as `{total}`, and of the number of rows that it is in as `{parts}`. */
export const countOf = (table: string): string =>
  `SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS parts FROM record_counts WHERE table_name = '${table}' AND hour = 'infinity'`;

/**
 * SQL of the hour in which the record at an offset of a list in order of creation was created, and of how many records
 * lie before that hour in the list, as `{hour, before}`.
 */
export const hourAt = (table: string, offset: string, direction: 'ASC' | 'DESC'): string => `
  SELECT hour, before FROM (
    SELECT hour, (sum(sum(delta)) OVER (ORDER BY hour ${direction}) - sum(delta))::bigint AS before
    FROM record_counts WHERE table_name = '${table}' AND hour < 'infinity' GROUP BY hour
  ) hours
  WHERE before <= ${offset} ORDER BY hour ${direction === 'ASC' ? 'DESC' : 'ASC'} LIMIT 1`;

/** Folds the counts that writers leave in many rows, in the background and one fold at a time. */
export class RecordCounts {
  private folding = false;

  constructor(private readonly db: Executor) {}

  /** To be told in how many rows a count was found. */
  found(parts: number): void {
    if (parts <= MAX_PARTS || this.folding) return;
    this.folding = true;
    // Whoever reads next tries again: nothing is lost by a fold that fails.
    this.fold()
      .catch(() => {})
      .finally(() => (this.folding = false));
  }

  /** Every snapshot sums up to the same before and after: the rows go and their sum comes in one statement. */
  async fold(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [lock] = await tx.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [FOLD_LOCK]);
      if (!lock!.free) return;
      await tx.query(`
        WITH many AS (SELECT table_name, hour FROM record_counts GROUP BY table_name, hour HAVING count(*) > 1),
        gone AS (DELETE FROM record_counts c USING many m WHERE (c.table_name, c.hour) = (m.table_name, m.hour) RETURNING c.*)
        INSERT INTO record_counts SELECT table_name, hour, sum(delta) FROM gone GROUP BY table_name, hour HAVING sum(delta) <> 0`);
    });
  }
}
