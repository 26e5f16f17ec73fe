import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import { pathId, PathId } from '../../../http/path-id.js';
import type { PlainReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { readingOf, writingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { AVAILABLE_SIZE, availableSize } from '../../available.js';
import { Vlan } from '../vlan.entity.js';
import { VlanGroup } from '../../vlan-group/vlan-group.entity.js';
import { type AllocatedVlan, AllocateVlans, AvailableVlan } from './available-vlans.dto.js';
import { AvailableVlansService } from './available-vlans.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

const read = readingOf(VlanGroup);
const write = writingOf(Vlan);

@Controller('api/vlan-groups/:id/available-vlans')
@TagOf(VlanGroup)
export class AvailableVlansController {
  constructor(@Inject(AvailableVlansService) private readonly service: AvailableVlansService) {}

  @Get()
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'getAvailableVlans',
    text: {
      summary: 'List the free vids of a VLAN group',
      description: 'The lowest vids in the range of the group that none of its VLANs has.',
    },
    query: [AVAILABLE_SIZE],
    response: AvailableVlan,
    several: true,
    status: 200,
    finds: 'VLAN group',
  })
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<AvailableVlan[]> {
    return this.service.list(ctx, pathId(at), availableSize(query));
  }

  @Post()
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'allocateVlans',
    text: {
      summary: 'Create VLANs with free vids',
      description:
        'Creates one VLAN, or one for each entry of `vlans`, with the lowest free vids of the group. Requests at the same time never get the same vid. If there are too few, nothing is created and the response is 409.',
    },
    body: AllocateVlans,
    response: Vlan,
    several: true,
    status: 201,
    errors: [409],
    finds: 'VLAN group',
  })
  allocate(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(AllocateVlans) { name, vlans }: AllocateVlans,
  ): Promise<PlainReply> {
    return this.service.allocate(ctx, id, vlans ?? [{ name: name! } as AllocatedVlan]);
  }
}
