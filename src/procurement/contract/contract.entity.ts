import { Index } from 'typeorm';
import {
  CurrencyField,
  DateField,
  DecimalField,
  LineField,
  NameField,
  ReferenceField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Span } from '../../fields/bodies/rules.js';
import { Vendor } from '../vendor/vendor.entity.js';

@RecordEntity('contracts', { area: 'procurement' })
// Partial indexes over unsettled records. A migration creates them.
@Index('ix_contracts_ending', { synchronize: false })
@Index('ix_contracts_notice', { synchronize: false })
@Span('startDate', 'endDate')
export class Contract extends StoredRecord {
  @NameField('Name', { example: 'Support of the core network' }) name!: string;
  @LineField('Number of the contract', { example: 'C-2026-0042', searchable: true }) contractNumber!: string | null;
  @ReferenceField(() => Vendor, 'Vendor that the contract is with') vendorId!: string | null;
  @LineField('Kind of contract', { example: 'support' }) type!: string | null;
  @DateField('First day of the contract') startDate!: string | null;
  @DateField('Last day of the contract', { example: '2029-02-28' }) endDate!: string | null;
  @DateField('Last day to give notice', { example: '2028-11-30' }) noticeDate!: string | null;
  @DecimalField('Cost, in `currency`', { example: '48000.00' }) cost!: string | null;
  @CurrencyField('Currency of `cost`, an ISO 4217 code', { shownWithName: true }) currency!: string;
  @WordField('Status', ['active', 'draft', 'expired', 'terminated'], { default: 'active', counted: true })
  status!: string;
  @TextField('Notes', { searchable: true }) notes!: string | null;
}
