import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { Access, writing } from '../../../auth/access.js';
import { Ctx, type RequestContext } from '../../../http/context.js';
import { parseBody } from '../../../kernel/dto.js';
import { pathId } from '../../../kernel/resource.controller.js';
import { Operation } from '../../../openapi/document.js';
import { ReceivePurchaseOrderDto, ReceiveResult } from './receive.dto.js';
import { ReceiveService } from './receive.service.js';

const access = writing('procurement', 'manager');

@Controller('api/purchase-orders/:id/receive')
export class ReceiveController {
  constructor(@Inject(ReceiveService) private readonly service: ReceiveService) {}

  @Post()
  @HttpCode(200)
  @Access(access)
  @Operation({
    operationId: 'receivePurchaseOrder',
    tag: 'Purchase orders',
    access,
    text: {
      summary: 'Receive units of a purchase order',
      description:
        'Makes one asset of every unit, counts them on their lines and advances the order: all of the request, or nothing. The same line may stand twice. At most 1000 units in one request.',
    },
    body: ReceivePurchaseOrderDto,
    response: ReceiveResult,
    status: 200,
    idempotent: true,
    finds: 'purchase order',
  })
  receive(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Body() body: unknown,
  ): Promise<ReceiveResult> {
    return this.service.receive(ctx, pathId(at), parseBody(ReceivePurchaseOrderDto, body));
  }
}
