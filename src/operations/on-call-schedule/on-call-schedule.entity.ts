import { Index } from 'typeorm';
import { LineField, NameField, ReferenceField, TextField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Span } from '../../fields/bodies/rules.js';
import { Person } from '../../people/person/person.entity.js';

@RecordEntity('on_call_schedules', { area: 'operations', label: 'on-call schedule', plural: 'on-call schedules' })
@Span('startTime', 'endTime')
@Index('ix_on_call_schedules_hours', { synchronize: false })
@Index('ix_on_call_schedules_end', { synchronize: false })
@Index('ix_on_call_schedules_roster', { synchronize: false })
export class OnCallSchedule extends StoredRecord {
  @NameField('Schedule name', { example: 'Network primary, week 10' }) name!: string;
  @ReferenceField(() => Person, 'The responder') personId!: string | null;
  @TimestampField('Start of coverage') startTime!: string | null;
  @TimestampField('End of coverage', { example: '2026-03-08T08:30:00.000Z' }) endTime!: string | null;
  @LineField('Rotation label', { example: 'weekly' }) rotation!: string | null;
  @TextField('Notes', { searchable: true }) description!: string | null;
}
