import { defineRule } from '../../fields/bodies/rules.js';
import { DateField } from '../../fields/fields.js';
import { defineLinkRules, LinkTo, type RecordLink } from '../../records/record-link.js';
import { COVERED_RECORDS, type CoveredResource } from './covered-records.js';

/** The coverage of a record by a contract or an SLA, from the first day to the last, both included. */
export interface Coverage extends RecordLink<CoveredResource> {
  startDate: string | null;
  endDate: string | null;
}

/**
 * Base class of the coverage by one kind of agreement.
 * @param agreement in words
 * @param open what a day that is null means
 */
export function CoverageBy(agreement: string, open: { start: string; end: string }): abstract new () => Coverage {
  abstract class CoverageByAgreement extends LinkTo(COVERED_RECORDS, {
    resource: `Resource of the record that the ${agreement} covers`,
    recordId: `Record that the ${agreement} covers`,
    enumName: 'CoveredResource',
  }) {
    @DateField(`First day on which the record is covered; null means ${open.start}`)
    startDate!: string | null;
    @DateField(`Last day on which the record is covered; null means ${open.end}`, { example: '2029-02-28' })
    endDate!: string | null;
  }
  return CoverageByAgreement;
}

/**
 * SQL of the exclusion index that keeps two entries of one agreement and record from overlapping. The coverage of a record is found with it.
 * @param owner column with the id of the agreement
 */
export const daysApart = (owner: string): string =>
  `USING gist (record_id WITH =, ${owner} WITH =, resource WITH =, daterange(start_date, end_date, '[]') WITH &&)`;

/**
 * Sets the error messages of the constraints of a table of coverage.
 * @param agreement in words
 */
export function defineCoverageRules(table: string, agreement: string): void {
  defineLinkRules(table, COVERED_RECORDS);
  defineRule(`ex_${table}_days`, 'recordId', `is covered by the ${agreement} already on some of these days`);
}
