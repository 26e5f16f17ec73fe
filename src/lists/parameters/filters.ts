import { someOf } from '../../http/some-of.js';
import { isList, type StoredField } from '../../fields/field.js';
import type { StoredReference } from '../../fields/references.js';
import { boolean } from '../../fields/types/boolean.js';
import type { RangeOrTextOperator } from '../../fields/types/field-type.js';
import { unstorable } from '../../fields/types/text.js';
import type { ExtraFilter, Filter, FilterOperator } from '../list-request.js';
import { MOST_CHARACTERS, MOST_TEXTS, tooLong } from '../search-text.js';
import { whichOf, type Parameter } from './query-parameters.js';

/** A request while its parameters are read. */
export interface Filtered {
  filters: Filter[];
}

const TIME_WORDS = { gte: 'at or after', lte: 'at or before', gt: 'after', lt: 'before' } as const;
const NUMBER_WORDS = { gte: 'at least', lte: 'at most', gt: 'more than', lt: 'less than' } as const;
const TEXT_WORDS = { ic: 'contains', isw: 'begins with', ie: 'equals' } as const;

/** Adds a filter to a request if every raw value can be parsed. */
const comparison =
  (
    field: Filter['field'],
    operator: FilterOperator,
    parse: (raw: string) => unknown,
    expects: string,
  ): Parameter<Filtered>['apply'] =>
  ({ filters }, raw) => {
    const values = raw.map(parse);
    const wrong = values.indexOf(undefined);
    if (wrong !== -1) return `must be ${expects}${whichOf(raw, raw[wrong]!)}`;
    filters.push({ field, operator, values });
    return undefined;
  };

/** The parameter of a filter with its own condition. */
export function extraParameter(filter: ExtraFilter): Parameter<Filtered> {
  const { name, description, schema, enumName, expects, parse } = filter;
  return { name, description, schema, enumName, many: true, apply: comparison(filter, 'eq', parse, expects) };
}

/** The parameters that filter by a field: one for each operator. */
export function fieldParameters(field: StoredField): Parameter<Filtered>[] {
  const { deprecated } = field;
  const parameters = filtersBy(field);
  return deprecated ? parameters.map((parameter) => ({ ...parameter, deprecated })) : parameters;
}

function filtersBy(field: StoredField): Parameter<Filtered>[] {
  const { property: name, type, enumName, nullable } = field;
  const ofList = isList(field);
  const schema = filterSchema(field);
  const parse = (raw: string): unknown => type.parse(raw, field);
  const expects = field.values ? `one of ${someOf(field.values)}` : type.expects;
  return [
    {
      name,
      description: describeFilter(field),
      schema,
      enumName,
      many: true,
      apply: comparison(field, 'eq', parse, expects),
    },
    {
      name: `${name}__n`,
      operatorOf: name,
      description: ofList ? `${name} has none of the given entries` : `${name} is none of the given values, or is null`,
      schema,
      enumName,
      many: true,
      apply: comparison(field, 'n', parse, expects),
    },
    {
      name: `${name}__empty`,
      operatorOf: name,
      documented: nullable || ofList,
      description: ofList
        ? `\`true\`: ${name} has no entry; \`false\`: it has some`
        : `\`true\`: ${name} is null; \`false\`: it is not`,
      schema: { type: 'boolean' },
      many: false,
      apply: comparison(field, 'empty', boolean.parse, boolean.expects),
    },
    ...(ofList && field.custom
      ? [
          {
            name: `${name}__all`,
            operatorOf: name,
            description: `${name} has all of the given entries`,
            schema,
            many: true,
            apply: comparison(field, 'all', parse, expects),
          },
        ]
      : []),
    ...type.operators.map((operator): Parameter<Filtered> =>
      operator === 'ic' || operator === 'isw' || operator === 'ie'
        ? textParameter(field, operator)
        : rangeParameter(field, operator, schema, comparison(field, operator, parse, expects)),
    ),
  ];
}

/**
 * The parameters that filter by the name of a referenced record, and by the properties that are shown with the name. There is one for
 * each field, operator and reference, so they are described once for all lists.
 */
export function referenceParameters(reference: StoredReference): Parameter<Filtered>[] {
  const prefix = `${reference.name}.`;
  return [reference.naming, ...reference.details].flatMap(fieldParameters).map((parameter) => ({
    ...parameter,
    name: prefix + parameter.name,
    ...(parameter.operatorOf !== undefined && { operatorOf: prefix + parameter.operatorOf }),
    documented: false,
    apply({ filters }, values) {
      const own: Filtered = { filters: [] };
      const reason = parameter.apply(own, values);
      filters.push(...own.filters.map((filter) => ({ ...filter, reference })));
      return reason;
    },
  }));
}

/** Description of an equality filter: its matches, the usual values of the field, and the field's description if that adds to the name. */
function describeFilter(field: StoredField): string {
  const { property, description, knownValues = [] } = field;
  const matches = `${property} ${isList(field) ? 'has one of the given entries' : 'is one of the given values'}`;
  const known = knownValues.map((value) => `\`${value}\``).join(', ');
  const about = description.replace(/\.$/, '');
  return `${matches}${known && `; known values: ${known}`}${namesOf(about) === namesOf(property) ? '' : `. ${about}`}`;
}

/** The letters and digits of a name or a description. */
const namesOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function textParameter(field: StoredField, operator: keyof typeof TEXT_WORDS): Parameter<Filtered> {
  const { property } = field;
  return {
    name: `${property}__${operator}`,
    operatorOf: property,
    description: `${property} ${TEXT_WORDS[operator]} one of the given texts, in upper or lower case`,
    schema: { type: 'string', maxLength: MOST_CHARACTERS },
    many: true,
    most: MOST_TEXTS,
    apply({ filters }, raw) {
      if (raw.length > MOST_TEXTS) return `must be given at most ${MOST_TEXTS} times`;
      const fault = raw.map(tooLong).find((found) => found !== undefined);
      if (fault) return fault;
      if (raw.some(unstorable)) return 'must be text without NUL characters or lone surrogates';
      filters.push({ field, operator, values: raw });
      return undefined;
    },
  };
}

function rangeParameter(
  { property, type }: StoredField,
  operator: Exclude<RangeOrTextOperator, keyof typeof TEXT_WORDS>,
  schema: Record<string, unknown>,
  apply: Parameter<Filtered>['apply'],
): Parameter<Filtered> {
  const isTime = type.sqlType === 'timestamptz' || type.sqlType === 'date';
  return {
    name: `${property}__${operator}`,
    operatorOf: property,
    description: `${property} is ${isTime ? `${TIME_WORDS[operator]} the given time` : `${NUMBER_WORDS[operator]} the given value`}`,
    schema,
    many: true,
    apply,
  };
}

/** Schema of one value in a query string. The bounds of the field do not apply, because any value of its type may be searched for. */
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
