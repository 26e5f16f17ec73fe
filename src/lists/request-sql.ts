import { EMPTY, identifier, join, literal, raw, type Sql, sql } from '../database/sql.js';
import { isList, type StoredField } from '../fields/field.js';
import type { StoredReference } from '../fields/references.js';
import { type Filter, isStoredField, type ListRequest, type OwnCondition, type Sort } from './list-request.js';
import { Order } from './order.js';
import { isCounted, type PageRequest } from './parameters/paging.js';
import { columnOf, type RecordSql, tableOf } from './record-sql.js';
import { patterns, textCondition } from './search-text.js';

/** The parts of the statement of a page. The table is `t`. */
export interface ListPlan {
  /** Conditions that a record must meet, all of them. */
  conditions: readonly Sql[];
  /** SELECT of `total` and `pending`, if the number of matches is maintained; undefined if they have to be counted. */
  kept?: Sql;
  /** Disjoint conditions, of which a record must meet one. Empty without a cursor. */
  after: readonly Sql[];
  /** Whether all records are counted. */
  isCounted: boolean;
  order: Order;
  /** The column that the order reads. */
  sortColumn: string;
  limit: Sql;
  offset: Sql;
  /**
   * Whether the best plan depends on the values, because the number of matches differs widely between them. This is not so for
   * equality: either the column has an index, or it does not.
   */
  variesWithValues: boolean;
}

/** @param others conditions that are not of the request */
export function planOf(request: ListRequest, resource: RecordSql, others: readonly Sql[] = []): ListPlan {
  const { sort, after } = request;
  const { field, reference } = sort;
  const order = orderOf(sort);
  const conditions = [...requestConditions(request, resource), ...others];
  return {
    conditions,
    kept: keptCount(request, resource, conditions.length),
    after: after
      ? order.branches(after, sql`${identifier(resource.table)} t`, reference !== undefined || field.nullable)
      : [],
    isCounted: isCounted(request),
    order,
    sortColumn: (reference?.field ?? field).columnName,
    ...boundsOf(request),
    variesWithValues: after !== undefined || request.search !== undefined || request.filters.some(variesWithValues),
  };
}

const RANGE_SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const;

/** The conditions of a request on `t`. */
export function requestConditions({ filters, search }: ListRequest, resource: RecordSql): Sql[] {
  const conditions = filters.map(conditionOf);
  if (search === undefined) return conditions;
  const numbers = (found: string[]): Sql => sql`${found}::text[]`;
  return [...conditions, ...resource.containing(search, patterns('ic', search), numbers)];
}

/** SQL of one filter over `t`. */
export function conditionOf({ reference, ...filter }: Filter): Sql {
  return reference ? referredCondition(reference, filter) : ownCondition(filter);
}

/** The condition that a referenced record meets another condition. Without a referenced record, its value counts as null. */
function referredCondition({ field, target }: StoredReference, filter: Filter): Sql {
  const column = raw(columnOf(field));
  // Its table is `t` too, which hides the outer one.
  const met = sql`${column} IN (SELECT t.id FROM ${raw(tableOf(target))} t WHERE ${ownCondition(filter)})`;
  const takesNull = filter.operator === 'n' || (filter.operator === 'empty' && filter.values[0] === true);
  return takesNull ? sql`(${column} IS NULL OR ${met})` : met;
}

function ownCondition({ field, operator, values }: Filter): Sql {
  if (!isStoredField(field)) return field.sql(compared(field, values, 'ANY'), values);
  const { type, nullable } = field;
  const column = raw(columnOf(field));
  const own = raw(type.compared?.(columnOf(field)) ?? column);
  switch (operator) {
    case 'eq':
      if (field.custom && type.sqlType !== 'numeric') return customCondition(field.custom, isList(field), values);
      return isList(field)
        ? sql`${column} && ${values}::${raw(type.sqlType)}[]`
        : sql`${own} = ${compared(type, values, 'ANY')}`;
    case 'all':
      return customCondition(field.custom!, true, [values]);
    case 'n': {
      if (isList(field)) return sql`NOT (${column} && ${values}::${raw(type.sqlType)}[])`;
      const differs = sql`${own} <> ${compared(type, values, 'ALL')}`;
      return nullable ? sql`(${differs} OR ${column} IS NULL)` : differs;
    }
    case 'empty': {
      const empty = isList(field) ? sql`cardinality(${column}) = 0` : sql`${column} IS NULL`;
      return values[0] === true ? empty : sql`NOT (${empty})`;
    }
    case 'gte':
    case 'lte':
    case 'gt':
    case 'lt':
      return sql`${column} ${raw(RANGE_SIGNS[operator])} ${compared(type, values, 'ANY')}`;
    case 'ic':
    case 'isw':
    case 'ie': {
      // Names of records are equal in every locale.
      if (operator === 'ie' && type.key) {
        const keys = sql`SELECT ${raw(type.key('value'))} FROM unnest(${values as string[]}::text[]) value`;
        return sql`${raw(type.key(columnOf(field)))} = ANY(ARRAY(${keys}))`;
      }
      const text = type.text?.(columnOf(field)) ?? columnOf(field);
      return textCondition(text, operator, values as string[], field.searchable === true);
    }
  }
}

/** The condition that a custom field has one of some values, in the form that its index supports: one lookup for each value. */
function customCondition(
  { definition: { storedAs } }: NonNullable<StoredField['custom']>,
  ofList: boolean,
  values: readonly unknown[],
): Sql {
  const each = values.map(
    (value) => sql`t.custom_fields @> ${JSON.stringify({ [storedAs]: ofList ? [value].flat() : value })}::jsonb`,
  );
  return sql`(${join(each, ' OR ')})`;
}

/** The operand of a comparison with a column. A single value is not passed as an array, because PostgreSQL plans that better. */
function compared({ sqlType }: Pick<OwnCondition, 'sqlType'>, values: readonly unknown[], several: 'ANY' | 'ALL'): Sql {
  const type = raw(sqlType);
  return values.length === 1 ? sql`${values[0]}::${type}` : sql`${raw(several)}(${values}::${type}[])`;
}

/** SELECT of `total`, the number of records of a table that has a list of its own (not of parts), and `pending`. */
export const keptTotal = (table: string): Sql =>
  sql`SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending FROM record_counts WHERE table_name = ${literal(table)}`;

/** SQL of the number of matches, if it is maintained. @param conditions their number */
function keptCount({ filters }: ListRequest, { table, isPartitioned }: RecordSql, conditions: number): Sql | undefined {
  if (conditions === 0) return keptTotal(table);
  const filter = conditions === 1 && !isPartitioned ? filters[0] : undefined;
  const counted = filter && countedValues(filter);
  // `pending` is the number of rows beyond one for each value.
  return (
    counted &&
    sql`SELECT coalesce(sum(delta), 0)::float8 AS total, (count(*) - count(DISTINCT value))::int AS pending
    FROM value_counts WHERE table_name = ${literal(table)} AND ${counted}`
  );
}

/** The filter as a condition on the maintained counts of its column; undefined if they cannot answer it. */
function countedValues({ field, reference, operator, values }: Filter): Sql | undefined {
  if (!isStoredField(field) || !field.counted || reference) return undefined;
  const ofColumn = sql`column_name = ${literal(field.columnName)} AND value`;
  if (operator === 'eq') return sql`${ofColumn} = ${compared(field.type, values, 'ANY')}`;
  // Nulls are not counted.
  return operator === 'n' && !field.nullable ? sql`${ofColumn} <> ${compared(field.type, values, 'ALL')}` : undefined;
}

const variesWithValues = ({ field, reference, operator }: Filter): boolean =>
  reference !== undefined || !isStoredField(field) || operator !== 'eq' || isList(field) || field.custom !== undefined;

export function orderOf(sort: Sort): Order {
  const { field, reference, direction } = sort;
  const value = reference ? namingOf(sort as Required<Sort>) : columnOf(field);
  const keys = field.type.sortKeys?.(value) ?? [value];
  if (reference || field.property !== 'id') keys.push('t.id');
  return new Order(keys.map((key) => `${key} ${direction}`));
}

/** SQL of the name of the record that a reference refers to. A subquery, so that it can stand wherever a column can. */
const namingOf = ({ field, reference }: { field: StoredField; reference: NonNullable<Sort['reference']> }): string =>
  `(SELECT ${columnOf(field, 'named')} FROM ${tableOf(reference.target)} named WHERE named.id = ${columnOf(reference.field)})`;

export const boundsOf = ({
  page,
  pageSize,
}: Pick<PageRequest, 'page' | 'pageSize'>): Pick<ListPlan, 'limit' | 'offset'> => ({
  limit: sql`${pageSize}::bigint`,
  offset: sql`${(page - 1) * pageSize}::bigint`,
});

/** LIMIT and OFFSET of a page. */
export function windowOf(request: Pick<PageRequest, 'page' | 'pageSize'>): Sql {
  const { limit, offset } = boundsOf(request);
  return sql`LIMIT ${limit} OFFSET ${offset}`;
}

/** LIMIT and OFFSET of a file. Without the size of a page it is the whole list. */
export const fileWindowOf = (request: PageRequest): Sql => (request.given.has('pageSize') ? windowOf(request) : EMPTY);
