import { defineLinkRules, LinkTo, type RecordLink } from '../../records/record-link.js';
import {
  DESCRIBED_RECORDS,
  TARGETED_RECORDS,
  type DescribedResource,
  type TargetedResource,
} from './targeted-records.js';

/** A record that an incident, a change or a maintenance window affects. It is deleted with that record. */
type Target = RecordLink<TargetedResource>;

/** A record that a runbook or a known issue is about. It is deleted with that record. */
type Subject = RecordLink<DescribedResource>;

/**
 * Base class of the targets of one kind of record.
 * @param owner whose targets they are, in words
 */
export const TargetOf = (owner: string): abstract new () => Target =>
  LinkTo(TARGETED_RECORDS, {
    resource: `Resource of the record that the ${owner} affects`,
    recordId: `Record that the ${owner} affects`,
    enumName: 'TargetedResource',
  });

/**
 * Base class of the targets of one kind of record that is about others.
 * @param owner whose targets they are, in words
 */
export const SubjectOf = (owner: string): abstract new () => Subject =>
  LinkTo(DESCRIBED_RECORDS, {
    resource: `Resource of the record that the ${owner} is about. A device type, a role, a platform or a manufacturer stands for every device of it`,
    recordId: `Record that the ${owner} is about`,
    enumName: 'DescribedResource',
  });

/**
 * Sets the error messages of the constraints of a table of targets.
 * @param owner whose targets they are, in words
 */
export const defineTargetRules = (table: string, owner: string): void =>
  defineLinkRules(table, TARGETED_RECORDS, `is already a target of the ${owner}`);

/** The same for a table of targets of records that are about others. */
export const defineSubjectRules = (table: string, owner: string): void =>
  defineLinkRules(table, DESCRIBED_RECORDS, `is already a target of the ${owner}`);
