import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/access.js';
import type { RequestContext } from '../../../access/request-context.js';
import type { Transaction } from '../../../database/executor.js';
import { CUSTOM } from '../../../fields/custom/custom-field.js';
import { type CustomValues, storedValues } from '../../../fields/custom/custom-values.js';
import { customFieldsOf } from '../../../fields/custom/known-fields.js';
import { NotFound } from '../../../http/errors.js';
import { AssetsService } from '../../asset/assets.service.js';
import { holdReferred, References } from '../../../records/references.js';
import { writePlaced } from '../../../records/placed-writes.js';
import { Receipt } from '../receipt/receipt.entity.js';
import { type PurchaseOrderReceipt, ReceivePurchaseOrder } from './receive.dto.js';
import { type Line, type NewAsset, type Order, planOf } from './receive.rules.js';
import { fixed, fixedWrite, sql, write } from '../../../database/sql.js';

/** Receives units of purchase orders: each becomes an asset. All of a request is received, or nothing. */
@Injectable()
export class ReceiveService {
  constructor(@Inject(AssetsService) private readonly assets: AssetsService) {}

  /** However many units: a fixed number of statements. @throws NotFound, ValidationFailed */
  receive(
    { db, caller }: RequestContext,
    orderId: string,
    request: ReceivePurchaseOrder & { [CUSTOM]?: CustomValues },
  ): Promise<PurchaseOrderReceipt> {
    const { items: entries, [CUSTOM]: given } = request;
    const references = new References(caller);
    references.add(ReceivePurchaseOrder, request, '');
    return db.transaction(async (tx) => {
      // Before the order is locked: who deletes a site, say, locks that first, and then the orders that refer to it.
      await holdReferences(tx, orderId);
      // Not locked: a custom field may refer to the order itself, and two receives would then wait for each other.
      const dangling = await references.dangling(tx);
      // Receives of an order take turns.
      const [order] = await tx.query<Order>(fixed(LOCK_ORDER, [orderId]));
      if (!order) throw new NotFound('Purchase order');
      // A statement of its own: one that began before the lock was granted would not see what the receive before it did.
      const lines = await tx.query<Line>(fixed(READ_LINES, [orderId]));
      const { assets, items, status } = planOf(order, lines, entries, dangling);
      await writePlaced(tx, assets, (some) => this.createAssets(tx, caller, some));
      const values = given ? storedValues(customFieldsOf(Receipt).fields, given) : null;
      const received = JSON.stringify(items);
      await tx.write(fixedWrite(ADD_UNITS, [orderId, received]));
      await tx.write(fixedWrite(ADVANCE_ORDER, [orderId, status]));
      await tx.write(
        write`INSERT INTO receipts (purchase_order_id, received_by, lines, custom_fields)
          VALUES (${orderId}, ${caller.email}, ${received}, ${values})`,
      );
      return { assetIds: assets.map(({ id }) => id), count: assets.length };
    });
  }

  private async createAssets(tx: Transaction, caller: Caller, assets: readonly NewAsset[]): Promise<void> {
    const bodies = assets.map(({ entry }) => entry);
    const ids = assets.map(({ id }) => id);
    await this.assets.createMany(tx, caller, bodies, undefined, ids);
  }
}

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
SELECT o.id, o.status, o.site_id AS "siteId", o.location_id AS "locationId",
  coalesce(o.order_date::timestamp AT TIME ZONE 'UTC', now())::text AS "purchasedAt"
FROM purchase_orders o WHERE o.id = $1 FOR UPDATE`;

// Months are added in UTC: in the time zone of the session a change to summer time would shift the hour.
const READ_LINES = `
SELECT line.id, line.quantity, line.quantity_received AS "quantityReceived", line.name,
  line.category_id AS "categoryId", line.manufacturer_id AS "manufacturerId", line.unit_price::text AS "unitPrice",
  ((now() AT TIME ZONE 'UTC' + make_interval(months => line.warranty_months)) AT TIME ZONE 'UTC')::text AS "warrantyUntil"
FROM purchase_order_items line WHERE line.purchase_order_id = $1`;

const ADD_UNITS = `
UPDATE purchase_order_items line SET quantity_received = quantity_received + (units.item->>'quantity')::int, updated_at = now()
FROM jsonb_array_elements($2::jsonb) units (item)
WHERE line.id = (units.item->>'itemId')::uuid AND line.purchase_order_id = $1`;

const ADVANCE_ORDER = `
UPDATE purchase_orders SET status = $2::text, updated_at = now(),
  received_date = CASE WHEN $2::text = 'received' THEN (now() AT TIME ZONE 'UTC')::date ELSE received_date END
WHERE id = $1`;
