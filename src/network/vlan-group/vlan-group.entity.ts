import { Fault } from '../../http/errors.js';
import { addBodyRule } from '../../fields/bodies/bodies.js';
import { IntegerField, NameField, ReferenceField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { Site } from '../site/site.entity.js';

/** The lowest and the highest VLAN id that IEEE 802.1Q leaves to its users. */
export const MIN_VID = 1;
export const MAX_VID = 4094;

const RANGE_FAULT = 'must not be less than minVid';

// Raised by the trigger `vlan_groups_range` (`src/schema/functions/vlan_groups_range.sql`).
defineRule('uq_vlan_groups_range', 'minVid', 'and maxVid must include the vid of every VLAN in the group', 'conflict');

/** VLANs whose vid is unique among them. */
@RecordEntity('vlan_groups', { area: 'network', label: 'VLAN group', plural: 'VLAN groups' })
@Rule('ck_vlan_groups_range', 'max_vid >= min_vid', 'maxVid', RANGE_FAULT)
export class VlanGroup extends StoredRecord {
  @NameField('Name', { example: 'campus' }) name!: string;
  @ReferenceField(() => Site, 'Site whose VLANs these are') siteId!: string | null;
  @IntegerField(`Lowest vid of the group; null means ${MIN_VID}`, {
    min: MIN_VID,
    max: MAX_VID,
    example: 100,
    nominal: true,
  })
  minVid!: number | null;
  @IntegerField(`Highest vid of the group; null means ${MAX_VID}`, {
    min: MIN_VID,
    max: MAX_VID,
    example: 199,
    nominal: true,
  })
  maxVid!: number | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}

// A body that has both is refused together with its other faults.
addBodyRule(VlanGroup, ({ minVid, maxVid }) =>
  typeof minVid === 'number' && typeof maxVid === 'number' && maxVid < minVid
    ? new Fault('maxVid', RANGE_FAULT)
    : undefined,
);
