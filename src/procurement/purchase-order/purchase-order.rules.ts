import { Fault } from '../../http/errors.js';

/** States of a purchase order, the usual one first. */
export const PURCHASE_ORDER_STATUSES = [
  'ordered',
  'draft',
  'partially_received',
  'received',
  'closed',
  'cancelled',
] as const;
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number];

/** What a PATCH may make of each state. `partially_received` and `received` are reached only by receiving. */
const TRANSITIONS: Record<PurchaseOrderStatus, readonly PurchaseOrderStatus[]> = {
  draft: ['ordered', 'cancelled'],
  ordered: ['cancelled', 'draft'],
  partially_received: ['closed'],
  received: [],
  closed: [],
  cancelled: [],
};

const REACHED_BY_RECEIVING: readonly string[] = ['partially_received', 'received'];

/** What is wrong with the status of a new order. */
export function initialStatusFault(status: unknown): Fault | undefined {
  return typeof status === 'string' && REACHED_BY_RECEIVING.includes(status)
    ? new Fault('status', `must not be ${status}, which is reached only by receiving`)
    : undefined;
}

/** What is wrong with changing an order's status from one to the other by PATCH. */
export function transitionFault(from: PurchaseOrderStatus, to: PurchaseOrderStatus): Fault | undefined {
  const permitted = TRANSITIONS[from];
  if (from === to || permitted.includes(to)) return undefined;
  const choice = permitted.length > 0 ? `It can become ${permitted.join(' or ')}` : 'It cannot change any more';
  return new Fault('status', `cannot change from ${from} to ${to}. ${choice}`);
}

/** Whether an order in this state can be received. */
export const isReceivable = (status: string): boolean => status === 'ordered' || status === 'partially_received';
