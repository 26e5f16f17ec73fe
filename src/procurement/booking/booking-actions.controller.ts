import { applyDecorators, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { BodyOf, NoBody } from '../../fields/bodies/bodies.js';
import type { Concrete } from '../../fields/field.js';
import { PathId } from '../../http/path-id.js';
import type { RecordReply } from '../../http/replies.js';
import { Operation } from '../../openapi/operation.js';
import { writingOf } from '../../records/record-access.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';
import { TagOf } from '../../resource/resource.operations.js';
import { ReturnAsset } from '../asset/asset-assignment.entity.js';
import { Booking } from './booking.entity.js';
import { BookingActionsService } from './booking-actions.service.js';

const write = writingOf(Booking);

const Action = (path: string, operationId: string, summary: string, description: string, body?: Concrete) =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    Access(write),
    Operation({
      operationId,
      text: { summary, description },
      ...(body && { body, bodyOptional: true }),
      response: Booking,
      record: true,
      status: 200,
      errors: body ? [409] : [403, 409],
      finds: 'booking',
    }),
  );

/** The outcome of a booking. */
@Controller('api/bookings/:id')
@TagOf(Booking)
export class BookingActionsController {
  constructor(@Inject(BookingActionsService) private readonly service: BookingActionsService) {}

  @Action(
    'pick-up',
    'pickUpBooking',
    'Pick up what is booked',
    'Hands the asset out to the person of the booking until its end, which the assignment shows as `dueAt`, and makes the booking `out`. A booking of a device is only marked. Before the start it is refused if another booking stands in the way. A body is needed for custom fields of the assignment only.',
    ReturnAsset,
  )
  @Idempotent()
  pickUp(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReturnAsset, { optional: true }) body: ReturnAsset,
  ): Promise<RecordReply> {
    return this.service.pickUp(ctx, id, body);
  }

  @Action(
    'return',
    'returnBooking',
    'Return what is booked',
    'Takes the asset back and makes the booking `ended`. Refused unless it is `out`. A body is needed for custom fields of the assignment only.',
    ReturnAsset,
  )
  @Idempotent()
  return(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReturnAsset, { optional: true }) body: ReturnAsset,
  ): Promise<RecordReply> {
    return this.service.return(ctx, id, body);
  }

  @Action('cancel', 'cancelBooking', 'Cancel a booking', 'Refused unless it is `booked`. Takes no body.')
  @Idempotent()
  cancel(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<RecordReply> {
    return this.service.cancel(ctx, id);
  }
}
