import type { WebhookWorker } from '../../webhooks/webhook-worker.js';
import type { ChangeLogRetention } from '../../change-log/change-log-retention.js';
import type { LoginThrottling } from '../../auth/password/login-throttle.js';
import type { UsedSignIns } from '../../auth/oidc/used-sign-ins.js';
import type { Sessions } from '../../auth/session/sessions.js';
import type { Executor } from '../../database/executor.js';
import { sql } from '../../database/sql.js';
import { DroppedValues } from '../../custom-fields/dropped-values.js';
import { pruneKeptValues } from '../../custom-fields/stored-values.js';
import { pruneIdempotencyKeys } from '../../resource/idempotency/idempotency.js';
import type { RecordCounts } from '../../lists/record-counts.js';

/** The definition of a deleted field may have been the last one with a rule for new records. */
const REST = sql`SELECT rest_custom_fields()`;

const EVERY_MS = 10 * 60_000;

/** Periodically deletes expired data and folds the kept counts. Returns a function that stops it. */
export function startHousekeeping(
  parts: {
    db: Executor;
    sessions: Sessions;
    throttling: LoginThrottling;
    signIns: UsedSignIns;
    counts: RecordCounts;
    changeLog: ChangeLogRetention;
    webhooks: WebhookWorker;
  },
  failed: (error: unknown) => void,
): () => void {
  const dropped = new DroppedValues(parts.db);
  let timer: NodeJS.Timeout;
  const round = async (): Promise<void> => {
    try {
      await parts.sessions.prune();
      await parts.throttling.prune();
      await parts.signIns.prune();
      await pruneIdempotencyKeys(parts.db);
      await pruneKeptValues(parts.db);
      await parts.changeLog.extend();
      await parts.changeLog.prune();
      await parts.webhooks.prune();
      // Reads fold counts that have grown long. If a service only writes, nothing else would fold them.
      await parts.counts.fold();
      await dropped.prune();
      await parts.db.query(REST);
    } catch (error) {
      failed(error);
    }
    arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void round(), EVERY_MS).unref();
  };
  arm();
  // After months without the service, the current month may have no partition yet.
  parts.changeLog.extend().catch(failed);
  return () => clearTimeout(timer);
}
