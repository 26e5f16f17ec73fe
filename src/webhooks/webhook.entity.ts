import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import {
  BooleanField,
  ComputedField,
  EnumField,
  JsonField,
  LineField,
  ListField,
  NameField,
  TextField,
} from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { instantText } from '../fields/types/time.js';
import type { Conditions } from './conditions.js';

const FORMATS = ['standard', 'text'] as const;
const ACTIONS = ['create', 'update', 'delete'] as const;

/** The state of a webhook. It is not part of the record, because it changes with every delivery. */
const state = {
  alias: 'state',
  sql: (t: string): string =>
    // oxlint-disable-next-line sql/no-joined -- of the declared alias of a table
    `SELECT ${instantText('s.last_success_at')} AS last_success_at, ${instantText('s.failing_since')} AS failing_since FROM (SELECT) one LEFT JOIN webhook_states s ON s.webhook_id = ${t}.id`,
};
const TIME = { type: 'string', format: 'date-time' } as const;

/** An address that changes are sent to. */
@RecordEntity('webhooks', { area: null, withheld: ['secret', 'previous_secret', 'previous_secret_until'] })
export class Webhook extends StoredRecord {
  @NameField('Name of the webhook, for example the program behind it', { example: 'incident channel' }) name!: string;
  @LineField('Address that events are sent to, over `https`', {
    required: true,
    maxLength: 2048,
    example: 'https://hooks.example.com/inventory',
  })
  url!: string;
  @ListField('Resources whose changes are sent, named as in the change log; `[]` means all', {
    example: ['incidents'],
  })
  resources!: string[];
  @ListField('Actions that are sent; `[]` means all', {
    values: ACTIONS,
    enumName: 'ChangeAction',
    example: ['create'],
  })
  actions!: string[];
  @ListField('Updates are sent only if they changed one of these fields; `[]` means all', { example: ['status'] })
  fields!: string[];
  @JsonField(
    'Values of fields before and after a change. The webhook is sent only if the fields had these values before the change and have these values after it. A list of values means any of them. Requires exactly one resource in `resources`',
    { columnName: 'conditions', example: { before: { status: 'planned' }, after: { status: 'active' } } },
  )
  where!: Conditions | null;
  @EnumField(
    'What is sent: a signed event of Standard Webhooks 1.0, or a sentence for a chat',
    'WebhookFormat',
    FORMATS,
    {
      default: 'standard',
    },
  )
  format!: string;
  @BooleanField('Whether changes are sent to it', { default: true, example: true }) isActive!: boolean;
  @TextField('Free-text notes') description!: string | null;
  @ComputedField(
    'When a delivery last succeeded',
    () => 'state.last_success_at',
    { ...TIME, example: '2026-03-01T08:30:00.000Z' },
    { nullable: true, source: state },
  )
  lastSuccessAt!: string | null;
  @ComputedField(
    'Time since which every delivery has failed; null if the last one succeeded',
    () => 'state.failing_since',
    { ...TIME, example: null },
    { nullable: true, source: state },
  )
  failingSince!: string | null;
  @LineField('Why the service deactivated it', { readOnly: true, example: 'The endpoint answered 410 Gone' })
  deactivatedReason!: string | null;
  /** Encrypted. Not a field, because it is shown only once. */
  @Column({ type: 'text' }) secret!: string;
  /** The secret before the last rotation, which also signs until `previousSecretUntil`. */
  @Column({ type: 'text', nullable: true }) previousSecret!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) previousSecretUntil!: Date | null;
}

/** The position of a webhook in the feed, the process that delivers for it, and whether it works. */
@Entity('webhook_states')
class WebhookState {
  @PrimaryColumn({ type: 'uuid' }) webhookId!: string;
  @ManyToOne(() => Webhook, { onDelete: 'CASCADE' }) @JoinColumn() webhook!: Relation<Webhook>;
  /** The last entry of the feed before the webhook was created or activated. */
  @Column({ type: 'uuid' }) sinceId!: string;
  @Column({ type: 'timestamptz', precision: 3 }) sinceAt!: Date;
  /** The process that has the lease, and until when. */
  @Column({ type: 'uuid', nullable: true }) leaseOwner!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) leaseUntil!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lastSuccessAt!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) failingSince!: Date | null;
}

/** An event that was sent to a webhook, or is to be sent. */
@Entity('webhook_deliveries')
// Waiting deliveries in their order, and those that wait for an earlier delivery of the same record.
@Index(['webhookId', 'position'], { where: `status = 'pending'` })
@Index(['webhookId', 'recordId', 'position'], { where: `status = 'pending'` })
@Index(['nextAttemptAt'], { where: `status = 'pending'` })
@Index(['webhookId', 'createdAt', 'id'])
@Index(['createdAt'])
// An event is queued once, even if the feed is read repeatedly.
@Index(['webhookId', 'entryId'], { unique: true, where: 'NOT is_replay' })
class WebhookDelivery {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'uuid' }) webhookId!: string;
  @ManyToOne(() => Webhook, { onDelete: 'CASCADE' }) @JoinColumn() webhook!: Relation<Webhook>;
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' }) position!: string;
  @Column({ type: 'text' }) eventId!: string;
  @Column({ type: 'text' }) type!: string;
  @Column({ type: 'text', nullable: true }) resource!: string | null;
  @Column({ type: 'uuid', nullable: true }) recordId!: string | null;
  /** The entry of the change log; null for a test. */
  @Column({ type: 'uuid', nullable: true }) entryId!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) entryAt!: Date | null;
  @Column({ type: 'boolean', default: false }) isReplay!: boolean;
  @Column({ type: 'text', default: 'pending' }) status!: string;
  @Column({ type: 'int', default: 0 }) attempts!: number;
  @Column({ type: 'int', nullable: true }) responseStatus!: number | null;
  @Column({ type: 'text', nullable: true }) error!: string | null;
  @Column({ type: 'int', nullable: true }) durationMs!: number | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, default: () => 'now()' }) nextAttemptAt!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deliveredAt!: Date | null;
}

export const webhookEntities = [Webhook, WebhookState, WebhookDelivery];
