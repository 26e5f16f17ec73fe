import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { BodyOf } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { pathId, PathId } from '../../../http/path-id.js';
import { ActionReply, type ListReply, type RecordReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import { listOf, QueryOf } from '../../../lists/list-query.js';
import type { ListRequest } from '../../../lists/list-request.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { readingOf, writingOf } from '../../../records/record-access.js';
import { DRY_RUN, readOptions } from '../../../lists/parameters/query-options.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { PurchaseOrder } from '../purchase-order.entity.js';
import { Receipt } from './receipt.entity.js';
import { receiptsOf, ReceiptsService } from './receipts.service.js';
import { Idempotent } from '../../../resource/idempotency/idempotency.js';

/** The path says everything about a reversal. A body may be absent, and has no properties. */
class ReverseReceipt extends RequestBody {}

const read = readingOf(PurchaseOrder);
const write = writingOf(PurchaseOrder, 'manager');

const list = listOf(Receipt);

/** The receipts of a purchase order. */
@Controller('api/purchase-orders/:id/receipts')
@TagOf(PurchaseOrder)
export class ReceiptsController {
  constructor(@Inject(ReceiptsService) private readonly service: ReceiptsService) {}

  @Get()
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'listPurchaseOrderReceipts',
    text: {
      summary: 'List the receipts of a purchase order',
      description: 'One receipt for each request that received units of the order, including reversed ones.',
    },
    list,
    response: Receipt,
    status: 200,
    finds: 'purchase order',
  })
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(list) request: ListRequest,
  ): Promise<ListReply> {
    const owner = receiptsOf(pathId(at));
    return this.service.list(ctx, request, owner);
  }

  @Get(':receiptId')
  @Access(read)
  @Operation({
    operationId: 'getPurchaseOrderReceipt',
    text: {
      summary: 'Read a receipt of a purchase order',
      description: 'The units of each line and the assets that one request received.',
    },
    response: Receipt,
    record: true,
    status: 200,
    finds: 'receipt',
  })
  get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
    const owner = receiptsOf(pathId(at));
    return this.service.get(ctx, pathId(at, 'receiptId'), owner);
  }

  @Post(':receiptId/reverse')
  @HttpCode(200)
  @Access(write)
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'reversePurchaseOrderReceipt',
    text: {
      summary: 'Reverse a receipt of a purchase order',
      description:
        'Deletes the assets of the receipt, or takes its stock back, subtracts the quantities from their lines, and recomputes the status and `receivedDate` of the order; a `closed` order stays closed. All of it is reversed, or nothing: it is refused if an asset is handed out, belongs to a device, or was deleted, or if units of its stock are gone. The message names these assets, or the stock items. Takes no body.',
    },
    query: [DRY_RUN],
    response: Receipt,
    record: true,
    status: 200,
    rehearsed: true,
    errors: [403, 409],
    finds: 'receipt',
  })
  async reverse(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @PathId('receiptId') receiptId: string,
    @Query() query: RawQuery,
    @BodyOf(ReverseReceipt, { optional: true }) _body: object,
  ): Promise<RecordReply | ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    const reply = await ctx.transaction((tx) => this.service.reverse(tx, id, receiptId), dryRun);
    return dryRun ? new ActionReply(['', reply.json], [], true) : reply;
  }
}
