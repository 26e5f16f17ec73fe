import type { PipeTransform } from '@nestjs/common';
import { closest } from '../http/closest.js';
import type { StoredField } from '../fields/field.js';
import { describe } from '../fields/property-schema.js';
import type { RangeOrTextOperator } from '../fields/types/field-type.js';
import { unstorable } from '../fields/types/text.js';
import { expandParameter } from './parameters/expand.js';
import { FILE, firstPage, PAGE, type PageRequest } from './parameters/paging.js';
import { applyQuery, byName, type Parameter, type Parameters, type RawQuery } from './parameters/query-parameters.js';
import type { KeptCondition } from './record-counts.js';
import { columnOf, type RecordSql } from './record-sql.js';
import { MOST_CHARACTERS, MOST_TEXTS, MOST_WORDS, pattern, searchFault, tooLong } from './search-text.js';
import { textCondition } from './text-filter.js';

/** A requested list, with its conditions as SQL over the table `t`. */
export interface ListRequest extends PageRequest {
  conditions: string[];
  values: unknown[];
  /** The conditions that kept counts can answer. If it has as many entries as `conditions`, nothing needs to be counted. */
  kept: KeptCondition[];
  /** Whether the best plan depends on the values, because the number of matches does. */
  varies: boolean;
  orderBy: string;
  /** Column to sort by. */
  sortColumn: string;
  /** References whose records are shown too. */
  expand: readonly string[];
}

/** A filter with its own SQL condition. */
export interface ExtraFilter {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  expects: string;
  parse(raw: string): unknown;
  /** @param value SQL of the value, or `ANY(…)` of several */
  sql(value: string): string;
  sqlType: string;
}

const RANGE_SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const;
const RANGE_WORDS = { gte: 'At or after', lte: 'At or before', gt: 'After', lt: 'Before' } as const;
const RANGE_NUMBER_WORDS = { gte: 'At least', lte: 'At most', gt: 'More than', lt: 'Less than' } as const;
const TEXT_WORDS = { ic: 'Contains', isw: 'Starts with', ie: 'Equals' } as const;

interface Comparison {
  /** How several values are compared. */
  any?: 'ANY' | 'ALL';
  /** The condition in the form that kept counts can answer. */
  kept?: (value: string) => KeptCondition | undefined;
}

/**
 * Adds a condition to a request if every raw value can be parsed. Several values become `any` of an array. A single value
 * is passed alone, because PostgreSQL plans that better.
 */
function comparison(
  parse: (raw: string) => unknown,
  expects: string,
  sqlType: string,
  condition: (value: string) => string,
  { any = 'ANY', kept }: Comparison = {},
): Parameter<ListRequest>['apply'] {
  return (request, raw) => {
    const values = raw.map(parse);
    if (values.includes(undefined)) return `must be ${expects}`;
    const one = values.length === 1;
    const parameter = `$${request.values.push(one ? values[0] : values)}::${sqlType}`;
    const value = one ? parameter : `${any}(${parameter}[])`;
    request.conditions.push(condition(value));
    const known = kept?.(value);
    if (known) request.kept.push(known);
    return undefined;
  };
}

/** As `comparison`, with a condition that always takes an array. */
function arrayComparison(
  parse: (raw: string) => unknown,
  expects: string,
  sqlType: string,
  condition: (values: string) => string,
): Parameter<ListRequest>['apply'] {
  return (request, raw) => {
    const values = raw.map(parse);
    if (values.includes(undefined)) return `must be ${expects}`;
    request.conditions.push(condition(`$${request.values.push(values)}::${sqlType}[]`));
    return undefined;
  };
}

function fieldParameters(field: StoredField): Parameter<ListRequest>[] {
  const { property: name, type } = field;
  const column = columnOf(field);
  const isList = type.column(field).array === true;
  const valueSchema = filterSchema(field);
  const parse = (raw: string): unknown => type.parse(raw, field);
  const expects = field.values ? `one of ${field.values.join(', ')}` : type.expects;
  const compared = type.compared?.(column) ?? column;
  const differs = (value: string): string =>
    field.nullable ? `(${compared} <> ${value} OR ${column} IS NULL)` : `${compared} <> ${value}`;
  const parameters: Parameter<ListRequest>[] = [
    {
      name,
      description: `${isList ? 'Has one of these entries' : `Equals one of these values`}: ${describe(field)}`,
      schema: valueSchema,
      enumName: field.enumName,
      many: true,
      apply: isList
        ? arrayComparison(parse, expects, type.sqlType, (values) => `${column} && ${values}`)
        : comparison(parse, expects, type.sqlType, (value) => `${compared} = ${value}`, {
            kept: (values) => (field.counted ? { column: field.columnName, operator: '=', values } : undefined),
          }),
    },
    {
      name: `${name}__n`,
      operatorOf: name,
      description: isList
        ? `Has none of these entries in ${name}`
        : `Equals none of these values of ${name}; null equals nothing`,
      schema: valueSchema,
      enumName: field.enumName,
      many: true,
      apply: isList
        ? arrayComparison(parse, expects, type.sqlType, (values) => `NOT (${column} && ${values})`)
        : comparison(parse, expects, type.sqlType, differs, {
            any: 'ALL',
            // Nulls are not counted.
            kept: (values) =>
              field.counted && !field.nullable ? { column: field.columnName, operator: '<>', values } : undefined,
          }),
    },
    {
      name: `${name}__empty`,
      operatorOf: name,
      documented: field.nullable || isList,
      description: isList
        ? `\`true\`: ${name} has no entry; \`false\`: it has some`
        : `\`true\`: ${name} is null; \`false\`: it is not`,
      schema: { type: 'boolean' },
      many: false,
      apply(request, [raw]) {
        if (raw !== 'true' && raw !== 'false') return 'must be true or false';
        const empty = isList ? `cardinality(${column}) = 0` : `${column} IS NULL`;
        request.conditions.push(raw === 'true' ? empty : `NOT (${empty})`);
        return undefined;
      },
    },
  ];
  for (const operator of type.operators) {
    parameters.push(operatorParameter(operator, field, column, valueSchema, parse, expects));
  }
  return parameters;
}

function operatorParameter(
  operator: RangeOrTextOperator,
  field: StoredField,
  column: string,
  valueSchema: Record<string, unknown>,
  parse: (raw: string) => unknown,
  expects: string,
): Parameter<ListRequest> {
  const { type, property } = field;
  const name = `${property}__${operator}`;
  if (operator === 'ic' || operator === 'isw' || operator === 'ie') {
    const text = type.text?.(column) ?? column;
    return {
      name,
      operatorOf: property,
      description: `${TEXT_WORDS[operator]}, in upper or lower case: ${property}`,
      schema: { type: 'string', maxLength: MOST_CHARACTERS },
      many: true,
      most: MOST_TEXTS,
      apply(request, raw) {
        if (raw.length > MOST_TEXTS) return `must be given at most ${MOST_TEXTS} times`;
        const fault = raw.map(tooLong).find((found) => found !== undefined);
        if (fault) return fault;
        if (raw.some(unstorable)) return 'must be text without NUL characters or lone surrogates';
        const bind = (value: unknown): string => `$${request.values.push(value)}`;
        request.conditions.push(textCondition(text, operator, raw, field.searchable === true, bind));
        return undefined;
      },
    };
  }
  const words = type.sqlType === 'timestamptz' || type.sqlType === 'date' ? RANGE_WORDS : RANGE_NUMBER_WORDS;
  return {
    name,
    operatorOf: property,
    description: `${words[operator]}: ${property}`,
    schema: valueSchema,
    many: true,
    apply: comparison(parse, expects, type.sqlType, (value) => `${column} ${RANGE_SIGNS[operator]} ${value}`),
  };
}

/** Schema of one value in a query string. The bounds of the field do not apply: any value of its type may be searched for. */
function filterSchema(field: StoredField): Record<string, unknown> {
  const { filterSchema: forFilters, requestSchema, schema: forResponses } = field.type;
  const {
    minimum: _least,
    maximum: _most,
    multipleOf: _step,
    ...schema
  } = (forFilters ?? requestSchema ?? forResponses)(field);
  return schema;
}

/** The parameters of a resource's list. The parser and the OpenAPI document both read them. */
export class ListQuery {
  readonly parameters: readonly Parameter<ListRequest>[];
  private readonly byName: Parameters<ListRequest>;
  private readonly defaultOrder: string;
  /** Filters whose values differ widely in how many records they match. */
  private readonly varying: ReadonlySet<string>;

  constructor(
    private readonly resource: RecordSql,
    extraFilters: readonly ExtraFilter[] = [],
  ) {
    const { filtered: open, searched } = resource;
    this.defaultOrder = this.orderBy(resource.field('createdAt'), 'ASC');
    const parameters: Parameter<ListRequest>[] = [
      ...PAGE,
      ...(searched.length > 0 ? [searchParameter(this.resource)] : []),
      this.sortParameter(open),
      {
        name: 'order',
        description: 'Sort direction. Nulls come last ascending and first descending',
        schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        enumName: 'SortOrder',
        many: false,
        // `parse` reads the direction together with `sort`.
        apply: (_request, [raw]) => (raw === 'asc' || raw === 'desc' ? undefined : 'must be asc or desc'),
      },
      ...FILE,
      ...(resource.expandable.length > 0 ? [expandParameter(resource)] : []),
    ];
    // A field that is named like a parameter of all lists has filters by its operators only.
    const taken = new Set(parameters.map(({ name }) => name));
    const filters = open.flatMap(fieldParameters).filter(({ name }) => !taken.has(name));
    for (const { name, description, schema, expects, parse, sqlType, sql } of extraFilters) {
      filters.push({ name, description, schema, many: true, apply: comparison(parse, expects, sqlType, sql) });
    }
    // The document lists the filters before their many operators.
    parameters.push(
      ...filters.filter(({ operatorOf }) => operatorOf === undefined),
      ...filters.filter(({ operatorOf }) => operatorOf !== undefined),
    );
    // For a filter by equality, the plan does not depend on the value: there is an index of the column, or there is none.
    const steady = new Set(open.filter((field) => !field.type.column(field).array).map(({ property }) => property));
    this.varying = new Set([...filters.map(({ name }) => name), 'search'].filter((name) => !steady.has(name)));
    this.parameters = parameters;
    this.byName = byName(parameters);
  }

  /** @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value */
  parse(query: RawQuery): ListRequest {
    return this.parseWith(query, this.byName, {});
  }

  /**
   * Parses the query of something else that some of these parameters narrow.
   * @param parameters all that it takes
   * @param defaults of those that are not of the list
   * @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value
   */
  parseWith<R extends object>(query: RawQuery, parameters: Parameters<ListRequest & R>, defaults: R): ListRequest & R {
    const request: ListRequest & R = {
      ...firstPage(query),
      conditions: [],
      values: [],
      kept: [],
      varies: false,
      orderBy: this.defaultOrder,
      sortColumn: 'created_at',
      expand: [],
      ...defaults,
    };
    applyQuery(query, parameters, request, 'filter');
    for (const name of request.given) if (this.varying.has(name)) request.varies = true;
    if (query.order === 'desc' || query.sort !== undefined) {
      const field = this.resource.field((query.sort as string | undefined) ?? 'createdAt');
      const direction = query.order === 'desc' ? 'DESC' : 'ASC';
      request.orderBy = this.orderBy(field, direction);
      request.sortColumn = field.columnName;
    }
    return request;
  }

  private sortParameter(open: readonly StoredField[]): Parameter<ListRequest> {
    const names = open.map((field) => field.property);
    return {
      name: 'sort',
      description: 'Field to sort by; rows that are equal in it are sorted by id',
      schema: { type: 'string', enum: names, default: 'createdAt' },
      enumName: `${this.resource.record.name}Sort`,
      many: false,
      apply(_request, [raw]) {
        if (names.includes(raw!)) return undefined;
        // As other services write it.
        const [sign, field] = [raw!.slice(0, 1), raw!.slice(1)];
        if (sign === '-' && names.includes(field)) {
          return `must be the name of a field. Did you mean 'sort=${field}&order=desc'?`;
        }
        const near = closest(raw!, names);
        return near ? `must be the name of a field. Did you mean '${near}'?` : `must be one of ${names.join(', ')}`;
      },
    };
  }

  private orderBy(field: StoredField, direction: 'ASC' | 'DESC'): string {
    const column = columnOf(field);
    const keys = field.type.sortKeys?.(column) ?? [column];
    if (field.property !== 'id') keys.push('t.id');
    return keys.map((key) => `${key} ${direction}`).join(', ');
  }
}

/** A pipe that reads the query string of a list. @param list called for each request */
export const listPipe = (list: () => ListQuery): PipeTransform<RawQuery, ListRequest> => ({
  transform: (query) => list().parse(query),
});

function searchParameter(resource: RecordSql): Parameter<ListRequest> {
  const names = resource.searched.map((field) => field.property);
  return {
    name: 'search',
    description: `Text to find, in upper or lower case, anywhere in ${names.join(', ')}. At most ${MOST_WORDS} words`,
    schema: { type: 'string', maxLength: MOST_CHARACTERS },
    many: false,
    apply(request, [raw]) {
      const fault = searchFault(raw!);
      if (fault) return fault;
      if (raw === '') return undefined;
      const parameter = (value: unknown): string => `$${request.values.push(value)}`;
      request.conditions.push(...resource.containing(raw!, parameter(pattern('ic', raw!)), parameter));
      return undefined;
    },
  };
}
