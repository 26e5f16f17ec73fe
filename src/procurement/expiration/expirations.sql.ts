import { BELOW_MINIMUM } from '../stock-item/stock-item.entity.js';
import { EMPTY, join, literal, raw, sql, type Sql } from '../../database/sql.js';
import { byKind, EXPIRATIONS, isDated, type ExpirationKind } from './expiration-kinds.js';

/** Today, in UTC. */
export const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`;

/** Days after which a past date is no longer listed as overdue. */
const OVERDUE_DAYS = 365;

/** Which expirations to read. */
export interface Expiring {
  kinds: readonly ExpirationKind[];
  vendorIds: readonly string[];
  /** Only overdue entries, or only the others; both if undefined. */
  overdue?: boolean;
  /** The last day to read. */
  until: Sql;
}

const row = (kind: string, resource: string): Sql => sql`${literal(kind)} AS kind, ${literal(resource)} AS resource`;

/** SELECT of stock below its minimum. @param condition whether it is requested */
const shortStock = (condition: Sql): Sql => sql`SELECT ${row('stock', 'stock-items')}, t.id, t.name, NULL::date AS date,
    NULL::uuid AS vendor_id, NULL::text AS amount, NULL::text AS currency
  FROM stock_items t WHERE ${condition} AND ${raw(BELOW_MINIMUM)}`;

/** SELECT of what expires. */
export function expiring({ kinds, vendorIds, overdue, until }: Expiring): Sql {
  const first = overdue === false ? TODAY : sql`${TODAY} - ${raw(OVERDUE_DAYS)}`;
  const last = overdue === true ? sql`least(${TODAY} - 1, ${until})` : until;
  const vendors = sql`${vendorIds}::uuid[]`;
  const isStock = kinds.includes('stock') && vendorIds.length === 0 && overdue !== true;
  return join(
    [
      shortStock(raw(String(isStock))),
      ...kinds.filter(isDated).map((kind) => {
        const { table, resource, date, isTime, live, name = 't.name', amount, currency = 'NULL' } = EXPIRATIONS[kind];
        const { vendor = 't.vendor_id' } = EXPIRATIONS[kind];
        const midnight = (day: Sql): Sql => sql`(${day})::timestamp AT TIME ZONE 'UTC'`;
        const time = raw(date);
        const range = isTime
          ? sql`${time} >= ${midnight(first)} AND ${time} < ${midnight(sql`${last} + 1`)}`
          : sql`${time} BETWEEN ${first} AND ${last}`;
        return sql`SELECT ${row(kind, resource)}, t.id, ${raw(name)} AS name,
        ${isTime ? sql`(${time} AT TIME ZONE 'UTC')::date` : time} AS date, ${raw(vendor)} AS vendor_id,
        ${raw(amount)}::text AS amount, ${raw(currency)}::text AS currency
      FROM ${raw(table)} t WHERE ${raw(live)} AND ${range}${vendorIds.length > 0 ? sql` AND ${raw(vendor)} = ANY(${vendors})` : EMPTY}`;
      }),
    ],
    ' UNION ALL ',
  );
}

/** SQL of the amount of an entry `t`: orders have a total of their lines. */
export const AMOUNT = byKind(({ amountOfShown }) => amountOfShown, 't.amount');
