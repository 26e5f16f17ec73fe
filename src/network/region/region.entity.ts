import { NameField, ReferenceField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';

// Raised by the trigger `regions_ancestry` (`src/schema/functions/regions_ancestry.sql`).
defineRule('ck_regions_parent_id', 'parentId', 'must not be the region itself or one that lies within it');

/** A part of the world, such as a country or a city. */
@RecordEntity('regions', { area: 'network' })
export class Region extends StoredRecord {
  @NameField('Name', { example: 'Netherlands' }) name!: string;
  @SlugField('URL-friendly name', { example: 'netherlands' }) slug!: string | null;
  @ReferenceField(() => Region, 'Region that this one lies within; never itself or one within it')
  parentId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
