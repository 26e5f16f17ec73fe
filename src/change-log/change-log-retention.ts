import type { Executor } from '../database/database.js';

// So many entries a statement hold nobody up.
const STEP = 1000;

/** Lets go of entries that are older than is kept. */
export class ChangeLogRetention {
  constructor(
    private readonly db: Executor,
    /** `CHANGE_LOG_DAYS`; everything is kept when absent. */
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
