import { CountField, NameField, ReferenceField, WordField } from '../../fields/fields.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Location } from '../location/location.entity.js';
import { Site } from '../site/site.entity.js';

export const RACK_FACES = ['front', 'rear'] as const;
export type RackFace = (typeof RACK_FACES)[number];

defineRule('ex_racks_units', 'units', `leaves no room for ${DETAIL}`);

@RecordEntity('racks', { area: 'network', apart: ['locationId', 'siteId'], namesRepeat: true })
export class Rack extends StoredRecord {
  @NameField('Name', { example: 'A1' }) name!: string;
  @ReferenceField(() => Site, 'Site where the rack stands, the same as that of its location if that has one')
  siteId!: string | null;
  @ReferenceField(() => Location, 'Location where the rack stands') locationId!: string | null;
  @CountField('Height in rack units', { example: 42 }) units!: number | null;
  @WordField('Status', ['active', 'planned', 'reserved', 'available', 'deprecated'], {
    default: 'active',
    counted: true,
  })
  status!: string;
}
