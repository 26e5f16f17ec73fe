import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { sql, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Device } from '../../network/device/device.entity.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Asset } from '../asset/asset.entity.js';
import { Booking } from './booking.entity.js';
import { BookingsService } from './bookings.service.js';

const list = listOf(Booking);

const ofAsset = (asset: Sql): Sql =>
  sql`(t.asset_id = ${asset} OR t.device_id IN (SELECT id FROM devices WHERE asset_id = ${asset}))`;

/** The controller of the bookings of records of one kind. @param field the reference to it @param condition on `t`, by the id of the record */
function bookedController(record: Class, resource: string, field: keyof Booking, condition: (id: Sql) => Sql): Type {
  const words = labelOf(record);

  @Controller(`api/${resource}/:id/bookings`)
  @TagOf(record)
  class BookedController {
    constructor(@Inject(BookingsService) private readonly service: BookingsService) {}

    @Get()
    @Access(readingOf(Booking))
    @TakesQuery()
    @Operation({
      operationId: `list${record.name}Bookings`,
      text: {
        summary: `List the bookings of ${withArticle(record)}`,
        description:
          'All bookings of the record, also past and cancelled ones. An asset and a device made of it are one record: each has the bookings of the other.',
      },
      list,
      fixed: [field],
      response: Booking,
      status: 200,
      finds: words,
    })
    list(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @QueryOf(list) request: ListRequest,
    ): Promise<ListReply> {
      return this.service.list(ctx, request, { record, field, id: pathId(at), condition });
    }
  }
  Object.defineProperty(BookedController, 'name', { value: `${record.name}BookingsController` });
  return BookedController;
}

/** The bookings of what can be booked. */
export const bookedControllers: readonly Type[] = [
  bookedController(Asset, 'assets', 'assetId', ofAsset),
  bookedController(
    Device,
    'devices',
    'deviceId',
    (device) => sql`(t.device_id = ${device} OR ${ofAsset(sql`(SELECT asset_id FROM devices WHERE id = ${device})`)})`,
  ),
];
