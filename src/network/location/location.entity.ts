import { DETAIL } from '../../database/constraint-faults.js';
import { LineField, NameField, ReferenceField, SlugField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Site } from '../site/site.entity.js';

// Raised by the trigger `locations_ancestry` (`src/schema/functions/locations_ancestry.sql`).
defineRule('ck_locations_parent_id', 'parentId', 'must not be the location itself or one that lies within it');
// Raised by `hold_site` and `move_site`.
defineRule('ck_site_of_location_id', 'siteId', `must be the site of locationId: ${DETAIL}`);
defineRule('ck_site_of_parent_id', 'siteId', `must be the site of parentId: ${DETAIL}`);
defineRule('ex_locations_site_id', 'siteId', `contradicts what names the location: ${DETAIL}`);

@RecordEntity('locations', { area: 'network', apart: ['parentId', 'siteId'], namesRepeat: true, compared: true })
export class Location extends StoredRecord {
  @NameField('Name', { example: 'Room 2.04' }) name!: string;
  @SlugField('URL-friendly name', { example: 'room-2-04' }) slug!: string | null;
  @ReferenceField(() => Site, 'Site that the location is at, the same as that of parentId if both have one')
  siteId!: string | null;
  @ReferenceField(() => Location, 'Location that this one lies within; never itself or one within it')
  parentId!: string | null;
  @WordField('Status', ['active', 'planned', 'staging', 'decommissioning', 'retired'], {
    default: 'active',
    counted: true,
  })
  status!: string;
  @LineField('Name or code that the operator of the building uses', { example: 'AM3-2.04', searchable: true })
  facility!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
