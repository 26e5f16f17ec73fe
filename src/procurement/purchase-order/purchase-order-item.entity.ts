import { Check, Column, Entity } from 'typeorm';
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
} from '../../kernel/fields.js';
import { StoredRecord } from '../../kernel/record.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { PurchaseOrder } from './purchase-order.entity.js';

/** A line of a purchase order. */
@Entity('purchase_order_items')
// What is received never exceeds what was ordered, whoever writes.
@Check('ck_purchase_order_items_received', '"quantity_received" BETWEEN 0 AND "quantity"')
export class PurchaseOrderItem extends StoredRecord {
  @OwnerField(() => PurchaseOrder, 'The order') purchaseOrderId!: string;
  @NameField('Name of what is ordered, and of the assets that it becomes', { example: 'ThinkPad X1 Carbon' })
  name!: string;
  @LineField('Stock keeping unit', { example: '21KC0012' }) sku!: string | null;
  @IntegerField('Units ordered', { required: true, min: 1, max: 1_000_000, example: 10 }) quantity!: number;
  @CountField('Units received', { readOnly: true, default: 0, example: 0 }) quantityReceived!: number;
  @ComputedField('Units still to come', (t) => `${t}.quantity - ${t}.quantity_received`, {
    type: 'integer',
    format: 'int32',
    example: 10,
  })
  quantityRemaining!: number;
  @PriceField('Price of one unit, with two fractional digits') unitPrice!: string | null;
  @ReferenceField(() => AssetCategory, 'Category of the assets that it becomes') categoryId!: string | null;
  @ReferenceField(() => Manufacturer, 'Manufacturer of the assets that it becomes') manufacturerId!: string | null;
  @CountField('Months of warranty from receipt', { max: 1200, example: 36 }) warrantyMonths!: number | null;
  @TextField('Notes') notes!: string | null;
  @IntegerField('Place in the order; items without one come last, as they were given', { example: 10 })
  sortOrder!: number | null;
  /** Place in the list that was given. Not a field: it is in no request and no response. */
  @Column({ type: 'integer' }) position!: number;
}
