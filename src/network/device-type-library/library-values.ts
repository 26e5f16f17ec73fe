import { readBody } from '../../fields/bodies/bodies.js';
import { NO_FIELDS } from '../../fields/custom/defined-fields.js';
import type { Concrete } from '../../fields/field.js';
import type { Fault } from '../../http/errors.js';

/** Keys whose values are numbers. */
const NUMBERS = new Set([
  ...['u_height', 'weight', 'maximum_draw', 'allocated_draw', 'positions', 'rear_port_position'],
]);

/** The null, number or boolean that a text represents for this key. Other values are returned unchanged, and validation checks them. */
export function typed(key: string, value: unknown): unknown {
  if (value === '' || value === '~' || value === 'null') return null;
  if (NUMBERS.has(key)) return typeof value === 'string' && /^\d+(?:\.\d*)?$/.test(value) ? Number(value) : value;
  if (key === 'is_full_depth' || key === 'is_powered' || key === 'mgmt_only') {
    const truth = typeof value === 'string' ? value.toLowerCase() : '';
    return truth === 'true' ? true : truth === 'false' ? false : value;
  }
  return value;
}

export const keysOf = (keys: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([key, property]) => [property, key]));

/** Validates as the API does. Faults have the keys of the document. */
export function readAs<T extends object>(
  body: Concrete<T>,
  values: object,
  keys: Record<string, string>,
  path: string,
  faults: Fault[],
): T {
  const own: Fault[] = [];
  // A null is treated like a missing key.
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  const read = readBody(body, given, '', own, NO_FIELDS);
  faults.push(...own.map((fault) => fault.with({ field: `${path}${keys[fault.field] ?? fault.field}` })));
  return read;
}

/** Whether a stored record differs from a body. */
export const differs = (known: Record<string, unknown>, body: object): boolean =>
  Object.entries(body).some(([property, value]) => value !== undefined && known[property] !== value);
