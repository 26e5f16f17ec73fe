/** The kinds of expirations, in the order in which they are shown. */
export const DATED_KINDS = ['licence', 'contract', 'notice', 'renewal', 'warranty', 'delivery'] as const;
export type DatedKind = (typeof DATED_KINDS)[number];

/** All kinds of the list. Stock below its minimum has no date: it is due now. */
export const EXPIRATION_KINDS = [...DATED_KINDS, 'stock'] as const;
export type ExpirationKind = (typeof EXPIRATION_KINDS)[number];

export const isDated = (kind: ExpirationKind): kind is DatedKind => kind !== 'stock';

/** The source and the name of a kind of expiration. SQL is over a record `t`. */
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
  /** The amount of the record with the id `t.id`. It is computed only for the entries that are shown. */
  amountOfShown?: string;
  currency?: string;
  vendor?: string;
  /** Heading of its column in the picture of a year. */
  heading: string;
  /** Colour of that column, on white and on black. */
  colour: { light: string; dark: string };
  /** Title of the event in a calendar. */
  event: string;
}

/** Statuses that need no further action. The conditions on a status equal those of the partial indexes, which hold no settled records. */
const UNSETTLED = `status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed')`;

const CONTRACT = {
  table: 'contracts',
  resource: 'contracts',
  live: `t.${UNSETTLED}`,
  amount: 't.cost',
  currency: 't.currency',
};

/** The properties of each kind for the list, the picture and the calendar. */
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
    // Subqueries, because joins would read all orders.
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

/** SQL of a property of each kind, by its name `t.kind`. */
export const byKind = (valueOf: (source: ExpirationSource) => string | undefined, otherwise = 'NULL'): string => {
  const cases = DATED_KINDS.flatMap((kind) => {
    const value = valueOf(EXPIRATIONS[kind]);
    return value === undefined ? [] : [`WHEN '${kind}' THEN ${value}`];
  });
  return `CASE t.kind ${cases.join(' ')} ELSE ${otherwise} END`;
};
