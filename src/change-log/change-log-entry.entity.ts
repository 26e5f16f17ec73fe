import { Column, Index } from 'typeorm';
import type { Area } from '../access/access.js';
import { ComputedField, EnumField, LineField, ListField, TextField, UuidField } from '../fields/fields.js';
import { MOST_OF_MESSAGE } from '../http/change-message.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { apiValues, isShownIn } from './api-values.js';

const readOnly = { readOnly: true, nullable: false } as const;
const VALUES = { type: 'object', additionalProperties: true } as const;

// Every change also sets `updatedAt`. It is logged so that past states can be reconstructed, but not shown.
const changed = (t: string): string =>
  `(${t}.action <> 'update' OR key <> 'updated_at') AND ${isShownIn(`${t}.resource`)}`;

/**
 * One change of one record. Only triggers write it (`logged_rows.sql`, `logged_update.sql` and `log_truncate.sql` in
 * `src/schema/functions`). It has no foreign keys, so that it stays unchanged when the record and the profile are deleted.
 */
@RecordEntity('change_log', { area: null, logged: false, key: 'change_log_key' })
@Index(['recordId', 'id'])
// The order of the feed.
@Index(['transactionId', 'id'])
@Index(['actorId', 'createdAt'])
@Index(['tokenId', 'createdAt'], { where: 'token_id IS NOT NULL' })
@Index(['changeSetId', 'id'], { where: 'change_set_id IS NOT NULL' })
export class ChangeLogEntry extends StoredRecord {
  // PostgreSQL would parse its constraint anew for every write: a twentieth of what a create takes there.
  @EnumField('What was done', 'ChangeAction', ['create', 'update', 'delete'], { ...readOnly, checked: false })
  action!: string;
  @LineField('Collection of the record, as in its path', { ...readOnly, example: 'ip-addresses' })
  resource!: string;
  @LineField('Area of the record; null for profiles', { readOnly: true, example: 'network' }) area!: Area | null;
  @UuidField('Record that changed', readOnly) recordId!: string;
  @LineField('Name of the record at that time', { readOnly: true, example: '10.0.0.1/24' }) recordName!: string | null;
  @UuidField('Profile that made the change; null for the system: the command line, the catalogue, manual SQL', {
    readOnly: true,
  })
  actorId!: string | null;
  @LineField('Email address of that profile at that time, or `system`', { ...readOnly, example: 'ada@example.com' })
  actor!: string;
  @UuidField('Token that made the change; null for a session and for the system', { readOnly: true })
  tokenId!: string | null;
  @LineField('Name of that token at that time', { readOnly: true, example: 'nightly import' })
  tokenName!: string | null;
  @LineField('Request that made the change: its `X-Request-Id`, which is also in the server log', {
    readOnly: true,
    example: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  })
  @Index()
  requestId!: string | null;
  @ComputedField(
    'Values before the change: of the changed fields, or of the whole deleted record. A secret shows only that it was set',
    (t) => apiValues(`${t}.old_values`, changed(t), `${t}.new_values`),
    { ...VALUES, example: { status: 'active' } },
    { nullable: true },
  )
  before!: Record<string, unknown> | null;
  @ComputedField(
    'Values after the change: of the changed fields, or of the whole created record',
    (t) => apiValues(`${t}.new_values`, changed(t), `${t}.old_values`),
    { ...VALUES, example: { status: 'deprecated' } },
    { nullable: true },
  )
  after!: Record<string, unknown> | null;
  @ListField('Approvals that counted for the move of a status; only where some did', {
    default: undefined,
    nullable: true,
    readOnly: true,
    shownIfSet: true,
    example: undefined,
  })
  approvalIds?: string[];
  @UuidField('Change set whose merge made the change', { readOnly: true, shownIfSet: true, example: undefined })
  changeSetId?: string;
  @TextField('Why the change was made, as `X-Change-Message` of the request said', {
    readOnly: true,
    shownIfSet: true,
    searchable: true,
    maxLength: MOST_OF_MESSAGE,
    example: 'The switch is replaced, ticket 4711',
  })
  message?: string;
  /** As stored in the columns. */
  @Column({ type: 'jsonb', nullable: true }) oldValues!: object | null;
  @Column({ type: 'jsonb', nullable: true }) newValues!: object | null;
  @Column({ type: 'bigint' }) transactionId!: string;
}
