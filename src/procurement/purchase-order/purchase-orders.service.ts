import type { Executor } from '../../database/database.js';
import { Conflict, Fault, ValidationFailed } from '../../http/errors.js';
import { ResourceService, type Columns, type JsonRow, type Owner } from '../../records/resource.service.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { hold } from '../references.js';
import { insertItems, sameItems } from './purchase-order-items.js';
import type { PurchaseOrder } from './purchase-order.entity.js';
import { transitionFault } from './purchase-order-status.js';

type Items = PurchaseOrder['items'];

/** Purchase orders with their items. Receiving them is `receive/`. */
export class PurchaseOrdersService extends ResourceService<PurchaseOrder> {
  protected override insert(db: Executor, columns: Columns, body: Partial<PurchaseOrder>): Promise<JsonRow> {
    return db.transaction(async (tx) => {
      refuse(await danglingReferences(tx, body.items!));
      const { id } = await super.insert(tx, columns, body);
      await insertItems(tx, id, body.items!);
      return this.read(tx, id);
    });
  }

  protected override change(
    db: Executor,
    id: string,
    columns: Columns,
    body: Partial<PurchaseOrder>,
    owner: Owner | undefined,
  ): Promise<JsonRow> {
    const { status, items } = body;
    if (status === undefined && items === undefined) return super.change(db, id, columns, body, owner);
    return db.transaction(async (tx) => {
      // Before the order is locked: who deletes a category or manufacturer locks that first, and its items then.
      const dangling = items ? await danglingReferences(tx, items) : [];
      await tx.query('SELECT 1 FROM purchase_orders WHERE id = $1 FOR UPDATE', [id]);
      const order = JSON.parse((await this.read(tx, id)).json) as PurchaseOrder;
      const replaced = items !== undefined && !sameItems(items, order.items);
      const faults = [status && transitionFault(order.status, status)].filter((fault) => fault instanceof Fault);
      if (replaced) {
        faults.push(...dangling);
        if (order.receivedQuantity > 0) {
          faults.push(new Fault('items', 'must stay as they are, as units of the order have been received'));
        }
      }
      refuse(faults);
      if (!replaced) return super.change(tx, id, columns, body, owner);
      await tx.query('DELETE FROM purchase_order_items WHERE purchase_order_id = $1', [id]);
      await insertItems(tx, id, items);
      // Other items make it a changed order, whatever becomes of its own columns.
      await tx.query('UPDATE purchase_orders SET updated_at = now() WHERE id = $1', [id]);
      return super.change(tx, id, columns, body, owner);
    });
  }

  /** What was received stands in the books: the assets would no longer tell what they were bought with. */
  protected override erase(db: Executor, id: string, owner: Owner | undefined): Promise<void> {
    return db.transaction(async (tx) => {
      // The lock of receiving, so that nothing is received between the look and the delete.
      await tx.query('SELECT 1 FROM purchase_orders WHERE id = $1 FOR UPDATE', [id]);
      const { receivedQuantity } = JSON.parse((await this.read(tx, id, owner)).json) as PurchaseOrder;
      if (receivedQuantity > 0) {
        throw new Conflict(
          new Fault('receivedQuantity', `of the order must be 0 to delete it, and is ${receivedQuantity}`),
        );
      }
      await super.erase(tx, id, owner);
    });
  }
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** The references of items to records that do not exist. */
async function danglingReferences(tx: Executor, items: Items): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [property, record] of [
    ['categoryId', AssetCategory],
    ['manufacturerId', Manufacturer],
  ] as const) {
    const references = items.map((item, index) => ({ path: `items[${index}].${property}`, id: item[property] }));
    faults.push(...(await hold(tx, record, references)));
  }
  return faults;
}
