import { LineField, NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('manufacturers', { area: 'procurement' })
export class Manufacturer extends StoredRecord {
  @NameField('Name', { example: 'Cisco' }) name!: string;
  @SlugField('URL-friendly name; made from `name` when a create body has none', { example: 'cisco' })
  slug!: string | null;
  @LineField('Website', { example: 'https://www.cisco.com' }) website!: string | null;
  @LineField('Website of its support', { example: 'https://www.cisco.com/c/en/us/support' }) supportUrl!: string | null;
  @LineField('Email address of its support', { example: 'support@example.com' }) supportEmail!: string | null;
  @LineField('Telephone number of its support', { example: '+1 800 553 2447' }) supportPhone!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
