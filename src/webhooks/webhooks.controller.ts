import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { BodyOf, NoBody } from '../fields/bodies/bodies.js';
import { pathId, PathId } from '../http/path-id.js';
import { type ListReply, PlainReply, type RecordReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { type RawQuery, readQuery } from '../lists/parameters/query-parameters.js';
import { Operation } from '../openapi/operation.js';
import { Sends } from '../openapi/sent-requests.js';
import { ResourceController } from '../resource/resource.controller.js';
import { TagOf } from '../resource/resource.operations.js';
import { DELIVERY_PARAMETERS, newDeliveriesRequest } from './deliveries.parameters.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  CreateWebhook,
  Delivery,
  IssuedWebhook,
  ReplayWebhook,
  UpdateWebhook,
  WebhookReplay,
} from './webhook.bodies.js';
import { SENT } from './webhook.documents.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksService } from './webhooks.service.js';
import { Idempotent } from '../resource/idempotency/idempotency.js';

const access = { role: 'admin' } as const;

@Controller('api/webhooks')
export class WebhooksController extends ResourceController({
  record: Webhook,
  about: 'Addresses that changes are sent to; for administrators',
  view: { columns: ['name', 'url', 'isActive', 'lastSuccessAt', 'failingSince', 'resources'], order: 'name' },
  create: CreateWebhook,
  created: IssuedWebhook,
  update: UpdateWebhook,
  conflicts: { create: true },
  access: { read: access, write: access },
  service: WebhooksService,
  takesKeys: false,
  // The change log does not contain its secret.
  restorable: false,
  text: {
    create: {
      description:
        'Only this response contains the secret. There are at most 100 webhooks. A webhook for resources of operations needs the area `operations`.',
    },
    update: {
      description:
        'To change `url`, send the current secret in `secret`. Deactivating a webhook cancels its pending deliveries. A change of its conditions cancels those that no longer match. Changes made while it is inactive are not delivered.',
    },
  },
}) {}

/** What is done with a webhook beyond the pattern. */
@Controller('api/webhooks/:id')
@TagOf(Webhook)
@Sends(SENT)
export class WebhookActionsController {
  constructor(
    @Inject(WebhooksService) private readonly webhooks: WebhooksService,
    @Inject(DeliveriesService) private readonly deliveries: DeliveriesService,
  ) {}

  @Post('rotate-secret')
  @HttpCode(200)
  @Access(access)
  @Operation({
    operationId: 'rotateWebhookSecret',
    text: {
      summary: 'Replace the secret of a webhook',
      description:
        'Returns the new secret. It is shown only once. For 24 hours requests are also signed with the previous secret; older secrets end at once. Takes no body.',
    },
    response: IssuedWebhook,
    record: true,
    status: 200,
    finds: 'webhook',
  })
  rotate(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<RecordReply> {
    return this.webhooks.rotate(ctx, id);
  }

  @Post('test')
  @HttpCode(200)
  @Access(access)
  @Operation({
    operationId: 'testWebhook',
    text: {
      summary: 'Send a test to a webhook',
      description:
        'Sends one event of the type `webhooks.test`, even if the webhook is inactive, and returns the delivery when it has ended. The event is sent only once. Takes no body.',
    },
    response: Delivery,
    status: 200,
    finds: 'webhook',
  })
  test(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<PlainReply> {
    return this.deliveries.test(ctx, id);
  }

  @Post('replay')
  @HttpCode(200)
  @Access(access)
  @Idempotent()
  @Operation({
    operationId: 'replayWebhook',
    text: {
      summary: 'Deliver the events of a period again',
      description:
        "Sends again the events of the changes from `since` to `until` (exclusive) that match the webhook's conditions. The events keep their ids. At most 100,000 changes in one request.",
    },
    body: ReplayWebhook,
    response: WebhookReplay,
    status: 200,
    errors: [409, 410],
    finds: 'webhook',
  })
  async replay(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ReplayWebhook) { since, until }: ReplayWebhook,
  ): Promise<PlainReply> {
    return PlainReply.of(await this.deliveries.replay(ctx, id, since, until));
  }

  @Get('deliveries')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listWebhookDeliveries',
    text: {
      summary: 'List the deliveries of a webhook',
      description:
        'The latest first. They are kept for 14 days. The deliveries of a webhook for resources of operations need the area `operations`. Deliveries for records that the caller may not read are left out.',
    },
    list: {
      parameters: DELIVERY_PARAMETERS,
      columns: ['status', 'type', 'recordId', 'attempts', 'responseStatus', 'error', 'createdAt'],
    },
    response: Delivery,
    status: 200,
    finds: 'webhook',
  })
  list(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>, @Query() query: RawQuery): Promise<ListReply> {
    const id = pathId(at);
    const request = readQuery(query, DELIVERY_PARAMETERS, newDeliveriesRequest(query));
    return this.deliveries.list(ctx, id, request);
  }

  @Post('deliveries/:deliveryId/resend')
  @HttpCode(200)
  @Access(access)
  @Idempotent()
  @Operation({
    operationId: 'resendWebhookDelivery',
    text: {
      summary: 'Deliver an event again',
      description:
        'A pending delivery is attempted at once. The event keeps its id. A change that no longer matches the webhook is not delivered again (409). Takes no body.',
    },
    response: Delivery,
    status: 200,
    errors: [409],
    finds: 'delivery',
  })
  resend(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>, @NoBody _body: object): Promise<PlainReply> {
    return this.deliveries.resend(ctx, pathId(at), pathId(at, 'deliveryId'));
  }
}
