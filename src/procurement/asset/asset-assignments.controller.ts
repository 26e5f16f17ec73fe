import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { readingOf, writingOf } from '../../records/record-access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { ListReply, RecordReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { BodyOf } from '../../fields/bodies/bodies.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { pathId, PathId } from '../../http/path-id.js';
import { Operation } from '../../openapi/operation.js';
import { TagOf } from '../../resource/resource.operations.js';
import { AssetAssignment, ReturnAsset } from './asset-assignment.entity.js';
import { AssignAsset } from './asset-assignments.bodies.js';
import { AssetAssignmentsService } from './asset-assignments.service.js';
import { Asset } from './asset.entity.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';

const read = readingOf(Asset);
const write = writingOf(Asset);

const list = listOf(AssetAssignment);

/** The current and former holders of an asset. */
@Controller('api/assets/:id')
@TagOf(Asset)
export class AssetAssignmentsController {
  constructor(@Inject(AssetAssignmentsService) private readonly service: AssetAssignmentsService) {}

  @Post('assign')
  @HttpCode(200)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'assignAsset',
    text: {
      summary: 'Hand an asset out to a person',
      description:
        'Opens an assignment, which the asset shows as `currentAssignee`. An asset that is `in_stock` or `reserved` becomes `in_use`; any other status stays. Refused while the asset is handed out, while it is booked for somebody else, and with a `dueAt` after the start of a booking for somebody else. For the person of a booking that runs it is the pick-up.',
    },
    body: AssignAsset,
    response: Asset,
    record: true,
    status: 200,
    errors: [409],
    finds: 'asset',
  })
  assign(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(AssignAsset) body: AssignAsset,
  ): Promise<RecordReply> {
    return this.service.assign(ctx, id, body);
  }

  @Post('return')
  @HttpCode(200)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'returnAsset',
    text: {
      summary: 'Take an asset back',
      description:
        'Closes the open assignment of the asset. An asset that is `in_use` becomes `in_stock`; any other status stays. Refused while the asset is not out. A body is needed for custom fields of the assignment only.',
    },
    body: ReturnAsset,
    bodyOptional: true,
    response: Asset,
    record: true,
    status: 200,
    errors: [403, 409],
    finds: 'asset',
  })
  return(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReturnAsset, { optional: true }) body: ReturnAsset,
  ): Promise<RecordReply> {
    return this.service.return(ctx, id, body);
  }

  @Get('assignments')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'listAssetAssignments',
    text: {
      summary: 'List the assignments of an asset',
      description: 'Who has the asset, and who had it, with their names at that time.',
    },
    list,
    fixed: ['assetId'],
    response: AssetAssignment,
    status: 200,
    finds: 'asset',
  })
  assignments(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    const owner = { record: Asset, field: 'assetId', id: pathId(at) };
    return this.service.list(ctx, request, owner);
  }
}
