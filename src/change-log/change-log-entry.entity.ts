import { Column, Index } from 'typeorm';
import type { Area } from '../access/access.js';
import { ComputedField, EnumField, LineField, UuidField } from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { apiValues } from './api-values.js';

const readOnly = { readOnly: true, nullable: false } as const;
const VALUES = { type: 'object', additionalProperties: true } as const;

// That a change was made changes `updatedAt`; it is kept to show the record as it stood, and says nothing here.
const changed = (t: string): string => `(${t}.action <> 'update' OR key <> 'updated_at')`;

/**
 * What happened to one record at one time. Written by triggers only (migration `change-log`); it refers to nothing, so that
 * it stays as it was when the record and the profile are gone.
 */
@RecordEntity('change_log', { area: null, logged: false })
@Index(['recordId', 'id'])
@Index(['actorId', 'createdAt'])
export class ChangeLogEntry extends StoredRecord {
  @EnumField('What was done', 'ChangeAction', ['create', 'update', 'delete'], readOnly) action!: string;
  @LineField('Collection that the record is in, as in its path', { ...readOnly, example: 'ip-addresses' })
  resource!: string;
  @LineField('Area of the record; null for profiles', { readOnly: true, example: 'network' }) area!: Area | null;
  @UuidField('Record that was changed', readOnly) recordId!: string;
  @LineField('Name of the record at the time', { readOnly: true, example: '10.0.0.1/24' }) recordName!: string | null;
  @UuidField('Profile that did it; null for the system: the command line, the catalogue, SQL by hand', {
    readOnly: true,
  })
  actorId!: string | null;
  @LineField('Email address of that profile at the time, or `system`', { ...readOnly, example: 'ada@example.com' })
  actor!: string;
  @LineField('Request that did it: its `X-Request-Id`, which is in the log too', {
    readOnly: true,
    example: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  })
  @Index()
  requestId!: string | null;
  @ComputedField(
    'Values before: of what was changed, or of the whole record that was deleted. A secret shows that it is set, not what it is',
    (t) => apiValues(`${t}.old_values`, changed(t)),
    { ...VALUES, example: { status: 'active' } },
    { nullable: true },
  )
  before!: Record<string, unknown> | null;
  @ComputedField(
    'Values after: of what was changed, or of the whole record that was created',
    (t) => apiValues(`${t}.new_values`, changed(t)),
    { ...VALUES, example: { status: 'deprecated' } },
    { nullable: true },
  )
  after!: Record<string, unknown> | null;
  /** As the columns hold them. */
  @Column({ type: 'jsonb', nullable: true }) oldValues!: object | null;
  @Column({ type: 'jsonb', nullable: true }) newValues!: object | null;
  /** What was done together has the same. */
  @Column({ type: 'bigint' }) transactionId!: string;
}
