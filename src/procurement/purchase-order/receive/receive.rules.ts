import { randomUUID } from 'node:crypto';
import { DomainError, Fault, NotFound, ValidationFailed } from '../../../http/errors.js';
import type { Placed } from '../../../records/placed-writes.js';
import type { Asset } from '../../asset/asset.entity.js';
import type { PurchaseOrderStatus } from '../purchase-order-status.js';
import type { ReceiptItem } from '../receipt/receipt.entity.js';
import type { ReceivedItem } from './receive.dto.js';

/** The properties of the order that receiving uses. */
export interface Order {
  id: string;
  status: PurchaseOrderStatus;
  siteId: string | null;
  locationId: string | null;
  purchasedAt: string;
  currency: string;
}

/** The properties of an order line that receiving uses. */
export interface Line {
  id: string;
  quantity: number;
  quantityReceived: number;
  name: string;
  categoryId: string | null;
  manufacturerId: string | null;
  unitPrice: string | null;
  warrantyUntil: string | null;
  /** The stock item to which its units are added; null if they become assets. */
  stockItemId: string | null;
}

/** The received units of a line. */
interface Entry {
  itemId: string;
  quantity: number;
}

/** A new asset, with its position in the request. */
export interface NewAsset extends Placed<Partial<Asset>> {
  id: string;
}

/** The writes of a receiving request. */
export interface ReceivePlan {
  /** The new assets, in the order of the request. */
  assets: NewAsset[];
  /** The quantities of each line, in the order of the request. */
  items: ReceiptItem[];
  /** State of the order afterwards. */
  status: PurchaseOrderStatus;
}

/**
 * Validates a request to receive units of an order.
 * @param as what the units become. Lines of the other kind are refused
 * @param dangling faults of the references of the request
 * @throws NotFound for a line that the order does not have, DomainError validation
 */
export function assertReceivable(
  order: Order,
  lines: readonly Line[],
  entries: readonly Entry[],
  as: 'assets' | 'stock',
  dangling: readonly Fault[],
): void {
  const byId = new Map(lines.map((line) => [line.id, line]));
  if (!entries.every(({ itemId }) => byId.has(itemId))) throw new NotFound('Purchase order item');
  if (order.status !== 'ordered' && order.status !== 'partially_received') {
    throw new DomainError(
      'validation',
      `This order is ${order.status.replace('_', ' ')}. Only ordered or partially received orders can be received`,
    );
  }
  const otherKind = entries.flatMap(({ itemId }, index) => {
    const isStock = byId.get(itemId)!.stockItemId !== null;
    if (isStock === (as === 'stock')) return [];
    const message = isStock
      ? 'is a line of a stock item: receive it with POST /api/purchase-orders/{id}/receive-stock'
      : 'is a line without a stock item: receive it with POST /api/purchase-orders/{id}/receive';
    return [new Fault(`items[${index}].itemId`, message)];
  });
  const faults = [...otherKind, ...excessFaults(entries, lines), ...dangling];
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** Status of an order after these quantities were received. */
export function statusAfter(lines: readonly Line[], received: ReadonlyMap<string, Entry>): PurchaseOrderStatus {
  const isComplete = lines.every(
    ({ id, quantity, quantityReceived }) => quantityReceived + (received.get(id)?.quantity ?? 0) >= quantity,
  );
  return isComplete ? 'received' : 'partially_received';
}

/**
 * The writes of a request to receive units as assets.
 * @param dangling faults of the references of the request
 * @throws NotFound for a line that the order does not have, DomainError validation
 */
export function planOf(
  order: Order,
  lines: readonly Line[],
  entries: readonly ReceivedItem[],
  dangling: readonly Fault[],
): ReceivePlan {
  assertReceivable(order, lines, entries, 'assets', dangling);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const assets: NewAsset[] = [];
  const items = new Map<string, ReceiptItem>();
  for (const [index, { itemId, quantity, assets: units }] of entries.entries()) {
    const line = byId.get(itemId)!;
    const made = units.map((unit, at) => ({
      id: randomUUID(),
      path: `items[${index}].assets[${at}]`,
      entry: assetOf(unit, line, order),
      // The location of an entry may be at another site than the order.
      isJudged: Boolean(unit.siteId ?? unit.locationId),
    }));
    assets.push(...made);
    // A line may occur in several entries, whose quantities are added.
    const item = items.get(itemId) ?? { itemId, name: line.name, quantity: 0, assetIds: [] };
    item.quantity += quantity;
    item.assetIds.push(...made.map(({ id }) => id));
    items.set(itemId, item);
  }
  return { assets, items: [...items.values()], status: statusAfter(lines, items) };
}

/** A fault for each entry that exceeds the rest of its line, after the entries before it. */
function excessFaults(entries: readonly Entry[], lines: readonly Line[]): Fault[] {
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
    // An explicit null means that the place is unknown, even if the order has one.
    siteId: unit.siteId === undefined ? order.siteId : unit.siteId,
    locationId: unit.locationId === undefined ? order.locationId : unit.locationId,
    purchaseOrderId: order.id,
    purchasedAt: order.purchasedAt,
    warrantyUntil: line.warrantyUntil,
    purchasePrice: line.unitPrice,
  };
}
