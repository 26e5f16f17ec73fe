import type { InTransaction } from '../../../lists/request-context.js';
import type { Transaction } from '../../../database/executor.js';
import { sql, write, type Sql, type Write } from '../../../database/sql.js';
import { type CustomValues, storedValues } from '../../../fields/custom/custom-values.js';
import { NotFound } from '../../../http/errors.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import { lockReferred } from '../../../records/references.js';
import { AssetCategory } from '../../asset-category/asset-category.entity.js';
import { Manufacturer } from '../../manufacturer/manufacturer.entity.js';
import { StockItem } from '../../stock-item/stock-item.entity.js';
import type { PurchaseOrderStatus } from '../purchase-order-status.js';
import { Receipt, type ReceiptItem } from '../receipt/receipt.entity.js';
import type { Line, Order } from './receive.rules.js';

/** Locks the records that the order and its lines refer to, because the received units will refer to them too. */
export function lockOrderReferences(tx: Transaction, orderId: string): Promise<void> {
  const order = sql`purchase_orders WHERE id = ${orderId}`;
  const lines = sql`purchase_order_items WHERE purchase_order_id = ${orderId}`;
  return lockReferred(tx, [
    [Site, { site_id: [order] }],
    [Location, { location_id: [order] }],
    [AssetCategory, { category_id: [lines] }],
    [Manufacturer, { manufacturer_id: [lines] }],
    [StockItem, { stock_item_id: [lines] }],
  ]);
}

/** Locks the order, so that its receives and reversals run one after the other. @throws NotFound */
export async function lockOrder(tx: Transaction, orderId: string): Promise<{ order: Order; lines: Line[] }> {
  const [order] = await tx.query<Order>(orderForUpdate(orderId));
  if (!order) throw new NotFound('Purchase order');
  // A separate statement: one that began before the lock was granted would not see the previous receive.
  return { order, lines: await tx.query<Line>(linesOf(orderId)) };
}

/** Adds the received quantities to the lines, advances the order, and writes the receipt. @returns its id */
export async function noteReceipt(
  tx: InTransaction,
  orderId: string,
  items: readonly ReceiptItem[],
  status: PurchaseOrderStatus,
  given?: CustomValues,
): Promise<string> {
  const received = JSON.stringify(items);
  const values = given ? storedValues(tx.fields.of(Receipt).fields, given) : null;
  await tx.db.write(addUnits(orderId, received));
  await tx.db.write(advanceOrder(orderId, status));
  const [receipt] = await tx.db.write<{ id: string }>(
    write`INSERT INTO receipts (purchase_order_id, received_by, lines, custom_fields)
      VALUES (${orderId}, ${tx.caller.email}, ${received}, ${values}) RETURNING id`,
  );
  return receipt!.id;
}

// Times as text, because a JavaScript date has no microseconds.
const orderForUpdate = (id: string): Sql => sql`
SELECT o.id, o.status, o.site_id AS "siteId", o.location_id AS "locationId",
  coalesce(o.order_date::timestamp AT TIME ZONE 'UTC', now())::text AS "purchasedAt", o.currency
FROM purchase_orders o WHERE o.id = ${id} FOR UPDATE`;

// Months are added in UTC. In the time zone of the session, a daylight saving change would shift the hour.
const linesOf = (orderId: string): Sql => sql`
SELECT line.id, line.quantity, line.quantity_received AS "quantityReceived", line.name,
  line.category_id AS "categoryId", line.manufacturer_id AS "manufacturerId", line.unit_price::text AS "unitPrice",
  ((now() AT TIME ZONE 'UTC' + make_interval(months => line.warranty_months)) AT TIME ZONE 'UTC')::text AS "warrantyUntil",
  line.stock_item_id AS "stockItemId"
FROM purchase_order_items line WHERE line.purchase_order_id = ${orderId}`;

/** @param received JSON of the items of a receipt */
const addUnits = (orderId: string, received: string): Write => write`
UPDATE purchase_order_items line SET quantity_received = quantity_received + (units.item->>'quantity')::int, updated_at = now()
FROM jsonb_array_elements(${received}::jsonb) units (item)
WHERE line.id = (units.item->>'itemId')::uuid AND line.purchase_order_id = ${orderId}`;

function advanceOrder(id: string, status: PurchaseOrderStatus): Write {
  const reached = sql`${status}::text`;
  return write`UPDATE purchase_orders SET status = ${reached}, updated_at = now(),
      received_date = CASE WHEN ${reached} = 'received' THEN (now() AT TIME ZONE 'UTC')::date ELSE received_date END
    WHERE id = ${id}`;
}
