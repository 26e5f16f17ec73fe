import { hasRole, meets } from '../access/access.js';
import type { Transaction } from '../database/executor.js';
import { sql } from '../database/sql.js';
import { Conflict, DanglingReference, DomainError, Fault, ValidationFailed } from '../http/errors.js';
import type { RecordReply } from '../http/replies.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import type { Change, ChangedRow, Columns, Returning, Scope } from '../records/record-writer.js';
import { RecordService } from '../records/record-service.js';
import { readingOf } from '../records/record-access.js';
import { ChangeRequest } from '../operations/change-request/change-request.entity.js';
import { ResourceService } from '../records/resource.service.js';
import { ChangeSet } from './change-set.entity.js';

/** A change set as it is stored. */
export interface StoredSet {
  id: string;
  name: string;
  status: ChangeSet['status'];
  changeRequestId: string | null;
  plannedForId: string | null;
}

/** The change sets themselves. `ChangePlans` handles their operations. */
@RecordService(ChangeSet)
export class ChangeSetsService extends ResourceService<ChangeSet> {
  /** Locks a change set, so that its operations and its status stay the same. @throws NotFound */
  async lockSet(tx: Transaction, id: string): Promise<StoredSet> {
    const [set] = await tx.query<StoredSet>(
      sql`SELECT id, name, status, change_request_id AS "changeRequestId", planned_for_id AS "plannedForId"
        FROM change_sets WHERE id = ${id} FOR UPDATE`,
    );
    return set ?? this.missing();
  }

  /** The same for an open change set. @throws NotFound, Conflict */
  async lockOpen(tx: Transaction, id: string): Promise<StoredSet> {
    const set = await this.lockSet(tx, id);
    if (set.status !== 'open') throw closed(set.status);
    return set;
  }

  /** Tells triggers that the following writes are the merge of a change set. */
  async begin(tx: Transaction, { id, changeRequestId }: StoredSet): Promise<void> {
    await tx.query(
      sql`SELECT set_config('inventory.by', (coalesce(nullif(current_setting('inventory.by', true), ''), '{}')::jsonb
          || jsonb_build_object('changeSetId', ${id}::text))::text, true),
        set_config('inventory.change_request', ${changeRequestId ?? ''}, true)`,
    );
  }

  /** Marks an open change set. */
  async mark(ctx: InTransaction, id: string, columns: Columns): Promise<void> {
    await super.change(ctx, [{ id, columns, body: {} }], 'ids', {});
  }

  protected override newColumns(ctx: RequestContext, body: Partial<ChangeSet>): Columns {
    refuseHidden(ctx, body.changeRequestId);
    return { ...super.newColumns(ctx, body), created_by: ctx.caller.email };
  }

  protected override columns(ctx: RequestContext, body: Partial<ChangeSet>): Columns {
    const columns = super.columns(ctx, body);
    // After the request was deleted, it still shows that there was one.
    if (body.changeRequestId !== undefined) columns.planned_for_id = body.changeRequestId;
    return columns;
  }

  protected override change(
    ctx: RequestContext,
    changes: readonly Change<ChangeSet>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    return ctx.transaction(async (tx) => {
      for (const { id, body } of changes) {
        const { changeRequestId } = await this.lockOpen(tx.db, id);
        if (body.changeRequestId === undefined || body.changeRequestId === changeRequestId) continue;
        refuseHidden(ctx, body.changeRequestId);
        if (!hasRole(ctx.caller, 'manager') && (await hasOperations(tx.db, id))) {
          throw new DomainError(
            'forbidden',
            'Changing changeRequestId of a change set that has operations needs the role manager',
          );
        }
      }
      return super.change(tx, changes, returning, scope);
    });
  }

  /** @throws NotFound, Conflict */
  override async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.conditionally(ctx, id, undefined, (scope) =>
      ctx.transaction(async (tx) => {
        const { status } = await this.lockSet(tx.db, id);
        if (status === 'merged') throw new Conflict(new Fault('status', 'is merged: the change set cannot be deleted'));
        await this.erase(tx, [id], scope);
      }),
    );
  }

  /** @throws NotFound, Conflict */
  async discard(ctx: RequestContext, id: string): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      await this.lockOpen(tx.db, id);
      await this.mark(tx, id, { status: 'discarded' });
      return this.recordOn(tx, id);
    });
  }
}

/** A caller who may not read change requests could find out which ones exist. So each id is refused as if it did not exist. */
function refuseHidden({ caller }: RequestContext, changeRequestId: string | null | undefined): void {
  if (typeof changeRequestId !== 'string' || meets(caller, readingOf(ChangeRequest))) return;
  throw new ValidationFailed([new DanglingReference('changeRequestId')]);
}

async function hasOperations(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(sql`SELECT 1 FROM change_set_operations WHERE change_set_id = ${id} LIMIT 1`);
  return rows.length > 0;
}

export const closed = (status: string): Conflict =>
  new Conflict(new Fault('status', `is ${status}: the change set cannot be changed`));
