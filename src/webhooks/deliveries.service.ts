import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../lists/request-context.js';
import { Secrets } from '../access/secrets.js';
import { KNOWN_SINCE } from '../change-log/past-states.js';
import { Database } from '../database/database.js';
import type { Executor } from '../database/executor.js';
import { Outbound } from '../database/outbound.js';
import { raw, type Sql, sql, where, write } from '../database/sql.js';
import { instantText } from '../fields/types/time.js';
import { Conflict, Fault, Gone, invalid, NotFound } from '../http/errors.js';
import { type ListReply, PlainReply } from '../http/replies.js';
import { fileFormatOf } from '../lists/parameters/paging.js';
import { type ComputedColumn, ComputedLists, selected } from '../lists/computed-list.js';
import { DeliveredResources, readableBy } from './delivered-resources.js';
import type { DeliveriesRequest } from './deliveries.parameters.js';
import { resultOf } from './delivery-results.js';
import { send } from './dispatcher.js';
import { OUTBOUND_OFF, Sender, type SendResult } from './sender.js';
import { MOST_REPLAYED, type Subscription, WebhookQueue } from './webhook-queue.js';
import { assertReadable } from './webhook-rules.js';
import { Order } from '../lists/order.js';

interface Stored extends Subscription {
  url: string;
  format: string;
  isActive: boolean;
  secret: string;
  previousSecret: string | null;
}

const column = (name: string, of: string, isText = false): ComputedColumn => ({ name, sql: `t.${of}`, isText });
const time = (name: string, of: string): ComputedColumn => ({ name, sql: instantText(`t.${of}`), isText: false });

const COLUMNS: readonly ComputedColumn[] = [
  column('id', 'id'),
  column('eventId', 'event_id', true),
  column('type', 'type', true),
  column('resource', 'resource', true),
  column('recordId', 'record_id'),
  column('status', 'status', true),
  column('attempts', 'attempts'),
  column('responseStatus', 'response_status'),
  column('error', 'error', true),
  column('durationMs', 'duration_ms'),
  time('nextAttemptAt', 'next_attempt_at'),
  time('createdAt', 'created_at'),
  time('deliveredAt', 'delivered_at'),
];

const JSON_OF_ROW = sql`SELECT row_to_json(r)::text AS json FROM (SELECT ${selected(COLUMNS)} FROM written t) r`;

/** Condition that a delivery is about one of these resources, which the caller may read. A test delivery has no resource. */
const isReadable = (resources: readonly string[]): Sql =>
  sql`(resource IS NULL OR resource = ANY(${resources}::text[]))`;

/** Prevents changes of the webhook meanwhile, so that the queue matches its settings. */
const FOR_SHARE = 'FOR SHARE';

/** The deliveries of webhooks, and their repetition. */
@Injectable()
export class DeliveriesService {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(ComputedLists) private readonly lists: ComputedLists,
    @Inject(DeliveredResources) private readonly delivered: DeliveredResources,
    @Inject(WebhookQueue) private readonly queue: WebhookQueue,
    @Inject(Sender) private readonly sender: Sender,
    @Inject(Outbound) private readonly outbound: Outbound,
  ) {}

  /** The deliveries of a webhook that the caller may read, the latest first. @throws NotFound, DomainError forbidden */
  async list(ctx: RequestContext, webhook: string, request: DeliveriesRequest): Promise<ListReply> {
    // Before the webhook is looked up, as for every other list.
    fileFormatOf(request, ctx.accept);
    await this.webhook(ctx, webhook);
    const { statuses, sort, order } = request;
    const conditions = [
      sql`webhook_id = ${webhook}`,
      sql`(resource IS NULL OR resource = ANY(${readableBy(ctx.caller, this.delivered.of(ctx.fields))}::text[]))`,
      ...(statuses.length > 0 ? [sql`status = ANY(${statuses}::text[])`] : []),
    ];
    return this.lists.list(ctx, request, {
      name: 'deliveries',
      rows: sql`SELECT * FROM webhook_deliveries ${where(conditions)}`,
      columns: COLUMNS,
      order: new Order([`t.${sort} ${order}`, `t.created_at ${order}`, `t.position ${order}`]),
    });
  }

  /** Delivers an event again, or at once if the delivery is waiting. @throws NotFound, Conflict */
  async resend(ctx: RequestContext, webhook: string, delivery: string): Promise<PlainReply> {
    return ctx.transaction(async (tx) => {
      const subscription = await this.webhook(tx, webhook, FOR_SHARE);
      const [known] = await tx.db.query<{ id: string | null; micros: string }>(
        sql`SELECT entry_id AS id, (extract(epoch FROM entry_at) * 1000000)::bigint::text AS micros
          FROM webhook_deliveries
          WHERE webhook_id = ${webhook} AND ${isReadable(readableBy(ctx.caller, this.delivered.of(ctx.fields)))} AND id = ${delivery}`,
      );
      if (!known) throw new NotFound('Delivery');
      assertActive(subscription);
      const { id, micros } = known;
      if (id === null)
        throw new Conflict(new Fault('id', 'belongs to a test, which has no event. Send another one with POST …/test'));
      const unwanted = await this.queue.unwanted(tx, subscription, [{ id, micros }]);
      if (unwanted.length > 0)
        throw new Conflict(new Fault('id', 'belongs to a change that no longer matches the webhook'));
      const [row] = await tx.db.write<{ json: string }>(
        write`UPDATE webhook_deliveries SET next_attempt_at = now(), attempts = CASE status WHEN 'pending' THEN attempts ELSE 0 END,
            status = 'pending', delivered_at = NULL
          WHERE id = ${delivery} RETURNING *`.select(JSON_OF_ROW),
      );
      if (!row) throw new NotFound('Delivery');
      return new PlainReply(row.json);
    });
  }

  /** @throws NotFound, Conflict, Gone, ValidationFailed */
  async replay(ctx: RequestContext, id: string, since: string, until?: string): Promise<{ deliveries: number }> {
    const webhook = await this.webhook(ctx, id);
    const end = sql`coalesce(${until ?? null}::timestamptz, now())`;
    const [given] = await ctx.db.query<{ until: string; reversed: boolean; known: string | null }>(
      sql`SELECT ${end}::text AS until, ${end} < ${since}::timestamptz AS reversed,
          (SELECT ${raw(instantText('known'))} FROM (SELECT ${raw(KNOWN_SINCE)} AS known) log
            WHERE known > ${since}::timestamptz AND EXISTS (SELECT FROM change_log_pruned)) AS known`,
    );
    if (given!.reversed) throw invalid('until', 'must not be before since');
    if (given!.known !== null) {
      throw new Gone(
        new Fault('since', `must be ${given!.known} or later: the change log has no entries from before that time`),
      );
    }
    assertActive(webhook);
    const deliveries = await ctx.transaction(async (tx) => {
      const locked = await this.webhook(tx, id, FOR_SHARE);
      assertActive(locked);
      return this.queue.replay(tx, locked, since, given!.until);
    });
    if (deliveries === undefined) {
      throw invalid('since', `and until span more than ${MOST_REPLAYED} changes: replay them in several parts`);
    }
    return { deliveries };
  }

  /** Sends one event at once, also while the webhook is inactive. @throws NotFound, DomainError forbidden */
  async test(ctx: RequestContext, id: string): Promise<PlainReply> {
    const webhook = await this.webhook(ctx, id);
    const eventId = `evt_${randomUUID().replaceAll('-', '')}`;
    const body =
      webhook.format === 'text'
        ? JSON.stringify({ text: 'This is a test of the webhook. Everything works.' })
        : JSON.stringify({ type: 'webhooks.test', timestamp: new Date().toISOString(), data: { webhookId: id } });
    const secrets = [webhook.secret, ...(webhook.previousSecret === null ? [] : [webhook.previousSecret])];
    const began = performance.now();
    const endpoint = { url: webhook.url, secrets: secrets.map((sealed) => this.secrets.open(sealed)) };
    const sent: SendResult = (await this.outbound.isOn())
      ? await send(this.sender, endpoint, eventId, body)
      : { error: OUTBOUND_OFF };
    const result = resultOf('', 1, sent, Math.round(performance.now() - began));
    const succeeded = result.status === 'succeeded';
    const [row] = await this.db.write<{ json: string }>(
      write`INSERT INTO webhook_deliveries (webhook_id, event_id, type, status, attempts, response_status, error, duration_ms, next_attempt_at, delivered_at)
        SELECT id, ${eventId}, 'webhooks.test', ${succeeded ? 'succeeded' : 'failed'}, 1, ${result.responseStatus}, ${result.error},
          ${result.durationMs}, NULL, CASE WHEN ${succeeded} THEN now() END
        FROM webhooks WHERE id = ${id} RETURNING *`.select(JSON_OF_ROW),
    );
    if (!row) throw new NotFound('Webhook');
    return new PlainReply(row.json);
  }

  private async webhook(ctx: RequestContext, id: string, lock: typeof FOR_SHARE | '' = ''): Promise<Stored> {
    const found = await readWebhook(ctx.db, id, lock);
    if (!found) throw new NotFound('Webhook');
    assertReadable(ctx.caller, found, this.delivered.of(ctx.fields));
    return found;
  }
}

function assertActive({ isActive }: Stored): void {
  if (!isActive) throw new Conflict(new Fault('isActive', 'is false: activate the webhook first'));
}

async function readWebhook(db: Executor, id: string, lock: string): Promise<Stored | undefined> {
  const [found] = await db.query<Stored>(
    sql`SELECT id, url, format, resources, actions, fields, conditions AS "where", is_active AS "isActive", secret,
        CASE WHEN previous_secret_until > now() THEN previous_secret END AS "previousSecret" FROM webhooks WHERE id = ${id} ${raw(lock)}`,
  );
  return found;
}
