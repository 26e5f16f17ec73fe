import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { identifier, raw, sql, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import type { StoredRecord } from '../../fields/record.js';
import { DanglingReference, NotFound, ValidationFailed } from '../../http/errors.js';
import { PlainReply, type ListReply } from '../../http/replies.js';
import { ReadQueue } from '../../lists/read-queue.js';
import { ComputedLists, jsonOf } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { recordSqlOf } from '../../lists/record-sql.js';
import { ChangeRequest } from '../change-request/change-request.entity.js';
import { MaintenanceWindow } from '../maintenance-window/maintenance-window.entity.js';
import { IS_PLANNED, IS_UNFINISHED, WINDOW_TIME } from '../pending.js';
import { targetName, type TargetedResource } from '../target/targeted-records.js';
import { conflictList, type AskedWork, type ConflictOptions } from './conflict-list.js';

/** Work that is not recorded yet. */
export interface Plan {
  startTime: string | null;
  endTime: string | null;
  targets: readonly { resource: TargetedResource; recordId: string }[];
}

const targetsOf = (owner: string, id: Sql): Sql =>
  sql`SELECT x.resource, x.record_id AS id FROM ${identifier(`${owner}_targets`)} x WHERE x.${identifier(`${owner}_id`)} = ${id}`;

/** Finds what stands in the way of work. Nothing of it is stored. */
@Injectable()
export class ConflictsService {
  constructor(
    @Inject(ComputedLists) private readonly lists: ComputedLists,
    @Inject(ReadQueue) private readonly reads: ReadQueue,
  ) {}

  /** @throws NotFound, DomainError not_acceptable, ValidationFailed */
  ofWindow(ctx: RequestContext, id: string, request: PageRequest & ConflictOptions): Promise<ListReply> {
    const own = sql`${id}::uuid`;
    return this.ofRecorded(ctx, MaintenanceWindow, request, {
      span: sql`SELECT ${raw(WINDOW_TIME)} AS span FROM maintenance_windows t
        WHERE t.id = ${own} AND ${raw(IS_PLANNED)} AND (t.start_time IS NOT NULL OR t.end_time IS NOT NULL)`,
      targets: targetsOf('maintenance_window', own),
      id,
    });
  }

  /** @throws NotFound, DomainError not_acceptable, ValidationFailed */
  ofChange(ctx: RequestContext, id: string, request: PageRequest & ConflictOptions): Promise<ListReply> {
    const own = sql`${id}::uuid`;
    return this.ofRecorded(ctx, ChangeRequest, request, {
      span: sql`SELECT tstzrange(t.scheduled_for, t.scheduled_for + make_interval(mins => ${request.minutes}::int)) AS span FROM change_requests t
        WHERE t.id = ${own} AND ${raw(IS_UNFINISHED)} AND t.scheduled_for IS NOT NULL`,
      targets: targetsOf('change_request', own),
      id,
    });
  }

  private ofRecorded(
    ctx: RequestContext,
    record: Class<StoredRecord>,
    request: PageRequest & ConflictOptions,
    work: AskedWork,
  ): Promise<ListReply> {
    const { table, label } = recordSqlOf(record);
    return this.lists.list(ctx, request, conflictList(work, request), async () => {
      if ((await ctx.db.query(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${work.id}`)).length === 0) {
        throw new NotFound(label);
      }
    });
  }

  /** @throws ValidationFailed for each target that does not exist */
  async ofPlan(
    { db, caller }: RequestContext,
    { startTime, endTime, targets }: Plan,
    options: ConflictOptions,
  ): Promise<PlainReply> {
    const [resources, ids] = [targets.map(({ resource }) => resource), targets.map(({ recordId }) => recordId)];
    const asked = sql`unnest(${resources}::text[], ${ids}::uuid[])`;
    const unknown = sql`SELECT place::int - 1 AS place FROM ${asked} WITH ORDINALITY t (resource, id, place)
      WHERE ${raw(targetName('t.resource', 't.id'))} IS NULL ORDER BY place`;
    const missing = await this.reads.run(caller, () => db.query<{ place: number }>(unknown), db);
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
    const [found] = await this.reads.run(caller, () => db.plan<{ json: string }>(all), db);
    return new PlainReply(found!.json);
  }
}
