import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '../../../database/database.js';
import { invalid, NotFound, ValidationFailed } from '../../../http/errors.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import { hold } from '../../references.js';
import { isReceivable, type PurchaseOrderStatus } from '../purchase-order-status.js';
import type { PurchaseOrderReceipt, ReceivedItem } from './receive.dto.js';
import { excessFaults, statusAfter, unitsByLine, type Line } from './receive.rules.js';

/** Receives units of purchase orders: each becomes an asset. All of a request is received, or nothing. */
@Injectable()
export class ReceiveService {
  /** However many units: a fixed number of statements. @throws NotFound, ValidationFailed */
  receive(db: Executor, orderId: string, entries: readonly ReceivedItem[]): Promise<PurchaseOrderReceipt> {
    return db.transaction(async (tx) => {
      // Before the order is locked: who deletes a site, say, locks that first, and then the orders that refer to it.
      await tx.query(HOLD_REFERENCES, [orderId]);
      const dangling = [
        ...(await hold(tx, Site, referencesOf(entries, 'siteId'))),
        ...(await hold(tx, Location, referencesOf(entries, 'locationId'))),
      ];
      const lines = await this.lock(tx, orderId, entries, dangling);
      const units = unitsByLine(entries);
      const assetIds = await this.makeAssets(tx, orderId, entries);
      await tx.query(ADD_UNITS, [orderId, [...units.keys()], [...units.values()]]);
      await tx.query(ADVANCE_ORDER, [orderId, statusAfter(lines, units)]);
      return { assetIds, count: assetIds.length };
    });
  }

  /** Locks the order, so that its receives take turns, and judges the request. The lines as they are before it. */
  private async lock(
    tx: Executor,
    orderId: string,
    entries: readonly ReceivedItem[],
    dangling: Awaited<ReturnType<typeof hold>>,
  ): Promise<Line[]> {
    const [order] = await tx.query<{ status: PurchaseOrderStatus }>(
      'SELECT status FROM purchase_orders WHERE id = $1 FOR UPDATE',
      [orderId],
    );
    if (!order) throw new NotFound('Purchase order');
    // A statement of its own: one that began before the lock was granted would not see what the receive before it did.
    const lines = await tx.query<Line>(
      `SELECT id, quantity, quantity_received AS "quantityReceived" FROM purchase_order_items WHERE purchase_order_id = $1`,
      [orderId],
    );
    const known = new Set(lines.map((line) => line.id));
    if (!entries.every(({ itemId }) => known.has(itemId))) throw new NotFound('Purchase order item');
    if (!isReceivable(order.status)) {
      throw invalid(
        'status',
        `of the order must be ordered or partially_received to receive it, and is ${order.status}`,
      );
    }
    const faults = [...excessFaults(entries, lines), ...dangling];
    if (faults.length > 0) throw new ValidationFailed(faults);
    return lines;
  }

  /** The ids of the new assets, in the order of the request. */
  private async makeAssets(tx: Executor, orderId: string, entries: readonly ReceivedItem[]): Promise<string[]> {
    const rows = entries.flatMap(({ itemId, assets }) =>
      assets.map((asset) => ({ ...asset, id: randomUUID(), itemId })),
    );
    await tx.query(MAKE_ASSETS, [orderId, JSON.stringify(rows)]);
    return rows.map((row) => row.id);
  }
}

type UnitReference = 'siteId' | 'locationId';

const referencesOf = (entries: readonly ReceivedItem[], property: UnitReference) =>
  entries.flatMap(({ assets }, i) =>
    assets.map((asset, j) => ({ path: `items[${i}].assets[${j}].${property}`, id: asset[property] })),
  );

const held = (table: string, reference: string, source: string, key: string): string =>
  `SELECT id FROM (
    SELECT id FROM ${table} WHERE id IN (SELECT ${reference} FROM ${source} WHERE ${key} = $1) ORDER BY id FOR KEY SHARE
  ) ${table}`;

/** Holds what the order and its lines refer to, as the new assets will refer to the same. */
const HOLD_REFERENCES = [
  held('sites', 'site_id', 'purchase_orders', 'id'),
  held('locations', 'location_id', 'purchase_orders', 'id'),
  held('asset_categories', 'category_id', 'purchase_order_items', 'purchase_order_id'),
  held('manufacturers', 'manufacturer_id', 'purchase_order_items', 'purchase_order_id'),
].join(' UNION ALL ');

// Months are added in UTC: in the time zone of the session a change to summer time would shift the hour.
const MAKE_ASSETS = `
INSERT INTO assets (id, name, serial_number, asset_tag, category_id, manufacturer_id, site_id, location_id,
  purchase_order_id, purchased_at, warranty_until, purchase_price, notes)
SELECT unit.id, line.name, unit."serialNumber", unit."assetTag", line.category_id, line.manufacturer_id,
  coalesce(unit."siteId", o.site_id), coalesce(unit."locationId", o.location_id),
  o.id, coalesce(o.order_date::timestamp AT TIME ZONE 'UTC', now()),
  (now() AT TIME ZONE 'UTC' + make_interval(months => line.warranty_months)) AT TIME ZONE 'UTC',
  line.unit_price, unit.notes
FROM json_to_recordset($2) AS unit (
  id uuid, "itemId" uuid, "serialNumber" text, "assetTag" text, "siteId" uuid, "locationId" uuid, notes text
)
JOIN purchase_order_items line ON line.id = unit."itemId"
JOIN purchase_orders o ON o.id = $1`;

const ADD_UNITS = `
UPDATE purchase_order_items line SET quantity_received = quantity_received + units.quantity, updated_at = now()
FROM unnest($2::uuid[], $3::integer[]) AS units (id, quantity)
WHERE line.id = units.id AND line.purchase_order_id = $1`;

const ADVANCE_ORDER = `
UPDATE purchase_orders SET status = $2::text, updated_at = now(),
  received_date = CASE WHEN $2::text = 'received' THEN (now() AT TIME ZONE 'UTC')::date ELSE received_date END
WHERE id = $1`;
