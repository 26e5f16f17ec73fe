import { isDeepStrictEqual } from 'node:util';
import type { Executor } from '../../database/database.js';
import { invalid, ValidationFailed } from '../../http/errors.js';
import { fieldsOf } from '../../kernel/field.js';
import { ResourceService, type Columns, type JsonRow, type Owner } from '../../kernel/resource.service.js';
import { PurchaseOrderItem } from './purchase-order-item.entity.js';
import type { PurchaseOrder } from './purchase-order.entity.js';
import { transitionFault, type PurchaseOrderStatus } from './purchase-order.rules.js';

type ItemBody = Record<string, unknown>;
type OrderBody = Partial<PurchaseOrder>;

/** Purchase orders with their items, written together or not at all. */
export class PurchaseOrdersService extends ResourceService<PurchaseOrder> {
  private readonly itemFields = fieldsOf(PurchaseOrderItem).filter((field) => !field.readOnly);

  protected override insert(db: Executor, columns: Columns, body: OrderBody): Promise<JsonRow> {
    return db.transaction(async (tx) => {
      const { id } = await super.insert(tx, columns, body);
      await this.insertItems(tx, id, body.items as unknown as ItemBody[]);
      return this.read(tx, id);
    });
  }

  protected override change(
    db: Executor,
    id: string,
    columns: Columns,
    body: OrderBody,
    owner: Owner | undefined,
  ): Promise<JsonRow> {
    if (body.status === undefined && body.items === undefined) return super.change(db, id, columns, body, owner);
    return db.transaction(async (tx) => {
      const before = JSON.parse((await this.read(tx, id, owner, true)).json) as PurchaseOrder;
      const fault =
        body.status === undefined
          ? undefined
          : transitionFault(before.status as PurchaseOrderStatus, body.status as PurchaseOrderStatus);
      if (fault) throw new ValidationFailed([fault]);
      const items = body.items as unknown as ItemBody[] | undefined;
      if (items && !this.areSame(items, before.items as unknown as ItemBody[])) {
        if (before.receivedQuantity > 0)
          throw invalid('items', 'cannot change once something of the order was received');
        await tx.query('DELETE FROM purchase_order_items WHERE purchase_order_id = $1', [id]);
        await this.insertItems(tx, id, items);
        // The list is part of the order, though no column of the order holds it.
        await tx.query('UPDATE purchase_orders SET updated_at = now() WHERE id = $1', [id]);
      }
      await super.change(tx, id, columns, body, owner);
      return this.read(tx, id, owner);
    });
  }

  /** Whether a list that was sent reads as the stored one: a client may send back what it read. */
  private areSame(sent: readonly ItemBody[], stored: readonly ItemBody[]): boolean {
    const comparable = (items: readonly ItemBody[]): unknown[] =>
      items.map((item) =>
        this.itemFields.map(({ property, type }) => {
          const value = item[property] ?? null;
          // 12.5 and 12.50 are one price.
          return type.sqlType === 'numeric' && value !== null ? Number(value) : value;
        }),
      );
    return isDeepStrictEqual(comparable(sent), comparable(stored));
  }

  /** One statement, however many items there are. */
  private async insertItems(tx: Executor, orderId: string, items: readonly ItemBody[]): Promise<void> {
    const names = this.itemFields.map((field) => field.columnName);
    const types = this.itemFields.map(({ columnName, type }) => `${columnName} ${type.sqlType}`);
    const rows = items.map((item, position) => ({
      position,
      ...Object.fromEntries(this.itemFields.map(({ columnName, property }) => [columnName, item[property] ?? null])),
    }));
    await tx.query(
      `INSERT INTO purchase_order_items (purchase_order_id, position, ${names.join(', ')})
       SELECT $1::uuid, position, ${names.join(', ')}
       FROM json_to_recordset($2::json) AS rows(position integer, ${types.join(', ')})`,
      [orderId, JSON.stringify(rows)],
    );
  }
}
