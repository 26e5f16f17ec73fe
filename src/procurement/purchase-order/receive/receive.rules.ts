import { Fault } from '../../../http/errors.js';
import { isReceivable, type PurchaseOrderStatus } from '../purchase-order.rules.js';

export interface ReceivableLine {
  id: string;
  quantity: number;
  quantityReceived: number;
}

/** What a receive does to an order: the units that each line gains, and the state that the order comes to. */
export interface ReceivePlan {
  gains: Map<string, number>;
  status: PurchaseOrderStatus;
}

/** Index of the first entry that names no line of the order, or -1. */
export function strangerAt(lines: readonly ReceivableLine[], received: readonly { itemId: string }[]): number {
  const known = new Set(lines.map((line) => line.id));
  return received.findIndex((entry) => !known.has(entry.itemId));
}

/** The plan of a receive, or all that is wrong with it. One line may stand in several entries; they add up. */
export function planReceive(
  status: string,
  lines: readonly ReceivableLine[],
  received: readonly { itemId: string; quantity: number }[],
): ReceivePlan | Fault[] {
  if (!isReceivable(status)) {
    return [
      new Fault('status', `of the order is ${status}: only an ordered or partially received order can be received`),
    ];
  }
  const gains = new Map<string, number>();
  const faults: Fault[] = [];
  const byId = new Map(lines.map((line) => [line.id, line]));
  for (const [index, { itemId, quantity }] of received.entries()) {
    const line = byId.get(itemId)!;
    const before = gains.get(itemId) ?? 0;
    const remaining = line.quantity - line.quantityReceived - before;
    if (quantity > remaining) {
      faults.push(new Fault(`items[${index}].quantity`, `must not exceed the ${remaining} that remain on the line`));
    }
    gains.set(itemId, before + quantity);
  }
  if (faults.length > 0) return faults;
  const isComplete = lines.every((line) => line.quantityReceived + (gains.get(line.id) ?? 0) === line.quantity);
  return { gains, status: isComplete ? 'received' : 'partially_received' };
}
