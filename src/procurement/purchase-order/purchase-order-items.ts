import type { Transaction } from '../../database/executor.js';
import { bodyFieldsOf, isStored } from '../../fields/field.js';
import { CreatePurchaseOrderItem, type PurchaseOrderItem } from './purchase-order-item.entity.js';
import { identifier, join, raw, write } from '../../database/sql.js';

interface OrderedItems {
  /** The order. */
  id: string;
  items: readonly object[];
}

/** Inserts the items of orders, however many, with one statement. */
export async function insertItems(tx: Transaction, orders: readonly OrderedItems[]): Promise<void> {
  const fields = bodyFieldsOf(CreatePurchaseOrderItem).filter(isStored);
  const names = join(fields.map((field) => identifier(field.columnName)));
  const columns = join(fields.map((field) => raw(`${field.columnName} ${field.type.sqlType}`)));
  const rows = orders.flatMap(({ id, items }) =>
    items.map((item, index) => ({
      purchase_order_id: id,
      position: index + 1,
      ...Object.fromEntries(
        fields.map((field) => [field.columnName, (item as Record<string, unknown>)[field.property]]),
      ),
    })),
  );
  await tx.write(
    write`INSERT INTO purchase_order_items (purchase_order_id, position, ${names})
      SELECT purchase_order_id, position, ${names}
      FROM json_to_recordset(${JSON.stringify(rows)}) AS item (purchase_order_id uuid, position integer, ${columns})`,
  );
}

type Item = Partial<PurchaseOrderItem>;

/**
 * Whether a list, stored, would read back as the one that is stored: a client that patches back what it read
 * replaces nothing.
 */
export function sameItems(given: readonly Item[], shown: readonly Item[]): boolean {
  const settable = bodyFieldsOf(CreatePurchaseOrderItem).map((field) => field.property as keyof Item);
  const place = ({ sortOrder }: Item): number => sortOrder ?? Infinity;
  const asShown = (items: readonly Item[]): string =>
    JSON.stringify(items.map((item) => settable.map((property) => asStored(property, item[property] ?? null))));
  const sorted = given.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
  return asShown(sorted) === asShown(shown);
}

const asStored = (property: keyof Item, value: unknown): unknown =>
  property === 'unitPrice' && typeof value === 'string' ? Number(value).toFixed(2) : value;
