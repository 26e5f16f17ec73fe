import { Controller, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import type { ActionReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { DRY_RUN, ON_ERROR, readOptions } from '../../../lists/parameters/query-options.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { Operation } from '../../../openapi/operation.js';
import { writingOf } from '../../../records/record-access.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { AssetAssignmentsService } from '../asset-assignments.service.js';
import { Asset } from '../asset.entity.js';
import { AssetHandover, HandOverAssets } from './handover.dto.js';

const OPTIONS = { onError: ON_ERROR, dryRun: DRY_RUN };

@Controller('api/assets/handover')
@TagOf(Asset)
export class HandoverController {
  constructor(@Inject(AssetAssignmentsService) private readonly service: AssetAssignmentsService) {}

  @Post()
  @HttpCode(200)
  @Access(writingOf(Asset))
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'handOverAssets',
    text: {
      summary: 'Hand many assets out or take them back',
      description:
        'Sets the holders of up to 1,000 assets. An entry is skipped if the person already has the asset, so the request can be repeated. The status of an asset changes as with a single handover. Everything is written in one transaction. With `onError=skip`, entries with faults are left out. An asset may be in one entry only. One that is booked at the moment is handed to the person of the booking only, and 409 otherwise.',
    },
    body: HandOverAssets,
    query: Object.values(OPTIONS),
    response: AssetHandover,
    status: 200,
    errors: [409],
    rehearsed: true,
  })
  handOver(
    @Ctx() ctx: RequestContext,
    @Query() query: RawQuery,
    @BodyOf(HandOverAssets) { holders, replace = false }: HandOverAssets,
  ): Promise<ActionReply> {
    return this.service.handOver(ctx, holders, { ...readOptions(OPTIONS, query), replace });
  }
}
