import type { InTransaction } from '../../lists/request-context.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import { type CustomValues, keyOf, storedValues } from '../../fields/custom/custom-values.js';
import { bodyFieldsOf, type CustomFields, isStored } from '../../fields/field.js';
import { CUSTOM_COLUMN } from '../../fields/record-entity.js';
import type { Placed } from '../../records/placed-writes.js';
import { CreatePurchaseOrderItem, PurchaseOrderItem } from './purchase-order.entity.js';
import { identifier, join, raw, write } from '../../database/sql.js';

/** A line of an order, stored or new. */
export interface OrderLine extends Placed<Item> {
  orderId?: string;
  /** From 1. */
  position: number;
}

/** @param prefix of their paths in the request */
export const linesOf = (items: readonly Item[], prefix = '', orderId?: string): OrderLine[] =>
  items.map((entry, index) => ({ orderId, position: index + 1, path: `${prefix}items[${index}]`, entry }));

/** Inserts lines of orders, however many, with one statement. */
export async function insertItems({ db, fields: known }: InTransaction, lines: readonly OrderLine[]): Promise<void> {
  const fields = bodyFieldsOf(CreatePurchaseOrderItem).filter(isStored);
  const names = join(fields.map((field) => identifier(field.columnName)));
  const columns = join(fields.map((field) => raw(`${field.columnName} ${field.type.sqlType}`)));
  const custom = known.of(PurchaseOrderItem).fields;
  const valuesIn = ({ [CUSTOM]: given }: Customised): object | undefined => given && storedValues(custom, given);
  const rows = lines.map(({ orderId, position, entry }) => ({
    purchase_order_id: orderId,
    position,
    ...Object.fromEntries(fields.map((field) => [field.columnName, entry[field.property as keyof Item]])),
    [CUSTOM_COLUMN]: valuesIn(entry),
  }));
  await db.write(
    write`INSERT INTO purchase_order_items (purchase_order_id, position, ${identifier(CUSTOM_COLUMN)}, ${names})
      SELECT purchase_order_id, position, ${identifier(CUSTOM_COLUMN)}, ${names}
      FROM json_to_recordset(${JSON.stringify(rows)})
        AS item (purchase_order_id uuid, position integer, ${identifier(CUSTOM_COLUMN)} jsonb, ${columns})`,
  );
}

interface Customised {
  [CUSTOM]?: CustomValues;
}

type Item = Partial<PurchaseOrderItem> & Customised;

/** Whether a list would read back as the stored one. Then a client that sends back what it read replaces nothing. */
export function sameItems(custom: CustomFields, given: readonly Item[], shown: readonly Item[]): boolean {
  const settable = bodyFieldsOf(CreatePurchaseOrderItem).map((field) => field.property as keyof Item);
  const place = ({ sortOrder }: Item): number => sortOrder ?? Infinity;
  const asShown = (items: readonly Item[]): string =>
    JSON.stringify(items.map((item) => settable.map((property) => asStored(property, item[property] ?? null))));
  const sorted = given.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
  return (
    asShown(sorted) === asShown(shown) &&
    sorted.every((item, at) => sameCustomValues(custom, item[CUSTOM] ?? {}, shown[at]![CUSTOM] ?? {}))
  );
}

/** Whether a line has the given values. A missing property means the default, or no value if it had none. */
function sameCustomValues({ fields }: CustomFields, given: CustomValues, shown: CustomValues): boolean {
  return fields.every((field) => {
    const [key, stored] = [keyOf(field), shown[keyOf(field)] ?? null];
    const usual = field.custom!.definition.default;
    return JSON.stringify(given[key] ?? (key in given || stored === null ? null : usual)) === JSON.stringify(stored);
  });
}

const asStored = (property: keyof Item, value: unknown): unknown =>
  property === 'unitPrice' && typeof value === 'string' ? Number(value).toFixed(2) : value;
