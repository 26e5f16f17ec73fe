import { Index } from 'typeorm';
import { DateField, DecimalField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Contract } from '../contract/contract.entity.js';
import { Vendor } from '../vendor/vendor.entity.js';

@RecordEntity('renewals', { area: 'procurement' })
// A partial index over unsettled records. A migration creates it.
@Index('ix_renewals_due', { synchronize: false })
export class Renewal extends StoredRecord {
  @NameField('Name', { example: 'Support of the core network 2027' }) name!: string;
  @ReferenceField(() => Vendor, 'Vendor to renew with') vendorId!: string | null;
  @ReferenceField(() => Contract, 'Contract that is to be renewed') contractId!: string | null;
  @DateField('Day by which to renew', { example: '2027-02-28' }) renewalDate!: string | null;
  @DecimalField('Amount that the renewal costs') amount!: string | null;
  @WordField('Status', ['upcoming', 'in_progress', 'renewed', 'cancelled', 'lapsed'], { counted: true }) status!:
    string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
}
