import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { Access } from '../../../access/access.js';
import { writingOf } from '../../../records/record-access.js';

import { BodyOf } from '../../../fields/bodies/bodies.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { Operation } from '../../../openapi/operation.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { PurchaseOrder } from '../purchase-order.entity.js';
import { ReceiveStock, StockReceipt } from './receive-stock.dto.js';
import { ReceiveStockService } from './receive-stock.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

const access = writingOf(PurchaseOrder, 'manager');

@Controller('api/purchase-orders/:id/receive-stock')
@TagOf(PurchaseOrder)
export class ReceiveStockController {
  constructor(@Inject(ReceiveStockService) private readonly service: ReceiveStockService) {}

  @Post()
  @HttpCode(200)
  @Access(access)
  @Idempotent()
  @Operation({
    operationId: 'receivePurchaseOrderStock',
    text: {
      summary: 'Receive stock of a purchase order',
      description:
        'Receives units of lines that name a stock item: a movement of kind `receipt` for each entry, with the price of the line as the cost of a unit. The order must be `ordered` or `partially_received`, and becomes `received` with its last unit. All of the request is received, or nothing. The receipt is one of the order, and is reversed as others are.',
    },
    body: ReceiveStock,
    response: StockReceipt,
    status: 200,
    finds: 'purchase order',
  })
  async receive(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReceiveStock) body: ReceiveStock,
  ): Promise<PlainReply> {
    return PlainReply.of(await this.service.receive(ctx, id, body));
  }
}
