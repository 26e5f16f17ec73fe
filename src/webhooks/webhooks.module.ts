import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import type { AddressPolicy } from './address-rules.js';
import { DeliveredResources } from './delivered-resources.js';
import { DeliveriesService } from './deliveries.service.js';
import { Messages } from './messages.js';
import { Sender } from './sender.js';
import { ADDRESS_POLICY } from './tokens.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookWorker } from './webhook-worker.js';
import { webhookEntities } from './webhook.entity.js';
import { WebhookActionsController, WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Tells other systems of changes. */
@TagGroup('Service')
@Module({
  imports: [TypeOrmModule.forFeature(webhookEntities)],
  controllers: [WebhooksController, WebhookActionsController],
  providers: [
    { provide: ADDRESS_POLICY, inject: [CONFIGURATION], useFactory: ({ webhooks }: Configuration) => webhooks },
    { provide: Sender, inject: [ADDRESS_POLICY], useFactory: (policy: AddressPolicy) => new Sender(policy) },
    DeliveredResources,
    WebhookQueue,
    Messages,
    WebhooksService,
    DeliveriesService,
    WebhookWorker,
  ],
})
export class WebhooksModule {}
