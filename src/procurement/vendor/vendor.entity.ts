import { LineField, NameField, SlugField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('vendors', { area: 'procurement' })
export class Vendor extends StoredRecord {
  @NameField('Name', { example: 'Northwind Networks' }) name!: string;
  @SlugField('URL-friendly name', { example: 'northwind-networks' }) slug!: string | null;
  @LineField('Person at the vendor who looks after the account', { example: 'Grace Hopper', searchable: true })
  accountManager!: string | null;
  @LineField('Email address', { example: 'sales@northwind.example' }) email!: string | null;
  @LineField('Telephone number', { example: '+31 20 555 0100' }) phone!: string | null;
  @LineField('Website', { example: 'https://northwind.example' }) website!: string | null;
  @WordField('Status', ['active', 'inactive', 'blocked'], { counted: true }) status!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
