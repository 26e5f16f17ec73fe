import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Access, hasRole, type AccessRule } from '../auth/access.js';
import { Ctx, type RequestContext } from '../http/context.js';
import { NotFound } from '../http/errors.js';
import type { ListReply, RecordReply } from '../http/replies.js';
import { TakesQuery } from '../http/takes-query.js';
import { Kernel } from '../kernel/kernel.js';
import type { ListRequest, RawQuery } from '../kernel/list-query.js';
import { pathId } from '../kernel/resource.controller.js';
import { resourceOf } from '../kernel/resource.js';
import { ResourceService } from '../kernel/resource.service.js';
import { Operation } from '../openapi/document.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';
import { changesQuery } from './record-history.js';

const access: AccessRule = { role: 'viewer' };
const tag = 'Change log';
const WHO = 'Administrators see every entry; others those of the areas that they have.';

/** Narrows a list to what the caller may see of the change log. */
export function narrowToAreas({ caller }: RequestContext, request: ListRequest): ListRequest {
  if (!hasRole(caller, 'admin')) request.conditions.push(`t.area = ANY($${request.values.push(caller.areas)}::text[])`);
  return request;
}

/** Who changed what, when, from what to what. */
@Controller('api/change-log')
export class ChangeLogController {
  private readonly service: ResourceService<ChangeLogEntry>;

  constructor(@Inject(Kernel) kernel: Kernel) {
    this.service = new ResourceService(resourceOf(ChangeLogEntry), kernel);
  }

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listChangeLog',
    tag,
    access,
    text: {
      summary: 'List the change log',
      description: `Every create, change and delete of every record, whatever caused it, in order of time. ${WHO}`,
    },
    list: changesQuery,
    response: ChangeLogEntry,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    return this.service.list(ctx, narrowToAreas(ctx, changesQuery().parse(query)));
  }

  @Get(':id')
  @Access(access)
  @Operation({
    operationId: 'getChangeLogEntry',
    tag,
    access,
    text: { summary: 'Read an entry of the change log', description: WHO },
    response: ChangeLogEntry,
    record: true,
    status: 200,
    finds: 'entry',
  })
  async get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
    const entry = await this.service.get(ctx, pathId(at));
    const { area } = JSON.parse(entry.json) as ChangeLogEntry;
    // To others an entry outside of their areas is none.
    if (!hasRole(ctx.caller, 'admin') && !ctx.caller.areas.some((own) => own === area)) {
      throw new NotFound('Change log entry');
    }
    return entry;
  }
}
