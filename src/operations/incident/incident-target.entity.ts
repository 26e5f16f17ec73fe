import { Index } from 'typeorm';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineTargetRules, TargetOf } from '../target/target.entity.js';
import { Incident } from './incident.entity.js';

defineTargetRules('incident_targets', 'incident');

@RecordEntity('incident_targets', { area: 'operations' })
@Index('uq_incident_targets_record', ['incidentId', 'resource', 'recordId'], { unique: true })
@Index(['recordId'])
export class IncidentTarget extends TargetOf('incident') {
  @OwnerField(() => Incident, 'Incident that affects the record', { hidden: true, indexed: false }) incidentId!: string;
}
