import { Index } from 'typeorm';
import {
  CountField,
  DateField,
  DecimalField,
  LineField,
  NameField,
  ReferenceField,
  SecretField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Vendor } from '../vendor/vendor.entity.js';

@RecordEntity('software_licences', { area: 'procurement' })
// A partial index over unsettled records. A migration creates it.
@Index('ix_software_licences_expiring', { synchronize: false })
export class SoftwareLicence extends StoredRecord {
  @NameField('Name', { example: 'Network monitoring, 500 nodes' }) name!: string;
  @LineField('Product that is licensed', { example: 'NetWatch Enterprise', searchable: true }) product!: string | null;
  @SecretField('Licence key; encrypted at rest and null to callers below the role `manager`', {
    example: 'NWE5-7K2Q-93ZD-X8LM',
  })
  licenceKey!: string | null;
  @CountField('Seats that the licence allows', { example: 500 }) seats!: number | null;
  @CountField('Seats that are taken. While seats are given to holders it is their number, and cannot be changed', {
    example: 320,
  })
  assignedSeats!: number | null;
  @ReferenceField(() => Vendor, 'Vendor that sold the licence') vendorId!: string | null;
  @DateField('Last day that the licence is valid', { example: '2027-02-28' }) expiryDate!: string | null;
  @DecimalField('Cost') cost!: string | null;
  @WordField('Status', ['active', 'expired', 'suspended', 'retired'], { counted: true }) status!: string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
}
