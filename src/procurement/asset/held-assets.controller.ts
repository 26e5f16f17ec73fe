import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { Person } from '../../people/person/person.entity.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Asset } from './asset.entity.js';
import { AssetsService } from './assets.service.js';
import { assetFilters, assignee, heldBy } from './assignee.filter.js';

const list = listOf(Asset, assetFilters);

/** The assets that a person currently holds. */
@Controller('api/people/:id/assets')
@TagOf(Person)
export class HeldAssetsController {
  constructor(@Inject(AssetsService) private readonly service: AssetsService) {}

  @Get()
  @Access(readingOf(Asset))
  @TakesQuery()
  @Operation({
    operationId: 'listPersonAssets',
    text: {
      summary: 'List the assets of a person',
      description: 'The assets that the person holds at the moment.',
    },
    list,
    fixed: [assignee.name],
    response: Asset,
    status: 200,
    finds: 'person',
  })
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    const owner = { record: Person, field: assignee.name, id: pathId(at), condition: heldBy };
    return this.service.list(ctx, request, owner);
  }
}
