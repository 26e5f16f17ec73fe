import { Controller, Inject, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import type { ActionReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { writingOf } from '../../../records/record-access.js';
import { DRY_RUN, readOptions } from '../../../lists/parameters/query-options.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { OnCallSchedule } from '../on-call-schedule.entity.js';
import { OnCallRotation, RotateOnCallSchedules } from './rotation.dto.js';
import { RotationService } from './rotation.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

@Controller('api/on-call-schedules/rotation')
@TagOf(OnCallSchedule)
export class RotationController {
  constructor(@Inject(RotationService) private readonly service: RotationService) {}

  @Post()
  @Access(writingOf(OnCallSchedule))
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'rotateOnCallSchedules',
    text: {
      summary: 'Write the shifts of a rotation',
      description:
        'Writes one schedule for each turn, at most 1,000. People take turns in the given order, and the last turn ends at `until`. Turns of days, weeks and months begin at the same time of day across changes of the clocks, and months are counted from the first start: 31 January, 28 February, 31 March. Existing shifts of the same roster at that time are a conflict, unless `replace` is true.',
    },
    body: RotateOnCallSchedules,
    query: [DRY_RUN],
    response: OnCallRotation,
    status: 201,
    rehearsed: true,
  })
  rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: RawQuery,
    @BodyOf(RotateOnCallSchedules) body: RotateOnCallSchedules,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    return this.service.rotate(ctx, body, dryRun);
  }
}
