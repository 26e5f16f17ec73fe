import { Fault } from '../../http/errors.js';
import { isObject } from '../../http/json-body.js';
import type { StoredField } from '../field.js';
import { Invalid } from '../types/field-type.js';
import { addUnknown, readValue } from '../validation.js';
import { CUSTOM } from './custom-field.js';

/** Values of custom fields by key, in their stored form; null clears a value. */
export type CustomValues = Record<string, unknown>;

const MAX_UNKNOWN = 100;

/**
 * Reads the values of custom fields in a body.
 * @param given the values; undefined if there are none
 * @param isNew whether the body makes a record, so that required values must be present
 * @param path of the body, with a trailing dot
 * @param faults to which the faults are added
 */
export function readCustomValues(
  fields: readonly StoredField[],
  given: unknown,
  isNew: boolean,
  path: string,
  faults: Fault[],
): CustomValues | undefined {
  if (given !== undefined && !isObject(given)) {
    faults.push(new Fault(path + CUSTOM, 'must be an object'));
    return undefined;
  }
  const values: CustomValues = {};
  const byKey = new Map(fields.map((field) => [keyOf(field), field]));
  for (const [key, value] of Object.entries(given ?? {})) {
    const field = byKey.get(key);
    if (field) values[key] = read(field, value, path, faults);
    else if (faults.length < MAX_UNKNOWN) addUnknown(key, byKey.keys(), `${path}${CUSTOM}.`, faults);
  }
  for (const [key, { property, custom }] of byKey) {
    const { required, default: fallback } = custom!.definition;
    if (!required || faults.some(({ field }) => field === path + property || field.startsWith(`${path}${property}[`)))
      continue;
    const isCleared = Object.hasOwn(values, key) && values[key] === null;
    const isMissing = isNew && !Object.hasOwn(values, key) && fallback === null;
    if (isCleared || isMissing) {
      faults.push(new Fault(path + property, isCleared ? 'must not be null' : 'is required', 'required'));
    }
  }
  return given === undefined ? undefined : values;
}

export const keyOf = ({ property }: StoredField): string => property.slice(CUSTOM.length + 1);

/** The stored form of a value. Null and an empty list count as no value. */
function read(field: StoredField, value: unknown, path: string, faults: Fault[]): unknown {
  if (value === null) return null;
  const stored = readValue(value, field);
  if (stored instanceof Invalid) {
    faults.push(new Fault(path + field.property + stored.entry, stored.message, stored.code));
    return undefined;
  }
  return Array.isArray(stored) && stored.length === 0 ? null : stored;
}

/** Values by the names under which the column stores them. */
export function storedValues(fields: readonly StoredField[], values: CustomValues): Record<string, unknown> {
  const names = new Map(fields.map((field) => [keyOf(field), field.custom!.definition.storedAs]));
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [names.get(key)!, value]));
}
