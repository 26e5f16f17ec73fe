import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { meets } from '../access/access.js';
import { Secrets } from '../access/secrets.js';
import type { Transaction } from '../database/executor.js';
import { identifier, raw, sql } from '../database/sql.js';
import { fieldsOf, isStored, type Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { areaOf } from '../fields/record-entity.js';
import { HTML_TYPE } from '../http/html.js';
import { isObject } from '../http/json-body.js';
import { Conflict, DomainError, Fault } from '../http/errors.js';
import { DocumentReply, matches, PlainReply, type RecordReply } from '../http/replies.js';
import { jsonOf } from '../lists/computed-list.js';
import { tableOf } from '../lists/record-sql.js';
import { nameOf } from '../records/other-record.js';
import { readingOf } from '../records/record-access.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import { ChangeRequest } from '../operations/change-request/change-request.entity.js';
import { askedChange } from '../operations/conflict/asked-work.js';
import { conflictList } from '../operations/conflict/conflict-list.js';
import { TARGETED_RESOURCES } from '../operations/target/targeted-records.js';
import { approvalState, recordDigest } from '../resource/approvals/approval-state.js';
import { ChangeSet } from './change-set.entity.js';
import { ChangeSetsService, type StoredSet } from './change-sets.service.js';
import { Delta } from './delta.js';
import { DiffPage } from './diff-page.js';
import type { DeltaConflict } from './delta-conflict.js';
import type { Preview } from './preview.js';
import { operationsOf, type StoredOperation, type Values } from './operation-store.js';
import { PlannedResources, sqlOf } from './planned-resources.js';
import { MergeRefused } from './merge-refused.js';

/** Timeout of a preview in milliseconds. */
const PREVIEW_TIME = 10_000;
const MINUTES = 60;

/** Merges change sets, and previews merges. A preview is a merge that is rolled back. */
@Injectable()
export class MergeService {
  constructor(
    @Inject(ChangeSetsService) private readonly sets: ChangeSetsService,
    @Inject(PlannedResources) private readonly resources: PlannedResources,
    @Inject(Secrets) private readonly secrets: Secrets,
  ) {}

  /** @throws NotFound, Conflict, Unavailable */
  async preview(ctx: RequestContext, id: string): Promise<PlainReply> {
    const { preview, etag, digest } = await this.previewed(ctx, id);
    return new PlainReply(JSON.stringify(preview), undefined, `,"digest":${JSON.stringify(digest)}`, etag);
  }

  async previewed(
    ctx: RequestContext,
    id: string,
  ): Promise<{ set: StoredSet; preview: Preview; etag: string; digest: string }> {
    const until = Date.now() + PREVIEW_TIME;
    const made = await ctx.transaction(async (tx) => {
      const set = await this.sets.lockOpen(tx.db, id);
      const digest = (await recordDigest(tx.db, ChangeSet, id))!;
      const [{ now }] = (await tx.db.query(sql`SELECT now() AS now`)) as [{ now: Date }];
      const { delta, warnings } = await this.done(tx, set, until);
      return { set, delta, warnings, digest, now };
    }, true);
    const { set, delta, warnings, digest, now } = made;
    return { set, preview: this.shown(ctx, delta, warnings), etag: this.etagOf(delta, now), digest };
  }

  /** The preview as a printable page. @throws NotFound, Conflict, Unavailable */
  async diff(ctx: RequestContext, id: string, known = ''): Promise<DocumentReply> {
    const { set, preview, etag } = await this.previewed(ctx, id);
    if (matches(known, etag)) return new DocumentReply(HTML_TYPE, etag, undefined);
    return new DocumentReply(HTML_TYPE, etag, new DiffPage(set.name, preview, await this.namesIn(ctx, preview)).html);
  }

  /** Names of the records in a preview that the caller may read. */
  private async namesIn({ db, caller }: RequestContext, { operations }: Preview): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    const wanted = new Map<Class, Set<string>>();
    for (const { resource, recordId, before, after } of operations) {
      const record = this.resources.any(resource)!.record;
      for (const state of [before, after]) {
        if (!isObject(state)) continue;
        const naming = namingOf(record)?.property ?? 'name';
        const { [naming]: name } = state as Values;
        if (typeof name === 'string') names.set(recordId, name);
        for (const { property, references } of fieldsOf(record).filter(isStored)) {
          const { [property]: value } = state as Values;
          const target = references?.();
          if (!target || typeof value !== 'string') continue;
          wanted.set(target, (wanted.get(target) ?? new Set()).add(value));
        }
      }
    }
    for (const [record, ids] of wanted) {
      const name = nameOf(record);
      if (name === undefined || areaOf(record) === null || !meets(caller, readingOf(record))) continue;
      const rows = await db.query<{ id: string; name: string | null }>(
        sql`SELECT t.id, ${raw(name)}::text AS name FROM ${identifier(tableOf(record))} t WHERE t.id = ANY(${[...ids]}::uuid[])`,
      );
      for (const row of rows) if (row.name !== null && !names.has(row.id)) names.set(row.id, row.name);
    }
    return names;
  }

  /** @throws NotFound, Conflict, MergeRefused, DomainError forbidden, precondition_failed, approvals_missing */
  async merge(ctx: RequestContext, id: string): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      const set = await this.sets.lockOpen(tx.db, id);
      const operations = await operationsOf(tx.db, id);
      this.refuseWithoutRights(ctx, operations);
      const approvalIds = await this.refuseUnapproved(tx.db, set);
      const [{ now }] = (await tx.db.query(sql`SELECT now() AS now`)) as [{ now: Date }];
      const { delta } = await this.done(tx, set, Infinity, operations);
      if (ctx.versions && !ctx.versions.includes(versionOf(this.etagOf(delta, now)))) {
        throw new DomainError(
          'precondition_failed',
          'If-Match does not match: what the merge does has changed since the preview. Look at the preview again',
        );
      }
      if (delta.conflicts.length > 0) throw new MergeRefused(this.readable(ctx, delta.conflicts));
      const columns = { status: 'merged', merged_by: ctx.caller.email, merged_at: now };
      await nameApprovals(tx.db, id, approvalIds);
      await this.sets.mark(tx, id, columns);
      return this.sets.recordOn(tx, id);
    });
  }

  /** Carries out the operations of a change set. */
  private async done(
    ctx: InTransaction,
    set: StoredSet,
    until: number,
    operations?: readonly StoredOperation[],
  ): Promise<{ delta: Delta; warnings: unknown[] }> {
    const { db, caller } = ctx;
    await this.sets.begin(db, set);
    const all = operations ?? (await operationsOf(db, set.id));
    const delta = new Delta(ctx, this.resources, this.secrets, all, until);
    await delta.compare();
    const warnings = meets(caller, { role: 'viewer', area: 'operations' }) ? await warningsOf(db, set, all) : [];
    await delta.run();
    return { delta, warnings };
  }

  private refuseWithoutRights({ caller }: RequestContext, operations: readonly StoredOperation[]): void {
    const lacking = operations.filter(({ resource }) => !meets(caller, this.resources.any(resource)!.write));
    if (lacking.length === 0) return;
    const details = lacking.map(
      ({ position, resource, recordId }) =>
        new Fault(`operations[${position}]`, `changes ${resource} ${recordId}, which you may not write`),
    );
    const shown = details.slice(0, 10).map(String).join('; ');
    const more = details.length > 10 ? `; and ${details.length - 10} more` : '';
    throw new DomainError('forbidden', `The merge needs the rights of all its operations: ${shown}${more}`, {
      details,
    });
  }

  /** @returns the approvals on which the merge is based @throws Conflict */
  private async refuseUnapproved(tx: Transaction, set: StoredSet): Promise<string[]> {
    const own = await approvalState(tx, ChangeSet, set.id);
    if (own?.rejectedBy) throw missing(`The change set is rejected by ${own.rejectedBy}`);
    const ownApprovals = own?.approvalIds ?? [];
    if (set.plannedForId === null) return ownApprovals;
    if (set.changeRequestId === null) {
      throw new Conflict(new Fault('changeRequestId', 'named a change request that was deleted'));
    }
    const [request] = await tx.query<{ status: string }>(
      sql`SELECT status FROM change_requests WHERE id = ${set.changeRequestId} FOR SHARE`,
    );
    if (!['approved', 'scheduled', 'in_progress'].includes(request!.status)) {
      throw new Conflict(
        new Fault(
          'changeRequestId',
          `names a change request with the status ${request!.status}: it must be approved, scheduled or in_progress`,
        ),
      );
    }
    const state = await approvalState(tx, ChangeRequest, set.changeRequestId);
    if (state?.rejectedBy) throw missing(`The change request is rejected by ${state.rejectedBy}`);
    if (!state || state.given === 0) throw missing('The change request lacks 1 approval that counts');
    return [...state.approvalIds, ...ownApprovals];
  }

  /** The part of a preview that the caller may see. */
  private shown(ctx: RequestContext, delta: Delta, warnings: unknown[]): Preview {
    const operations = delta.operations.map((operation) => {
      const { id, op, resource, recordId } = operation;
      const isReadable = this.resources.mayRead(ctx.caller, resource);
      const state = (texts: ReadonlyMap<string, string>): unknown => {
        const text = texts.get(id);
        if (text === undefined || !isReadable) return null;
        return JSON.parse(this.secrets.reveal(text, sqlOf(this.resources.any(resource)!).secrets, ctx.caller));
      };
      return { id, op, resource, recordId, before: state(delta.before), after: state(delta.after) };
    });
    return { operations, conflicts: this.readable(ctx, delta.conflicts), warnings };
  }

  /** Conflicts as a caller sees them. For records that the caller may not read, only their existence is reported. */
  private readable({ caller }: RequestContext, conflicts: readonly DeltaConflict[]): DeltaConflict[] {
    return conflicts.map((conflict) => {
      const resource = this.resources.any(conflict.resource)!;
      if (this.resources.mayRead(caller, conflict.resource)) {
        const isSecret = conflict.field !== null && sqlOf(resource).secrets.includes(conflict.field);
        return isSecret ? { ...conflict, base: null, current: null, proposed: null } : conflict;
      }
      const { kind, operationId } = conflict;
      return { kind, operationId } as DeltaConflict;
    });
  }

  /** A state of a record without secrets, whose encrypted form differs each time. */
  private withoutSecrets({ id, resource }: StoredOperation, states: ReadonlyMap<string, string>): object | null {
    const text = states.get(id);
    if (text === undefined) return null;
    const state = JSON.parse(text) as Values;
    for (const property of sqlOf(this.resources.any(resource)!).secrets) delete state[property];
    return state;
  }

  /** The same for the effects of a merge, in a form that does not depend on the time of the request: times that the merge sets are left out. */
  private etagOf({ operations, before, after, conflicts }: Delta, now: Date): string {
    const since = now.toISOString();
    const text = JSON.stringify([
      operations.map((operation) => [
        operation.id,
        operation.op,
        operation.recordId,
        operation.data,
        operation.sealed,
        timeless(this.withoutSecrets(operation, before), since),
        timeless(this.withoutSecrets(operation, after), since),
      ]),
      conflicts.map(({ changedAt: _at, ...conflict }) => conflict),
    ]);
    return `"${hash('sha256', text, 'hex').slice(0, 32)}.preview"`;
  }
}

const versionOf = (etag: string): string => etag.slice(1, etag.indexOf('.'));

/** `2026-03-01T08:30:00.000Z` */
const isInstant = (text: string): boolean => text.length === 24 && text[10] === 'T' && text.endsWith('Z');

/** A value without write times, and without the ids of new parts. */
function timeless(value: unknown, since: string, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => timeless(entry, since, true));
  if (typeof value === 'string') return isInstant(value) && value >= since && isRecent(value, since) ? null : value;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key]) => key !== 'updatedAt' && key !== 'createdAt' && !(isPart && key === 'id'),
  );
  return Object.fromEntries(entries.map(([key, own]) => [key, timeless(own, since)]));
}

/** A time within the longest possible merge. A planned time may be in the future. */
const isRecent = (value: string, since: string): boolean => Date.parse(value) - Date.parse(since) < 1000;

function missing(sentence: string): DomainError {
  return new DomainError('approvals_missing', sentence, {
    details: [new Fault('changeRequestId', sentence, 'approvals_missing')],
  });
}

/** Makes the log entry of the merge name its approvals (`logged_update.sql`). */
async function nameApprovals(tx: Transaction, record: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`SELECT set_config('inventory.approvals', ${JSON.stringify({ record, ids })}, true)`);
}

/** Conflicts of the change request's time with other work on the affected records. */
async function warningsOf(tx: Transaction, set: StoredSet, operations: readonly StoredOperation[]): Promise<unknown[]> {
  if (set.changeRequestId === null) return [];
  const touched = operations.filter(({ resource }) => (TARGETED_RESOURCES as readonly string[]).includes(resource));
  const [resources, ids] = [touched.map(({ resource }) => resource), touched.map(({ recordId }) => recordId)];
  const { span } = askedChange(set.changeRequestId, MINUTES);
  const targets = sql`SELECT DISTINCT resource, id FROM unnest(${resources}::text[], ${ids}::uuid[]) touched (resource, id)`;
  const found = await tx.query<{ record: string }>(
    jsonOf(conflictList({ span, targets, id: set.changeRequestId }, { minutes: MINUTES, rosters: [] })),
  );
  return found.map(({ record }) => JSON.parse(record) as unknown);
}
