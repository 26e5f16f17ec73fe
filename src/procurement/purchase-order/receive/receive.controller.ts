import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { writingOf } from '../../../records/record-access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { Operation } from '../../../openapi/operation.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { PurchaseOrder } from '../purchase-order.entity.js';
import { PurchaseOrderReceipt, ReceivePurchaseOrder } from './receive.dto.js';
import { ReceiveService } from './receive.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

const access = writingOf(PurchaseOrder, 'manager');

@Controller('api/purchase-orders/:id/receive')
@TagOf(PurchaseOrder)
export class ReceiveController {
  constructor(@Inject(ReceiveService) private readonly service: ReceiveService) {}

  @Post()
  @HttpCode(200)
  @Access(access)
  @Idempotent()
  @Operation({
    operationId: 'receivePurchaseOrder',
    text: {
      summary: 'Receive units of a purchase order',
      description:
        'Creates an asset for each unit, with the name, category, manufacturer and price of its line. The order must be `ordered` or `partially_received`, and becomes `received` with its last unit. All of the request is received, or nothing. A line may appear in several entries; their quantities are added up.',
    },
    body: ReceivePurchaseOrder,
    response: PurchaseOrderReceipt,
    status: 200,
    finds: 'purchase order',
  })
  async receive(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReceivePurchaseOrder) body: ReceivePurchaseOrder,
  ): Promise<PlainReply> {
    return PlainReply.of(await this.service.receive(ctx, id, body));
  }
}
