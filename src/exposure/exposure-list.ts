import { EMPTY, join, raw, sql, type Sql } from '../database/sql.js';
import { objectColumn, type ComputedColumn, type ComputedList } from '../lists/computed-list.js';
import { Device } from '../network/device/device.entity.js';
import { MOST_BARS } from '../lists/summary/summary.picture.js';
import { pricesOf } from '../operations/card/prices.js';
import { outward } from '../operations/containment.js';
import { responsibilitiesOn } from '../operations/responsibility/responsibilities-on-way.js';
import { exposedDevices, lastCoverage } from './exposed-devices.js';
import type { ExposureRequest, ExposureSummaryRequest } from './exposure.query.js';
import { Order } from '../lists/order.js';

/** Joins of the nearest responsible roster or person of the devices of `page`, as `responsible`. */
const RESPONSIBLE = sql`
  LEFT JOIN (
    WITH RECURSIVE ${outward('way', sql`SELECT id AS seed, 'devices' AS resource, id FROM page`, [Device])}
    SELECT DISTINCT ON (e.seed) e.seed AS operated_id, coalesce(e.roster, o.full_name) AS responsible
    FROM (${responsibilitiesOn('way', sql`ARRAY['operates']`)}) e LEFT JOIN people o ON o.id = e.person_id
    ORDER BY e.seed, e.distance, e.resource, e.id, e.created_at, e.entry
  ) responsible ON operated_id = t.id`;

/** Joins of the other columns of the devices, as `shown`, and of the names of their references. */
const SHOWN = sql`
  JOIN (SELECT id AS shown_id, asset_id, site_id, device_type_id, serial_number FROM devices) shown ON shown_id = t.id
  LEFT JOIN (SELECT id AS asset_key, name AS asset_name FROM assets) asset ON asset_key = shown.asset_id
  LEFT JOIN (SELECT id AS site_key, name AS site_name FROM sites) site ON site_key = shown.site_id
  LEFT JOIN (SELECT id AS type_key, model AS type_name FROM device_types) type ON type_key = shown.device_type_id`;

/** The devices of the page, with the columns for their price. */
const PRICED = raw('(SELECT d.id, d.asset_id, d.device_type_id FROM page p JOIN devices d ON d.id = p.id)');

/** SQL over `t` of each property that the list is sorted by. The last day is that of `endsOn` if the list looks ahead. */
const SORT_KEYS: Record<ExposureRequest['sort'], string> = {
  name: 't.name COLLATE "C"',
  lastCoveredOn: 't.last_day',
  amount: 't.amount',
};

/** The devices without coverage, now or soon. */
export function exposureList(request: ExposureRequest): ComputedList {
  const { sort, descending, within } = request;
  const isAhead = within !== undefined;
  const withPrice = sort === 'amount';
  const text = (name: string, value: string): ComputedColumn => ({ name, sql: value, isText: true });
  const plain = (name: string, value: string): ComputedColumn => ({ name, sql: value, isText: false });
  return {
    name: 'exposure',
    rows: exposedDevices(request, {
      device: 'd.id, d.name',
      withLast: sort === 'lastCoveredOn',
      withPrice,
    }),
    lookups: sql`${SHOWN} ${lastCoverage(request)} ${RESPONSIBLE}
      ${withPrice ? EMPTY : sql`LEFT JOIN (${pricesOf(PRICED)}) price ON priced_id = t.id`}`,
    columns: [
      objectColumn('device', { id: 't.id', name: 't.name' }, 'true'),
      objectColumn('asset', { id: 't.asset_id', name: 't.asset_name' }, 't.asset_id IS NOT NULL'),
      objectColumn('site', { id: 't.site_id', name: 't.site_name' }, 't.site_id IS NOT NULL'),
      objectColumn('deviceType', { id: 't.device_type_id', name: 't.type_name' }, 't.device_type_id IS NOT NULL'),
      text('serialNumber', 't.serial_number'),
      plain('lastCoveredOn', isAhead ? 'NULL::date' : 't.last_on'),
      objectColumn(
        'lastCoveredBy',
        { resource: 't.last_resource', id: 't.last_id', name: 't.last_name' },
        't.last_id IS NOT NULL',
      ),
      ...(isAhead ? [plain('endsOn', 't.last_on')] : []),
      objectColumn('replacement', { currency: 't.currency', amount: 't.amount::text' }, 't.amount IS NOT NULL'),
      text('responsible', 't.responsible'),
    ],
    order: new Order([`${SORT_KEYS[sort]} ${descending ? 'DESC' : 'ASC'}`, 't.name COLLATE "C"', 't.id']),
  };
}

/** The text form of the days of a group. */
const UNITS: Record<string, string> = { month: 'YYYY-MM', quarter: 'YYYY-"Q"Q', year: 'YYYY' };

/** The records that groups refer to: the property with their name, their table, and the column of their name. */
const REFERENCES: Record<string, { name: string; table: string; naming: string; column: string }> = {
  siteId: { name: 'site', table: 'sites', naming: 'name', column: 'site_id' },
  deviceTypeId: { name: 'deviceType', table: 'device_types', naming: 'model', column: 'device_type_id' },
  manufacturerId: { name: 'manufacturer', table: 'manufacturers', naming: 'name', column: 'manufacturer_id' },
};

/** SQL of the common properties of the devices `e` of a group. */
function keyOf(grouping: string, isAhead: boolean): string {
  const reference = REFERENCES[grouping];
  if (reference) return `e.${reference.column}`;
  if (grouping === 'currency') return 'e.currency';
  // These devices had no coverage that could end.
  return isAhead ? 'NULL::text' : `to_char(e.last_day, '${UNITS[grouping.split(':')[1]!]}')`;
}

/** The groups of exposed devices. */
interface ExposureSummary extends ComputedList {
  /** The groupings, and the positions of their columns: `g0`, and `name0` of a reference. */
  groups: readonly { grouping: string; at: number }[];
}

/** A group as it is drawn. */
export interface DrawnGroup {
  labels: (string | null)[];
  amount: string | null;
  /** Number of all groups. */
  groups: number;
  /** Number of currencies. */
  currencies: number;
  total: string | null;
  /** The amounts of the groups that are not drawn. */
  others: string | null;
}

/** SELECT of the groups of a summary with the largest amounts, in their order, each as a `DrawnGroup`. */
export function drawnGroups({ rows, lookups, order, groups }: ExposureSummary, withAmount: boolean): Sql {
  const amount = raw(withAmount ? 't.amount' : 't.count');
  const labels = groups.map(({ grouping, at }) => (REFERENCES[grouping] ? `t.name${at}` : `t.g${at}`));
  const currency = groups.find(({ grouping }) => grouping === 'currency');
  return sql`WITH page AS MATERIALIZED (SELECT t.*, row_number() OVER (ORDER BY abs(${amount}) DESC NULLS LAST, ${order.text}) AS size FROM (${rows}) t)
    SELECT ${raw(`ARRAY[${labels.join(', ')}]::text[]`)} AS labels, ${amount}::text AS amount, all_of.* FROM (SELECT * FROM page t ${lookups ?? EMPTY}) t
      CROSS JOIN (
        SELECT count(*)::int AS groups, ${raw(withAmount ? `count(DISTINCT t.g${currency!.at})::int` : '1')} AS currencies, sum(${amount})::text AS total,
          sum(${amount}) FILTER (WHERE t.size > ${raw(MOST_BARS)})::text AS others
        FROM page t
      ) all_of
    WHERE t.size <= ${raw(MOST_BARS)} ORDER BY ${order.text}`;
}

/** The number of exposed devices and their replacement cost, by group. */
export function exposureSummary(request: ExposureSummaryRequest): ExposureSummary {
  const { withAmount, within } = request;
  const isAhead = within !== undefined;
  const groupings = [...request.groupings];
  if (withAmount && !groupings.includes('currency')) groupings.push('currency');
  const withPrice = groupings.includes('currency');
  const withLast = !isAhead && groupings.some((grouping) => grouping.startsWith('lastCoveredOn'));
  const keys = groupings.map((grouping, at) => raw(`${keyOf(grouping, isAhead)} AS g${at}`));
  const places = groupings.map((_, at) => `${at + 1}`).join(', ');
  const lookups: Sql[] = [];
  const columns = groupings.flatMap((grouping, at): ComputedColumn[] => {
    const column: ComputedColumn = { name: grouping, sql: `t.g${at}`, isText: false };
    const reference = REFERENCES[grouping];
    if (!reference) return [column];
    const { name, table, naming } = reference;
    lookups.push(
      raw(`LEFT JOIN (SELECT id AS key${at}, ${naming} AS name${at} FROM ${table}) r${at} ON key${at} = t.g${at}`),
    );
    const object = objectColumn(name, { id: `t.g${at}`, name: `t.name${at}` }, `t.g${at} IS NOT NULL`);
    // The column before has the id.
    return [column, { ...object, members: object.members!.slice(1) }];
  });
  columns.push({ name: 'count', sql: 't.count', isText: false });
  if (withAmount) columns.push(objectColumn('sum', { amount: 't.amount::text' }, 'true'));
  return {
    name: 'exposure-summary',
    groups: groupings.map((grouping, at) => ({ grouping, at })),
    rows: sql`SELECT ${join(keys)}, count(*) AS count${raw(withAmount ? ', sum(e.amount) AS amount' : '')}
      FROM (${exposedDevices(request, { device: 'd.site_id, d.device_type_id, y.manufacturer_id', withLast, withPrice })}) e GROUP BY ${raw(places)}`,
    lookups: lookups.length > 0 ? join(lookups, ' ') : undefined,
    columns,
    order: new Order(groupings.map((grouping, at) => `t.g${at}${REFERENCES[grouping] ? '' : ' COLLATE "C"'}`)),
  };
}
