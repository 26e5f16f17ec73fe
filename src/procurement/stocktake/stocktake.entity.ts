import { DETAIL } from '../../database/constraint-faults.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { EnumField, LineField, NameField, ReferenceField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';

export const STOCKTAKE_STATUSES = ['open', 'closed'] as const;

/** The scope of a stocktake. It is set when the stocktake is created. */
export const COUNTED = ['siteId', 'locationId', 'categoryId'] as const;

export const ANOTHER_COUNT = 'must not be changed: make another stocktake';

defineRule('ck_stocktakes_site_id_fixed', 'siteId', ANOTHER_COUNT);
defineRule('ck_stocktakes_location_id_fixed', 'locationId', ANOTHER_COUNT);
defineRule('ck_stocktakes_category_id_fixed', 'categoryId', ANOTHER_COUNT);
// Raised by keep_stocktakes.sql.
defineRule('ex_stocktakes_used', 'stocktake', `cannot be deleted: ${DETAIL}`);
defineRule('ex_stocktakes_of_site', 'site', `is counted by ${DETAIL}. Close it first`);
defineRule('ex_stocktakes_of_location', 'location', `is counted by ${DETAIL}. Close it first`);
defineRule('ex_stocktakes_of_category', 'assetCategory', `is counted by ${DETAIL}. Close it first`);

/** A count of the assets at a place, of a category, or both. */
@RecordEntity('stocktakes', { area: 'procurement' })
export class Stocktake extends StoredRecord {
  @NameField('Name', { example: 'Store room, December' }) name!: string;
  @ReferenceField(() => Site, 'Site whose assets are counted; that of the location, if that has one', { fixed: true })
  siteId!: string | null;
  @ReferenceField(() => Location, 'Location whose assets are counted, with the locations within it', { fixed: true })
  locationId!: string | null;
  @ReferenceField(() => AssetCategory, 'Category of the assets that are counted; null for all', { fixed: true })
  categoryId!: string | null;
  @EnumField('Status: `open`, or `closed` once its result was applied', 'StocktakeStatus', STOCKTAKE_STATUSES, {
    readOnly: true,
    nullable: false,
    default: 'open',
  })
  status!: (typeof STOCKTAKE_STATUSES)[number];
  @TimestampField('When it was closed', { readOnly: true }) closedAt!: string | null;
  @LineField('Email address of the profile that closed it', { readOnly: true, example: 'ada@example.com' })
  closedBy!: string | null;
}
