import { Column, Index, type Relation } from 'typeorm';
import {
  ComputedField,
  CountField,
  CurrencyField,
  DateField,
  EnumField,
  IntegerField,
  LineField,
  NameField,
  OwnerField,
  PartsField,
  PriceField,
  ReferenceField,
  TextField,
} from '../../fields/fields.js';
import { CreateBody } from '../../fields/bodies/bodies.js';
import type { PartsField as Parts, SqlExpression } from '../../fields/field.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { compile } from '../../lists/record-sql.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { Person } from '../../people/person/person.entity.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { StockItem } from '../stock-item/stock-item.entity.js';
import { Vendor } from '../vendor/vendor.entity.js';
import { PURCHASE_ORDER_STATUSES, type PurchaseOrderStatus } from './purchase-order-status.js';

defineRule('ix_purchase_orders_order_number', 'orderNumber', 'is already used by another purchase order');

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
  @ReferenceField(() => StockItem, 'Stock item that the units become a part of, instead of assets', {
    shownIfSet: true,
    keeps: () => 'true',
  })
  stockItemId?: string | null;
  @CountField('Months of warranty, counted from the day a unit is received', { max: 1200, example: 36 })
  warrantyMonths!: number | null;
  @TextField('Notes') notes!: string | null;
  @IntegerField('Place among the lines: low numbers first, lines without one last', { example: 1 })
  sortOrder!: number | null;
  /** Position in the list as it was sent. Not a field, because the order of the list shows it. */
  @Column({ type: 'integer' }) position!: number;
}

/** A line as a body of its order gives it. */
export class CreatePurchaseOrderItem extends CreateBody(PurchaseOrderItem) {}

/** SQL of the items as a JSON array, in the order they are shown in. */
const items: Parts['sql'] = (t, custom) => {
  const item = compile(PurchaseOrderItem, custom);
  const rows = item.selectJson(item.table, 'WHERE t.purchase_order_id = parent.id ORDER BY t.sort_order, t.position');
  // The items' own alias hides that of the order, so the order's id has another name.
  return `(SELECT (SELECT coalesce(json_agg(item.json::json), '[]') FROM (${rows}) item) FROM (SELECT ${t}.id) parent)`;
};

/** SQL of an aggregate over the items, with its value if there are no items. */
const total =
  (aggregate: string, nothing: string, cast = ''): SqlExpression =>
  (t) =>
    `(SELECT coalesce(${aggregate}, ${nothing})${cast} FROM purchase_order_items WHERE purchase_order_id = ${t}.id)`;

const units = { type: 'integer', format: 'int64', minimum: 0 } as const;

@RecordEntity('purchase_orders', { area: 'procurement' })
// A partial index over unsettled records. A migration creates it.
@Index('ix_purchase_orders_due', { synchronize: false })
export class PurchaseOrder extends StoredRecord {
  @NameField('Number of the order, unique across purchase orders', { unique: true, example: 'PO-2026-0117' })
  orderNumber!: string;
  @ReferenceField(() => Vendor, 'Vendor that it was placed with') vendorId!: string | null;
  @EnumField(
    'Status. `partially_received` and `received` are reached by receiving; `closed` means that the remaining units are no longer expected',
    'PurchaseOrderStatus',
    PURCHASE_ORDER_STATUSES,
    { default: 'ordered', counted: true, moves: true },
  )
  status!: PurchaseOrderStatus;
  @DateField('Day it was placed') orderDate!: string | null;
  @DateField('Day it is expected', { example: '2026-03-20' }) expectedDate!: string | null;
  @DateField('Day it was received; set by receiving the last unit', { example: '2026-03-18' })
  receivedDate!: string | null;
  @CurrencyField('Currency of the prices, an ISO 4217 code', { shownWithName: true }) currency!: string;
  @LineField("The supplier's reference", { example: 'SO-88213', searchable: true }) supplierReference!: string | null;
  @ReferenceField(() => Person, 'The person who asked for it') requestedById!: string | null;
  @ReferenceField(() => Site, 'Site that it is delivered to, and the site of received assets that are given none')
  siteId!: string | null;
  @ReferenceField(
    () => Location,
    'Location that it is delivered to; received assets are there unless they say otherwise',
  )
  locationId!: string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @PartsField(
    'Lines of the order, in the order of `sortOrder` and then as they were given. A PATCH replaces the whole list, which is possible until the first unit is received',
    { body: () => CreatePurchaseOrderItem, response: () => PurchaseOrderItem, sql: items, min: 1 },
    { required: true },
  )
  items!: Relation<PurchaseOrderItem>[];
  @ComputedField('Units ordered on all lines', total('sum(quantity)', '0'), { ...units, example: 10 })
  orderedQuantity!: number;
  @ComputedField('Units received on all lines', total('sum(quantity_received)', '0'), { ...units, example: 4 })
  receivedQuantity!: number;
  @ComputedField(
    'Sum of quantity times unit price over all lines',
    total('sum(quantity * unit_price)', '0.00', '::text'),
    {
      type: 'string',
      pattern: String.raw`^\d+\.\d{2}$`,
      example: '42500.00',
    },
    { decimal: true },
  )
  totalPrice!: string;
}
