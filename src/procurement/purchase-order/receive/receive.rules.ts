import { randomUUID } from 'node:crypto';
import { DomainError, Fault, NotFound, ValidationFailed } from '../../../http/errors.js';
import type { Placed } from '../../../records/placed-writes.js';
import type { Asset } from '../../asset/asset.entity.js';
import type { PurchaseOrderStatus } from '../purchase-order-status.js';
import type { ReceiptItem } from '../receipt/receipt.entity.js';
import type { ReceivedItem } from './receive.dto.js';

/** The order before the receive, as its assets take it. */
export interface Order {
  id: string;
  status: PurchaseOrderStatus;
  siteId: string | null;
  locationId: string | null;
  purchasedAt: string;
}

/** A line of the order before the receive, as its assets take it. */
export interface Line {
  id: string;
  quantity: number;
  quantityReceived: number;
  name: string;
  categoryId: string | null;
  manufacturerId: string | null;
  unitPrice: string | null;
  warrantyUntil: string | null;
}

/** A new asset, with its place in the request. */
export interface NewAsset extends Placed<Partial<Asset>> {
  id: string;
}

/** What a receive writes. */
export interface ReceivePlan {
  /** The new assets, in the order of the request. */
  assets: NewAsset[];
  /** What is received of each line, in the order in which the request names the lines. */
  items: ReceiptItem[];
  /** State of the order afterwards. */
  status: PurchaseOrderStatus;
}

/**
 * Judges a request to receive units of an order, and says what it writes.
 * @param dangling faults of the references of the request
 * @throws NotFound for a line that the order does not have, DomainError validation
 */
export function planOf(
  order: Order,
  lines: readonly Line[],
  entries: readonly ReceivedItem[],
  dangling: readonly Fault[],
): ReceivePlan {
  const byId = new Map(lines.map((line) => [line.id, line]));
  if (!entries.every(({ itemId }) => byId.has(itemId))) throw new NotFound('Purchase order item');
  if (order.status !== 'ordered' && order.status !== 'partially_received') {
    throw new DomainError(
      'validation',
      `This order is ${order.status.replace('_', ' ')}. Only ordered or partially received orders can be received`,
    );
  }
  const faults = [...excessFaults(entries, lines), ...dangling];
  if (faults.length > 0) throw new ValidationFailed(faults);
  const assets: NewAsset[] = [];
  const items = new Map<string, ReceiptItem>();
  for (const [index, { itemId, quantity, assets: units }] of entries.entries()) {
    const line = byId.get(itemId)!;
    const made = units.map((unit, at) => ({
      id: randomUUID(),
      path: `items[${index}].assets[${at}]`,
      entry: assetOf(unit, line, order),
    }));
    assets.push(...made);
    // One line may stand in several entries, which add up.
    const item = items.get(itemId) ?? { itemId, name: line.name, quantity: 0, assetIds: [] };
    item.quantity += quantity;
    item.assetIds.push(...made.map(({ id }) => id));
    items.set(itemId, item);
  }
  const isComplete = lines.every(
    ({ id, quantity, quantityReceived }) => quantityReceived + (items.get(id)?.quantity ?? 0) >= quantity,
  );
  const status = isComplete ? 'received' : 'partially_received';
  return { assets, items: [...items.values()], status };
}

/** A fault for each entry that takes more than its line has left, those before it counted. */
function excessFaults(entries: readonly ReceivedItem[], lines: readonly Line[]): Fault[] {
  const remaining = new Map(lines.map((line) => [line.id, line.quantity - line.quantityReceived]));
  return entries.flatMap(({ itemId, quantity }, index) => {
    const left = remaining.get(itemId)!;
    remaining.set(itemId, Math.max(0, left - quantity));
    return quantity > left
      ? [new Fault(`items[${index}].quantity`, `must not exceed the remaining quantity of the line, which is ${left}`)]
      : [];
  });
}

function assetOf(unit: ReceivedItem['assets'][number], line: Line, order: Order): Partial<Asset> {
  return {
    ...unit,
    name: line.name,
    categoryId: line.categoryId,
    manufacturerId: line.manufacturerId,
    // Null says that it is nowhere known, although the order is.
    siteId: unit.siteId === undefined ? order.siteId : unit.siteId,
    locationId: unit.locationId === undefined ? order.locationId : unit.locationId,
    purchaseOrderId: order.id,
    purchasedAt: order.purchasedAt,
    warrantyUntil: line.warrantyUntil,
    purchasePrice: line.unitPrice,
  };
}
