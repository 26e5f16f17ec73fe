import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { Operation } from '../../openapi/operation.js';
import { Person } from '../../people/person/person.entity.js';
import { readingOf } from '../../records/record-access.js';
import { type ResourceService, serviceOf } from '../../records/resource.service.js';
import { TagOf } from '../../resource/resource.operations.js';
import { SoftwareLicenceSeat } from './software-licence-seat.entity.js';

const list = listOf(SoftwareLicenceSeat);

/** The licence seats that a person has. */
@Controller('api/people/:id/seats')
@TagOf(Person)
export class HeldSeatsController {
  constructor(@Inject(serviceOf(SoftwareLicenceSeat)) private readonly service: ResourceService<SoftwareLicenceSeat>) {}

  @Get()
  @Access(readingOf(SoftwareLicenceSeat))
  @TakesQuery()
  @Operation({
    operationId: 'listPersonSeats',
    text: {
      summary: 'List the licence seats of a person',
      description: 'The seats of software licences that the person has.',
    },
    list,
    fixed: ['personId'],
    response: SoftwareLicenceSeat,
    status: 200,
    finds: 'person',
  })
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    return this.service.list(ctx, request, { record: Person, field: 'personId', id: pathId(at) });
  }
}
