import { Controller, Get, Param } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { readingOf } from '../../records/record-access.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Prefix } from './prefix.entity.js';
import { prefixFilters } from './prefix.filters.js';
import { PrefixesService } from './prefixes.service.js';

class CreatePrefix extends CreateBody(Prefix) {}
class UpdatePrefix extends UpdateBody(Prefix) {}

const read = readingOf(Prefix);

const list = listOf(Prefix, prefixFilters);

@Controller('api/prefixes')
export class PrefixesController extends ResourceController({
  record: Prefix,
  about: 'Networks of the address plan, as a tree for each VRF',
  view: {
    columns: ['prefix', 'status', 'utilisation', 'vrfId', 'siteId', 'vlanId', 'role'],
    order: 'prefix',
    groups: {
      Prefix: ['prefix', 'status', 'role', 'isPool', 'description'],
      Use: ['utilisation', 'usedAddresses', 'size', 'family'],
      Place: ['vrfId', 'siteId', 'vlanId', 'parentId', 'tenantGroupId'],
    },
  },
  create: CreatePrefix,
  update: UpdatePrefix,
  service: PrefixesService,
  filters: prefixFilters,
  conflicts: true,
  text: {
    delete: { description: 'References to it become null. The prefixes and addresses in it stay.' },
  },
}) {
  @Get(':id/children')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'listPrefixChildren',
    text: {
      summary: 'List the children of a prefix',
      description:
        'Its direct children: the prefixes of the same VRF within it, without those that lie within another one of these.',
    },
    list,
    response: Prefix,
    status: 200,
    finds: 'prefix',
  })
  children(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    return this.service.children(ctx, pathId(at), request);
  }
}
