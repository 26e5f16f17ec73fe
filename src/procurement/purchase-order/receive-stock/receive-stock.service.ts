import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import type { Transaction } from '../../../database/executor.js';
import { sql, write } from '../../../database/sql.js';
import { CUSTOM } from '../../../fields/custom/custom-field.js';
import { type CustomValues } from '../../../fields/custom/custom-values.js';
import { type Placed, writePlaced } from '../../../records/placed-writes.js';
import { References } from '../../../records/references.js';
import type { ReceiptItem } from '../receipt/receipt.entity.js';
import { lockStockItems } from '../../stock-item/lock-stock-items.js';
import { assertReceivable, type Line, type Order, statusAfter } from '../receive/receive.rules.js';
import { lockOrderReferences, lockOrder, noteReceipt } from '../receive/receiving.js';
import { type ReceivedStock, ReceiveStock, type StockReceipt } from './receive-stock.dto.js';

/** A movement that a receive makes. */
interface Received {
  id: string;
  stock_item_id: string;
  purchase_order_item_id: string;
  quantity: number;
  site_id: string | null;
  location_id: string | null;
  unit_cost: string | null;
  currency: string | null;
}

/** Receives units of purchase orders into stock items, all units of a request or none. */
@Injectable()
export class ReceiveStockService {
  /** Uses a fixed number of statements. @throws NotFound, ValidationFailed */
  receive(
    ctx: RequestContext,
    orderId: string,
    request: ReceiveStock & { [CUSTOM]?: CustomValues },
  ): Promise<StockReceipt> {
    const { items: entries, [CUSTOM]: given } = request;
    const references = new References(ctx);
    references.add(ReceiveStock, request, '');
    return ctx.transaction(async (tx) => {
      // All receiving requests take these locks in the same order.
      await lockOrderReferences(tx.db, orderId);
      const dangling = await references.dangling(tx.db);
      const { order, lines } = await lockOrder(tx.db, orderId);
      assertReceivable(order, lines, entries, 'stock', dangling);
      const byId = new Map(lines.map((line) => [line.id, line]));
      const movements = entries.map((entry, index): Placed<Received> => ({
        path: `items[${index}]`,
        entry: movementOf(entry, byId.get(entry.itemId)!, order),
        // The location of an entry may be at another site.
        isJudged: Boolean(entry.siteId && entry.locationId),
      }));
      const received = summed(entries, byId);
      const status = statusAfter(lines, received);
      const receiptId = await noteReceipt(tx, orderId, [...received.values()], status, given);
      await lockStockItems(
        tx.db,
        sql`SELECT stock_item_id FROM purchase_order_items WHERE purchase_order_id = ${orderId}`,
      );
      await writePlaced(tx.db, movements, (some) => insertMovements(tx.db, some, receiptId, ctx.caller.email));
      return { movementIds: movements.map(({ entry: { id } }) => id), count: movements.length };
    });
  }
}

/** The received quantity of each line. A line may occur in several entries, whose quantities are added. */
function summed(entries: readonly ReceivedStock[], lines: ReadonlyMap<string, Line>): Map<string, ReceiptItem> {
  const received = new Map<string, ReceiptItem>();
  for (const { itemId, quantity } of entries) {
    const item = received.get(itemId) ?? { itemId, name: lines.get(itemId)!.name, quantity: 0, assetIds: [] };
    item.quantity += quantity;
    received.set(itemId, item);
  }
  return received;
}

function movementOf({ quantity, siteId, locationId }: ReceivedStock, line: Line, order: Order): Received {
  const isPlaced = siteId !== undefined || locationId !== undefined;
  return {
    id: randomUUID(),
    stock_item_id: line.stockItemId!,
    purchase_order_item_id: line.id,
    quantity,
    site_id: (isPlaced ? siteId : order.siteId) ?? null,
    location_id: (isPlaced ? locationId : order.locationId) ?? null,
    unit_cost: line.unitPrice,
    currency: line.unitPrice === null ? null : order.currency,
  };
}

async function insertMovements(
  tx: Transaction,
  movements: readonly Placed<Received>[],
  receiptId: string,
  author: string,
): Promise<void> {
  const rows = JSON.stringify(movements.map(({ entry }) => entry));
  await tx.write(
    write`INSERT INTO stock_movements (id, kind, author, receipt_id, stock_item_id, purchase_order_item_id, quantity, site_id, location_id, unit_cost, currency)
      SELECT id, 'receipt', ${author}, ${receiptId}::uuid, stock_item_id, purchase_order_item_id, quantity, site_id, location_id, unit_cost, currency
      FROM json_to_recordset(${rows}) AS row (id uuid, stock_item_id uuid, purchase_order_item_id uuid, quantity int, site_id uuid,
        location_id uuid, unit_cost numeric, currency text)`,
  );
}
