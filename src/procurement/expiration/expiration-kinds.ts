/** What can expire on a day, in the order in which it is shown. */
export const DATED_KINDS = ['licence', 'contract', 'notice', 'renewal', 'warranty', 'delivery'] as const;
export type DatedKind = (typeof DATED_KINDS)[number];

/** All that the list tells. Stock that is below its minimum has no day: it is due now. */
export const EXPIRATION_KINDS = [...DATED_KINDS, 'stock'] as const;
export type ExpirationKind = (typeof EXPIRATION_KINDS)[number];

export const isDated = (kind: ExpirationKind): kind is DatedKind => kind !== 'stock';

/** Where a kind of expiration comes from, and what it is called. SQL is over a record `t`. */
interface ExpirationSource {
  table: string;
  resource: string;
  /** Column of the date. */
  date: string;
  /** Whether that is a point in time. */
  isTime?: true;
  /** Condition that selects unsettled records. */
  live: string;
  name?: string;
  amount: string;
  /** The amount of the record with the id `t.id`, where it is worked out only for the entries that are shown. */
  amountOfShown?: string;
  currency?: string;
  vendor?: string;
  /** Heading of its column in the picture of a year. */
  heading: string;
  /** Colour of that column, on white and on black. */
  colour: { light: string; dark: string };
  /** What happens on the day, in a calendar. */
  event: string;
}

/**
 * Statuses that say that nothing is left to be done. The conditions on a status are those of the partial indexes, which hold
 * nothing that is settled.
 */
const UNSETTLED = `status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed')`;

const CONTRACT = {
  table: 'contracts',
  resource: 'contracts',
  live: `t.${UNSETTLED}`,
  amount: 't.cost',
  currency: 't.currency',
};

/** All that the list, the picture and the calendar need to know of each kind. */
export const EXPIRATIONS: Readonly<Record<DatedKind, ExpirationSource>> = {
  licence: {
    table: 'software_licences',
    resource: 'software-licences',
    date: 't.expiry_date',
    live: `(t.status IS NULL OR t.${UNSETTLED})`,
    amount: 't.cost',
    heading: 'Licences',
    colour: { light: '#0969da', dark: '#58a6ff' },
    event: 'Licence expires',
  },
  contract: {
    ...CONTRACT,
    date: 't.end_date',
    heading: 'Contracts',
    colour: { light: '#1a7f37', dark: '#56d364' },
    event: 'Contract ends',
  },
  notice: {
    ...CONTRACT,
    date: 't.notice_date',
    heading: 'Notices',
    colour: { light: '#9a6700', dark: '#e3b341' },
    event: 'Contract: last day to give notice',
  },
  renewal: {
    table: 'renewals',
    resource: 'renewals',
    date: 't.renewal_date',
    live: `(t.status IS NULL OR t.${UNSETTLED})`,
    amount: 't.amount',
    heading: 'Renewals',
    colour: { light: '#8250df', dark: '#bc8cff' },
    event: 'Renewal',
  },
  warranty: {
    table: 'assets',
    resource: 'assets',
    date: 't.warranty_until',
    isTime: true,
    live: `t.${UNSETTLED}`,
    amount: 't.purchase_price',
    // Not joins, which would read all orders.
    currency: '(SELECT o.currency FROM purchase_orders o WHERE o.id = t.purchase_order_id)',
    vendor: '(SELECT o.vendor_id FROM purchase_orders o WHERE o.id = t.purchase_order_id)',
    heading: 'Warranties',
    colour: { light: '#0e7c86', dark: '#4fd1dc' },
    event: 'Warranty ends',
  },
  delivery: {
    table: 'purchase_orders',
    resource: 'purchase-orders',
    date: 't.expected_date',
    live: "t.status IN ('ordered', 'partially_received')",
    name: 't.order_number',
    amount: 'NULL',
    amountOfShown:
      '(SELECT coalesce(sum(quantity * unit_price), 0.00)::text FROM purchase_order_items WHERE purchase_order_id = t.id)',
    currency: 't.currency',
    heading: 'Deliveries',
    colour: { light: '#bf3989', dark: '#f778ba' },
    event: 'Delivery expected',
  },
};

/** SQL of what each kind has in place of its name `t.kind`. */
export const byKind = (valueOf: (source: ExpirationSource) => string | undefined, otherwise = 'NULL'): string => {
  const cases = DATED_KINDS.flatMap((kind) => {
    const value = valueOf(EXPIRATIONS[kind]);
    return value === undefined ? [] : [`WHEN '${kind}' THEN ${value}`];
  });
  return `CASE t.kind ${cases.join(' ')} ELSE ${otherwise} END`;
};
