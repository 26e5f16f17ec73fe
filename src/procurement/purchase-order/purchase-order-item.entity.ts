import { Column } from 'typeorm';
import { CreateBody } from '../../fields/bodies/bodies.js';
import {
  ComputedField,
  CountField,
  IntegerField,
  LineField,
  NameField,
  OwnerField,
  PriceField,
  ReferenceField,
  TextField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Rule } from '../../fields/bodies/rules.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { PurchaseOrder } from './purchase-order.entity.js';

/** A line of a purchase order. */
@RecordEntity('purchase_order_items', { area: 'procurement' })
@Rule(
  'ck_purchase_order_items_quantity_received',
  '"quantity_received" <= "quantity"',
  'items',
  'must not receive more than was ordered',
)
export class PurchaseOrderItem extends StoredRecord {
  @OwnerField(() => PurchaseOrder, 'Purchase order that the line belongs to', {
    keeps: (t) => `${t}.quantity_received > 0`,
  })
  purchaseOrderId!: string;
  @NameField('Name, which the received assets take', { searchable: false, example: 'Catalyst 9300-48P' }) name!: string;
  @LineField("The supplier's number of the article", { example: 'C9300-48P-A' }) sku!: string | null;
  @IntegerField('Units ordered', { required: true, min: 1, example: 10 }) quantity!: number;
  @CountField('Units received so far', { readOnly: true, default: 0, example: 4 }) quantityReceived!: number;
  @ComputedField('Units still to be received', (t) => `${t}.quantity - ${t}.quantity_received`, {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    example: 6,
  })
  quantityRemaining!: number;
  @PriceField('Price of one unit, in the currency of the order; without it the line adds nothing to the total', {
    example: '4250.00',
  })
  unitPrice!: string | null;
  @ReferenceField(() => AssetCategory, 'Category of the received assets') categoryId!: string | null;
  @ReferenceField(() => Manufacturer, 'Manufacturer of the received assets') manufacturerId!: string | null;
  @CountField('Months of warranty, counted from the day a unit is received', { max: 1200, example: 36 })
  warrantyMonths!: number | null;
  @TextField('Notes') notes!: string | null;
  @IntegerField('Place among the lines: low numbers first, lines without one last', { example: 1 })
  sortOrder!: number | null;
  /** Place in the list as it was given. Not a field: the order of the list shows it. */
  @Column({ type: 'integer' }) position!: number;
}

/** A line as a body of its order gives it. */
export class CreatePurchaseOrderItem extends CreateBody(PurchaseOrderItem) {}
