import { byKind, EXPIRATIONS, type ExpirationKind } from './expiration-kinds.js';

/** Today, in UTC. */
export const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** Days for which something that is past is still overdue. */
const OVERDUE_DAYS = 365;

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
      const { table, resource, date, isTime, live, name = 't.name', amount, currency = 'NULL' } = EXPIRATIONS[kind];
      const { vendor = 't.vendor_id' } = EXPIRATIONS[kind];
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
export const AMOUNT = byKind(({ amountOfShown }) => amountOfShown, 't.amount');
