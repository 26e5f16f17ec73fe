import { OwnerField, LineField, TextField, WordField } from '../../../fields/fields.js';
import { StoredRecord } from '../../../fields/record.js';
import { RecordEntity } from '../../../fields/record-entity.js';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, Incident } from '../incident.entity.js';

/** An entry of an incident's timeline. It is created and read, and never changed. */
@RecordEntity('incident_updates', { area: 'operations' })
export class IncidentUpdate extends StoredRecord {
  @OwnerField(() => Incident, 'Incident that the entry is about', { hidden: true }) incidentId!: string;
  @TextField('Text of the entry', {
    required: true,
    notBlank: true,
    example: 'Failed over to rack A2. Packet loss is gone.',
  })
  message!: string;
  @WordField('Status that the incident has from then on; null if it stayed the same', INCIDENT_STATUSES)
  status!: string | null;
  @WordField('Severity that the incident has from then on; null if it stayed the same', INCIDENT_SEVERITIES)
  severity!: string | null;
  @LineField('Email address of the profile that wrote it', {
    readOnly: true,
    nullable: false,
    example: 'ada@example.com',
  })
  author!: string;
}
