import { Controller, Get, Param } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { addBodyRule, CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ExampleBody } from '../../fields/bodies/body-example.js';
import { Fault } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { QueryOf } from '../../lists/list-query.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { readingOf } from '../../records/record-access.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { BOOKED, Booking } from './booking.entity.js';
import { bookingList, type BookingsRequest } from './bookings.query.js';
import { BookingsService } from './bookings.service.js';

@ExampleBody({
  assetId: EXAMPLE_ID,
  startTime: '2031-03-06T08:00:00.000Z',
  endTime: '2031-03-06T16:00:00.000Z',
  purpose: 'Talk for customers',
  noShowMinutes: 30,
})
class CreateBooking extends CreateBody(Booking) {}
class UpdateBooking extends UpdateBody(Booking) {}

addBodyRule(CreateBooking, (body) => {
  const [first, second] = BOOKED.filter((property) => (body[property] ?? null) !== null);
  if (first === undefined) return new Fault('assetId', `must be given, or one of deviceId and categoryId`);
  return second === undefined ? undefined : new Fault(second, `must not be given with ${first}: exactly one is booked`);
});

@Controller('api/bookings')
export class BookingsController extends ResourceController({
  record: Booking,
  about: 'Assets and devices that are lent: when, to whom, and what is free',
  view: {
    columns: ['assetName', 'deviceName', 'status', 'startTime', 'endTime', 'personId'],
    order: '-startTime',
    groups: {
      Booking: ['assetId', 'deviceId', 'categoryId', 'status'],
      Time: ['startTime', 'endTime', 'noShowMinutes'],
      Purpose: ['personId', 'changeRequestId', 'purpose'],
    },
  },
  create: CreateBooking,
  update: UpdateBooking,
  service: BookingsService,
  conflicts: true,
  text: {
    create: {
      description:
        'Books an asset, a device, or any asset of a category. Of a category, an asset that is free for the whole time is chosen at once; it is refused only if there is none, and the message then has the next free span of the same length. Assets that are `in_stock`, `in_use`, `reserved` or `pending` count. Bookings of one record never overlap, however many requests there are at once; an asset and a device made of it are one record.',
    },
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. What is booked never changes. A booking that is `ended` or `cancelled` cannot be changed.',
    },
  },
}) {
  @Get()
  @Access(readingOf(Booking))
  @TakesQuery()
  @Operation({
    operationId: 'listBookings',
    text: {
      summary: 'List bookings',
      description:
        'With `format=svg` they are a picture: assets and devices by days, with a row for each that has a booking within the window, without those that are cancelled. `from` and `to` are for the picture.',
    },
    list: bookingList,
    response: Booking,
    status: 200,
    picture: true,
  })
  override list(
    @Ctx() ctx: RequestContext,
    @Param() _at: Record<string, string>,
    @QueryOf(bookingList) request: BookingsRequest,
  ): Promise<ListReply> {
    return this.service.listOrPicture(ctx, request) as Promise<ListReply>;
  }
}
