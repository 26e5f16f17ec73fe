import type { Database } from '../database/database.js';
import { write } from '../database/sql.js';

// A statement that deletes this many entries does not block others for long.
const STEP = 1000;

/** The partitions of the change log. Those of the next months are created in advance, and those beyond the retention are dropped. */
export class ChangeLogRetention {
  constructor(
    private readonly db: Database,
    /** `CHANGE_LOG_DAYS`; entries are kept without limit if absent. */
    private readonly days?: number,
  ) {}

  /** Makes the missing partitions of this month and the next ones. */
  async extend(): Promise<void> {
    await this.db.write(write`SELECT extend_change_log()`);
  }

  /**
   * Drops the months that are entirely beyond the retention. Entries outside the partition of their month are deleted in batches. If
   * the log stays locked, or another replica does the same, the next round continues.
   */
  async prune(days = this.days): Promise<void> {
    if (days === undefined) return;
    while (await this.dropMonth(days));
    for (;;) {
      const [step] = await this.db.write<{ pruned: number }>(
        write`SELECT prune_change_log(now() - make_interval(days => ${days}), ${STEP})::int AS pruned`,
      );
      if (step!.pruned < STEP) return;
    }
  }

  private async dropMonth(days: number): Promise<boolean> {
    const [month] = await this.db.write<{ dropped: boolean }>(
      write`SELECT drop_change_log_month(now() - make_interval(days => ${days})) AS dropped`,
    );
    return month!.dropped;
  }
}
