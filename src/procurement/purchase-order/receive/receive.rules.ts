import { Fault } from '../../../http/errors.js';
import type { PurchaseOrderStatus } from '../purchase-order-status.js';

/** A line of the order before the receive. */
export interface Line {
  id: string;
  quantity: number;
  quantityReceived: number;
}

/** What a request receives of a line. */
export interface Entry {
  itemId: string;
  quantity: number;
}

/** Whether units of an order in this state can be received. */
export const isReceivable = (status: PurchaseOrderStatus): boolean =>
  status === 'ordered' || status === 'partially_received';

/** Units that a request receives of each line. One line may stand in several entries, which add up. */
export function unitsByLine(entries: readonly Entry[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { itemId, quantity } of entries) units.set(itemId, (units.get(itemId) ?? 0) + quantity);
  return units;
}

/** A fault for each entry that takes more than its line has left, those before it counted. */
export function excessFaults(entries: readonly Entry[], lines: readonly Line[]): Fault[] {
  const remaining = new Map(lines.map((line) => [line.id, line.quantity - line.quantityReceived]));
  return entries.flatMap(({ itemId, quantity }, index) => {
    const left = remaining.get(itemId)!;
    remaining.set(itemId, Math.max(0, left - quantity));
    return quantity > left
      ? [new Fault(`items[${index}].quantity`, `must not exceed the remaining quantity of the line, which is ${left}`)]
      : [];
  });
}

/** State of the order after it has received these units. */
export function statusAfter(lines: readonly Line[], units: ReadonlyMap<string, number>): PurchaseOrderStatus {
  const complete = lines.every((line) => line.quantityReceived + (units.get(line.id) ?? 0) >= line.quantity);
  return complete ? 'received' : 'partially_received';
}
