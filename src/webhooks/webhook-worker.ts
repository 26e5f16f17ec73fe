import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Secrets } from '../access/secrets.js';
import { Database } from '../database/database.js';
import { Outbound } from '../database/outbound.js';
import { endUnsent } from './delivery-results.js';
import { Dispatcher, type Endpoint } from './dispatcher.js';
import { Messages } from './messages.js';
import { OUTBOUND_OFF, Sender } from './sender.js';
import { WebhookQueue } from './webhook-queue.js';
import { raw, sql, write, type Write } from '../database/sql.js';

/** Milliseconds between two looks at the queue. */
const INTERVAL = 250;
/** Seconds of a process's lease of a webhook. If the process dies, another one takes over after that time. */
const LEASE = 30;
/** Milliseconds that running requests get when the process stops. */
const LONGEST_STOP = 5_000;
/** Deliveries are kept for this long. */
const KEPT_DAYS = 14;
const PRUNED_AT_ONCE = 5_000;

interface Leased {
  id: string;
  url: string;
  format: string;
  resources: string[];
  secret: string;
  previousSecret: string | null;
}

// One process at a time delivers for a webhook, which keeps the changes of a record in their order.
function takeLeases(owner: string, busy: readonly string[]): Write {
  const us = sql`${owner}`;
  return write`UPDATE webhook_states s SET lease_owner = ${us}, lease_until = now() + interval '${raw(LEASE)} seconds'
    FROM webhooks w
    WHERE w.id = s.webhook_id AND w.is_active AND (s.lease_owner = ${us} OR s.lease_until IS NULL OR s.lease_until < now())
      AND (s.webhook_id = ANY(${busy}::uuid[]) OR EXISTS (SELECT FROM webhook_deliveries d
        WHERE d.webhook_id = s.webhook_id AND d.status = 'pending' AND d.next_attempt_at <= now()))
    RETURNING w.id, w.url, w.format, w.resources, w.secret,
      CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS "previousSecret"`;
}

const releaseLeases = (owner: string): Write =>
  write`UPDATE webhook_states SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ${owner}`;

/** Fills the queue of deliveries from the feed, and sends those that are due. Every process has one. */
@Injectable()
export class WebhookWorker implements OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly id = randomUUID();
  private readonly dispatchers = new Map<string, Dispatcher>();
  private readonly stopping = new AbortController();
  private running?: Promise<void>;

  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(WebhookQueue) private readonly queue: WebhookQueue,
    @Inject(Messages) private readonly messages: Messages,
    @Inject(Sender) private readonly sender: Sender,
    @Inject(Outbound) private readonly outbound: Outbound,
  ) {}

  start(): void {
    this.running ??= this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.sender.close();
  }

  /** Deletes deliveries that are kept for long enough. */
  async prune(): Promise<void> {
    for (;;) {
      const gone = await this.db.write(
        write`DELETE FROM webhook_deliveries WHERE id IN (
            SELECT id FROM webhook_deliveries WHERE created_at < now() - ${KEPT_DAYS} * interval '1 day' AND status <> 'pending'
            LIMIT ${PRUNED_AT_ONCE}
          ) RETURNING id`,
      );
      if (gone.length < PRUNED_AT_ONCE) return;
    }
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    let hasFailed = false;
    let hasTold = false;
    while (!signal.aborted) {
      let hasMore = false;
      try {
        if (!hasTold) await this.tellWhetherItSends();
        hasTold = true;
        // Deliveries and leases continue, however fast changes are made.
        hasMore = await this.queue.fill();
        await this.deliver();
        hasFailed = false;
      } catch (err) {
        // Due deliveries are sent when the database is available again. An outage is a separate error in the log.
        if (!hasFailed) this.logger[this.db.outage.isOn ? 'warn' : 'error'](err, 'Deliveries wait');
        hasFailed = true;
      }
      if (!hasMore) await sleep(INTERVAL, undefined, { signal }).catch(() => {});
    }
    const stopped = Promise.all([...this.dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    // A longer request is sent again, with the same id, by the process that takes over.
    await Promise.race([stopped, sleep(LONGEST_STOP, undefined, { ref: false })]);
    await this.db.write(releaseLeases(this.id)).catch(() => {});
  }

  private async tellWhetherItSends(): Promise<void> {
    const reason = await this.outbound.reason();
    if (reason === undefined) return;
    this.logger.warn(
      `Nothing is sent to webhooks, and no calendar is served: ${reason}. Deliveries end as failed, with the error ${OUTBOUND_OFF}`,
    );
  }

  private async deliver(): Promise<void> {
    const busy = [...this.dispatchers].filter(([, { running }]) => running).map(([id]) => id);
    const [due] = await this.db.query(
      sql`SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now() LIMIT 1`,
    );
    if (!due && busy.length === 0) return;
    if (!(await this.outbound.isOn())) return endUnsent(this.db);
    const asked = Date.now();
    const leased = await this.db.write<Leased>(takeLeases(this.id, busy));
    for (const webhook of leased) this.dispatcherOf(webhook).run(this.endpointOf(webhook), asked + LEASE * 1000);
    // It was deactivated or deleted, or another process has it.
    const ours = new Set(leased.map(({ id }) => id));
    for (const id of busy) if (!ours.has(id)) this.dispatchers.get(id)!.pause();
    for (const [id, { isIdle }] of this.dispatchers) if (isIdle) this.dispatchers.delete(id);
  }

  private dispatcherOf(webhook: Leased): Dispatcher {
    let dispatcher = this.dispatchers.get(webhook.id);
    if (!dispatcher) {
      const failed = (error: unknown): void =>
        this.logger.warn(`Results cannot be stored: ${(error as Error).message}`);
      dispatcher = new Dispatcher(this.db, this.sender, this.messages, this.endpointOf(webhook), failed);
      this.dispatchers.set(webhook.id, dispatcher);
    }
    return dispatcher;
  }

  private endpointOf({ id, url, format, resources, secret, previousSecret }: Leased): Endpoint {
    const secrets = [secret, ...(previousSecret === null ? [] : [previousSecret])];
    return { id, url, format, resources, secrets: secrets.map((sealed) => this.secrets.open(sealed)) };
  }
}
