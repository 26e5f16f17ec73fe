import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf, CreateBody } from '../../../fields/bodies/bodies.js';
import { pathId } from '../../../http/path-id.js';
import type { ListReply, RecordReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import { listOf, QueryOf } from '../../../lists/list-query.js';
import type { ListRequest } from '../../../lists/list-request.js';
import { readingOf, writingOf } from '../../../records/record-access.js';
import type { Owner } from '../../../records/owner.js';
import { operationsOf, TagOf } from '../../../resource/resource.operations.js';
import { Incident } from '../incident.entity.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { IncidentUpdatesService } from './incident-updates.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

class CreateIncidentUpdate extends CreateBody(IncidentUpdate) {}

const record = IncidentUpdate;
const read = readingOf(record);

const list = listOf(record);

const document = operationsOf(record, {
  text: {
    list: { summary: 'List the timeline of an incident', description: 'Its entries, the earliest first.' },
    create: {
      summary: 'Add an entry to the timeline of an incident',
      description:
        'A status or a severity that it gives becomes that of the incident. The status `resolved` or `closed` also sets `resolvedAt`, where it is null. An entry is never changed or deleted.',
    },
  },
});

const incidentOf = (at: Record<string, string>): Owner => ({ record: Incident, field: 'incidentId', id: pathId(at) });

/** The timeline of an incident. Its entries are created and read, and never changed or deleted. */
@Controller('api/incidents/:id/updates')
@TagOf(Incident)
export class IncidentUpdatesController {
  constructor(@Inject(IncidentUpdatesService) private readonly service: IncidentUpdatesService) {}

  @Get()
  @Access(read)
  @TakesQuery()
  @document.list(list, ['incidentId'])
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    return this.service.list(ctx, request, incidentOf(at));
  }

  @Post()
  @Access(writingOf(record))
  @Idempotent()
  @document.create(CreateIncidentUpdate, { conflicts: true })
  create(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @BodyOf(CreateIncidentUpdate) body: object,
  ): Promise<RecordReply> {
    return this.service.create(ctx, body, incidentOf(at));
  }

  @Get(':updateId')
  @Access(read)
  @Operation({
    operationId: 'getIncidentUpdate',
    text: { summary: 'Read an entry of the timeline of an incident', description: 'The entry as it was written.' },
    response: IncidentUpdate,
    record: true,
    status: 200,
    finds: 'incident update',
  })
  get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
    return this.service.get(ctx, pathId(at, 'updateId'), incidentOf(at));
  }
}
