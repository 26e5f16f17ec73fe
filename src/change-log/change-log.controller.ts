import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Access, type AccessRule } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { QueryOf } from '../lists/list-query.js';
import { NotFound } from '../http/errors.js';
import type { ListReply, RecordReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import type { ListRequest } from '../lists/list-request.js';
import { pathId } from '../http/path-id.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';
import { mayReadEntries, readableEntries } from './readable-entries.js';
import { changesList } from './record-history.js';

const access: AccessRule = { role: 'viewer' };
const WHO =
  'Permissions follow the record: a caller who may read a record may read its entries, also after it was deleted. Entries of operations records need the area `operations`, those of profiles the role `admin`, all others only a session.';

@Controller('api/change-log')
@Tag('Change log', 'Who changed what and when, with the values before and after')
export class ChangeLogController {
  constructor(@Inject(serviceOf(ChangeLogEntry)) private readonly service: ResourceService<ChangeLogEntry>) {}

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listChangeLog',
    text: {
      summary: 'List the change log',
      description: `Every create, change and delete of every record, whatever caused it, in order of time. ${WHO}`,
    },
    list: changesList,
    response: ChangeLogEntry,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @QueryOf(changesList) request: ListRequest): Promise<ListReply> {
    return this.service.list(ctx, { ...request, filters: [...request.filters, ...readableEntries(ctx.caller)] });
  }

  @Get(':id')
  @Access(access)
  @Operation({
    operationId: 'getChangeLogEntry',
    text: { summary: 'Read an entry of the change log', description: WHO },
    response: ChangeLogEntry,
    record: true,
    status: 200,
    finds: 'entry',
  })
  async get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
    const entry = await this.service.get(ctx, pathId(at));
    const { area, resource } = JSON.parse(entry.json) as ChangeLogEntry;
    // A caller without permission gets the same response as for a missing entry.
    if (!mayReadEntries(ctx.caller, area, resource)) throw new NotFound('Change log entry');
    return entry;
  }
}
