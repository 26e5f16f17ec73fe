import { Index } from 'typeorm';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineSubjectRules, SubjectOf } from '../target/target.entity.js';
import { KnownIssue } from './known-issue.entity.js';

defineSubjectRules('known_issue_targets', 'known issue');

@RecordEntity('known_issue_targets', { area: 'operations' })
@Index('uq_known_issue_targets_record', ['knownIssueId', 'resource', 'recordId'], { unique: true })
@Index(['recordId'])
export class KnownIssueTarget extends SubjectOf('known issue') {
  @OwnerField(() => KnownIssue, 'Known issue that is about the record', { hidden: true, indexed: false })
  knownIssueId!: string;
}
