import { Index } from 'typeorm';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineSubjectRules, SubjectOf } from '../target/target.entity.js';
import { Runbook } from './runbook.entity.js';

defineSubjectRules('runbook_targets', 'runbook');

@RecordEntity('runbook_targets', { area: 'operations' })
@Index('uq_runbook_targets_record', ['runbookId', 'resource', 'recordId'], { unique: true })
@Index(['recordId'])
export class RunbookTarget extends SubjectOf('runbook') {
  @OwnerField(() => Runbook, 'Runbook that is about the record', { hidden: true, indexed: false }) runbookId!: string;
}
