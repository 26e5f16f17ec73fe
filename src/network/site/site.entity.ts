import {
  LineField,
  NameField,
  NumberField,
  ReferenceField,
  SlugField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Region } from '../region/region.entity.js';

@RecordEntity('sites', { area: 'network' })
export class Site extends StoredRecord {
  @NameField('Name', { example: 'Amsterdam DC1' }) name!: string;
  @SlugField('URL-friendly name; made from `name` when a create body has none', { example: 'amsterdam-dc1' })
  slug!: string | null;
  @WordField('Status', ['active', 'planned', 'staging', 'decommissioning', 'retired'], {
    default: 'active',
    counted: true,
  })
  status!: string;
  @LineField('Name or code that the operator of the building uses', { example: 'AM3', searchable: true })
  facility!: string | null;
  @ReferenceField(() => Region, 'Region that the site is in') regionId!: string | null;
  @TextField('Postal address', { example: 'Science Park 610, 1098 XH Amsterdam' }) physicalAddress!: string | null;
  @LineField('Time zone, usually a name of the IANA database; other texts are accepted', {
    example: 'Europe/Amsterdam',
    zone: true,
  })
  timeZone!: string | null;
  @NumberField('Degrees north of the equator', { min: -90, max: 90, example: 52.3563 }) latitude!: number | null;
  @NumberField('Degrees east of Greenwich', { min: -180, max: 180, example: 4.9515 }) longitude!: number | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
