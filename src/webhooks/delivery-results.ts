import type { Executor } from '../database/executor.js';
import { secondsAsked } from '../http/retry-after.js';
import { OUTBOUND_OFF, type SendResult } from './sender.js';
import { sql, write } from '../database/sql.js';

/** Seconds between attempts. After the last attempt the delivery has failed. */
export const RETRY_AFTER: readonly number[] = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];
const DAY = 24 * 3600;
/** Days with only failures after which a webhook is deactivated. */
const DAYS_OF_FAILURE = 5;

/** What became of one attempt to deliver. */
export interface AttemptResult {
  delivery: string;
  status: 'succeeded' | 'failed' | 'pending';
  responseStatus: number | null;
  error: string | null;
  durationMs: number;
  /** Seconds until the next attempt, if one follows. */
  retryIn: number | null;
}

/** Seconds that a `Retry-After` header asks for, within the bounds; undefined if it has none of its forms. */
function secondsOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = secondsAsked(retryAfter, now);
  // A value of 0 would otherwise use up all attempts within seconds.
  return seconds === undefined ? undefined : Math.min(Math.max(seconds, RETRY_AFTER[0]!), DAY);
}

/** @param attempts that were made, this one included */
export function resultOf(
  delivery: string,
  attempts: number,
  { status, error, retryAfter }: SendResult,
  durationMs: number,
  now = Date.now(),
): AttemptResult {
  const made = { delivery, responseStatus: status ?? null, error: error ?? null, durationMs };
  if (status !== undefined && status >= 200 && status < 300) return { ...made, status: 'succeeded', retryIn: null };
  const usual = RETRY_AFTER[attempts - 1];
  if (usual === undefined || status === 410) return { ...made, status: 'failed', retryIn: null };
  return { ...made, status: 'pending', retryIn: secondsOf(retryAfter, now) ?? usual };
}

/** Reasons for ending a waiting delivery. One that was being sent may still have arrived. */
const ENDED = ['webhook_deactivated', 'no_longer_wanted', OUTBOUND_OFF];
/** Deliveries that are ended in one statement if nothing is sent. */
const ENDED_AT_ONCE = 5_000;

/** Stores the results of attempts and the state of the webhook. Deactivates a webhook whose endpoint is gone or has failed for days. */
export function storeResults(db: Executor, webhook: string, results: readonly AttemptResult[]): Promise<void> {
  const isGone = results.some(({ responseStatus }) => responseStatus === 410);
  const worked = results.some(({ status }) => status === 'succeeded');
  const works = results.at(-1)?.status === 'succeeded';
  return db.transaction(async (tx) => {
    await tx.write(
      write`UPDATE webhook_deliveries d SET status = r.status, attempts = d.attempts + 1, response_status = r."responseStatus",
         error = r.error, duration_ms = r."durationMs",
         next_attempt_at = CASE WHEN r."retryIn" IS NOT NULL THEN now() + r."retryIn" * interval '1 second' END,
         delivered_at = CASE WHEN r.status = 'succeeded' THEN now() END
       FROM jsonb_to_recordset(${JSON.stringify(results)}) AS r (delivery uuid, status text, "responseStatus" int, error text, "durationMs" int, "retryIn" float8)
       WHERE d.id = r.delivery AND (d.status = 'pending' OR (r.status = 'succeeded' AND d.error = ANY(${ENDED})))`,
    );
    const [state] = await tx.write<{ expired: boolean }>(
      write`UPDATE webhook_states SET last_success_at = CASE WHEN ${worked} THEN now() ELSE last_success_at END,
          failing_since = CASE WHEN ${works} THEN NULL WHEN ${worked} THEN now() ELSE coalesce(failing_since, now()) END
        WHERE webhook_id = ${webhook}
        RETURNING coalesce(failing_since <= now() - ${DAYS_OF_FAILURE} * interval '1 day', false) AS expired`,
    );
    if (isGone) await deactivate(tx, webhook, 'The endpoint answered 410 Gone');
    else if (state?.expired) await deactivate(tx, webhook, `Every delivery has failed for ${DAYS_OF_FAILURE} days`);
  });
}

/**
 * Ends deliveries of a webhook that wait.
 * @param entries of the change log whose deliveries end; all if absent
 */
export async function endDeliveries(
  db: Pick<Executor, 'write'>,
  webhook: string,
  reason: 'webhook_deactivated' | 'no_longer_wanted',
  entries?: readonly string[],
): Promise<void> {
  if (entries?.length === 0) return;
  const some = sql`${entries ?? null}`;
  await db.write(
    write`UPDATE webhook_deliveries SET status = 'failed', error = ${reason}, next_attempt_at = NULL
      WHERE webhook_id = ${webhook} AND status = 'pending' AND (${some}::uuid[] IS NULL OR entry_id = ANY(${some})) RETURNING id`,
  );
}

/** Ends the waiting deliveries, because this copy sends nothing. The webhooks stay as they are. */
export async function endUnsent(db: Pick<Executor, 'write'>): Promise<void> {
  await db.write(
    write`UPDATE webhook_deliveries SET status = 'failed', error = ${OUTBOUND_OFF}, next_attempt_at = NULL
      WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = 'pending' LIMIT ${ENDED_AT_ONCE}) AND status = 'pending'
      RETURNING id`,
  );
}

async function deactivate(db: Pick<Executor, 'write'>, webhook: string, reason: string): Promise<void> {
  await db.write(
    write`UPDATE webhooks SET is_active = false, deactivated_reason = ${reason} WHERE id = ${webhook} AND is_active RETURNING id`,
  );
  await endDeliveries(db, webhook, 'webhook_deactivated');
}
