import {
  ComputedField,
  EnumField,
  IntegerField,
  LineField,
  NameField,
  NumberField,
  ReferenceField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { CableIdField } from '../cable-id.field.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { Rack } from '../rack/rack.entity.js';
import { Site } from '../site/site.entity.js';

// Raised by the trigger `power_feeds_home` (`src/schema/functions/power_feeds_home.sql`).
defineRule('ck_power_feeds_site_id_rack', 'siteId', 'must be the site of the rack');

const MOST = 1_000_000;

/** SQL of the power in watts that a feed, as `t`, may supply; null if it is not known. */
export const availablePower = (t: string): string =>
  `floor(abs(${t}.voltage_v)::numeric * ${t}.amperage_a::numeric * CASE ${t}.phase WHEN 'three' THEN sqrt(3::numeric) ELSE 1 END
    * ${t}.maximum_utilisation / 100)::int8`;

/** A line of power from a panel of a building to a rack. */
@RecordEntity('power_feeds', { area: 'network' })
export class PowerFeed extends StoredRecord {
  @NameField('Name', { example: 'AMS-A1 feed A' }) name!: string;
  @ReferenceField(() => Site, 'Site where it is. If its rack has one, it is the same one') siteId!: string | null;
  @ReferenceField(() => Rack, 'Rack that it feeds') rackId!: string | null;
  @LineField('Panel that it comes from', { example: 'PDB-1 breaker 14', searchable: true }) panel!: string | null;
  @WordField('Status', ['active', 'planned', 'offline', 'failed'], { default: 'active', counted: true })
  status!: string;
  @EnumField('Whether it is the first or the second supply', 'PowerFeedType', ['primary', 'redundant'], {
    default: 'primary',
  })
  type!: string;
  @EnumField('Kind of current', 'PowerSupply', ['ac', 'dc'], { default: 'ac' }) supply!: string;
  @EnumField('Phases', 'PowerPhase', ['single', 'three'], { default: 'single' }) phase!: string;
  @NumberField('Voltage in volts; negative for some direct currents', { min: -MOST, max: MOST, example: 230 })
  voltageV!: number | null;
  @NumberField('Current of its breaker in amperes', { min: 0, max: MOST, example: 32 }) amperageA!: number | null;
  @IntegerField('Most of its power that may be used, in percent', { min: 1, max: 100, default: 80, example: 70 })
  maximumUtilisation!: number;
  @ReferenceField(() => TenantGroup, 'Tenants that it serves') tenantGroupId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
  @ComputedField(
    'Power that it may supply in watts, rounded down; null if `voltageV` or `amperageA` is',
    availablePower,
    { type: 'integer', format: 'int64', minimum: 0, example: 5888 },
    { nullable: true },
  )
  availableW!: number | null;
  @CableIdField() cableId!: string | null;
}
