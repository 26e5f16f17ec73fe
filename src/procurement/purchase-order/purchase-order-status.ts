import { Fault } from '../../http/errors.js';

export const PURCHASE_ORDER_STATUSES = [
  'draft',
  'ordered',
  'partially_received',
  'received',
  'closed',
  'cancelled',
] as const;
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number];

/** Statuses of a new order. The other two are reached only by receiving. */
const INITIAL: readonly unknown[] = ['draft', 'ordered', 'closed', 'cancelled'] satisfies PurchaseOrderStatus[];

/** The statuses to which a PATCH may change each status. */
const NEXT: Record<PurchaseOrderStatus, readonly PurchaseOrderStatus[]> = {
  draft: ['ordered', 'cancelled'],
  ordered: ['draft', 'cancelled'],
  partially_received: ['closed'],
  received: [],
  closed: [],
  cancelled: [],
};

/** The fault of the status in a create body. Whether it is a status at all is checked elsewhere. */
export const creationFault = (status: unknown): Fault | undefined =>
  (PURCHASE_ORDER_STATUSES as readonly unknown[]).includes(status) && !INITIAL.includes(status)
    ? new Fault(
        'status',
        `of a new order must be one of ${INITIAL.join(', ')}: '${String(status)}' is reached by receiving`,
      )
    : undefined;

/** The fault of a PATCH that changes one status to another. The same status is no change. */
export function transitionFault(from: PurchaseOrderStatus, to: PurchaseOrderStatus): Fault | undefined {
  if (from === to || NEXT[from].includes(to)) return undefined;
  const permitted = NEXT[from].map((status) => `'${status}'`).join(' or ');
  return new Fault(
    'status',
    `must not change from '${from}' to '${to}': from '${from}' it ${permitted ? `may only change to ${permitted}` : 'cannot change any more'}`,
  );
}
