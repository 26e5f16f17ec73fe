import { Index } from 'typeorm';
import { NameField, ReferenceField, TextField, TimestampField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Span } from '../../fields/bodies/rules.js';
import { Person } from '../../people/person/person.entity.js';

export const INCIDENT_SEVERITIES = ['sev1', 'sev2', 'sev3', 'sev4', 'sev5'];
export const INCIDENT_STATUSES = ['open', 'investigating', 'identified', 'monitoring', 'resolved', 'closed'];

@RecordEntity('incidents', { area: 'operations' })
// A partial index over unfinished records. A migration creates it.
@Index('ix_incidents_open', { synchronize: false })
@Span('detectedAt', 'resolvedAt')
export class Incident extends StoredRecord {
  @NameField('Title', { example: 'Packet loss between racks A1 and A2' }) name!: string;
  @WordField('Severity', INCIDENT_SEVERITIES, { default: 'sev3', nullable: true })
  severity!: string | null;
  @WordField('Status', INCIDENT_STATUSES, {
    default: 'open',
    nullable: true,
    counted: true,
  })
  status!: string | null;
  @TimestampField('When it was noticed') detectedAt!: string | null;
  @TimestampField('When it was resolved', { example: '2026-03-01T11:00:00.000Z' }) resolvedAt!: string | null;
  @ReferenceField(() => Person, 'The person responsible') assignedToId!: string | null;
  @TextField('Detail', { searchable: true }) description!: string | null;
}
