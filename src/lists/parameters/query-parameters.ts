import { shortened, someOf } from '../../http/some-of.js';
import { integerIn } from '../../config/integer.js';
import { closest } from '../../http/closest.js';
import { Fault, type FaultCode, joined, ValidationFailed } from '../../http/errors.js';
import { onceFor } from '../../http/once.js';
import { boolean } from '../../fields/types/boolean.js';
import { date, timeInQuery, toTimestamp } from '../../fields/types/time.js';
import { uuid } from '../../fields/types/uuid.js';
import { EXAMPLE_ID, type DocumentedParameter } from '../../openapi/schema.js';

/** A parsed query string. A parameter that is repeated is an array. */
export type RawQuery = Record<string, string | string[] | undefined>;

/** One parameter of a query string: its documentation and its effect on a request. */
export interface Parameter<R> extends DocumentedParameter {
  /** Applies the values to a request. @returns the reason for refusing them, or undefined */
  apply(request: R, raw: string[]): Reason | undefined;
}

/** Why values are refused: a sentence, with a code if it is not `invalid`. */
export type Reason = string | { message: string; code: FaultCode };

/** Maximum number of faults with a suggestion, and of faults in the sentence. A suggestion takes longer than reading a hundred parameters. */
const SUGGESTIONS = 10;

/**
 * Applies the parameters of a query string to a request, and returns it.
 * @param parameters all that the query may have
 * @param request the request without any of them
 * @param kind the noun for an unknown parameter in the error message
 * @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value
 */
export function readQuery<R>(query: RawQuery, parameters: readonly Parameter<R>[], request: R, kind = 'parameter'): R {
  const known = byName(parameters);
  const faults = queryFaults(query, known, request, kind);
  if (faults.length === 0) return request;
  const sentences = faults
    .slice(0, SUGGESTIONS)
    .map((fault) =>
      known.has(fault.field)
        ? String(fault)
        : `Unknown ${kind} '${fault.field}'${suggestion(fault.field, known) || '.'}`,
    );
  throw new ValidationFailed(faults, joined(sentences));
}

function queryFaults<R>(query: RawQuery, parameters: Parameters<R>, request: R, kind: string): Fault[] {
  const faults: Fault[] = [];
  for (const [name, given] of Object.entries(query)) {
    const parameter = parameters.get(name);
    const raw = Array.isArray(given) ? given : [given ?? ''];
    const reason = !parameter
      ? `is not a known ${kind}${faults.length < SUGGESTIONS ? suggestion(name, parameters) : ''}`
      : !parameter.many && raw.length > 1
        ? 'must be given once'
        : parameter.apply(request, raw);
    if (!reason) continue;
    const { message, code } =
      typeof reason === 'string' ? ({ message: reason, code: parameter ? 'invalid' : 'unknown' } as const) : reason;
    faults.push(new Fault(name, message, code));
  }
  for (const name of parameters.required) {
    if (!(name in query)) faults.push(new Fault(name, 'must be given', 'required'));
  }
  return faults;
}

/** Names of list parameters in other APIs. */
const CALLED_ELSEWHERE = new Map([
  ['limit', 'pageSize'],
  ['per_page', 'pageSize'],
  ['offset', 'page'],
  ['ordering', 'sort'],
  ['order_by', 'sort'],
  ['orderBy', 'sort'],
  ['sort_by', 'sort'],
  ['sortBy', 'sort'],
  ['include', 'expand'],
  ['q', 'search'],
  ['query', 'search'],
  ['filter', 'search'],
]);

function suggestion<R>(name: string, parameters: Parameters<R>): string {
  const [filter = '', ...operators] = name.split('__');
  const withOperators = (field: string | undefined): string => [field, ...operators].join('__');
  const candidates = [
    CALLED_ELSEWHERE.get(name),
    // The name of a reference without `Id`.
    withOperators(`${filter}Id`),
    // The search over all resources has its text in `q`.
    name === 'search' || name === 'query' ? 'q' : undefined,
    withOperators(
      closest(
        filter,
        [...parameters.keys()].filter((known) => !known.includes('__')),
      ),
    ),
  ];
  const meant = candidates.find((candidate) => candidate !== undefined && parameters.has(candidate));
  return meant === undefined ? '' : `. Did you mean '${meant}'?`;
}

interface Parameters<R> extends ReadonlyMap<string, Parameter<R>> {
  /** Names of required parameters. */
  readonly required: readonly string[];
}

const named = onceFor((parameters: readonly Parameter<never>[]): Parameters<never> => {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return Object.assign(new Map(parameters.map((parameter) => [parameter.name, parameter])), { required });
});

/** Parameters by name, cached by array, because a list has a hundred of them and every request looks them up. */
const byName: <R>(parameters: readonly Parameter<R>[]) => Parameters<R> = named;

/** Names the wrong one of several values at the end of a reason; nothing if there is only one. */
export function whichOf(given: readonly string[], wrong: string): string {
  if (given.length === 1) return '';
  return `: '${shortened(wrong)}' is not`;
}

/**
 * A parameter with one value.
 * @param parse its value; undefined for another text
 * @param expects what a value is, for the sentence "must be …"
 */
export const single = <R, V>(
  documented: Omit<DocumentedParameter, 'many'>,
  parse: (raw: string) => V | undefined,
  expects: string,
  set: (request: R, value: V) => void,
): Parameter<R> => ({
  ...documented,
  many: false,
  apply(request, [raw]) {
    const value = parse(raw!);
    if (value === undefined) return `must be ${expects}`;
    set(request, value);
    return undefined;
  },
});

/** A parameter that is `true` or `false`. */
export const flag = <R>(name: string, description: string, set: (request: R, value: boolean) => void): Parameter<R> =>
  single({ name, description, schema: { type: 'boolean', default: false } }, boolean.parse, boolean.expects, set);

export const day = <R>(name: string, description: string, set: (request: R, value: string) => void): Parameter<R> =>
  single({ name, description, schema: date.filterSchema() }, date.parse, date.expects, set);

const AN_INSTANT = 'one ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date';

export const instant = <R>(name: string, description: string, set: (request: R, value: string) => void): Parameter<R> =>
  single({ name, description, schema: timeInQuery() }, toTimestamp, AN_INSTANT, set);

interface IntegerBounds {
  min: number;
  max: number;
  default: number;
  example?: number;
}

export const integer = <R>(
  name: string,
  description: string,
  { min, max, default: fallback, example = fallback }: IntegerBounds,
  set: (request: R, value: number) => void,
): Parameter<R> => {
  const schema = { type: 'integer', format: 'int32', minimum: min, maximum: max, default: fallback, example };
  const message = `must be an integer between ${min} and ${max}`;
  return {
    name,
    description,
    schema,
    many: false,
    apply(request, [raw]) {
      const value = integerIn(raw!, min, max);
      if (value === undefined) return { message, code: /^[+-]?\d+$/.test(raw!) ? 'out_of_range' : 'invalid' };
      set(request, value);
      return undefined;
    },
  };
};

/** A parameter that is an id, or several. */
export const ids = <R>(
  name: string,
  description: string,
  set: (request: R, values: string[]) => void,
  { most = Infinity, ...more }: { most?: number; required?: true } = {},
): Parameter<R> => ({
  name,
  description,
  schema: { type: 'string', format: 'uuid', example: EXAMPLE_ID },
  many: true,
  ...more,
  apply(request, raw) {
    const values = raw.map((value) => uuid.parse(value));
    const wrong = values.indexOf(undefined);
    if (wrong !== -1) return `must be ${uuid.expects}${whichOf(raw, raw[wrong]!)}`;
    if (raw.length > most) return `must be given at most ${most} times`;
    set(request, values as string[]);
    return undefined;
  },
});

/** A parameter that is one of some words. */
export const choice = <R, V extends string>(
  name: string,
  enumName: string,
  description: string,
  values: readonly V[],
  set: (request: R, value: V) => void,
): Parameter<R> => {
  const documented = { name, description, schema: { type: 'string', enum: values }, enumName };
  return single(documented, (raw) => values.find((one) => one === raw), `one of ${someOf(values)}`, set);
};

/** The same parameter, with the meaning of its absence documented. */
export const withDefault = <R>(parameter: Parameter<R>, value: string): Parameter<R> => ({
  ...parameter,
  schema: { ...parameter.schema, default: value },
});
