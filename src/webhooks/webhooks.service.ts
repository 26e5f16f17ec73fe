import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject } from '@nestjs/common';
import type { RequestContext } from '../lists/request-context.js';
import { Secrets } from '../access/secrets.js';
import { ChangeFeed } from '../change-log/feed/change-feed.js';
import type { Transaction } from '../database/executor.js';
import { Conflict, Fault, NotFound, ValidationFailed } from '../http/errors.js';
import type { RecordReply } from '../http/replies.js';
import { RecordService } from '../records/record-service.js';
import { RecordStores } from '../records/record-store.js';
import type { Change, ChangedRow, InsertedRow, NewRecord, Returning, Scope } from '../records/record-writer.js';
import { ResourceService } from '../records/resource.service.js';
import type { Conditions } from './conditions.js';
import { DeliveredResources } from './delivered-resources.js';
import { endDeliveries } from './delivery-results.js';
import { ADDRESS_POLICY } from './tokens.js';
import type { AddressPolicy } from './address-rules.js';
import { WebhookQueue } from './webhook-queue.js';
import { assertReadable, webhookFaults, type WebhookSettings } from './webhook-rules.js';
import { Webhook } from './webhook.entity.js';
import { sql, write } from '../database/sql.js';
import { holdLock, LOCKS } from '../database/locks.js';

const MOST_WEBHOOKS = 100;

/** Hours for which a secret signs after it was replaced. */
const OVERLAP = '24 hours';

/** The fields that determine which changes a webhook gets. */
const WANTED = ['resources', 'actions', 'fields', 'where'];

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

type WebhookBody = Partial<Webhook> & { secret?: string };

interface Stored extends WebhookSettings {
  actions: readonly string[];
  secret: string;
  isActive: boolean;
}

/** Webhooks. Their secrets are encrypted, and shown only when they are created. */
@RecordService(Webhook)
export class WebhooksService extends ResourceService<Webhook> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(Secrets) private readonly box: Secrets,
    @Inject(ChangeFeed) private readonly feed: ChangeFeed,
    @Inject(DeliveredResources) private readonly delivered: DeliveredResources,
    @Inject(WebhookQueue) private readonly queue: WebhookQueue,
    @Inject(ADDRESS_POLICY) private readonly policy: AddressPolicy,
  ) {
    super(stores);
  }

  /** @throws DomainError forbidden, ValidationFailed, Conflict */
  override create(ctx: RequestContext, body: object): Promise<RecordReply> {
    this.judge(ctx, settingsOf(body as WebhookBody));
    return ctx.transaction(async (tx) => {
      const reply = await this.createOne(tx, body as WebhookBody);
      return reply.with({ secret: this.box.open((await this.stored(tx.db, reply.id)).secret) });
    });
  }

  /** Replaces the secret. The previous one also signs for a day, and older ones no longer. @throws NotFound */
  async rotate(ctx: RequestContext, id: string): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      assertReadable(ctx.caller, await this.stored(tx.db, id), this.delivered.of(ctx.fields));
      const secret = newSecret();
      await tx.db.write(
        write`UPDATE webhooks SET previous_secret = secret, previous_secret_until = now() + ${OVERLAP}::interval, secret = ${this.box.seal(secret)}
          WHERE id = ${id}`,
      );
      return (await this.recordOn(tx, id)).with({ secret });
    });
  }

  protected override async insert(
    ctx: RequestContext,
    records: readonly NewRecord<Webhook>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    return ctx.transaction(async (tx) => {
      await holdLock(tx.db, LOCKS.webhooks);
      const [found] = await tx.db.query<{ size: number }>(sql`SELECT count(*)::int AS size FROM webhooks`);
      if (found!.size + records.length > MOST_WEBHOOKS) {
        throw new Conflict(new Fault('webhooks', `are ${MOST_WEBHOOKS} at most: delete one of them first`));
      }
      const sealed = records.map(({ columns, body }) => ({
        columns: { ...columns, secret: this.box.seal(newSecret()) },
        body,
      }));
      const rows = await super.insert(tx, sealed, returning);
      const { id, micros } = await this.feed.latest(tx.db);
      await tx.db.write(
        write`INSERT INTO webhook_states (webhook_id, since_id, since_at)
         SELECT id, ${id}, timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond' FROM unnest(${rows.map((row) => row.id)}::uuid[]) id`,
      );
      return rows;
    });
  }

  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Webhook>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    return ctx.transaction(async (tx) => {
      const judged: Change<Webhook>[] = [];
      for (const change of changes) {
        const stored = await this.stored(tx.db, change.id);
        judged.push(this.judged(ctx, stored, change));
        const { isActive = stored.isActive } = change.body;
        if (stored.isActive && !isActive) await endDeliveries(tx.db, change.id, 'webhook_deactivated');
        else if (!stored.isActive && isActive) await this.startFromNow(tx.db, change.id);
      }
      const rows = await super.change(tx, judged, returning, scope);
      for (const { id, body } of judged) {
        if (WANTED.some((name) => name in body))
          await this.queue.endUnwanted(tx, { id, ...(await this.stored(tx.db, id)) });
      }
      return rows;
    });
  }

  /** A caller who deletes a webhook for operations must be allowed to read operations. */
  override async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.conditionally(ctx, id, undefined, (scope) =>
      ctx.transaction(async (tx) => {
        assertReadable(ctx.caller, await this.stored(tx.db, id), this.delivered.of(ctx.fields));
        await this.erase(tx, [id], scope);
      }),
    );
  }

  /** The change of a webhook, if the caller may make it. @throws DomainError forbidden, ValidationFailed */
  private judged(ctx: RequestContext, stored: Stored, { id, columns, body }: Change<Webhook>): Change<Webhook> {
    const { secret, url, isActive } = body as WebhookBody;
    // A caller who removes operations from a webhook must be allowed to read them.
    assertReadable(ctx.caller, stored, this.delivered.of(ctx.fields));
    this.judge(ctx, { ...stored, ...given(body) });
    const moves = url !== undefined && url !== stored.url;
    if (!moves && secret !== undefined) {
      throw new ValidationFailed([new Fault('secret', 'is not a known property, except together with another url')]);
    }
    if (moves && !(secret !== undefined && isSame(secret, this.box.open(stored.secret)))) {
      const why = secret === undefined ? 'is required to change url' : 'is not the present secret of the webhook';
      throw new ValidationFailed([new Fault('secret', why)]);
    }
    return { id, columns: isActive === true ? { ...columns, deactivated_reason: null } : columns, body };
  }

  /** Changes while a webhook was inactive are not delivered. */
  private async startFromNow(tx: Transaction, webhook: string): Promise<void> {
    const { id, micros } = await this.feed.latest(tx);
    await tx.write(
      write`UPDATE webhook_states SET since_id = ${id}, since_at = timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', failing_since = NULL
       WHERE webhook_id = ${webhook}`,
    );
  }

  /** @throws DomainError forbidden, ValidationFailed */
  private judge({ caller, fields }: RequestContext, settings: WebhookSettings): void {
    const delivered = this.delivered.of(fields);
    const faults = webhookFaults(settings, delivered, this.policy);
    if (faults.length > 0) throw new ValidationFailed(faults);
    assertReadable(caller, settings, delivered);
  }

  /** Locks a webhook until the transaction ends. @throws NotFound */
  private async stored(tx: Transaction, id: string): Promise<Stored> {
    const [found] = await tx.query<Stored>(
      sql`SELECT url, resources, actions, fields, conditions AS "where", secret, is_active AS "isActive" FROM webhooks WHERE id = ${id} FOR UPDATE`,
    );
    if (!found) throw new NotFound(this.declared.label);
    return found;
  }
}

const parsed = (where: unknown): Conditions | null =>
  typeof where === 'string' ? (JSON.parse(where) as Conditions) : ((where as Conditions | undefined) ?? null);

const settingsOf = ({ url = '', resources = [], fields = [], where }: WebhookBody): WebhookSettings => ({
  url,
  resources,
  fields,
  where: parsed(where),
});

/** The settings that a PATCH changes. */
function given(body: WebhookBody): Partial<WebhookSettings> {
  const settings = settingsOf(body);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in body));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
