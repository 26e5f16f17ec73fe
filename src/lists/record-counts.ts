import type { Executor } from '../database/executor.js';
import { write } from '../database/sql.js';
import { LOCKS, tryLock } from '../database/locks.js';

/** Number of rows above which a fold is worth its cost. */
const MAX_PENDING = 64;

/** Compacts counts. Every write adds rows, and a fold replaces them by one row. Folds run in the background, one at a time. */
export class RecordCounts {
  private folding = false;

  constructor(private readonly db: Executor) {}

  /** Readers report how many rows a fold would replace. If there are too many, a fold starts. */
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
      if (!(await tryLock(tx, LOCKS.totals))) return;
      await tx.write(write`
        WITH many AS (SELECT table_name FROM record_counts GROUP BY table_name HAVING count(*) > 1),
        gone AS (DELETE FROM record_counts c USING many m WHERE c.table_name = m.table_name RETURNING c.*)
        INSERT INTO record_counts SELECT table_name, sum(delta) FROM gone GROUP BY table_name HAVING sum(delta) <> 0`);
      await tx.write(write`
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
