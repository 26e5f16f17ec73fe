import type { Executor } from '../database/executor.js';
import { CURSOR } from './webhook-queue.js';
import { raw, sql, type Sql } from '../database/sql.js';

/** The delay and the state of webhooks. */
interface WebhookLag {
  /** Number of waiting deliveries, including those that wait for a retry; at most `MOST_COUNTED`. */
  pending: number;
  /** Seconds since the oldest of them was queued; 0 if none waits. */
  oldestSeconds: number;
  /** Seconds since the earliest due attempt should have been made; 0 if none is due. */
  dueSeconds: number;
  /** Seconds that the next change log entry has waited to be queued; 0 if none waits. */
  queueSeconds: number;
  /** Active webhooks by the result of their last deliveries, and inactive ones. */
  working: number;
  failing: number;
  inactive: number;
  /** Webhooks that the service has deactivated because of failures. */
  deactivated: number;
}

/** Counting more would read too much of an index. */
const MOST_COUNTED = 100_000;

const secondsSince = (time: Sql): Sql => sql`greatest(extract(epoch FROM clock_timestamp() - ${time}), 0)::float8`;

// Each part reads a bounded number of entries of an index: one for each webhook, or as many as are counted.
const LAG = sql`SELECT
    (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT ${raw(MOST_COUNTED)}) waiting) AS pending,
    coalesce((SELECT ${secondsSince(sql`min(first.created_at)`)} FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.created_at FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' ORDER BY d.position LIMIT 1
    ) first), 0) AS "oldestSeconds",
    coalesce((SELECT ${secondsSince(sql`min(next_attempt_at)`)} FROM webhook_deliveries
      WHERE status = 'pending' AND next_attempt_at <= now()), 0) AS "dueSeconds",
    coalesce((SELECT ${secondsSince(sql`next.created_at`)} FROM settings s
      JOIN change_log read ON read.created_at = timestamptz 'epoch' + nullif(split_part(s.value, ' ', 1), '')::bigint * interval '1 microsecond'
        AND read.id = nullif(split_part(s.value, ' ', 2), '')::uuid
      CROSS JOIN LATERAL (SELECT t.created_at FROM change_log t WHERE (t.transaction_id, t.id) > (read.transaction_id, read.id)
        ORDER BY t.transaction_id, t.id LIMIT 1) next
      WHERE s.name = ${CURSOR} AND EXISTS (SELECT FROM webhooks WHERE is_active)), 0) AS "queueSeconds",
    h.*
  FROM (SELECT count(*) FILTER (WHERE w.is_active AND s.failing_since IS NULL)::int AS working,
      count(*) FILTER (WHERE w.is_active AND s.failing_since IS NOT NULL)::int AS failing,
      count(*) FILTER (WHERE NOT w.is_active AND w.deactivated_reason IS NULL)::int AS inactive,
      count(*) FILTER (WHERE NOT w.is_active AND w.deactivated_reason IS NOT NULL)::int AS deactivated
    FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id) h`;

export async function webhookLag(db: Pick<Executor, 'query'>): Promise<WebhookLag> {
  const [lag] = await db.query<WebhookLag>(LAG);
  return lag!;
}
