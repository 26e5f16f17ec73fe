import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '../../../database/database.js';
import type { RequestContext } from '../../../http/context.js';
import { Fault, NotFound, ValidationFailed } from '../../../http/errors.js';
import type { ReceivedAssetDto, ReceivedItemDto, ReceivePurchaseOrderDto, ReceiveResult } from './receive.dto.js';
import { planReceive, strangerAt, type ReceivableLine } from './receive.rules.js';

interface Order {
  status: string;
  siteId: string | null;
  locationId: string | null;
}

/** Receives purchase orders: all of a request or nothing of it. */
@Injectable()
export class ReceiveService {
  /**
   * Makes an asset of every unit, counts the units on their lines and advances the order, in one transaction that
   * holds the order, with as many statements for a thousand units as for one.
   * @throws NotFound for the order or a line, ValidationFailed for its state or a quantity
   */
  receive(ctx: RequestContext, orderId: string, { items }: ReceivePurchaseOrderDto): Promise<ReceiveResult> {
    return ctx.db.transaction(async (tx) => {
      const [order] = await tx.query<Order>(
        'SELECT status, site_id AS "siteId", location_id AS "locationId" FROM purchase_orders WHERE id = $1 FOR NO KEY UPDATE',
        [orderId],
      );
      if (!order) throw new NotFound('Purchase order');
      // Lines change only under the lock of their order, which is held.
      const lines = await tx.query<ReceivableLine>(
        'SELECT id, quantity, quantity_received AS "quantityReceived" FROM purchase_order_items WHERE purchase_order_id = $1',
        [orderId],
      );
      const stranger = strangerAt(lines, items);
      if (stranger >= 0) throw new NotFound(`Item items[${stranger}].itemId of the purchase order`);
      const plan = planReceive(order.status, lines, items);
      if (Array.isArray(plan)) throw new ValidationFailed(plan);
      await this.assertPlaces(tx, items);

      const assetIds = await this.createAssets(tx, orderId, order, items);
      await tx.query(
        `UPDATE purchase_order_items i SET quantity_received = i.quantity_received + g.gain, updated_at = now()
         FROM json_to_recordset($1::json) AS g(id uuid, gain integer) WHERE i.id = g.id`,
        [JSON.stringify([...plan.gains].map(([id, gain]) => ({ id, gain })))],
      );
      await tx.query(
        `UPDATE purchase_orders SET status = $2, updated_at = now(),
           received_date = CASE WHEN $2 = 'received' THEN (now() AT TIME ZONE 'UTC')::date ELSE received_date END
         WHERE id = $1`,
        [orderId, plan.status],
      );
      return { assetIds, count: assetIds.length };
    });
  }

  /** Finds places that do not exist before anything is written, so that the refusal names the entry. */
  private async assertPlaces(tx: Executor, items: readonly ReceivedItemDto[]): Promise<void> {
    const faults: Fault[] = [];
    for (const [property, table] of [
      ['siteId', 'sites'],
      ['locationId', 'locations'],
    ] as const) {
      const named = items.flatMap(({ assets }, i) =>
        assets.map((asset, j) => ({ field: `items[${i}].assets[${j}].${property}`, id: asset[property] })),
      );
      const ids = [...new Set(named.flatMap(({ id }) => id ?? []))];
      if (ids.length === 0) continue;
      const rows = await tx.query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1::uuid[])`, [ids]);
      const known = new Set(rows.map((row) => row.id));
      for (const { field, id } of named) {
        if (id && !known.has(id)) faults.push(new Fault(field, 'does not refer to an existing record'));
      }
    }
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  /** One statement for all units. Resolves to the ids in the order of the request. */
  private async createAssets(
    tx: Executor,
    orderId: string,
    order: Order,
    items: readonly ReceivedItemDto[],
  ): Promise<string[]> {
    const rows = items.flatMap(({ itemId, assets }) => assets.map((asset) => assetRow(itemId, asset, order)));
    await tx.query(
      `INSERT INTO assets (id, name, serial_number, asset_tag, status, category_id, manufacturer_id, site_id,
         location_id, purchase_order_id, purchased_at, warranty_until, purchase_price, notes)
       SELECT r.id, i.name, r.serial_number, r.asset_tag, 'in_stock', i.category_id, i.manufacturer_id, r.site_id,
         r.location_id, o.id, coalesce(o.order_date::timestamp AT TIME ZONE 'UTC', now()),
         now() + i.warranty_months * interval '1 month', i.unit_price, r.notes
       FROM json_to_recordset($2::json) AS r(id uuid, item_id uuid, serial_number text, asset_tag text, site_id uuid,
         location_id uuid, notes text)
       JOIN purchase_order_items i ON i.id = r.item_id
       JOIN purchase_orders o ON o.id = $1`,
      [orderId, JSON.stringify(rows)],
    );
    return rows.map((row) => row.id);
  }
}

function assetRow(itemId: string, asset: ReceivedAssetDto, order: Order) {
  return {
    id: randomUUID(),
    item_id: itemId,
    serial_number: asset.serialNumber ?? null,
    asset_tag: asset.assetTag ?? null,
    site_id: asset.siteId ?? order.siteId,
    location_id: asset.locationId ?? order.locationId,
    notes: asset.notes ?? null,
  };
}
