import { Index } from 'typeorm';
import { NameField, ReferenceField, TextField, TimestampField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Person } from '../../people/person/person.entity.js';

@RecordEntity('change_requests', { area: 'operations' })
// A partial index over unfinished records. A migration creates it.
@Index('ix_change_requests_pending', { synchronize: false })
export class ChangeRequest extends StoredRecord {
  @NameField('Change title', { example: 'Upgrade core-sw-01 to 17.12' }) name!: string;
  @WordField(
    'Status',
    [
      'draft',
      'submitted',
      'approved',
      'rejected',
      'scheduled',
      'in_progress',
      'review',
      'completed',
      'failed',
      'cancelled',
    ],
    { default: 'draft', counted: true },
  )
  status!: string;
  @WordField('Risk', ['low', 'medium', 'high', 'critical'], { default: 'low' }) risk!: string;
  @ReferenceField(() => Person, 'The requester') requestedById!: string | null;
  @Index()
  @TimestampField('Planned execution time')
  scheduledFor!: string | null;
  @TextField('Detail', { searchable: true }) description!: string | null;
}
