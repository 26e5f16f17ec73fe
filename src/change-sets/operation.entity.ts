import { Column, Index } from 'typeorm';
import { EnumField, IntegerField, JsonField, LineField, OwnerField, UuidField } from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { OPS } from '../resource/bulk/bulk-body.js';
import { ChangeSet } from './change-set.entity.js';

/** A change of one record in a change set. It has no entry in the change log; the merge has. */
@RecordEntity('change_set_operations', { area: null, logged: false, label: 'operation', plural: 'operations' })
@Index(['changeSetId', 'position'])
@Index(['changeSetId', 'recordId'])
export class ChangeSetOperation extends StoredRecord {
  @OwnerField(() => ChangeSet, 'Change set that it belongs to', { hidden: true, indexed: false }) changeSetId!: string;
  @EnumField('What is done', 'ChangeAction', OPS, { required: true, example: 'update' }) op!: (typeof OPS)[number];
  @LineField('Resource of the record, named as in the change log', { required: true, example: 'devices' })
  resource!: string;
  @UuidField('The record. A new record gets its id with the operation, so it must not be given for `create`')
  recordId!: string;
  @JsonField(
    'Properties of the new record, or those that change. A part also has the id of its owner. Absent for `delete`',
    { example: { rackPosition: 12 } },
  )
  data!: Record<string, unknown> | null;
  @IntegerField('Place among the operations of the change set, from 1', {
    readOnly: true,
    nullable: false,
    min: 1,
    example: 1,
  })
  position!: number;
  @JsonField(
    'Values of these properties when the operation was written down, for `delete` the whole record. A merge is refused where they have changed since',
    { readOnly: true, example: { rackPosition: 7 } },
  )
  base!: Record<string, unknown> | null;
  /** Columns to write directly, for an operation that reverts an entry of the change log. */
  @Column({ type: 'jsonb', nullable: true }) columns!: object | null;
  /** Encrypted properties of `data` and `base`. */
  @Column({ type: 'jsonb', nullable: true }) sealed!: object | null;
  /** Profiles that recorded it. */
  @Column({ type: 'uuid', array: true, default: () => `'{}'` }) authors!: string[];
}
