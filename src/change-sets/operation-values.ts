import type { Caller } from '../access/access.js';
import { mayReadSecrets } from '../access/access.js';
import type { Secrets } from '../access/secrets.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { bodyFieldsOf, type Class } from '../fields/field.js';
import { jsonOrText } from '../fields/types/json.js';
import { isObject } from '../http/json-body.js';
import { keptProperties, sqlOf, type PlannedResource } from './planned-resources.js';
import type { StoredOperation, Values } from './operation-store.js';

/** A body as the JSON values of its request. */
export function dataOf(dto: Class, body: object): Values {
  const data = JSON.parse(JSON.stringify(body)) as Values;
  for (const field of bodyFieldsOf(dto)) {
    const { [field.property]: value } = data;
    // In a body, objects of any shape are text.
    if (field.kind === 'stored' && field.type.isJson && typeof value === 'string')
      data[field.property] = jsonOrText(value);
  }
  return data;
}

const customOf = (values: Values): Values => (isObject(values[CUSTOM]) ? (values[CUSTOM] as Values) : {});

/** The values that a record has for the properties of a body; those of custom fields by their keys. */
export function valuesFor(data: Values, record: Values): Values {
  const values: Values = {};
  for (const property of Object.keys(data)) {
    if (property !== CUSTOM) values[property] = record[property] ?? null;
  }
  if (!(CUSTOM in data)) return values;
  const present = customOf(record);
  return {
    ...values,
    [CUSTOM]: Object.fromEntries(Object.keys(customOf(data)).map((key) => [key, present[key] ?? null])),
  };
}

/** The values of a body that differ from the record. @param before JSON text of the record */
export function changedIn(data: Values, before: string): Values {
  const record = JSON.parse(before) as Values;
  const differ = (values: Values, present: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(value, present[name])));
  const { [CUSTOM]: _custom, ...own } = data;
  const changed = differ(own, record);
  if (CUSTOM in data) {
    const custom = differ(customOf(data), customOf(record));
    if (Object.keys(custom).length > 0) changed[CUSTOM] = custom;
  }
  // Differences that the database makes, and this comparison does not.
  return Object.keys(changed).length > 0 ? changed : data;
}

/** The values that a record stores about itself, without times, counts and names of others. */
export function keptValues({ record }: PlannedResource, values: Values): Values {
  const kept = Object.fromEntries(
    keptProperties(record)
      .filter((property) => property in values)
      .map((property) => [property, values[property]]),
  );
  return CUSTOM in values ? { ...kept, [CUSTOM]: values[CUSTOM] } : kept;
}

/** Values overridden by others. Custom values are merged by key. */
export function over(values: Values | null, others: Values | null): Values {
  const merged = { ...values, ...others };
  if (values && others && CUSTOM in values && CUSTOM in others) {
    merged[CUSTOM] = { ...customOf(values), ...customOf(others) };
  }
  return merged;
}

/** The values of `renewed` for the properties that `base` has. */
export function renewedBase(base: Values, renewed: Values): Values {
  const values = { ...base };
  for (const property of Object.keys(base)) {
    if (property !== CUSTOM && property in renewed) values[property] = renewed[property];
  }
  if (CUSTOM in base && CUSTOM in renewed) {
    const own = customOf(base);
    const other = customOf(renewed);
    values[CUSTOM] = Object.fromEntries(Object.keys(own).map((key) => [key, key in other ? other[key] : own[key]]));
  }
  return values;
}

/** Values by path: `name`, `customFields.tier`. */
export function byPath(values: Values | null): Map<string, unknown> {
  const paths = new Map<string, unknown>();
  for (const [property, value] of Object.entries(values ?? {})) {
    if (property !== CUSTOM) paths.set(property, value);
  }
  for (const [key, value] of Object.entries(customOf(values ?? {}))) paths.set(`${CUSTOM}.${key}`, value);
  return paths;
}

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]) => [key, canonical(own)]));
};

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** Whether two JSON values are equal. Decimal numbers are compared as numbers, and times as instants. */
export function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a !== b) {
    if (isNumber(a) && isNumber(b)) return trimmed(a) === trimmed(b);
    return false;
  }
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

function trimmed(decimal: string): string {
  if (!decimal.includes('.')) return decimal;
  let end = decimal.length;
  while (decimal[end - 1] === '0') end--;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}

/** The secrets of an operation, which are stored apart from its values. @param base as stored, with secrets encrypted */
export function apart(
  resource: PlannedResource,
  secrets: Secrets,
  caller: Caller,
  data: Values | null,
  base: Values | null,
): Pick<StoredOperation, 'data' | 'base' | 'sealed'> {
  const properties = sqlOf(resource).secrets;
  if (properties.length === 0) return { data, base, sealed: null };
  const sealed: Required<NonNullable<StoredOperation['sealed']>> = { data: {}, base: {} };
  const [open, before] = [data && { ...data }, base && { ...base }];
  for (const property of properties) {
    if (open && property in open) {
      const value = open[property];
      // A caller who may not read the secret was shown null. Sending it back changes nothing.
      if (value === null && !mayReadSecrets(caller)) {
        delete open[property];
        if (before && data && property in before) delete before[property];
        continue;
      }
      sealed.data[property] = typeof value === 'string' ? secrets.seal(value) : null;
      open[property] = null;
    }
    if (before && property in before) {
      sealed.base[property] = before[property];
      before[property] = null;
    }
  }
  return { data: open, base: before, sealed };
}

/** The values of an operation with its secrets, in the form that the service takes. */
export function openData({ data, sealed }: StoredOperation, secrets: Secrets): Values {
  const open = Object.entries(sealed?.data ?? {}).map(([property, value]) => [
    property,
    typeof value === 'string' ? secrets.open(value) : null,
  ]);
  return { ...data, ...(Object.fromEntries(open) as Values) };
}

/** The base of an operation with its secrets, which stay encrypted. */
export const fullBase = ({ base, sealed }: StoredOperation): Values | null => base && { ...base, ...sealed?.base };
