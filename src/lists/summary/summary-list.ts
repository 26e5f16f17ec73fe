import { identifier, raw, sql, where, type Sql } from '../../database/sql.js';
import { isStored, type StoredField } from '../../fields/field.js';
import { invalid } from '../../http/errors.js';
import type { ComputedColumn, ComputedList } from '../computed-list.js';
import {
  columnOf,
  expansionOf,
  expressionOf,
  Joins,
  resourceNameOf,
  tableOf,
  valueOf,
  type RecordSql,
} from '../record-sql.js';
import { wholeNameSql } from '../named-sql.js';
import { numberOf, TIME_UNITS, type Grouping, type Summable, type SummaryRequest } from './summary-query.js';
import { Order } from '../order.js';

/** Groups that a summary can have. */
const MOST_GROUPS = 10_000;

/** Characters of a name in a picture. */
const MOST_OF_A_LABEL = 200;

/** @throws ValidationFailed */
export function refuseTooMany(groups: number): void {
  if (groups <= MOST_GROUPS) return;
  throw invalid('groupBy', 'must make at most 10,000 groups. Group by fewer fields, or narrow the list');
}

/**
 * The groups of a summary. First the keys `g0`, `g1`, …, the `count` and the sums `s0`, `s1`, … of each group are found. Further
 * columns are looked up only for the rows of the page.
 */
export function summaryList(
  resource: RecordSql,
  { groupings, sums }: SummaryRequest,
  conditions: readonly Sql[],
): ComputedList {
  const joins = new Joins();
  const sumOf = (field: Summable): string => {
    const value = isStored(field) ? columnOf(field) : expressionOf(resource.record, field, joins, resource.custom);
    return exactSum(field, value);
  };
  const found = [
    ...groupings.map((grouping, index) => `${keyOf(grouping)} AS g${index}`),
    // 1.5 and 1.50 are one group. It is shown with the most digits that a record of it has.
    ...groupings.flatMap(({ field }, index) =>
      isDecimal(field) ? [`max(${columnOf(field)}::text COLLATE "C") AS w${index}`] : [],
    ),
    'count(*) AS count',
    ...sums.map((field, index) => `${sumOf(field)} AS s${index}`),
  ];
  const keys = groupings.map((_, index) => index + 1);
  const order = groupings.flatMap(
    ({ field, unit }, index) => (unit ? undefined : field.type.sortKeys?.(`t.g${index}`)) ?? [`t.g${index}`],
  );
  return {
    name: `${resourceNameOf(resource.table)}-summary`,
    // One group more than the maximum.
    rows: sql`SELECT ${raw(found.join(', '))} FROM ${identifier(resource.table)} t ${raw(joins.toString())} ${where(conditions)}
      GROUP BY ${raw(keys.join(', '))} LIMIT ${raw(MOST_GROUPS + 1)}`,
    columns: [
      ...groupings.flatMap(columnsOf),
      { name: 'count', sql: 't.count', isText: false },
      ...(sums.length > 0 ? [sumColumn(sums)] : []),
    ],
    order: new Order(order),
    check: refuseTooMany,
  };
}

/** The columns of what records are grouped by: its value, and the record that it refers to. */
function columnsOf(grouping: Grouping, index: number): ComputedColumn[] {
  const { key, field, reference } = grouping;
  const value = { ...typeOf(field), name: key, sql: valueOfGroup(grouping, index) };
  if (!reference) return [value];
  const { name, naming, isHidden } = reference;
  const shown = isHidden ? { sql: 'NULL', isText: false } : { ...typeOf(naming), sql: nameOf(reference, index) };
  const record = { name, sql: lookedUp(reference, index, expansionOf(reference, 'named')), isText: false };
  const members = [{ ...shown, name: `${name}.${naming.property}` }];
  // The record of a custom reference has the same name as its value, which is the id.
  return name === key ? [{ ...record, members: [value, ...members] }] : [value, { ...record, members }];
}

const typeOf = ({ type }: StoredField): Pick<ComputedColumn, 'isText' | 'isBoolean'> => ({
  isText: type.sqlType === 'text',
  ...(type.sqlType === 'boolean' && { isBoolean: true }),
});

function sumColumn(sums: readonly Summable[]): ComputedColumn {
  // Sums of decimals are texts, like decimals.
  const values = sums.map((field, index) => (numberOf(field) === 'decimal' ? `t.s${index}::text` : `t.s${index}`));
  const pairs = sums.map(({ property }, index) => `'${property}', ${values[index]}`);
  return {
    name: 'sum',
    sql: `json_build_object(${pairs.join(', ')})`,
    isText: false,
    members: sums.map(({ property }, index) => ({ name: `sum.${property}`, sql: values[index]!, isText: false })),
  };
}

/** SQL of the names of a group `t` as an array of texts, which are null for null. */
export function labelsOf(groupings: readonly Grouping[]): Sql {
  const labels = groupings.map((grouping, index) => {
    const { reference } = grouping;
    const value = `(${valueOfGroup(grouping, index)})::text`;
    const isNamed = reference && !reference.isHidden;
    const label = isNamed
      ? `coalesce(${lookedUp(reference, index, wholeNameSql(reference.target, 'named'))}, ${value})`
      : value;
    return `left(${label}, ${MOST_OF_A_LABEL})`;
  });
  return raw(`ARRAY[${labels.join(', ')}]`);
}

type Reference = NonNullable<Grouping['reference']>;

/** SQL of a value of the record that a group `t` refers to. @param value over `named`, its table */
const lookedUp = ({ target }: Reference, index: number, value: string): string =>
  `(SELECT ${value} FROM ${tableOf(target)} named WHERE named.id = t.g${index})`;

const nameOf = (reference: Reference, index: number): string =>
  lookedUp(reference, index, valueOf(reference.naming, 'named'));

const isDecimal = ({ type }: StoredField): boolean => type.sqlType === 'numeric';

/** SQL of a property that is equal in all records of a group. */
function keyOf({ field, unit }: Grouping): string {
  const column = columnOf(field);
  if (!unit) return column;
  const time = field.type.sqlType === 'timestamptz' ? `${column} AT TIME ZONE INTERVAL '0'` : `${column}::timestamp`;
  return `date_trunc('${unit}', ${time})`;
}

/** SQL of an exact sum. The shortest text of a number in double precision is what responses show of it. */
function exactSum(field: Summable, value: string): string {
  if (numberOf(field) === 'number') return `sum((${value})::text::numeric)`;
  // A computed decimal is a text.
  return isStored(field) ? `sum(${value})` : `sum((${value})::numeric)`;
}

/** SQL of the value of a group `t`, as responses show it. */
function valueOfGroup({ field, unit }: Grouping, index: number): string {
  if (unit) return `to_char(t.g${index}, '${TIME_UNITS[unit]}')`;
  if (isDecimal(field)) return `t.w${index}`;
  return field.type.select?.(`t.g${index}`) ?? `t.g${index}`;
}
