import { EMPTY, join, raw, sql, type Sql } from '../database/sql.js';
import { AMOUNT, CURRENCY, pricing } from '../operations/card/prices.js';
import { FILTERS, type Exposed, type ExposureFilter } from './exposure.query.js';

/** Optional parts of the rows. Each one is computed for all devices, so it is left out if possible. */
interface Columns {
  /** SQL of columns of the device `d` and its type `y`. */
  device: string;
  /** `last_day` of the device's last coverage. */
  withLast: boolean;
  /** `amount` and `currency` of the replacement cost. */
  withPrice: boolean;
}

const dayOf = ({ on }: Exposed): Sql =>
  on === undefined ? sql`(now() AT TIME ZONE INTERVAL '0')::date` : sql`${on}::date`;

/** Condition that a coverage `c` can be the last one of a device on a day. */
const lastOn = (day: Sql, { within }: Exposed): Sql =>
  within === undefined
    ? sql`NOT c.is_draft AND c.last_day < ${day} AND coalesce(c.first_day <= ${day}, true)`
    : sql`c.is_active`;

/** Sorts several coverages, the last one first. */
const LATEST = raw('c.last_day DESC NULLS FIRST, c.kind, c.source_name COLLATE "C", c.source_id');

/** Condition that a device `d` is covered on a day. The subquery is grouped: PostgreSQL then expects few groups, and hashes them. */
const isCovered = (day: Sql): Sql => sql`EXISTS (SELECT FROM (
    SELECT c.device_id FROM device_coverage(${day}) c WHERE c.is_active GROUP BY c.device_id
  ) c WHERE c.device_id = d.id)`;

/** SELECT of the last coverage of each device, as `{device_id, last_day, vendor_id}`. */
const lastOf = (day: Sql, exposed: Exposed): Sql => sql`
  SELECT DISTINCT ON (c.device_id) c.device_id, c.last_day, c.vendor_id FROM device_coverage(${day}) c
  WHERE ${lastOn(day, exposed)} ORDER BY c.device_id, ${LATEST}`;

/** The same without vendors, so that only days are compared, and with whether the device is covered, so that coverage is read once. */
const lastDayOf = (day: Sql, exposed: Exposed): Sql => sql`
  SELECT c.device_id, bool_or(c.is_active) AS is_covered, max(c.last_day) FILTER (WHERE ${lastOn(day, exposed)}) AS last_day
  FROM device_coverage(${day}) c GROUP BY c.device_id`;

/** SELECT of the exposed devices. */
export function exposedDevices(exposed: Exposed, { device, withLast, withPrice }: Columns): Sql {
  const { within, filters } = exposed;
  const day = dayOf(exposed);
  const given = Object.entries(filters) as [ExposureFilter, readonly string[]][];
  const narrowed = given.map(([name, values]) => sql` AND ${raw(FILTERS[name][0])} = ANY(${values}::uuid[])`);
  const last = filters.vendorId !== undefined ? lastOf(day, exposed) : withLast ? lastDayOf(day, exposed) : undefined;
  const isExposed =
    within !== undefined
      ? sql`${isCovered(day)} AND NOT ${isCovered(sql`(${day} + ${within}::int)`)}`
      : withLast && filters.vendorId === undefined
        ? raw('l.is_covered IS NOT TRUE')
        : sql`NOT ${isCovered(day)}`;
  return sql`SELECT ${raw(device)}${raw(withLast ? ', l.last_day' : '')}${withPrice ? sql`, ${AMOUNT} AS amount, ${CURRENCY} AS currency` : EMPTY}
    FROM devices d LEFT JOIN device_types y ON y.id = d.device_type_id
    ${last ? sql`LEFT JOIN (${last}) l ON l.device_id = d.id` : EMPTY}
    ${withPrice ? pricing(raw('d'), raw('devices')) : EMPTY}
    WHERE d.status = 'active' AND ${isExposed}${join(narrowed, '')}`;
}

/** Joins of the last coverage of the devices `t`, as `{last_on, last_resource, last_id, last_name}`. */
export function lastCoverage(exposed: Exposed): Sql {
  const day = dayOf(exposed);
  return sql`
  LEFT JOIN LATERAL (
    SELECT c.last_day AS last_on, c.source AS last_resource, c.source_id AS last_id, c.source_name AS last_name
    FROM what_covers('devices', t.id, ${day}) c
    WHERE ${lastOn(day, exposed)} ORDER BY ${LATEST} LIMIT 1
  ) last ON true`;
}
