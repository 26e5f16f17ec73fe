import { Inject } from '@nestjs/common';
import type { Transaction } from '../../../database/executor.js';
import { Conflict, Fault, NotFound } from '../../../http/errors.js';
import type { RecordReply } from '../../../http/replies.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import { Person } from '../../../people/person/person.entity.js';
import { RecordStores } from '../../../records/record-store.js';
import type { Owner } from '../../../records/owner.js';
import { RecordService } from '../../../records/record-service.js';
import { lockReferred } from '../../../records/references.js';
import { ResourceService } from '../../../records/resource.service.js';
import { AssetsService } from '../../asset/assets.service.js';
import { AssetCategory } from '../../asset-category/asset-category.entity.js';
import { Manufacturer } from '../../manufacturer/manufacturer.entity.js';
import { lockStockItems } from '../../stock-item/lock-stock-items.js';
import { PurchaseOrder } from '../purchase-order.entity.js';
import { obstacles, type ReceivedAsset } from './receipt.rules.js';
import { Receipt, type ReceiptItem } from './receipt.entity.js';
import { sql, write, type Sql, type Write } from '../../../database/sql.js';
import type { InTransaction } from '../../../lists/request-context.js';

/** The receipts of an order. */
export const receiptsOf = (orderId: string): Owner => ({
  record: PurchaseOrder,
  field: 'purchaseOrderId' satisfies keyof Receipt,
  id: orderId,
});

/** Reads the receipts of purchase orders, and reverses them. */
@RecordService(Receipt)
export class ReceiptsService extends ResourceService<Receipt> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(AssetsService) private readonly assets: AssetsService,
  ) {
    super(stores);
  }

  /**
   * Deletes the assets of a receipt, takes its stock back, and restores the quantities, with a fixed number of statements.
   * @throws NotFound, Conflict
   */
  async reverse(tx: InTransaction, orderId: string, id: string): Promise<RecordReply> {
    // Before the order and the assets are locked: deleting a site, for example, locks the site first, and then the records that refer to it.
    await lockReceiptReferences(tx.db, orderId, id);
    const assetIds = await this.lockReceipt(tx.db, orderId, id);
    await this.lockAssets(tx, assetIds);
    await this.assets.removeMany(tx, assetIds);
    await takeStockBack(tx, id);
    await tx.db.write(giveBackUnits(id));
    await tx.db.write(workOutOrder(orderId));
    await tx.db.write(
      write`UPDATE receipts SET reversed_at = now(), reversed_by = ${tx.caller.email} WHERE id = ${id}`,
    );
    return this.recordOn(tx, id);
  }

  /** Locks the order, so that its receives and reversals run one after the other. @returns the ids of the receipt's assets */
  private async lockReceipt(tx: Transaction, orderId: string, id: string): Promise<string[]> {
    const orders = await tx.query(sql`SELECT 1 FROM purchase_orders WHERE id = ${orderId} FOR NO KEY UPDATE`);
    if (orders.length === 0) throw new NotFound('Purchase order');
    // A separate statement: one that began before the lock was granted would not see an earlier reversal.
    const [receipt] = await tx.query<{ items: ReceiptItem[]; isReversed: boolean }>(
      sql`SELECT lines AS items, reversed_at IS NOT NULL AS "isReversed" FROM receipts WHERE id = ${id} AND purchase_order_id = ${orderId}`,
    );
    if (!receipt) this.missing();
    if (receipt.isReversed) throw new Conflict(new Fault('receipt', 'is already reversed'));
    return receipt.items.flatMap(({ assetIds }) => assetIds);
  }

  /** Locks the assets, so that none can be handed out or installed concurrently. @throws Conflict */
  private async lockAssets(tx: InTransaction, ids: readonly string[]): Promise<void> {
    const found = await this.assets.lock(tx, ids);
    const assets = await tx.db.query<ReceivedAsset>(readAssets([...found]));
    const faults = obstacles(ids, assets);
    if (faults.length > 0) throw new Conflict(...faults);
  }
}

interface GoneUnits {
  name: string;
  quantity: number;
  left: number;
}

/** Reverses the movements of a receipt. All of its own units must still be in stock. @throws Conflict */
async function takeStockBack(tx: InTransaction, receiptId: string): Promise<void> {
  const movements = await tx.db.query<{ id: string }>(
    sql`SELECT id FROM stock_movements WHERE receipt_id = ${receiptId} AND reverses_id IS NULL`,
  );
  if (movements.length === 0) return;
  const ids = movements.map(({ id }) => id);
  // Locked before their units are counted, so that none can be issued meanwhile.
  await lockStockItems(tx.db, sql`SELECT stock_item_id FROM stock_movements WHERE receipt_id = ${receiptId}`);
  const gone = await tx.db.query<GoneUnits>(
    sql`SELECT i.name, m.quantity, l.quantity AS left FROM stock_movements m
      JOIN stock_lots l ON l.movement_id = m.id JOIN stock_items i ON i.id = m.stock_item_id
      WHERE m.receipt_id = ${receiptId} AND l.quantity < m.quantity ORDER BY i.name, m.id`,
  );
  if (gone.length > 0) {
    throw new Conflict(
      ...gone.map(
        ({ name, quantity, left }) =>
          new Fault('receipt', `cannot be reversed: of its ${quantity} units of '${name}' only ${left} are left`),
      ),
    );
  }
  await tx.db.write(write`SELECT reverse_movements(${ids}::uuid[], ${tx.caller.email}, NULL)`);
}

/** Locks the records that the order, its lines and the receipt's assets refer to. */
function lockReceiptReferences(tx: Transaction, orderId: string, id: string): Promise<void> {
  const order = sql`purchase_orders WHERE id = ${orderId}`;
  const lines = sql`purchase_order_items WHERE purchase_order_id = ${orderId}`;
  const assets = sql`assets WHERE id IN (
    SELECT jsonb_array_elements_text(line->'assetIds')::uuid FROM receipts, jsonb_array_elements(lines) line
    WHERE receipts.id = ${id} AND receipts.purchase_order_id = ${orderId}
  )`;
  return lockReferred(tx, [
    [Person, { requested_by_id: [order] }],
    [Site, { site_id: [order, assets] }],
    [Location, { location_id: [order, assets] }],
    [AssetCategory, { category_id: [lines, assets] }],
    [Manufacturer, { manufacturer_id: [lines, assets] }],
  ]);
}

const readAssets = (ids: readonly string[]): Sql => sql`
SELECT a.id, a.name,
  (SELECT p.full_name FROM asset_assignments h JOIN people p ON p.id = h.person_id
    WHERE h.asset_id = a.id AND h.returned_at IS NULL) AS holder,
  (SELECT name FROM devices WHERE asset_id = a.id ORDER BY created_at, id LIMIT 1) AS device
FROM assets a WHERE a.id = ANY(${ids})`;

const giveBackUnits = (receiptId: string): Write => write`
UPDATE purchase_order_items line SET quantity_received = quantity_received - (units.item->>'quantity')::int
FROM receipts, jsonb_array_elements(receipts.lines) units (item)
WHERE receipts.id = ${receiptId} AND line.id = (units.item->>'itemId')::uuid`;

// The order is no longer complete, because a line lacks a unit again. A closed order stays closed, because no further units are expected.
function workOutOrder(orderId: string): Write {
  const id = sql`${orderId}`;
  return write`UPDATE purchase_orders SET received_date = NULL, status =
      CASE WHEN EXISTS (SELECT FROM purchase_order_items WHERE purchase_order_id = ${id} AND quantity_received > 0)
        THEN 'partially_received' ELSE 'ordered' END
    WHERE id = ${id} AND status <> 'closed'`;
}
