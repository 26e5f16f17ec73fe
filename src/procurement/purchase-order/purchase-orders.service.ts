import type { Transaction } from '../../database/executor.js';
import { DanglingReference, DomainError, Fault, ValidationFailed } from '../../http/errors.js';
import type { Change, ChangedRow, InsertedRow, NewRecord, Returning, Scope } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { lockReferences } from '../../records/references.js';
import { writePlaced } from '../../records/placed-writes.js';
import { insertItems, linesOf, type OrderLine, sameItems } from './purchase-order-items.js';
import { PurchaseOrder, PurchaseOrderItem } from './purchase-order.entity.js';
import { transitionFault } from './purchase-order-status.js';
import { sql, write } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';

/** Purchase orders with their items. Receiving them is `receive/`. */
@RecordService(PurchaseOrder)
export class PurchaseOrdersService extends ResourceService<PurchaseOrder> {
  protected override insert(
    ctx: RequestContext,
    records: readonly NewRecord<PurchaseOrder>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    return ctx.transaction(async (tx) => {
      const several = records.length > 1;
      const lines = records.map(({ body }, index) => linesOf(body.items!, several ? `[${index}].` : ''));
      refuse((await danglingOfLines(tx.db, lines.flat())).map(({ fault }) => fault));
      const orders = await super.insert(tx, records, 'ids');
      const ordered = lines.flatMap((own, index) => own.map((line) => ({ ...line, orderId: orders[index]!.id })));
      await writePlaced(tx.db, ordered, (some) => insertItems(tx, some));
      return returning === 'ids' ? orders : this.readMany(tx, orders);
    });
  }

  protected override change(
    ctx: RequestContext,
    changes: readonly Change<PurchaseOrder>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const judged = changes.filter(({ body }) => body.status !== undefined || body.items !== undefined);
    if (judged.length === 0) return super.change(ctx, changes, returning, scope);
    return ctx.transaction(async (tx) => {
      // Before the orders are locked: deleting a category or manufacturer locks that record first, and its items then.
      const lines = judged.flatMap(({ id, body: { items = [] } }) => linesOf(items, '', id));
      const dangling = await danglingOfLines(tx.db, lines);
      await tx.db.query(sql`SELECT 1 FROM purchase_orders WHERE id = ANY(${idsOf(judged)}) ORDER BY id FOR UPDATE`);
      const texts = await this.textsOf(tx, idsOf(judged));
      const replaced: Change<PurchaseOrder>[] = [];
      for (const change of judged) {
        const text = texts.get(change.id);
        if (text === undefined) this.missing();
        const order = JSON.parse(text) as PurchaseOrder;
        const { status, items } = change.body;
        const faults = [status && transitionFault(order.status, status)].filter((fault) => fault instanceof Fault);
        if (items !== undefined && !sameItems(tx.fields.of(PurchaseOrderItem), items, order.items)) {
          replaced.push(change);
          faults.push(...dangling.filter(({ orderId }) => orderId === change.id).map(({ fault }) => fault));
          if (order.receivedQuantity > 0) {
            faults.push(new Fault('items', 'cannot be changed, because units of the order have been received'));
          }
        }
        refuse(faults);
      }
      const withItems = new Set(idsOf(replaced));
      if (withItems.size > 0) {
        await tx.db.write(write`DELETE FROM purchase_order_items WHERE purchase_order_id = ANY(${idsOf(replaced)})`);
        const others = lines.filter(({ orderId }) => withItems.has(orderId!));
        await writePlaced(tx.db, others, (some) => insertItems(tx, some));
      }
      // Different items count as a change of the order, even if its own columns are unchanged.
      const all = changes.map((change) =>
        withItems.has(change.id) ? { ...change, columns: { ...change.columns, updated_at: 'now' } } : change,
      );
      const rows = await super.change(tx, all, returning, scope);
      return rows.map((row) => (withItems.has(row.id) ? { ...row, changed: true } : row));
    });
  }

  /** An order with received units cannot be deleted, because its assets refer to it as their proof of purchase. */
  protected override erase(ctx: RequestContext, ids: readonly string[], scope: Scope): Promise<void> {
    return ctx.transaction(async (tx) => {
      // The lock of receiving, so that nothing is received between the check and the delete.
      await tx.db.query(sql`SELECT 1 FROM purchase_orders WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`);
      const [received] = await tx.db.query<{ quantity: number }>(
        sql`SELECT sum(quantity_received)::int AS quantity FROM purchase_order_items WHERE purchase_order_id = ANY(${ids})
        GROUP BY purchase_order_id HAVING sum(quantity_received) > 0 LIMIT 1`,
      );
      if (received) {
        const units = received.quantity === 1 ? 'One unit' : `${received.quantity} units`;
        throw new DomainError(
          'conflict',
          `${units} of this order ${received.quantity === 1 ? 'has' : 'have'} been received. Reverse its receipts before deleting it`,
          {
            details: [
              new Fault('receivedQuantity', 'must be 0 to delete the order: reverse its receipts first', 'conflict'),
            ],
          },
        );
      }
      await super.erase(tx, ids, scope);
    });
  }
}

const idsOf = (changes: readonly { id: string }[]): string[] => changes.map(({ id }) => id);

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** The references of lines to records that do not exist, each with the order of its line. */
async function danglingOfLines(
  tx: Transaction,
  lines: readonly OrderLine[],
): Promise<{ orderId?: string; fault: Fault }[]> {
  const dangling: { orderId?: string; fault: Fault }[] = [];
  for (const [property, record] of [
    ['categoryId', AssetCategory],
    ['manufacturerId', Manufacturer],
  ] as const) {
    // Identified by position, because lines of several orders have the same path.
    const references = lines.map(({ entry }, index) => ({ path: String(index), id: entry[property] }));
    for (const { field } of await lockReferences(tx, record, references)) {
      const { orderId, path } = lines[Number(field)]!;
      dangling.push({ orderId, fault: new DanglingReference(`${path}.${property}`) });
    }
  }
  return dangling;
}
