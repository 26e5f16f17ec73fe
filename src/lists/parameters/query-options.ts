import * as parameters from './query-parameters.js';
import { type Parameter, type RawQuery, readQuery } from './query-parameters.js';

/** A query parameter of an action, with the value that it has if it is absent. */
export interface QueryOption<V> extends Parameter<Record<string, unknown>> {
  fallback: V;
}

export const flagOption = (name: string, description: string): QueryOption<boolean> => ({
  ...parameters.flag(name, description, (values: Record<string, unknown>, value) => (values[name] = value)),
  fallback: false,
});

/** One of some words, the first of which is the default. */
export function choiceOption<V extends string>(
  name: string,
  enumName: string,
  description: string,
  words: readonly V[],
): QueryOption<V> {
  const set = (values: Record<string, unknown>, value: V): void => void (values[name] = value);
  const parameter = parameters.choice(name, enumName, description, words, set);
  return { ...parameter, schema: { ...parameter.schema, default: words[0] }, fallback: words[0]! };
}

export type Options = Record<string, QueryOption<unknown>>;
export type Values<O extends Options> = { [name in keyof O]: O[name]['fallback'] };

/** @throws ValidationFailed with a fault for each parameter that is unknown, repeated or has an invalid value */
export function readOptions<O extends Options>(options: O, query: RawQuery): Values<O> {
  const values = Object.fromEntries(Object.entries(options).map(([name, { fallback }]) => [name, fallback]));
  return readQuery(query, Object.values(options), values) as Values<O>;
}

export const DRY_RUN = flagOption(
  'dryRun',
  'Runs the request with all checks and constraints, and rolls it back. The response is that of the real request, plus `dryRun`. Its ids of new records are not valid',
);

export const ON_ERROR = choiceOption(
  'onError',
  'OnError',
  '`abort`: if any row has a fault, nothing is written. `skip`: rows without faults are written',
  ['abort', 'skip'],
);
