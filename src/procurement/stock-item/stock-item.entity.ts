import { ApiProperty } from '@nestjs/swagger';
import type { Relation } from 'typeorm';
import { ComputedField, IntegerField, LineField, NameField, ReferenceField, TextField } from '../../fields/fields.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';

// Raised by keep_stock.sql.
defineRule('ex_stock_items_used', 'stockItem', `cannot be deleted: ${DETAIL}`);
defineRule('ex_stock_of_site', 'site', `has stock: ${DETAIL}. Move it first`);
defineRule('ex_stock_of_location', 'location', `has stock: ${DETAIL}. Move it first`);

const ON_HAND = (t: string): string =>
  `(SELECT coalesce(sum(l.quantity), 0) FROM stock_levels l WHERE l.stock_item_id = ${t}.id)`;

/** SQL of whether an item `t` is below its minimum. */
export const BELOW_MINIMUM = `t.minimum > ${ON_HAND('t')}`;

/** An amount of money in one currency. */
export class StockValue {
  @ApiProperty({ description: 'Currency, an ISO 4217 code', example: 'EUR' }) currency!: string;
  @ApiProperty({ description: 'Exact sum of the costs of the units', type: 'string', example: '240.50' })
  amount!: string;
}

/** An item that is counted by quantity and not piece by piece, such as cables. Its levels are the sums of its movements. */
@RecordEntity('stock_items', { area: 'procurement', apart: ['sku'] })
export class StockItem extends StoredRecord {
  @NameField('Name', { example: 'Patch cable Cat 6A, 2 m' }) name!: string;
  @LineField('Number of the article', { example: 'PC6A-200', searchable: true }) sku!: string | null;
  @ReferenceField(() => AssetCategory, 'Category') categoryId!: string | null;
  @ReferenceField(() => Manufacturer, 'Manufacturer') manufacturerId!: string | null;
  @LineField('What one unit is', { default: 'piece', example: 'piece' }) unit!: string;
  @IntegerField('Least number of units that there should be; null for any', { example: 50 }) minimum!: number | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @ComputedField('Units that there are, at all places', ON_HAND, {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    example: 120,
  })
  onHand!: number;
  @ComputedField(
    'Cost of the units that there are, by currency. Units without a price are not in it',
    (
      t,
    ) => `(SELECT coalesce(json_agg(json_build_object('currency', v.currency, 'amount', v.amount::text) ORDER BY v.currency), '[]')
      FROM (SELECT l.currency, sum(l.quantity * l.unit_cost) AS amount FROM stock_lots l
        WHERE l.stock_item_id = ${t}.id AND l.quantity > 0 AND l.unit_cost IS NOT NULL GROUP BY l.currency) v)`,
    { type: () => StockValue, isArray: true },
  )
  value!: Relation<StockValue>[];
}
