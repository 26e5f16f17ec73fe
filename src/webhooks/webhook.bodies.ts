import { ApiProperty } from '@nestjs/swagger';
import { CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { LineField, TimestampField } from '../fields/fields.js';
import { RequestBody } from '../fields/field.js';
import { Webhook } from './webhook.entity.js';

export class CreateWebhook extends CreateBody(Webhook) {}

export class UpdateWebhook extends UpdateBody(Webhook) {
  @LineField('Current secret. Required to change `url`, and allowed only then', {
    nullable: false,
    example: undefined,
  })
  override secret?: string;
}

const SECRET_EXAMPLE = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** A webhook in the response to its creation, and to a new secret. */
export class IssuedWebhook extends Webhook {
  @ApiProperty({
    description: 'Secret that its requests are signed with. It is shown only once',
    type: 'string',
    example: SECRET_EXAMPLE,
    readOnly: true,
  })
  declare secret: string;
}

/** A span of time whose events are delivered again. */
export class ReplayWebhook extends RequestBody {
  @TimestampField('Time of the first change', { required: true }) since!: string;
  @TimestampField('Time before which the last change was made; now if absent', { nullable: false, example: undefined })
  until?: string;
}

/** What a replay has queued. */
export class WebhookReplay {
  @ApiProperty({ description: 'Number of deliveries', example: 42 }) deliveries!: number;
}

/** An event that was sent to a webhook, or is to be sent. */
export class Delivery {
  @ApiProperty({ description: 'Identifier', format: 'uuid' }) id!: string;
  @ApiProperty({
    description: 'Identifier of the event: the header `webhook-id`. Repeated deliveries keep it',
    example: 'evt_018f3c1e5d4a4f6b9a7c1e2d3c4b5a69',
  })
  eventId!: string;
  @ApiProperty({ description: 'Type of the event', example: 'incidents.create' }) type!: string;
  @ApiProperty({
    description: 'Resource of the record; null for a test',
    type: 'string',
    nullable: true,
    example: 'incidents',
  })
  resource!: string | null;
  @ApiProperty({ description: 'Record that changed; null for a test', type: 'string', format: 'uuid', nullable: true })
  recordId!: string | null;
  @ApiProperty({
    description: 'Pending until no further attempt follows',
    enum: ['pending', 'succeeded', 'failed'],
    enumName: 'DeliveryStatus',
  })
  status!: string;
  @ApiProperty({ description: 'Attempts that were made', example: 1 }) attempts!: number;
  @ApiProperty({
    description: 'Status of the last response; null if there was none',
    type: 'integer',
    nullable: true,
    example: 204,
  })
  responseStatus!: number | null;
  @ApiProperty({
    description:
      'Why there was no response, such as `timeout` or `address_refused`, or why it ended without one: `webhook_deactivated`, `no_longer_wanted`, `entry_gone`, or `outbound_off` where the service sends nothing, as on the copy of a database',
    type: 'string',
    nullable: true,
    example: null,
  })
  error!: string | null;
  @ApiProperty({ description: 'Milliseconds that the last attempt took', type: 'integer', nullable: true, example: 37 })
  durationMs!: number | null;
  @ApiProperty({
    description: 'When the next attempt is made',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  nextAttemptAt!: string | null;
  @ApiProperty({ description: 'When it was queued', format: 'date-time' }) createdAt!: string;
  @ApiProperty({ description: 'When it succeeded', type: 'string', format: 'date-time', nullable: true })
  deliveredAt!: string | null;
}
