import type { Executor } from '../database/executor.js';
import { literal, raw, sql, type Sql } from '../database/sql.js';

/** Number of rows above which a fold is worth its cost. */
const MAX_PENDING = 64;
const FOLD_LOCK = 7_260_514_399;

/** SQL of a table's kept count: `total`, and as `pending` the number of rows that add up to it. */
export const countOf = (table: string): Sql =>
  sql`SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending FROM record_counts WHERE table_name = ${literal(table)}`;

/** A condition that kept counts can answer: a column has one of some values, or none of them. */
export interface KeptCondition {
  column: string;
  operator: '=' | '<>';
  /** A value, or `ANY(…)` or `ALL(…)` of several. */
  values: Sql;
}

/**
 * SQL of the number of records that meet a condition, as `{total, pending}`. The counts of the column are kept. `pending` is the
 * number of rows beyond one for each value.
 */
export const countOfValues = (table: string, { column, operator, values }: KeptCondition): Sql =>
  sql`SELECT coalesce(sum(delta), 0)::float8 AS total, (count(*) - count(DISTINCT value))::int AS pending
    FROM value_counts
    WHERE table_name = ${literal(table)} AND column_name = ${literal(column)} AND value ${raw(operator)} ${values}`;

/** Folds counts, to which every write adds rows, into one row each: in the background, one fold at a time. */
export class RecordCounts {
  private folding = false;

  constructor(private readonly db: Executor) {}

  /** Readers report how many rows a fold would replace, and start one if there are too many. */
  found(pending: number): void {
    if (pending <= MAX_PENDING || this.folding) return;
    this.folding = true;
    // A failed fold changes nothing, and the next reader starts another one.
    this.fold()
      .catch(() => {})
      .finally(() => (this.folding = false));
  }

  /** One statement deletes the rows and inserts their sum, so every snapshot adds up to the same total. */
  async fold(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [lock] = await tx.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [FOLD_LOCK]);
      if (!lock!.free) return;
      await tx.write(`
        WITH many AS (SELECT table_name FROM record_counts GROUP BY table_name HAVING count(*) > 1),
        gone AS (DELETE FROM record_counts c USING many m WHERE c.table_name = m.table_name RETURNING c.*)
        INSERT INTO record_counts SELECT table_name, sum(delta) FROM gone GROUP BY table_name HAVING sum(delta) <> 0`);
      await tx.write(`
        WITH many AS (SELECT table_name, column_name, value FROM value_counts GROUP BY table_name, column_name, value HAVING count(*) > 1),
        gone AS (
          DELETE FROM value_counts c USING many m
          WHERE (c.table_name, c.column_name, c.value) = (m.table_name, m.column_name, m.value) RETURNING c.*
        )
        INSERT INTO value_counts SELECT table_name, column_name, value, sum(delta) FROM gone
          GROUP BY table_name, column_name, value HAVING sum(delta) <> 0`);
    });
  }
}
