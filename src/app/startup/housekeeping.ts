import type { ChangeLogRetention } from '../../change-log/change-log-retention.js';
import type { LoginThrottling } from '../../auth/login-throttle.js';
import type { Sessions } from '../../auth/session/sessions.js';
import type { Executor } from '../../database/database.js';
import { pruneIdempotencyKeys } from '../../resource/idempotency/idempotency.interceptor.js';
import type { RecordCounts } from '../../records/record-counts.js';

const EVERY_MS = 10 * 60_000;

/** Deletes, from time to time, what can no longer be used, and folds the kept counts together. Returns what stops it. */
export function startHousekeeping(
  parts: {
    db: Executor;
    sessions: Sessions;
    throttling: LoginThrottling;
    counts: RecordCounts;
    changeLog: ChangeLogRetention;
  },
  failed: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout;
  const round = async (): Promise<void> => {
    try {
      await parts.sessions.prune();
      await parts.throttling.prune();
      await pruneIdempotencyKeys(parts.db);
      await parts.changeLog.prune();
      // Readers fold counts that grew long; those of a service that only writes grow unseen.
      await parts.counts.fold();
    } catch (error) {
      failed(error);
    }
    arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void round(), EVERY_MS).unref();
  };
  arm();
  return () => clearTimeout(timer);
}
