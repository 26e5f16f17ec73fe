import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Access } from '../../access/access.js';

import { BodyOf } from '../../fields/bodies/bodies.js';
import { RequestBody } from '../../fields/field.js';
import { TextField } from '../../fields/fields.js';
import { pathId, PathId } from '../../http/path-id.js';
import { ActionReply, type ListReply, type RecordReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf, writingOf } from '../../records/record-access.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';
import { operationsOf, TagOf } from '../../resource/resource.operations.js';
import { StockItem } from '../stock-item/stock-item.entity.js';
import { CreateStockMovement, StockMovement } from './stock-movement.entity.js';
import { movementsOf, StockMovementsService } from './stock-movements.service.js';

/** Reversing says nearly everything by its path: a body may be absent. */
class ReverseStockMovement extends RequestBody {
  @TextField('Why', { example: 'Booked on the wrong shelf' }) reason?: string | null;
}

const record = StockMovement;
const read = readingOf(record);

const list = listOf(record);

const document = operationsOf(record, {
  text: {
    list: {
      summary: 'List the movements of a stock item',
      description: 'What came in, went out or changed its place.',
    },
    create: {
      summary: 'Move units of a stock item',
      description:
        'Changes the level of the place. A level is never below 0: what would take more than there is, is refused. Units go out the oldest first, over all places, and with the cost that they came in with. A movement is never changed or deleted; it can be reversed.',
    },
  },
});

/** The movements of a stock item. They are created, read and reversed, and never changed or deleted. */
@Controller('api/stock-items/:id/movements')
@TagOf(StockItem)
export class StockMovementsController {
  constructor(@Inject(StockMovementsService) private readonly service: StockMovementsService) {}

  @Get()
  @Access(read)
  @TakesQuery()
  @document.list(list, ['stockItemId'])
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    return this.service.list(ctx, request, movementsOf(pathId(at)));
  }

  @Post()
  @Access(writingOf(record))
  @Idempotent()
  @document.create(CreateStockMovement, { conflicts: true })
  create(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @BodyOf(CreateStockMovement) body: object,
  ): Promise<RecordReply> {
    return this.service.create(ctx, body, movementsOf(pathId(at)));
  }

  @Get(':movementId')
  @Access(read)
  @Operation({
    operationId: 'getStockMovement',
    text: { summary: 'Read a movement of a stock item', description: 'The movement as it was written.' },
    response: StockMovement,
    record: true,
    status: 200,
    finds: 'stock movement',
  })
  get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
    return this.service.get(ctx, pathId(at, 'movementId'), movementsOf(pathId(at)));
  }

  @Post(':movementId/reverse')
  @HttpCode(201)
  @Access(writingOf(record))
  @Idempotent()
  @Operation({
    operationId: 'reverseStockMovement',
    text: {
      summary: 'Reverse a movement of a stock item',
      description:
        'Writes the opposite: a movement of the same kind and places with the opposite quantity. Units that went out come back with the cost that they had. Refused for a reversal, for a movement that is reversed already, for one of an order, whose receipt is reversed instead, and where a level would be below 0.',
    },
    body: ReverseStockMovement,
    bodyOptional: true,
    response: StockMovement,
    status: 201,
    errors: [403, 409],
    finds: 'stock movement',
  })
  async reverse(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @PathId('movementId') movementId: string,
    @BodyOf(ReverseStockMovement, { optional: true }) body: ReverseStockMovement,
  ): Promise<ActionReply> {
    const { json } = await this.service.reverse(ctx, id, movementId, body.reason);
    return new ActionReply(['', json, '']);
  }
}
