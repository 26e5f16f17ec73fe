import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../access/request-context.js';
import type { Transaction } from '../../../database/executor.js';
import { DomainError, type Fault, NotFound, ValidationFailed } from '../../../http/errors.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import type { Asset } from '../../asset/asset.entity.js';
import { AssetsService } from '../../asset/assets.service.js';
import { hold, holdReferred, References } from '../../../records/references.js';
import type { ReceiptItem } from '../receipt/receipt.entity.js';
import type { PurchaseOrderStatus } from '../purchase-order-status.js';
import { type PurchaseOrderReceipt, type ReceivedItem, ReceivePurchaseOrder } from './receive.dto.js';
import { excessFaults, isReceivable, statusAfter, unitsByLine, type Line } from './receive.rules.js';
import { fixed, fixedWrite, sql, write } from '../../../database/sql.js';

/** The order, as the assets take it. */
interface ReceivedOrder {
  status: PurchaseOrderStatus;
  siteId: string | null;
  locationId: string | null;
  purchasedAt: string;
}

/** A line, as the assets take it. */
interface ReceivedLine extends Line {
  name: string;
  categoryId: string | null;
  manufacturerId: string | null;
  unitPrice: string | null;
  warrantyUntil: string | null;
}

/** Receives units of purchase orders: each becomes an asset. All of a request is received, or nothing. */
@Injectable()
export class ReceiveService {
  constructor(@Inject(AssetsService) private readonly assets: AssetsService) {}

  /** However many units: a fixed number of statements. @throws NotFound, ValidationFailed */
  receive(ctx: RequestContext, orderId: string, entries: readonly ReceivedItem[]): Promise<PurchaseOrderReceipt> {
    return ctx.db.transaction(async (tx) => {
      // Before the order is locked: who deletes a site, say, locks that first, and then the orders that refer to it.
      await holdReferences(tx, orderId);
      const references = new References(ctx.caller);
      references.add(ReceivePurchaseOrder, { items: entries }, '');
      const dangling = [
        ...(await hold(tx, Site, referencesOf(entries, 'siteId'))),
        ...(await hold(tx, Location, referencesOf(entries, 'locationId'))),
        // Not locked: a field may refer to the order itself, and two receives would then wait for each other.
        ...(await references.dangling(tx)),
      ];
      const { order, lines } = await this.lock(tx, orderId, entries, dangling);
      const units = unitsByLine(entries);
      const status = statusAfter(lines, units);
      const assetIds = await this.assets.createMany(tx, ctx.caller, assetsOf(orderId, order, lines, entries));
      await tx.write(fixedWrite(ADD_UNITS, [orderId, [...units.keys()], [...units.values()]]));
      await tx.write(fixedWrite(ADVANCE_ORDER, [orderId, status]));
      const received = JSON.stringify(receiptItems(lines, entries, assetIds));
      await tx.write(
        write`INSERT INTO receipts (purchase_order_id, received_by, lines) VALUES (${orderId}, ${ctx.caller.email}, ${received})`,
      );
      return { assetIds, count: assetIds.length };
    });
  }

  /** Locks the order, so that its receives take turns, and judges the request. The order and its lines as they are before it. */
  private async lock(
    tx: Transaction,
    orderId: string,
    entries: readonly ReceivedItem[],
    dangling: readonly Fault[],
  ): Promise<{ order: ReceivedOrder; lines: ReceivedLine[] }> {
    const [order] = await tx.query<ReceivedOrder>(fixed(LOCK_ORDER, [orderId]));
    if (!order) throw new NotFound('Purchase order');
    // A statement of its own: one that began before the lock was granted would not see what the receive before it did.
    const lines = await tx.query<ReceivedLine>(fixed(READ_LINES, [orderId]));
    const known = new Set(lines.map((line) => line.id));
    if (!entries.every(({ itemId }) => known.has(itemId))) throw new NotFound('Purchase order item');
    if (!isReceivable(order.status)) {
      throw new DomainError(
        'validation',
        `This order is ${order.status.replace('_', ' ')}. Only ordered or partially received orders can be received`,
      );
    }
    const faults = [...excessFaults(entries, lines), ...dangling];
    if (faults.length > 0) throw new ValidationFailed(faults);
    return { order, lines };
  }
}

/** The new assets, in the order of the request. */
function assetsOf(
  purchaseOrderId: string,
  order: ReceivedOrder,
  lines: readonly ReceivedLine[],
  entries: readonly ReceivedItem[],
): Partial<Asset>[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return entries.flatMap(({ itemId, assets }) => {
    const line = byId.get(itemId)!;
    return assets.map((unit) => ({
      ...unit,
      name: line.name,
      categoryId: line.categoryId,
      manufacturerId: line.manufacturerId,
      // Null says that it is nowhere known, although the order is.
      siteId: unit.siteId === undefined ? order.siteId : unit.siteId,
      locationId: unit.locationId === undefined ? order.locationId : unit.locationId,
      purchaseOrderId,
      purchasedAt: order.purchasedAt,
      warrantyUntil: line.warrantyUntil,
      purchasePrice: line.unitPrice,
    }));
  });
}

/** What is received of each line, in the order in which the request names the lines. */
function receiptItems(
  lines: readonly ReceivedLine[],
  entries: readonly ReceivedItem[],
  assetIds: readonly string[],
): ReceiptItem[] {
  const names = new Map(lines.map(({ id, name }) => [id, name]));
  const items = new Map<string, ReceiptItem>();
  let taken = 0;
  for (const { itemId, quantity } of entries) {
    const item = items.get(itemId) ?? { itemId, name: names.get(itemId)!, quantity: 0, assetIds: [] };
    item.quantity += quantity;
    item.assetIds.push(...assetIds.slice(taken, (taken += quantity)));
    items.set(itemId, item);
  }
  return [...items.values()];
}

type UnitReference = 'siteId' | 'locationId';

const referencesOf = (entries: readonly ReceivedItem[], property: UnitReference) =>
  entries.flatMap(({ assets }, i) =>
    assets.map((asset, j) => ({ path: `items[${i}].assets[${j}].${property}`, id: asset[property] })),
  );

/** Locks what the order and its lines refer to, as the new assets will refer to the same. */
function holdReferences(tx: Transaction, orderId: string): Promise<void> {
  const order = sql`purchase_orders WHERE id = ${orderId}`;
  const lines = sql`purchase_order_items WHERE purchase_order_id = ${orderId}`;
  return holdReferred(tx, {
    sites: { site_id: [order] },
    locations: { location_id: [order] },
    asset_categories: { category_id: [lines] },
    manufacturers: { manufacturer_id: [lines] },
  });
}

// Times as text: a date of JavaScript has no microseconds.
const LOCK_ORDER = `
SELECT o.status, o.site_id AS "siteId", o.location_id AS "locationId",
  coalesce(o.order_date::timestamp AT TIME ZONE 'UTC', now())::text AS "purchasedAt"
FROM purchase_orders o WHERE o.id = $1 FOR UPDATE`;

// Months are added in UTC: in the time zone of the session a change to summer time would shift the hour.
const READ_LINES = `
SELECT line.id, line.quantity, line.quantity_received AS "quantityReceived", line.name,
  line.category_id AS "categoryId", line.manufacturer_id AS "manufacturerId", line.unit_price::text AS "unitPrice",
  ((now() AT TIME ZONE 'UTC' + make_interval(months => line.warranty_months)) AT TIME ZONE 'UTC')::text AS "warrantyUntil"
FROM purchase_order_items line WHERE line.purchase_order_id = $1`;

const ADD_UNITS = `
UPDATE purchase_order_items line SET quantity_received = quantity_received + units.quantity, updated_at = now()
FROM unnest($2::uuid[], $3::integer[]) AS units (id, quantity)
WHERE line.id = units.id AND line.purchase_order_id = $1`;

const ADVANCE_ORDER = `
UPDATE purchase_orders SET status = $2::text, updated_at = now(),
  received_date = CASE WHEN $2::text = 'received' THEN (now() AT TIME ZONE 'UTC')::date ELSE received_date END
WHERE id = $1`;
