import { Entity, type Relation } from 'typeorm';
import type { SqlExpression } from '../../kernel/field.js';
import {
  ComputedField,
  CurrencyField,
  DateField,
  EnumField,
  LineField,
  NameField,
  PartsField,
  ReferenceField,
  TextField,
} from '../../kernel/fields.js';
import { CreateDto } from '../../kernel/dto.js';
import { StoredRecord } from '../../kernel/record.js';
import { resourceOf } from '../../kernel/resource.js';
import { defineRule } from '../../kernel/rules.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { Person } from '../../people/person/person.entity.js';
import { Vendor } from '../vendor/vendor.entity.js';
import { PurchaseOrderItem } from './purchase-order-item.entity.js';
import { PURCHASE_ORDER_STATUSES } from './purchase-order.rules.js';

defineRule('ix_purchase_orders_order_number', 'orderNumber', 'is already used by another purchase order');

let itemBody: (new () => object) | undefined;

/** Body of an item; made on first use, as item and order refer to each other. */
export function PurchaseOrderItemBody(): new () => object {
  return (itemBody ??= class PurchaseOrderItemDto extends CreateDto(PurchaseOrderItem) {});
}

/** SQL of an aggregate over the order's items. */
const ofItems =
  (aggregate: string): SqlExpression =>
  (t) =>
    `(SELECT ${aggregate} FROM purchase_order_items i WHERE i.purchase_order_id = ${t}.id)`;

const units = { type: 'integer', format: 'int64', example: 10 } as const;

@Entity('purchase_orders')
export class PurchaseOrder extends StoredRecord {
  @NameField('Number of the order, unique', { unique: true, example: 'PO-2026-0042' }) orderNumber!: string;
  @ReferenceField(() => Vendor, 'Vendor it is placed with') vendorId!: string | null;
  @EnumField('Status', 'PurchaseOrderStatus', PURCHASE_ORDER_STATUSES, { default: 'ordered' }) status!: string;
  @DateField('Day it was placed') orderDate!: string | null;
  @DateField('Day it is expected', { example: '2026-03-20' }) expectedDate!: string | null;
  @DateField('Day it was fully received; set by receiving', { example: null }) receivedDate!: string | null;
  @CurrencyField() currency!: string;
  @LineField("The supplier's own number", { searchable: true, example: 'SO-88123' }) supplierReference!: string | null;
  @ReferenceField(() => Person, 'Who asked for it') requestedById!: string | null;
  @ReferenceField(() => Site, 'Site of the assets that it becomes, where their entry names none') siteId!:
    string | null;
  @ReferenceField(() => Location, 'Location of the assets that it becomes, where their entry names none')
  locationId!: string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @PartsField(
    'What is ordered. Can be replaced as a list while nothing was received',
    {
      body: PurchaseOrderItemBody,
      response: () => PurchaseOrderItem,
      min: 1,
      sql: (t) =>
        `(SELECT coalesce(json_agg(j.json::json ORDER BY i.sort_order, i.position), '[]')
          FROM purchase_order_items i JOIN LATERAL (${resourceOf(PurchaseOrderItem).selectJson(
            'purchase_order_items',
            'WHERE t.id = i.id',
          )}) j ON true WHERE i.purchase_order_id = ${t}.id)`,
    },
    { required: true },
  )
  items!: Relation<PurchaseOrderItem>[];
  @ComputedField('Units ordered, of all items', ofItems('coalesce(sum(i.quantity), 0)'), units)
  orderedQuantity!: number;
  @ComputedField('Units received, of all items', ofItems('coalesce(sum(i.quantity_received), 0)'), units)
  receivedQuantity!: number;
  @ComputedField(
    'Price of all units; items without a price count nothing',
    ofItems('coalesce(sum(i.quantity * i.unit_price), 0)::numeric(30,2)::text'),
    { type: 'string', example: '12005.00' },
  )
  totalPrice!: string;
}
