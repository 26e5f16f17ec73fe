import type { Executor } from '../../database/database.js';
import { fieldsOf } from '../../fields/field.js';
import { CreatePurchaseOrderItem, type PurchaseOrderItem } from './purchase-order-item.entity.js';

/** Inserts the items of an order, however many, with one statement. */
export async function insertItems(tx: Executor, orderId: string, items: readonly object[]): Promise<void> {
  const fields = fieldsOf(CreatePurchaseOrderItem);
  const names = fields.map((field) => field.columnName).join(', ');
  const columns = fields.map((field) => `${field.columnName} ${field.type.sqlType}`).join(', ');
  const rows = items.map((item) =>
    Object.fromEntries(fields.map((field) => [field.columnName, (item as Record<string, unknown>)[field.property]])),
  );
  await tx.query(
    `INSERT INTO purchase_order_items (purchase_order_id, position, ${names})
    SELECT $1, position, ${names}
    FROM ROWS FROM (json_to_recordset($2) AS (${columns})) WITH ORDINALITY AS item (${names}, position)`,
    [orderId, JSON.stringify(rows)],
  );
}

type Item = Partial<PurchaseOrderItem>;

/**
 * Whether a list, stored, would read back as the one that is stored: a client that patches back what it read
 * replaces nothing.
 */
export function sameItems(given: readonly Item[], shown: readonly Item[]): boolean {
  const settable = fieldsOf(CreatePurchaseOrderItem).map((field) => field.property as keyof Item);
  const place = ({ sortOrder }: Item): number => sortOrder ?? Infinity;
  const asShown = (items: readonly Item[]): string =>
    JSON.stringify(items.map((item) => settable.map((property) => asStored(property, item[property] ?? null))));
  const sorted = given.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
  return asShown(sorted) === asShown(shown);
}

const asStored = (property: keyof Item, value: unknown): unknown =>
  property === 'unitPrice' && typeof value === 'string' ? Number(value).toFixed(2) : value;
