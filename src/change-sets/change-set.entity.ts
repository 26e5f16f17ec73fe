import { Column } from 'typeorm';
import {
  ComputedField,
  EnumField,
  LineField,
  NameField,
  ReferenceField,
  TextField,
  TimestampField,
} from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { ChangeRequest } from '../operations/change-request/change-request.entity.js';

export const CHANGE_SET_STATUSES = ['open', 'merged', 'discarded'] as const;

/** Changes of records that are recorded first, and carried out together later. */
@RecordEntity('change_sets', { area: null, open: true })
export class ChangeSet extends StoredRecord {
  @NameField('Name of the change set', { example: 'Move three devices to rack B4' }) name!: string;
  @TextField('Why, and how', { searchable: true }) description!: string | null;
  @ReferenceField(() => ChangeRequest, 'Change request that the merge belongs to. It has to be approved first')
  changeRequestId!: string | null;
  @EnumField('Status', 'ChangeSetStatus', CHANGE_SET_STATUSES, { readOnly: true, default: 'open' })
  status!: (typeof CHANGE_SET_STATUSES)[number];
  @LineField('Email address of the profile that created it', {
    readOnly: true,
    nullable: false,
    example: 'ada@example.com',
  })
  createdBy!: string;
  @LineField('Email address of the profile that merged it', { readOnly: true, example: null })
  mergedBy!: string | null;
  @TimestampField('When it was merged', { readOnly: true, example: null }) mergedAt!: string | null;
  @ComputedField(
    'Number of its operations',
    (t) => `(SELECT count(*)::int FROM change_set_operations o WHERE o.change_set_id = ${t}.id)`,
    { type: 'integer', format: 'int32', minimum: 0, maximum: 10_000, example: 3 },
  )
  operationCount!: number;
  /** The change request of the change set. It stays when the request is deleted, and no response shows it. */
  @Column({ type: 'uuid', nullable: true }) plannedForId!: string | null;
}
