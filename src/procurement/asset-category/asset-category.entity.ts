import { NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('asset_categories', { area: 'procurement' })
export class AssetCategory extends StoredRecord {
  @NameField('Name', { example: 'Network switches' }) name!: string;
  @SlugField('URL-friendly name; made from `name` when a create body has none', { example: 'network-switches' })
  slug!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
