import { Exclusion } from 'typeorm';
import { Span } from '../../fields/bodies/rules.js';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { CoverageBy, daysApart, defineCoverageRules } from './coverage.entity.js';
import { Sla } from '../sla/sla.entity.js';

defineCoverageRules('sla_coverage', 'SLA');

@RecordEntity('sla_coverage', { area: 'procurement', label: 'SLA coverage', plural: 'SLA coverage', article: 'an' })
@Exclusion('ex_sla_coverage_days', daysApart('sla_id'))
@Span('startDate', 'endDate')
export class SlaCoverage extends CoverageBy('SLA', { start: 'since ever', end: 'without an end' }) {
  @OwnerField(() => Sla, 'SLA that covers the record', { hidden: true }) slaId!: string;
}
