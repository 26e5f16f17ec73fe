import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ChangeFeed, FEED_START, type FeedEntry, type FeedPosition, isAfter } from '../change-log/feed/change-feed.js';
import { type FeedCursor, NO_ENTRY } from '../change-log/feed/feed-cursor.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/executor.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import type { DefinedFields } from '../fields/custom/defined-fields.js';
import { type ChangeTest, changeTest, type Conditions } from './conditions.js';
import { type RecordStates, recordStates } from '../change-log/past-states.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { compile } from '../lists/record-sql.js';
import type { InTransaction } from '../lists/request-context.js';
import { type Delivered, DeliveredResources } from './delivered-resources.js';
import { endDeliveries } from './delivery-results.js';
import { sql, write } from '../database/sql.js';

/** The subscription of a webhook. */
export interface Subscription {
  id: string;
  resources: readonly string[];
  actions: readonly string[];
  fields: readonly string[];
  where: Conditions | null;
}

/** An active webhook, with the position in the feed from which it gets entries. */
interface ActiveWebhook extends Subscription {
  sinceTransaction: string | null;
  sinceId: string;
}

/** An entry that may concern a webhook. */
interface Candidate<S extends Subscription> {
  webhook: S;
  entry: FeedEntry;
}

/** A delivery that is to be made. */
interface NewDelivery {
  webhook: string;
  entry: FeedEntry;
}

/** The setting with the position in the feed up to which entries were queued. */
export const CURSOR = 'webhooks.cursor';
const EVERYTHING = { filters: [] };
const BATCH = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Deliveries that are filtered again at once. */
const JUDGED_AT_ONCE = 100;
/** Pairs of an entry and a webhook that are compared in one turn of the event loop. */
const STEP = 1_000;

/** Maximum number of entries in one replay. */
export const MOST_REPLAYED = 100_000;

const ACTIVE = sql`SELECT w.id, w.resources, w.actions, w.fields, w.conditions AS "where",
    since.transaction_id::text AS "sinceTransaction", s.since_id AS "sinceId"
  FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id
  LEFT JOIN change_log since ON since.id = s.since_id AND since.created_at = s.since_at
  WHERE w.is_active`;

// A concurrent change of a webhook waits until its deliveries are queued. Then it ends the ones that no longer match.
const LOCKED = sql`${ACTIVE} FOR SHARE OF w`;

/** The event id of an entry, which is the same in every delivery and retry. */
const eventIdOf = (entryId: string): string => `evt_${entryId.replaceAll('-', '')}`;

/** Adds the deliveries of webhooks to the queue, exactly once and in the order of the feed. */
@Injectable()
export class WebhookQueue {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(ChangeFeed) private readonly feed: ChangeFeed,
    @Inject(DeliveredResources) private readonly delivered: DeliveredResources,
    @Inject(DefinitionStore) private readonly definitions: DefinitionStore,
  ) {}

  /**
   * Queues the next entries of the feed. One process at a time does this; others return at once.
   * @returns whether more entries can be queued at once
   */
  async fill(): Promise<boolean> {
    // Most installations have no webhook, and then nothing is written.
    const [some] = await this.db.query(sql`SELECT 1 FROM webhooks WHERE is_active LIMIT 1`);
    if (!some) return false;
    return this.db.transaction(async (tx) => {
      const from = await this.lockCursor(tx);
      if (!from) return false;
      const known = await tx.query<ActiveWebhook>(ACTIVE);
      // The last webhook was deactivated meanwhile.
      if (known.length === 0) return false;
      const start = known.map(sinceOf).reduce((first, since) => (isAfter(first, since) ? since : first));
      const page = await this.feed.read(isAfter(start, from) ? start : from, EVERYTHING, BATCH, BATCH_BYTES, tx);
      if (page.end === from) return false;
      const entries = await this.inOrderOfRecords(tx, page.entries, page.end);
      const webhooks = await tx.query<ActiveWebhook>(LOCKED);
      // Read after the webhooks, so that their conditions name no unknown field.
      const { open } = await this.definitions.seenBy(tx);
      const chosen = await this.chosen(tx, open, entries, webhooks, sinceOf);
      await this.enqueue(tx, chosen, true);
      await tx.write(write`UPDATE settings SET value = ${`${page.end.micros} ${page.end.id}`} WHERE name = ${CURSOR}`);
      return page.hasMore;
    });
  }

  /**
   * Queues again the deliveries of a webhook for a span of time, including those that it would have had.
   * @returns the number of deliveries; undefined if the span has too many entries
   */
  async replay(
    { db: tx, fields }: InTransaction,
    subscription: Subscription,
    since: string,
    until: string,
  ): Promise<number | undefined> {
    const [found] = await tx.query<{ size: number }>(
      sql`SELECT count(*)::int AS size FROM (
        SELECT FROM change_log WHERE created_at >= ${since} AND created_at < ${until} LIMIT ${MOST_REPLAYED + 1}) entries`,
    );
    if (found!.size > MOST_REPLAYED) return undefined;
    let deliveries = 0;
    let after: FeedCursor = { ...FEED_START };
    for (;;) {
      const page = await this.feed.between(tx, after, since, until, BATCH, BATCH_BYTES);
      if (page.length === 0) return deliveries;
      const chosen = await this.chosen(tx, fields, page, [subscription], () => FEED_START);
      deliveries += chosen.length;
      await this.enqueue(tx, chosen, false);
      after = page.at(-1)!;
    }
  }

  /** Ends the waiting deliveries of a webhook that no longer match it. The webhook must be locked. */
  async endUnwanted(ctx: InTransaction, webhook: Subscription): Promise<void> {
    const { db: tx } = ctx;
    let after = '0';
    for (;;) {
      const waiting = await tx.query<FeedCursor & { position: string }>(
        sql`SELECT entry_id AS id, (extract(epoch FROM entry_at) * 1000000)::bigint::text AS micros, position::text
          FROM webhook_deliveries WHERE webhook_id = ${webhook.id} AND status = 'pending' AND position > ${after}
          ORDER BY position LIMIT ${JUDGED_AT_ONCE}`,
      );
      await endDeliveries(tx, webhook.id, 'no_longer_wanted', await this.unwanted(ctx, webhook, waiting));
      if (waiting.length < JUDGED_AT_ONCE) return;
      after = waiting.at(-1)!.position;
    }
  }

  /** The ids of the entries that do not match a webhook. Pruned entries cannot be compared, and cannot be sent either. */
  async unwanted(
    { db: tx, fields }: InTransaction,
    webhook: Subscription,
    entries: readonly FeedCursor[],
  ): Promise<string[]> {
    const known = await this.feed.named(tx, entries);
    const chosen = await this.chosen(tx, fields, known, [webhook], () => FEED_START);
    const wanted = new Set(chosen.map(({ entry }) => entry.id));
    return known.map(({ id }) => id).filter((id) => !wanted.has(id));
  }

  /** Locks the cursor until the transaction ends. Undefined if another process has locked it. */
  private async lockCursor(tx: Transaction): Promise<FeedPosition | undefined> {
    const read = (): Promise<{ value: string }[]> =>
      tx.query(sql`SELECT value FROM settings WHERE name = ${CURSOR} FOR UPDATE SKIP LOCKED`);
    let [row] = await read();
    if (!row) {
      await tx.write(write`INSERT INTO settings (name, value) VALUES (${CURSOR}, ${''}) ON CONFLICT DO NOTHING`);
      [row] = await read();
    }
    if (!row) return undefined;
    const [micros, id] = row.value.split(' ');
    if (micros === undefined || id === undefined) return FEED_START;
    // The entry may have been pruned, or the database restored from a backup. Then the positions of the webhooks count.
    const found = await this.feed.find({ micros, id }, tx);
    return typeof found === 'string' ? FEED_START : found;
  }

  /** The entries, in an order in which the changes of each record follow each other. Later entries of the same records are included. */
  private async inOrderOfRecords(tx: Transaction, entries: FeedEntry[], end: FeedPosition): Promise<FeedEntry[]> {
    const all = [...(await this.feed.earlierThan(tx, entries, end)), ...entries];
    const byRecord = new Map<string, FeedEntry[]>();
    for (const entry of all) byRecord.set(entry.recordId, [...(byRecord.get(entry.recordId) ?? []), entry]);
    for (const [record, of] of byRecord)
      byRecord.set(
        record,
        of.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
    return all.map(({ recordId }) => byRecord.get(recordId)!.shift()!);
  }

  /** The matching webhooks of some entries, in the order of the entries. */
  private async chosen<S extends Subscription>(
    tx: Transaction,
    fields: DefinedFields,
    entries: readonly FeedEntry[],
    webhooks: readonly S[],
    since: (webhook: S) => FeedPosition,
  ): Promise<NewDelivery[]> {
    const candidates: Candidate<S>[] = [];
    for await (const entry of inSteps(entries, Math.ceil(STEP / webhooks.length))) {
      let changed: ReadonlySet<string> | undefined;
      const changedFields = (): ReadonlySet<string> => (changed ??= changedFieldsOf(entry));
      for (const webhook of webhooks) {
        if (isAfter(entry, since(webhook)) && concerns(webhook, entry, changedFields))
          candidates.push({ webhook, entry });
      }
    }
    const delivered = this.delivered.of(fields);
    const states = await this.statesFor(tx, fields, delivered, candidates);
    const tests = new Map<S, ChangeTest>();
    const testOf = (webhook: S, where: Conditions, resource: string): ChangeTest => {
      let test = tests.get(webhook);
      if (!test) tests.set(webhook, (test = changeTest(delivered.get(resource)!.fields, where)));
      return test;
    };
    const chosen: NewDelivery[] = [];
    for await (const { webhook, entry } of inSteps(candidates, STEP)) {
      const { id, where } = webhook;
      const state = where && states.get(entry.id)!;
      // A webhook with conditions has one resource.
      const isMet = !state || testOf(webhook, where, entry.resource)(state.before, state.after);
      if (isMet) chosen.push({ webhook: id, entry });
    }
    return chosen;
  }

  private async statesFor(
    tx: Transaction,
    fields: DefinedFields,
    delivered: Delivered,
    candidates: readonly Candidate<Subscription>[],
  ): Promise<Map<string, RecordStates>> {
    const ids = new Map<string, Set<string>>();
    for (const { webhook, entry } of candidates) {
      if (webhook.where) ids.set(entry.resource, (ids.get(entry.resource) ?? new Set()).add(entry.id));
    }
    const states = new Map<string, RecordStates>();
    for (const [resource, of] of ids) {
      const record = delivered.get(resource)!.record as Class<StoredRecord>;
      for (const [id, state] of await recordStates(tx, compile(record, fields.of(record)), [...of]))
        states.set(id, state);
    }
    return states;
  }

  /** @param once whether events that were queued before are left out */
  private async enqueue(tx: Transaction, deliveries: readonly NewDelivery[], once: boolean): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ webhook, entry: { id, micros, resource, action, recordId } }, place) => ({
      place,
      webhook,
      event: eventIdOf(id),
      entry: id,
      micros,
      type: `${resource}.${action}`,
      resource,
      record: recordId,
    }));
    await tx.write(
      write`INSERT INTO webhook_deliveries (webhook_id, event_id, entry_id, entry_at, type, resource, record_id, is_replay)
       SELECT webhook, event, entry, timestamptz 'epoch' + micros * interval '1 microsecond', type, resource, record, ${!once}
       FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS given (place int, webhook uuid, event text, entry uuid, micros bigint, type text, resource text, record uuid)
       ORDER BY place ON CONFLICT (webhook_id, entry_id) WHERE NOT is_replay DO NOTHING`,
    );
  }
}

/** The elements, with a turn of the event loop after each step. */
async function* inSteps<T>(elements: readonly T[], step: number): AsyncGenerator<T> {
  for (const [index, element] of elements.entries()) {
    if (index > 0 && index % step === 0) await nextTurn();
    yield element;
  }
}

const sinceOf = ({ sinceTransaction, sinceId }: ActiveWebhook): FeedPosition =>
  sinceTransaction === null || sinceId === NO_ENTRY
    ? FEED_START
    : { transaction: BigInt(sinceTransaction), id: sinceId, micros: '0' };

/** The fields that an update has changed. */
function changedFieldsOf({ json }: FeedEntry): ReadonlySet<string> {
  const { after } = JSON.parse(json) as { after: object | null };
  return new Set(Object.keys(after ?? {}));
}

/** Whether a webhook gets an entry, apart from conditions on values. Records without an area are never delivered. */
function concerns(
  { resources, actions, fields }: Subscription,
  { area, resource, action }: FeedEntry,
  changedFields: () => ReadonlySet<string>,
): boolean {
  if (area === null) return false;
  if (resources.length > 0 && !resources.includes(resource)) return false;
  if (actions.length > 0 && !actions.includes(action)) return false;
  if (fields.length === 0 || action !== 'update') return true;
  return fields.some((field) => changedFields().has(field));
}
