import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { hasRole, meets } from '../access/access.js';
import { Secrets } from '../access/secrets.js';
import { sql, write } from '../database/sql.js';
import { capital } from '../fields/words.js';
import { Conflict, DomainError, Fault, NotFound } from '../http/errors.js';
import { ActionReply, PlainReply } from '../http/replies.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import { ReceiptsService } from '../procurement/purchase-order/receipt/receipts.service.js';
import { ChangeSetsService } from './change-sets.service.js';
import { Delta } from './delta.js';
import { entriesOf, inverted, type Entry, type Inversion } from './inversion.js';
import { MergeRefused } from './merge-refused.js';
import { storeOperations } from './operation-store.js';
import { PlannedResources } from './planned-resources.js';

/** Why an entry is not reverted. */
interface UndoConflict {
  resource: string;
  id: string;
  field: string | null;
  message: string;
}

/** Reverts the writes of a request, or of the merge of a change set. */
@Injectable()
export class UndoService {
  constructor(
    @Inject(PlannedResources) private readonly resources: PlannedResources,
    @Inject(ChangeSetsService) private readonly sets: ChangeSetsService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(Secrets) private readonly secrets: Secrets,
  ) {}

  /** @throws NotFound, MergeRefused, DomainError forbidden */
  async undo(ctx: RequestContext, requestId: string, dryRun: boolean): Promise<ActionReply> {
    return ctx.transaction(async (tx) => {
      const entries = await entriesOf(tx.db, sql`c.request_id = ${requestId}`);
      if (entries.length === 0) throw new NotFound('Request', 'not found: the change log has no entry of it');
      this.refuseWithoutRights(ctx, entries);
      const receipt = entries.find(({ resource, action }) => resource === 'receipts' && action === 'create');
      if (receipt) await this.reverse(tx, receipt);
      else await this.takeBack(tx, entries);
      return new ActionReply([JSON.stringify({ undone: undoneOf(entries) })], [], dryRun);
    }, dryRun);
  }

  private async takeBack(ctx: InTransaction, entries: readonly Entry[]): Promise<void> {
    const { operations, withheld } = inverted(entries);
    const conflicts: UndoConflict[] = [
      ...operations
        .filter(({ resource }) => !this.isKept(resource))
        .map(({ resource, recordId }) => ({
          resource,
          id: recordId,
          field: null,
          message: `${resource} are no records of a family, and are not taken back`,
        })),
      ...withheld
        .filter(({ isUpdate }) => isUpdate)
        .map(({ resource, recordId, field }) => ({
          resource,
          id: recordId,
          field: propertyOf(field),
          message: `${propertyOf(field)} cannot be set back: the change log does not contain it`,
        })),
    ];
    if (conflicts.length > 0) throw new MergeRefused(conflicts);
    const delta = new Delta(ctx, this.resources, this.secrets, operations);
    await delta.compare();
    await delta.run();
    if (delta.conflicts.length === 0) return;
    throw new MergeRefused(
      delta.conflicts.map(({ resource, recordId: id, field, message }) => ({ resource, id, field, message })),
    );
  }

  /** A receive is reverted by reversing its receipt. */
  private async reverse(ctx: InTransaction, { recordId, newValues }: Entry): Promise<void> {
    if (!hasRole(ctx.caller, 'manager'))
      throw new DomainError('forbidden', 'Taking back a receive needs the role manager');
    const order = newValues!.purchase_order_id as string;
    try {
      const receipts = this.moduleRef.get(ReceiptsService, { strict: false });
      await ctx.savepoint((tx) => receipts.reverse(tx, order, recordId));
    } catch (error) {
      if (!(error instanceof DomainError) || ![404, 409].includes(error.status)) throw error;
      const faults = error.extra.details ?? [new Fault('receipt', error.message)];
      throw new MergeRefused(
        faults.map((fault) => ({ resource: 'receipts', id: recordId, field: fault.field, message: String(fault) })),
      );
    }
  }

  /** Whether entries of a resource can be reverted: entries of the families, and the status of change sets. */
  private isKept(name: string): boolean {
    const resource = this.resources.any(name);
    return name === 'change-sets' || resource?.write.area !== undefined;
  }

  private refuseWithoutRights({ caller }: RequestContext, entries: readonly Entry[]): void {
    const lacking = [...new Set(entries.map(({ resource }) => resource))].filter((name) => {
      const resource = this.resources.any(name);
      return !resource || !meets(caller, name === 'change-sets' ? { role: 'editor' } : resource.write);
    });
    if (lacking.length > 0) {
      throw new DomainError('forbidden', `Taking the request back needs the right to write ${lacking.join(', ')}`);
    }
  }

  /** Creates a change set that reverts a merged one. @throws NotFound, Conflict */
  async revert(ctx: RequestContext, id: string): Promise<PlainReply> {
    return ctx.transaction(async (tx) => {
      const set = await this.sets.lockSet(tx.db, id);
      if (set.status !== 'merged')
        throw new Conflict(new Fault('status', `is ${set.status}: only a merged one can be reverted`));
      const entries = await entriesOf(tx.db, sql`c.change_set_id = ${id} AND c.resource <> 'change-sets'`);
      const inversion = inverted(entries);
      const [made] = await tx.db.write<{ id: string }>(
        write`INSERT INTO change_sets (name, created_by) VALUES (${`Revert of ${set.name}`.slice(0, 255)}, ${ctx.caller.email}) RETURNING id`,
      );
      await storeOperations(tx.db, made!.id, ctx.caller.profileId, {
        added: inversion.operations,
        changed: [],
        removed: [],
      });
      const { json } = await this.sets.recordOn(tx, made!.id);
      const warnings = JSON.stringify(warningsOf(inversion));
      return new PlainReply(`${json.slice(0, -1)},"warnings":${warnings}}`);
    });
  }
}

const propertyOf = (column: string): string =>
  column
    .split('_')
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join('');

const warningsOf = ({ withheld }: Inversion): string[] =>
  withheld.map(
    ({ resource, recordId, name, field }) =>
      `${propertyOf(field)} of ${name === null ? '' : `'${name}' `}(${resource} ${recordId}) is not brought back: the change log does not contain it`,
  );

const ORDER = ['update', 'create', 'delete'] as const;

/** The reverted changes: one entry for each record, in the order of the request. */
function undoneOf(entries: readonly Entry[]): object[] {
  const records = new Map<string, { resource: string; id: string; name: string | null; action: Entry['action'] }>();
  for (const { resource, recordId: id, name, action } of entries.toReversed()) {
    const known = records.get(id);
    if (!known || ORDER.indexOf(known.action) < ORDER.indexOf(action)) records.set(id, { resource, id, name, action });
  }
  return [...records.values()];
}
