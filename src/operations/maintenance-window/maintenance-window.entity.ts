import { Index } from 'typeorm';
import { NameField, TextField, TimestampField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Span } from '../../fields/bodies/rules.js';

@RecordEntity('maintenance_windows', { area: 'operations' })
// A partial index over unfinished records. A migration creates it.
@Index('ix_maintenance_windows_pending', { synchronize: false })
@Index('ix_maintenance_windows_hours', { synchronize: false })
@Span('startTime', 'endTime')
export class MaintenanceWindow extends StoredRecord {
  @NameField('Window name', { example: 'Core switch upgrade' }) name!: string;
  @TimestampField('Window opens') startTime!: string | null;
  @TimestampField('Window closes', { example: '2026-03-01T10:30:00.000Z' }) endTime!: string | null;
  @WordField('Status', ['scheduled', 'in_progress', 'verifying', 'completed', 'cancelled'], {
    default: 'scheduled',
    counted: true,
  })
  status!: string;
  @TextField('Expected disruption', { example: 'Two minutes without redundancy' }) impact!: string | null;
  @TextField('Detail', { searchable: true }) description!: string | null;
}
