import type { StoredField } from '../fields/field.js';
import type { KeptCondition } from './record-counts.js';
import { columnOf, tableOf, type RecordSql } from './record-sql.js';
import { isList, isStoredField, type Filter, type ListRequest, type OwnCondition, type Sort } from './list-request.js';
import { pattern } from './search-text.js';
import { textCondition } from './text-filter.js';

/** The conditions of a list over `t`, as SQL, with the values of their parameters. */
export interface Conditions {
  conditions: string[];
  values: unknown[];
}

/** Adds a value to those of a statement. @returns its parameter */
export type Bind = (value: unknown) => string;

const RANGE_SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const;

/** The conditions of a request. */
export function requestConditions({ filters, search }: ListRequest, resource: RecordSql): Conditions {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = filters.map((filter) => conditionOf(filter, bind));
  if (search !== undefined) conditions.push(...resource.containing(search, bind(pattern('ic', search)), bind));
  return { conditions, values };
}

/** SQL of one filter over `t`. */
export function conditionOf({ field, operator, values }: Filter, bind: Bind): string {
  if (!isStoredField(field)) return field.sql(compared(field, values, bind, 'ANY'));
  const { type, nullable } = field;
  const column = columnOf(field);
  const own = type.compared?.(column) ?? column;
  switch (operator) {
    case 'eq':
      return isList(field)
        ? `${column} && ${bind(values)}::${type.sqlType}[]`
        : `${own} = ${compared(type, values, bind, 'ANY')}`;
    case 'n': {
      if (isList(field)) return `NOT (${column} && ${bind(values)}::${type.sqlType}[])`;
      const differs = `${own} <> ${compared(type, values, bind, 'ALL')}`;
      return nullable ? `(${differs} OR ${column} IS NULL)` : differs;
    }
    case 'empty': {
      const empty = isList(field) ? `cardinality(${column}) = 0` : `${column} IS NULL`;
      return values[0] === true ? empty : `NOT (${empty})`;
    }
    case 'gte':
    case 'lte':
    case 'gt':
    case 'lt':
      return `${column} ${RANGE_SIGNS[operator]} ${compared(type, values, bind, 'ANY')}`;
    case 'ic':
    case 'isw':
    case 'ie': {
      const text = type.text?.(column) ?? column;
      return textCondition(text, operator, values as string[], field.searchable === true, bind);
    }
  }
}

/** SQL of what a column is compared with. A single value is passed alone, because PostgreSQL plans that better. */
function compared(
  { sqlType }: Pick<OwnCondition, 'sqlType'>,
  values: readonly unknown[],
  bind: Bind,
  several: 'ANY' | 'ALL',
): string {
  return values.length === 1 ? `${bind(values[0])}::${sqlType}` : `${several}(${bind(values)}::${sqlType}[])`;
}

/** The condition in the form that kept counts can answer; undefined if they cannot. @param bind adds the values once more */
export function keptCondition({ field, operator, values }: Filter, bind: Bind): KeptCondition | undefined {
  if (!isStoredField(field) || !field.counted) return undefined;
  if (operator === 'eq')
    return { column: field.columnName, operator: '=', values: compared(field.type, values, bind, 'ANY') };
  // Nulls are not counted.
  if (operator !== 'n' || field.nullable) return undefined;
  return { column: field.columnName, operator: '<>', values: compared(field.type, values, bind, 'ALL') };
}

/**
 * Whether the best plan depends on the values, because they differ widely in how many records they match. For equality it does not:
 * there is an index of the column, or there is none.
 */
export const variesWithValues = ({ filters, search }: ListRequest): boolean =>
  search !== undefined ||
  filters.some(({ field, operator }) => !isStoredField(field) || operator !== 'eq' || isList(field));

/** The column of `t` that an order reads. */
export const sortColumnOf = ({ field, reference }: Sort): string => (reference?.field ?? field).columnName;

/** SQL of an order over `t`. */
export function orderOf(sort: Sort): string {
  const { field, reference, direction } = sort;
  const value = reference ? namingOf(sort as Required<Sort>) : columnOf(field);
  const keys = field.type.sortKeys?.(value) ?? [value];
  if (reference || field.property !== 'id') keys.push('t.id');
  return keys.map((key) => `${key} ${direction}`).join(', ');
}

/** SQL of the name of the record that a reference refers to. A subquery, so that it can stand wherever a column can. */
const namingOf = ({ field, reference }: { field: StoredField; reference: NonNullable<Sort['reference']> }): string =>
  `(SELECT ${columnOf(field, 'named')} FROM ${tableOf(reference.target)} named WHERE named.id = ${columnOf(reference.field)})`;

/** LIMIT and OFFSET of a page. @param values of the statement, to which theirs are added */
export const windowOf = ({ page, pageSize }: Pick<ListRequest, 'page' | 'pageSize'>, values: unknown[]): string =>
  `LIMIT $${values.push(pageSize)}::bigint OFFSET $${values.push((page - 1) * pageSize)}::bigint`;
