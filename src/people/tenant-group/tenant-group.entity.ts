import { NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('tenant_groups', { area: 'people' })
export class TenantGroup extends StoredRecord {
  @NameField('Name', { example: 'Retail customers' }) name!: string;
  @SlugField('URL-friendly name', { example: 'retail-customers' }) slug!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
