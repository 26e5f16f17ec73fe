import { raw, sql, type Sql } from '../database/sql.js';
import type { StoredField } from '../fields/field.js';
import type { KeptCondition } from './record-counts.js';
import { columnOf, tableOf, type RecordSql } from './record-sql.js';
import { isList, isStoredField, type Filter, type ListRequest, type OwnCondition, type Sort } from './list-request.js';
import { patterns } from './search-text.js';
import { textCondition } from './text-filter.js';

const RANGE_SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const;

/** The conditions of a request on `t`. */
export function requestConditions({ filters, search }: ListRequest, resource: RecordSql): Sql[] {
  const conditions = filters.map(conditionOf);
  if (search === undefined) return conditions;
  const numbers = (found: string[]): Sql => sql`${found}::text[]`;
  return [...conditions, ...resource.containing(search, patterns('ic', search), numbers)];
}

/** SQL of one filter over `t`. */
export function conditionOf({ field, operator, values }: Filter): Sql {
  if (!isStoredField(field)) return field.sql(compared(field, values, 'ANY'));
  const { type, nullable } = field;
  const column = raw(columnOf(field));
  const own = raw(type.compared?.(columnOf(field)) ?? column);
  switch (operator) {
    case 'eq':
      return isList(field)
        ? sql`${column} && ${values}::${raw(type.sqlType)}[]`
        : sql`${own} = ${compared(type, values, 'ANY')}`;
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
      const text = type.text?.(columnOf(field)) ?? columnOf(field);
      return textCondition(text, operator, values as string[], field.searchable === true);
    }
  }
}

/** What a column is compared with. A single value is passed alone, because PostgreSQL plans that better. */
function compared({ sqlType }: Pick<OwnCondition, 'sqlType'>, values: readonly unknown[], several: 'ANY' | 'ALL'): Sql {
  const type = raw(sqlType);
  return values.length === 1 ? sql`${values[0]}::${type}` : sql`${raw(several)}(${values}::${type}[])`;
}

/** The condition in the form that kept counts can answer; undefined if they cannot. */
export function keptCondition({ field, operator, values }: Filter): KeptCondition | undefined {
  if (!isStoredField(field) || !field.counted) return undefined;
  if (operator === 'eq')
    return { column: field.columnName, operator: '=', values: compared(field.type, values, 'ANY') };
  // Nulls are not counted.
  if (operator !== 'n' || field.nullable) return undefined;
  return { column: field.columnName, operator: '<>', values: compared(field.type, values, 'ALL') };
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

/** LIMIT and OFFSET of a page. */
export const windowOf = ({ page, pageSize }: Pick<ListRequest, 'page' | 'pageSize'>): Sql =>
  sql`LIMIT ${pageSize}::bigint OFFSET ${(page - 1) * pageSize}::bigint`;
