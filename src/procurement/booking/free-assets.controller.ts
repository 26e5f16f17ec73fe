import { Controller, Get, Inject } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { sql } from '../../database/sql.js';
import { invalid } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest, OwnCondition } from '../../lists/list-request.js';
import { NarrowedQuery } from '../../lists/narrowed-query.js';
import { instant } from '../../lists/parameters/query-parameters.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceReader } from '../../records/resource-reader.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Asset } from '../asset/asset.entity.js';
import { Booking } from './booking.entity.js';

interface FreeRequest extends ListRequest {
  from: string;
  to: string;
}

const list = new NarrowedQuery<FreeRequest>(listOf(Asset), () => ({
  parameters: [],
  filters: [
    {
      ...instant<FreeRequest>('from', 'Start of the span in which the asset is free', (request, value) => {
        request.from = value;
      }),
      required: true,
    },
    {
      ...instant<FreeRequest>(
        'to',
        'End of the span, which is not part of it. It is after the start',
        (request, value) => {
          request.to = value;
        },
      ),
      required: true,
    },
  ],
  defaults: { from: '', to: '' },
  without: new Set(),
}));

/** The condition that an asset `t` is free for a whole span. */
const free = (from: string, to: string): OwnCondition => ({
  sqlType: 'timestamptz',
  sql: () => sql`t.id IN (SELECT id FROM free_assets(${from}::timestamptz, ${to}::timestamptz) free (id))`,
});

/** Reads assets that can be booked. */
@RecordService(Asset)
export class FreeAssetsService extends ResourceReader<Asset> {
  /** @throws DomainError not_acceptable, ValidationFailed */
  free(ctx: RequestContext, { from, to, ...request }: FreeRequest): Promise<ListReply> {
    if (Date.parse(to) <= Date.parse(from)) throw invalid('to', 'must be after from');
    const filters = [...request.filters, { field: free(from, to), operator: 'eq' as const, values: [] }];
    return this.list(ctx, { ...request, filters });
  }
}

/** What can be booked. */
@Controller('api/bookings/available')
@TagOf(Booking)
export class FreeAssetsController {
  constructor(@Inject(FreeAssetsService) private readonly service: FreeAssetsService) {}

  @Get()
  @Access(readingOf(Booking))
  @TakesQuery()
  @Operation({
    operationId: 'listAvailableAssets',
    text: {
      summary: 'List the assets that are free for a whole span',
      description:
        'The assets that are `in_stock`, `in_use`, `reserved` or `pending`, have no booking within the span, and are not out: one that is out until a `dueAt` is free from then on. The filters are those of the list of assets, such as `categoryId`, `siteId` and `locationId`.',
    },
    list,
    response: Asset,
    status: 200,
  })
  free(@Ctx() ctx: RequestContext, @QueryOf(list) request: FreeRequest): Promise<ListReply> {
    return this.service.free(ctx, request);
  }
}
