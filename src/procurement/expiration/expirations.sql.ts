import type { ExpirationKind } from './expiration.js';

/** Today, in UTC. */
export const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** Days for which something that is past is still overdue. */
const OVERDUE_DAYS = 365;

/**
 * Statuses that say that nothing is left to be done. The conditions on a status follow those of the partial indexes (migration
 * Expirations1795343000000), which hold nothing that is settled.
 */
const UNSETTLED = `status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed')`;

interface Source {
  table: string;
  resource: string;
  /** Column of the date. */
  date: string;
  /** Whether that is a point in time. */
  isTime?: true;
  /** Condition over `t` that selects unsettled records. */
  live: string;
  name?: string;
  amount: string;
  currency?: string;
  vendor?: string;
}

const CONTRACT = {
  table: 'contracts',
  resource: 'contracts',
  live: `t.${UNSETTLED}`,
  amount: 't.cost',
  currency: 't.currency',
};

const SOURCES: Record<ExpirationKind, Source> = {
  licence: {
    table: 'software_licences',
    resource: 'software-licences',
    date: 't.expiry_date',
    live: `(t.status IS NULL OR t.${UNSETTLED})`,
    amount: 't.cost',
  },
  contract: { ...CONTRACT, date: 't.end_date' },
  notice: { ...CONTRACT, date: 't.notice_date' },
  renewal: {
    table: 'renewals',
    resource: 'renewals',
    date: 't.renewal_date',
    live: `(t.status IS NULL OR t.${UNSETTLED})`,
    amount: 't.amount',
  },
  warranty: {
    table: 'assets',
    resource: 'assets',
    date: 't.warranty_until',
    isTime: true,
    live: `t.${UNSETTLED}`,
    amount: 't.purchase_price',
    // Not a join, which would read all orders.
    vendor: '(SELECT o.vendor_id FROM purchase_orders o WHERE o.id = t.purchase_order_id)',
  },
  delivery: {
    table: 'purchase_orders',
    resource: 'purchase-orders',
    date: 't.expected_date',
    live: "t.status IN ('ordered', 'partially_received')",
    name: 't.order_number',
    // Worked out for the entries that are shown.
    amount: 'NULL',
    currency: 't.currency',
  },
};

/** Which expirations to read. */
export interface Expiring {
  kinds: readonly ExpirationKind[];
  vendorIds: readonly string[];
  /** Only what is overdue, or only the rest; both where undefined. */
  overdue?: boolean;
  /** SQL of the last day to read, with its parameters. */
  until: string;
}

/** SELECT of what expires. @param values receives the values of its parameters */
export function expiring({ kinds, vendorIds, overdue, until }: Expiring, values: unknown[]): string {
  const first = overdue === false ? TODAY : `${TODAY} - ${OVERDUE_DAYS}`;
  const last = overdue === true ? `least(${TODAY} - 1, ${until})` : until;
  const vendors = vendorIds.length > 0 ? `$${values.push(vendorIds)}::uuid[]` : undefined;
  return kinds
    .map((kind) => {
      const { table, resource, date, isTime, live, name = 't.name', amount, currency = 'NULL' } = SOURCES[kind];
      const { vendor = 't.vendor_id' } = SOURCES[kind];
      const midnight = (day: string): string => `(${day})::timestamp AT TIME ZONE 'UTC'`;
      const range = isTime
        ? `${date} >= ${midnight(first)} AND ${date} < ${midnight(`${last} + 1`)}`
        : `${date} BETWEEN ${first} AND ${last}`;
      return `SELECT '${kind}' AS kind, '${resource}' AS resource, t.id, ${name} AS name,
        ${isTime ? `(${date} AT TIME ZONE 'UTC')::date` : date} AS date, ${vendor} AS vendor_id,
        ${amount}::text AS amount, ${currency}::text AS currency
      FROM ${table} t WHERE ${live} AND ${range}${vendors ? ` AND ${vendor} = ANY(${vendors})` : ''}`;
    })
    .join(' UNION ALL ');
}

/** SQL of the amount of an entry `t`: orders have a total of their lines. */
export const AMOUNT = `CASE t.kind WHEN 'delivery' THEN
  (SELECT coalesce(sum(quantity * unit_price), 0.00)::text FROM purchase_order_items WHERE purchase_order_id = t.id)
  ELSE t.amount END`;
