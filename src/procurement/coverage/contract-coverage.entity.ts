import { Exclusion } from 'typeorm';
import { defineRule, Span } from '../../fields/bodies/rules.js';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { CoverageBy, daysApart, defineCoverageRules } from './coverage.entity.js';
import { Contract } from '../contract/contract.entity.js';

defineCoverageRules('contract_coverage', 'contract');
// Raised by triggers (`src/schema/functions/contract_coverage_days.sql`, `contracts_coverage.sql`).
defineRule('ck_contract_coverage_days', 'startDate', 'must be one of the days of the contract');
defineRule('ex_contracts_coverage', 'startDate', 'would leave coverage outside the days of the contract');

@RecordEntity('contract_coverage', {
  area: 'procurement',
  label: 'contract coverage',
  plural: 'contract coverage',
  article: 'a',
  // Coverage of a contract whose dates have changed since cannot be restored.
  restoredIf: `EXISTS (SELECT FROM contracts o WHERE o.id = (c.old_values->>'contract_id')::uuid
    AND day_outside((c.old_values->>'start_date')::date, (c.old_values->>'end_date')::date, o.start_date, o.end_date) IS NULL)`,
})
@Exclusion('ex_contract_coverage_days', daysApart('contract_id'))
@Span('startDate', 'endDate')
export class ContractCoverage extends CoverageBy('contract', {
  start: 'the first day of the contract',
  end: 'the last day of the contract',
}) {
  @OwnerField(() => Contract, 'Contract that covers the record', { hidden: true }) contractId!: string;
}
