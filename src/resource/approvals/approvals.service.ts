import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../lists/request-context.js';
import { identifier, sql } from '../../database/sql.js';
import type { StoredRecord } from '../../fields/record.js';
import type { Class } from '../../fields/field.js';
import { Conflict, DomainError, Fault } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { resourceNameOf, tableOf } from '../../lists/record-sql.js';
import { assertExists, type Owner } from '../../records/owner.js';
import type { Columns } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import type { Approval } from './approval.entity.js';
import { recordDigest } from './approval-state.js';
import { movableFieldsOf } from '../../fields/movable.js';

/** Approvals of records of any kind: given with the digest of what the approver saw, withdrawn by the approver, never changed. */
@Injectable()
export class ApprovalsService extends ResourceService<Approval> {
  protected override newColumns(ctx: RequestContext, body: Partial<Approval>): Columns {
    const { profileId, email, role, credential } = ctx.caller;
    const token = credential.kind === 'token' ? credential.id : null;
    return { ...super.newColumns(ctx, body), profile_id: profileId, approver: email, role, token_id: token };
  }

  /** @throws NotFound, Conflict if the digest is that of another state */
  override create(ctx: RequestContext, body: object, owner: Owner): Promise<RecordReply> {
    const given = body as Partial<Approval>;
    return ctx.transaction(async (tx) => {
      await assertExists(tx.db, owner);
      if ((await recordDigest(tx.db, owner.record as Class<StoredRecord>, owner.id)) !== given.digest) {
        throw new Conflict(
          new Fault('digest', 'is not that of the record as it is now: read what it is, and decide on that'),
        );
      }
      return this.createOne(tx, given, owner);
    });
  }

  /** @throws NotFound, DomainError forbidden, Conflict if the record has moved since */
  override async remove(ctx: RequestContext, id: string, owner: Owner): Promise<void> {
    const table = tableOf(owner.record);
    await ctx.transaction(async (tx) => {
      // Transitions that count on the approval happen before or after this.
      await tx.db.query(sql`SELECT FROM ${identifier(table)} WHERE id = ${owner.id} FOR UPDATE`);
      await this.get(tx, id, owner, []);
      const moved = ['status', ...movableFieldsOf(owner.record)];
      const [approval] = await tx.db.query<{ isOwn: boolean; moved: boolean }>(
        sql`SELECT a.profile_id IS NOT DISTINCT FROM ${ctx.caller.profileId} AS "isOwn", EXISTS (
            SELECT FROM change_log c WHERE c.record_id = a.record_id AND c.resource = ${resourceNameOf(table)}
              AND c.action = 'update' AND c.created_at >= a.created_at AND c.new_values ?| ${moved}::text[]) AS moved
          FROM ${identifier(this.declared.table)} a WHERE a.id = ${id}`,
      );
      if (!approval!.isOwn) throw new DomainError('forbidden', 'Only the approver can withdraw an approval');
      if (approval!.moved) throw new Conflict(new Fault('id', 'cannot be withdrawn: the record has moved since'));
      await super.remove(tx, id, owner);
    });
  }
}
