import {
  creationFault,
  PURCHASE_ORDER_STATUSES,
  transitionFault,
  type PurchaseOrderStatus,
} from './purchase-order-status.js';

describe('transitionFault', () => {
  const permitted = [
    'draft > ordered',
    'draft > cancelled',
    'ordered > cancelled',
    'ordered > draft',
    'partially_received > closed',
  ];
  const pairs = PURCHASE_ORDER_STATUSES.flatMap((from) => PURCHASE_ORDER_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s > %s', (from, to) => {
    const fault = transitionFault(from, to);
    if (from === to || permitted.includes(`${from} > ${to}`)) expect(fault).toBeUndefined();
    else expect(fault?.field).toBe('status');
  });

  it.each([
    [
      'ordered',
      'received',
      "status must not change from 'ordered' to 'received': from 'ordered' it may only change to 'draft' or 'cancelled'",
    ],
    ['closed', 'ordered', "status must not change from 'closed' to 'ordered': from 'closed' it cannot change any more"],
  ] as [PurchaseOrderStatus, PurchaseOrderStatus, string][])('says what is permitted: %s > %s', (from, to, sentence) =>
    expect(String(transitionFault(from, to))).toBe(sentence),
  );
});

describe('creationFault', () => {
  it.each(['draft', 'ordered', 'closed', 'cancelled', undefined, 'nonsense', 5])('leaves %p alone', (status) =>
    expect(creationFault(status)).toBeUndefined(),
  );
  it.each(['partially_received', 'received'])('refuses %p', (status) =>
    expect(creationFault(status)?.field).toBe('status'),
  );
});
