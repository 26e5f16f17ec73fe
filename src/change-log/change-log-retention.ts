import type { Executor } from '../database/database.js';

// A statement of this many entries blocks nobody for long.
const STEP = 1000;

export class ChangeLogRetention {
  constructor(
    private readonly db: Executor,
    /** `CHANGE_LOG_DAYS`; entries are kept without limit if absent. */
    private readonly days?: number,
  ) {}

  async prune(days = this.days): Promise<void> {
    if (days === undefined) return;
    for (;;) {
      const [step] = await this.db.query<{ pruned: number }>(
        `SELECT prune_change_log(now() - make_interval(days => $1), $2)::int AS pruned`,
        [days, STEP],
      );
      if (step!.pruned < STEP) return;
    }
  }
}
