import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../lists/request-context.js';
import { identifier, raw, sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import type { StoredRecord } from '../../fields/record.js';
import { DanglingReference, NotFound, ValidationFailed } from '../../http/errors.js';
import { PlainReply, type ListReply } from '../../http/replies.js';
import { ComputedLists, jsonOf } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { declaredSqlOf } from '../../lists/record-sql.js';
import { ChangeRequest } from '../change-request/change-request.entity.js';
import { MaintenanceWindow } from '../maintenance-window/maintenance-window.entity.js';
import { targetName, type TargetedResource } from '../target/targeted-records.js';
import { askedChange, askedWindow } from './asked-work.js';
import { conflictList, type AskedWork, type ConflictOptions } from './conflict-list.js';

/** Work that is not stored yet. */
interface Plan {
  startTime: string | null;
  endTime: string | null;
  targets: readonly { resource: TargetedResource; recordId: string }[];
}

/** Finds conflicts of work. They are not stored. */
@Injectable()
export class ConflictsService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws NotFound, DomainError not_acceptable, ValidationFailed */
  ofWindow(ctx: RequestContext, id: string, request: PageRequest & ConflictOptions): Promise<ListReply> {
    return this.ofRecorded(ctx, MaintenanceWindow, request, askedWindow(id));
  }

  /** @throws NotFound, DomainError not_acceptable, ValidationFailed */
  ofChange(ctx: RequestContext, id: string, request: PageRequest & ConflictOptions): Promise<ListReply> {
    return this.ofRecorded(ctx, ChangeRequest, request, askedChange(id, request.minutes));
  }

  private ofRecorded(
    ctx: RequestContext,
    record: Class<StoredRecord>,
    request: PageRequest & ConflictOptions,
    work: AskedWork,
  ): Promise<ListReply> {
    const { table, label } = declaredSqlOf(record);
    return this.lists.list(ctx, request, conflictList(work, request), async () => {
      if ((await ctx.db.query(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${work.id}`)).length === 0) {
        throw new NotFound(label);
      }
    });
  }

  /** @throws ValidationFailed for each target that does not exist */
  async ofPlan(
    { db }: RequestContext,
    { startTime, endTime, targets }: Plan,
    options: ConflictOptions,
  ): Promise<PlainReply> {
    const [resources, ids] = [targets.map(({ resource }) => resource), targets.map(({ recordId }) => recordId)];
    const asked = sql`unnest(${resources}::text[], ${ids}::uuid[])`;
    const unknown = sql`SELECT place::int - 1 AS place FROM ${asked} WITH ORDINALITY t (resource, id, place)
      WHERE ${raw(targetName('t.resource', 't.id'))} IS NULL ORDER BY place`;
    const missing = await db.query<{ place: number }>(unknown);
    if (missing.length > 0) {
      throw new ValidationFailed(missing.map(({ place }) => new DanglingReference(`targets[${place}].recordId`)));
    }
    const list = conflictList(
      {
        span: sql`SELECT tstzrange(${startTime}::timestamptz, ${endTime}::timestamptz) AS span`,
        targets: sql`SELECT DISTINCT t.resource, t.id FROM ${asked} t (resource, id)`,
      },
      options,
    );
    const all = sql`SELECT '[' || coalesce(string_agg(record, ','), '') || ']' AS json FROM (${jsonOf(list)}) rows`;
    const [found] = await db.query<{ json: string }>(all.unprepared());
    return new PlainReply(found!.json);
  }
}
