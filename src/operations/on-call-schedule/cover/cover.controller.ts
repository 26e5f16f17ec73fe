import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { Operation } from '../../../openapi/operation.js';
import { writingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { OnCallSchedule } from '../on-call-schedule.entity.js';
import { CoverOnCallSchedule, OnCallCover } from './cover.dto.js';
import { CoverService } from './cover.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

@Controller('api/on-call-schedules/:id/cover')
@TagOf(OnCallSchedule)
export class CoverController {
  constructor(@Inject(CoverService) private readonly service: CoverService) {}

  @Post()
  @HttpCode(200)
  @Access(writingOf(OnCallSchedule))
  @Idempotent()
  @Operation({
    operationId: 'coverOnCallSchedule',
    text: {
      summary: 'Take over a part of a shift',
      description:
        'Splits the shift into at most three schedules with no gap between them. The covered part gets the new person. The schedule itself becomes the earliest part that its own person keeps. If all of it is covered, only its person changes.',
    },
    body: CoverOnCallSchedule,
    response: OnCallCover,
    status: 200,
    finds: 'on-call schedule',
  })
  async cover(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(CoverOnCallSchedule) body: CoverOnCallSchedule,
  ): Promise<PlainReply> {
    return PlainReply.of(await this.service.cover(ctx, id, body));
  }
}
