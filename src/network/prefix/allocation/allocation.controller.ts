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
import { IpAddress } from '../../ip-address/ip-address.entity.js';
import { Prefix } from '../prefix.entity.js';
import { AllocateIps, AllocatePrefixes, AvailableIp, AvailablePrefix } from './allocation.dto.js';
import { AllocationService } from './allocation.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

const read = readingOf(Prefix);
const write = writingOf(Prefix);

const NEVER_TWICE =
  'Concurrent requests never get the same ones. If there are too few, nothing is created and the response is 409.';

@Controller('api/prefixes/:id')
@TagOf(Prefix)
export class AllocationController {
  constructor(@Inject(AllocationService) private readonly service: AllocationService) {}

  @Get('available-ips')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'getAvailableIps',
    text: {
      summary: 'List the free addresses of a prefix',
      description:
        'The lowest usable addresses that are not recorded in the VRF with any prefix length. All addresses are usable except the network and broadcast addresses of IPv4 prefixes shorter than /31, and the first address of IPv6 prefixes shorter than /127. In a pool, all addresses are usable. Addresses in child prefixes count as free.',
    },
    query: [AVAILABLE_SIZE],
    response: AvailableIp,
    several: true,
    status: 200,
    finds: 'prefix',
  })
  availableIps(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<AvailableIp[]> {
    return this.service.availableIps(ctx, pathId(at), availableSize(query));
  }

  @Post('available-ips')
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'allocateIps',
    text: {
      summary: 'Create IP addresses that are free',
      description: `Creates one address, \`count\` addresses, or one for each entry of \`addresses\`: the lowest free ones, with the length and the VRF of the prefix. ${NEVER_TWICE}`,
    },
    body: AllocateIps,
    bodyOptional: true,
    response: IpAddress,
    several: true,
    status: 201,
    errors: [409],
    finds: 'prefix',
  })
  allocateIps(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(AllocateIps, { optional: true }) { count = 1, addresses }: AllocateIps,
  ): Promise<PlainReply> {
    const entries = addresses ?? Array.from({ length: count }, () => ({}));
    return this.service.allocateIps(ctx, id, entries, addresses ? 'addresses' : 'count');
  }

  @Get('available-prefixes')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'getAvailablePrefixes',
    text: {
      summary: 'List the free space of a prefix',
      description: 'The space of the prefix without other prefixes of the VRF, as the largest possible networks.',
    },
    query: [AVAILABLE_SIZE],
    response: AvailablePrefix,
    several: true,
    status: 200,
    finds: 'prefix',
  })
  availablePrefixes(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<AvailablePrefix[]> {
    return this.service.availablePrefixes(ctx, pathId(at), availableSize(query));
  }

  @Post('available-prefixes')
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'allocatePrefixes',
    text: {
      summary: 'Create prefixes in free space',
      description: `Creates one prefix, or \`count\` of them, of the given length: the lowest that fit, in the VRF of the prefix. ${NEVER_TWICE}`,
    },
    body: AllocatePrefixes,
    response: Prefix,
    several: true,
    status: 201,
    errors: [409],
    finds: 'prefix',
  })
  allocatePrefixes(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(AllocatePrefixes) { prefixLength, count = 1 }: AllocatePrefixes,
  ): Promise<PlainReply> {
    return this.service.allocatePrefixes(ctx, id, prefixLength, count);
  }
}
