import { Fault, joined, ValidationFailed } from '../http/errors.js';
import { closest } from '../fields/closest.js';
import { describe, type Field } from '../fields/field.js';
import { unstorable, type FieldType, type RangeOrTextOperator } from '../fields/field-types.js';
import { columnOf, type Resource } from './resource.js';

export const MAX_PAGE_SIZE = 10_000;
const INT4_MAX = 2_147_483_647;

/** A query string as Fastify parses it. */
export type RawQuery = Record<string, string | string[] | undefined>;

/** A list as it was asked for, with its conditions as SQL over the table `t`. */
export interface ListRequest {
  page: number;
  pageSize: number;
  conditions: string[];
  values: unknown[];
  orderBy: string;
  /** Column that it is sorted by. */
  sortColumn: string;
  /** Direction of a list in order of creation; undefined in any other order. */
  byCreation?: 'ASC' | 'DESC';
}

/** How a query parameter is documented. */
export interface DocumentedParameter {
  name: string;
  description: string;
  /** JSON schema of one value. */
  schema: Record<string, unknown>;
  /** Name of the schema of its closed set of values. */
  enumName?: string;
  /** May be repeated. */
  many: boolean;
  /** False: accepted, but says nothing here, such as whether what is never null is null. */
  documented?: boolean;
  /** The filter that this is an operator of, as `name` is of `name__ic`. */
  operatorOf?: string;
}

/** One parameter of a list: how it is documented and what it does. The parser and the OpenAPI document read the same. */
export interface Parameter extends DocumentedParameter {
  apply(request: ListRequest, raw: string[]): string | undefined;
}

/** A filter that is more than a comparison with a column. */
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

/** `%text%`, `text%` or `text` for ILIKE, in which the caller's `%`, `_` and `\` are ordinary characters. */
function pattern(operator: 'ic' | 'isw' | 'ie', value: string): string {
  const literal = value.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return operator === 'ic' ? `%${literal}%` : operator === 'isw' ? `${literal}%` : literal;
}

const RANGE_SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const;
const RANGE_WORDS = { gte: 'At or after', lte: 'At or before', gt: 'After', lt: 'Before' } as const;
const RANGE_NUMBER_WORDS = { gte: 'At least', lte: 'At most', gt: 'More than', lt: 'Less than' } as const;
const TEXT_WORDS = { ic: 'Contains', isw: 'Starts with', ie: 'Equals' } as const;

function integerParameter(
  name: string,
  description: string,
  max: number,
  fallback: number,
  example: number,
  set: (request: ListRequest, value: number) => void,
): Parameter {
  return {
    name,
    description,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: max, default: fallback, example },
    many: false,
    apply(request, [raw]) {
      const value = /^\d{1,10}$/.test(raw!) ? Number(raw) : 0;
      if (value < 1 || value > max) return `must be an integer between 1 and ${max}`;
      set(request, value);
      return undefined;
    },
  };
}

/**
 * Adds `condition(SQL of a value)` to a request, where each of the raw values can be parsed: with the value itself where
 * there is one, which PostgreSQL plans better, and with `any` of an array where there are more.
 */
function comparison(
  parse: (raw: string) => unknown,
  expects: string,
  sqlType: string,
  condition: (value: string) => string,
  any: 'ANY' | 'ALL' = 'ANY',
): Parameter['apply'] {
  return (request, raw) => {
    const values = raw.map(parse);
    if (values.includes(undefined)) return `must be ${expects}`;
    const one = values.length === 1;
    const parameter = `$${request.values.push(one ? values[0] : values)}::${sqlType}`;
    request.conditions.push(condition(one ? parameter : `${any}(${parameter}[])`));
    return undefined;
  };
}

/** As `comparison`, with a condition that takes an array whatever it holds. */
function arrayComparison(
  parse: (raw: string) => unknown,
  expects: string,
  sqlType: string,
  condition: (values: string) => string,
): Parameter['apply'] {
  return (request, raw) => {
    const values = raw.map(parse);
    if (values.includes(undefined)) return `must be ${expects}`;
    request.conditions.push(condition(`$${request.values.push(values)}::${sqlType}[]`));
    return undefined;
  };
}

function fieldParameters(field: Field): Parameter[] {
  const { property: name, type } = field;
  const column = columnOf(field);
  const isList = type.column(field).array === true;
  const valueSchema = filterSchema(type, field);
  const parse = (raw: string): unknown => type.parse(raw, field);
  const expects = field.values ? `one of ${field.values.join(', ')}` : type.expects;
  const compared = type.compared?.(column) ?? column;
  const differs = (value: string): string =>
    field.nullable ? `(${compared} <> ${value} OR ${column} IS NULL)` : `${compared} <> ${value}`;
  const parameters: Parameter[] = [
    {
      name,
      description: `${isList ? 'Has one of these entries' : `Equals one of these values`}: ${describe(field)}`,
      schema: valueSchema,
      enumName: field.enumName,
      many: true,
      apply: isList
        ? arrayComparison(parse, expects, type.sqlType, (values) => `${column} && ${values}`)
        : comparison(parse, expects, type.sqlType, (value) => `${compared} = ${value}`),
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
        : comparison(parse, expects, type.sqlType, differs, 'ALL'),
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
  field: Field,
  column: string,
  valueSchema: Record<string, unknown>,
  parse: (raw: string) => unknown,
  expects: string,
): Parameter {
  const { type, property } = field;
  const name = `${property}__${operator}`;
  if (operator === 'ic' || operator === 'isw' || operator === 'ie') {
    const match = (raw: string): unknown => (unstorable(raw) ? undefined : pattern(operator, raw));
    return {
      name,
      operatorOf: property,
      description: `${TEXT_WORDS[operator]}, in upper or lower case: ${property}`,
      schema: { type: 'string' },
      many: true,
      apply: comparison(
        match,
        'text without NUL characters or lone surrogates',
        'text',
        (value) => `${type.text?.(column) ?? column} ILIKE ${value}`,
      ),
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

/** Schema of one value in a query string: that of the field, where any value of its type may be asked for. */
function filterSchema(type: FieldType, field: Field): Record<string, unknown> {
  const given = type.filterSchema ?? type.requestSchema ?? type.schema;
  const { minimum: _least, maximum: _most, multipleOf: _step, ...schema } = given(field);
  return schema;
}

/** The parameters of a resource's list: made once, used to parse every request and to document it. */
export class ListQuery {
  readonly parameters: readonly Parameter[];
  private readonly byName: ReadonlyMap<string, Parameter>;
  private readonly defaultOrder: string;

  constructor(
    private readonly resource: Resource,
    extraFilters: readonly ExtraFilter[] = [],
  ) {
    const open = resource.stored.filter((field) => !field.secret);
    const { searched } = resource;
    this.defaultOrder = this.orderBy(resource.field('createdAt'), 'ASC');
    const parameters: Parameter[] = [
      integerParameter('page', 'Page number, from 1', INT4_MAX, 1, 1, (request, value) => (request.page = value)),
      integerParameter(
        'pageSize',
        'Rows per page. Without it the whole table is returned, up to 10000 rows',
        MAX_PAGE_SIZE,
        MAX_PAGE_SIZE,
        50,
        (request, value) => (request.pageSize = value),
      ),
      ...(searched.length > 0 ? [searchParameter(searched)] : []),
      this.sortParameter(open),
      {
        name: 'order',
        description: 'Sort direction. Nulls come last ascending and first descending',
        schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        enumName: 'SortOrder',
        many: false,
        // Read by `sort`, which is applied to every request.
        apply: (_request, [raw]) => (raw === 'asc' || raw === 'desc' ? undefined : 'must be asc or desc'),
      },
    ];
    const filters = open.flatMap(fieldParameters);
    for (const { name, description, schema, expects, parse, sqlType, sql } of extraFilters) {
      filters.push({ name, description, schema, many: true, apply: comparison(parse, expects, sqlType, sql) });
    }
    // In the order in which they are read about: the filters themselves before the operators, of which there are many.
    parameters.push(
      ...filters.filter(({ operatorOf }) => operatorOf === undefined),
      ...filters.filter(({ operatorOf }) => operatorOf !== undefined),
    );
    this.parameters = parameters;
    this.byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  }

  /** @throws ValidationFailed naming every parameter that is unknown or has a value it cannot have. */
  parse(query: RawQuery): ListRequest {
    const request: ListRequest = {
      page: 1,
      pageSize: MAX_PAGE_SIZE,
      conditions: [],
      values: [],
      orderBy: this.defaultOrder,
      sortColumn: 'created_at',
      byCreation: 'ASC',
    };
    const faults: Fault[] = [];
    const sentences: string[] = [];
    for (const [name, given] of Object.entries(query)) {
      const parameter = this.byName.get(name);
      const raw = Array.isArray(given) ? given : [given ?? ''];
      if (!parameter) {
        const near = closest(name, this.byName.keys());
        const sentence = `Unknown filter '${name}'.${near ? ` Did you mean '${near}'?` : ''}`;
        sentences.push(sentence);
        faults.push(new Fault(name, near ? `is not a known filter. Did you mean '${near}'?` : 'is not a known filter'));
        continue;
      }
      const message = !parameter.many && raw.length > 1 ? 'must be given once' : parameter.apply(request, raw);
      if (message) {
        const fault = new Fault(name, message);
        faults.push(fault);
        sentences.push(fault.toString());
      }
    }
    if (faults.length > 0) throw new ValidationFailed(faults, joined(sentences.slice(0, 10)));
    if (query.order === 'desc' || query.sort !== undefined) {
      const field = this.resource.field((query.sort as string | undefined) ?? 'createdAt');
      const direction = query.order === 'desc' ? 'DESC' : 'ASC';
      request.orderBy = this.orderBy(field, direction);
      request.sortColumn = field.columnName;
      request.byCreation = field.property === 'createdAt' ? direction : undefined;
    }
    return request;
  }

  private sortParameter(open: readonly Field[]): Parameter {
    const names = open.map((field) => field.property);
    return {
      name: 'sort',
      description: 'Field to sort by; rows that are equal in it are sorted by id',
      schema: { type: 'string', enum: names, default: 'createdAt' },
      enumName: `${this.resource.record.name}Sort`,
      many: false,
      apply(_request, [raw]) {
        if (names.includes(raw!)) return undefined;
        const near = closest(raw!, names);
        return near ? `must be the name of a field. Did you mean '${near}'?` : `must be one of ${names.join(', ')}`;
      },
    };
  }

  private orderBy(field: Field, direction: 'ASC' | 'DESC'): string {
    const column = columnOf(field);
    const keys = field.type.sortKeys?.(column) ?? [column];
    if (field.property !== 'id') keys.push('t.id');
    return keys.map((key) => `${key} ${direction}`).join(', ');
  }
}

function searchParameter(searched: readonly Field[]): Parameter {
  const names = searched.map((field) => field.property);
  return {
    name: 'search',
    description: `Text to find, in upper or lower case, anywhere in ${names.join(', ')}`,
    schema: { type: 'string' },
    many: false,
    apply(request, [raw]) {
      const fault = unstorable(raw!);
      if (fault) return fault;
      if (raw === '') return undefined;
      request.values.push(pattern('ic', raw!));
      const parameter = `$${request.values.length}`;
      request.conditions.push(
        `(${searched.map((field) => `${field.type.text?.(columnOf(field)) ?? columnOf(field)} ILIKE ${parameter}`).join(' OR ')})`,
      );
      return undefined;
    },
  };
}
