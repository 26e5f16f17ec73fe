import { Webhook as Signer } from 'standardwebhooks';
import type { Database } from '../database/database.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { resultOf, storeResults, type AttemptResult } from './delivery-results.js';
import { ANSWER_TIMEOUT, type Sender } from './sender.js';
import type { Messages } from './messages.js';
import { Pace } from './pace.js';
import { raw, sql, type Sql } from '../database/sql.js';
import { FairQueue } from '../http/fair-queue.js';

/** Requests to one webhook at once. */
const AT_ONCE = 32;
/** Deliveries that are read at once, and the bytes of their entries. */
const BATCH = 200;
const BATCH_BYTES = 2 * 1024 * 1024;
/** All dispatchers of the process share its event loop. */
const pace = new Pace(8);

/** The address of a webhook, and how to send to it. */
export interface Endpoint {
  id: string;
  url: string;
  format: string;
  /** Resources whose changes it receives. */
  resources: readonly string[];
  /** The current secret, and the previous one while it still signs. */
  secrets: readonly string[];
}

/** A delivery that is due, with the JSON of its entry. */
interface Due {
  id: string;
  eventId: string;
  type: string;
  recordId: string;
  attempts: number;
  /** Undefined if the change log is no longer kept that far back. */
  json: string | null;
}

// A delivery waits for the earlier ones of its record.
const dueStatement = (webhook: string, busy: readonly string[]): Sql => sql`
  SELECT id, "eventId", type, "recordId", attempts, json FROM (
    SELECT due.*, r.json, sum(octet_length(r.json)) OVER (ORDER BY due.position) - octet_length(r.json) AS bytes_before FROM (
      SELECT d.id, d.event_id AS "eventId", d.type, d.record_id AS "recordId", d.attempts, d.position, d.entry_id, d.entry_at
      FROM webhook_deliveries d
      WHERE d.webhook_id = ${webhook} AND d.status = 'pending' AND d.next_attempt_at <= now() AND d.record_id <> ALL(${busy}::uuid[])
        AND NOT EXISTS (SELECT FROM webhook_deliveries e WHERE e.webhook_id = d.webhook_id AND e.record_id = d.record_id
          AND e.status = 'pending' AND e.position < d.position AND e.next_attempt_at > now())
      ORDER BY d.position LIMIT ${BATCH}
    ) due LEFT JOIN LATERAL (
      ${raw(declaredSqlOf(ChangeLogEntry).selectJson('change_log', 'WHERE t.created_at = due.entry_at AND t.id = due.entry_id'))}
    ) r ON true
  ) due WHERE coalesce(bytes_before, 0) < ${BATCH_BYTES} ORDER BY position`;

/** Sends the deliveries of one webhook: in order for each record, in parallel for different records. */
export class Dispatcher {
  private readonly queue = new FairQueue(AT_ONCE);
  /** Records whose deliveries are being sent, or have results that are not stored yet. */
  private readonly busy = new Set<string>();
  private results: AttemptResult[] = [];
  private ended: string[] = [];
  private wake?: () => void;
  /** Time until which this process may start requests, in milliseconds since the epoch. */
  private until = 0;
  running?: Promise<void>;

  constructor(
    private readonly db: Database,
    private readonly sender: Sender,
    private readonly messages: Messages,
    private endpoint: Endpoint,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Runs until nothing is due. @param until end of the lease of the webhook */
  run(endpoint: Endpoint, until: number): void {
    this.endpoint = endpoint;
    this.until = until - ANSWER_TIMEOUT;
    this.running ??= this.work()
      .catch(this.failed)
      .finally(() => (this.running = undefined));
  }

  /** Starts no further request, until the next `run`. */
  pause(): void {
    this.until = 0;
  }

  /** Starts no further request. Resolves when the running ones have ended, and their results are stored. */
  async stop(): Promise<void> {
    this.pause();
    await this.running;
  }

  /** Whether nothing is being sent, and every result is stored. */
  get isIdle(): boolean {
    return this.running === undefined && this.busy.size === 0;
  }

  private get mayStart(): boolean {
    return Date.now() < this.until;
  }

  private async work(): Promise<void> {
    for (let isFree = true; ;) {
      isFree = (await this.store()) || isFree;
      const due = isFree && this.mayStart && this.queue.pending === 0 ? await this.due() : [];
      isFree = false;
      for (const [record, deliveries] of byRecord(due)) {
        this.busy.add(record);
        void this.queue
          .run(this.endpoint.id, () => this.deliverInOrder(deliveries))
          .catch(this.failed)
          .finally(() => {
            this.ended.push(record);
            this.wake?.();
          });
      }
      if (this.busy.size === 0) return;
      if (this.ended.length + this.results.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private due(): Promise<Due[]> {
    return this.db.query<Due>(dueStatement(this.endpoint.id, [...this.busy]).unprepared());
  }

  private async deliverInOrder(deliveries: readonly Due[]): Promise<void> {
    for (const delivery of deliveries) {
      if (!this.mayStart) return;
      const result = await this.attempt(delivery);
      if (!result) continue;
      // Stored at once: the webhook may be switched off before the last delivery of the record has ended.
      this.results.push(result);
      this.wake?.();
      if (result.status !== 'succeeded') return;
    }
  }

  /** Undefined if the delivery has ended since it was read, because its webhook was changed or deleted. */
  private async attempt({ id, eventId, type, json, attempts }: Due): Promise<AttemptResult | undefined> {
    if (json === null) {
      return {
        delivery: id,
        status: 'failed',
        responseStatus: null,
        error: 'entry_gone',
        durationMs: 0,
        retryIn: null,
      };
    }
    await pace.turn();
    const began = performance.now();
    const { format, resources } = this.endpoint;
    const body = format === 'text' ? await this.messages.textOf(json, resources) : eventOf(type, json);
    const [pending] = await this.db.query(
      sql`SELECT 1 FROM webhook_deliveries WHERE id = ${id} AND status = 'pending'`,
    );
    if (!pending) return undefined;
    const sent = await send(this.sender, this.endpoint, eventId, body);
    return resultOf(id, attempts + 1, sent, Math.round(performance.now() - began));
  }

  /** Stores results. @returns whether all deliveries of a record have ended */
  private async store(): Promise<boolean> {
    const { results, ended } = this;
    this.results = [];
    this.ended = [];
    try {
      if (results.length > 0) await storeResults(this.db, this.endpoint.id, results);
    } catch (error) {
      // Stored with the next ones. Until then their records wait.
      this.results.unshift(...results);
      this.ended.unshift(...ended);
      throw error;
    }
    for (const record of ended) this.busy.delete(record);
    return ended.length > 0;
  }
}

function byRecord(deliveries: readonly Due[]): Map<string, Due[]> {
  const found = new Map<string, Due[]>();
  for (const delivery of deliveries) {
    const { recordId } = delivery;
    found.set(recordId, [...(found.get(recordId) ?? []), delivery]);
  }
  return found;
}

/** The body of the format `standard`. @param json of an entry of the change log */
function eventOf(type: string, json: string): string {
  const { createdAt } = JSON.parse(json) as { createdAt: string };
  return `{"type":"${type}","timestamp":"${createdAt}","data":${json}}`;
}

/** Sends a signed request, as Standard Webhooks 1.0 describes it. */
export function send(
  sender: Sender,
  { url, secrets }: Pick<Endpoint, 'url' | 'secrets'>,
  eventId: string,
  body: string,
) {
  const now = new Date();
  return sender.send(
    url,
    {
      'content-type': 'application/json',
      'user-agent': 'infrastructure-inventory',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventId, now, body)).join(' '),
    },
    body,
  );
}
