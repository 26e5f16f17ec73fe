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

/** States that an order can be made in. The other two are reached by receiving only. */
const INITIAL: readonly unknown[] = ['draft', 'ordered', 'closed', 'cancelled'] satisfies PurchaseOrderStatus[];

/** States that a PATCH may change each state to. */
const NEXT: Record<PurchaseOrderStatus, readonly PurchaseOrderStatus[]> = {
  draft: ['ordered', 'cancelled'],
  ordered: ['draft', 'cancelled'],
  partially_received: ['closed'],
  received: [],
  closed: [],
  cancelled: [],
};

/** What is wrong with the status of a create body. Whether it is a status at all is judged elsewhere. */
export const creationFault = (status: unknown): Fault | undefined =>
  (PURCHASE_ORDER_STATUSES as readonly unknown[]).includes(status) && !INITIAL.includes(status)
    ? new Fault(
        'status',
        `of a new order must be one of ${INITIAL.join(', ')}: '${String(status)}' is reached by receiving`,
      )
    : undefined;

/** What is wrong with a PATCH that changes one status to another; the same one again changes nothing. */
export function transitionFault(from: PurchaseOrderStatus, to: PurchaseOrderStatus): Fault | undefined {
  if (from === to || NEXT[from].includes(to)) return undefined;
  const permitted = NEXT[from].map((status) => `'${status}'`).join(' or ');
  return new Fault(
    'status',
    `must not change from '${from}' to '${to}': from '${from}' it ${permitted ? `may only change to ${permitted}` : 'cannot change any more'}`,
  );
}
