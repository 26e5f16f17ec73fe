import { Invalid, type FieldOptions, type FieldType } from '../../src/fields/types/field-type.js';
import { valueReader } from '../../src/fields/validation.js';

const readers = new Map<FieldType, Map<string, (value: unknown) => unknown>>();

function read(type: FieldType, value: unknown, options: FieldOptions): unknown {
  let ofType = readers.get(type);
  if (!ofType) readers.set(type, (ofType = new Map()));
  const key = JSON.stringify(options);
  let reader = ofType.get(key);
  if (!reader) ofType.set(key, (reader = valueReader({ ...options, type, nullable: false })));
  return reader(value);
}

/** The stored form of a value. @throws Error with the reason for refusing it */
export function put(type: FieldType, value: unknown, field: FieldOptions = {}): unknown {
  const result = read(type, value, field);
  if (result instanceof Invalid) throw new Error(result.message);
  return result;
}

/** The reason for refusing a value, or undefined. */
export function faultOf(type: FieldType, value: unknown, field: FieldOptions = {}): string | undefined {
  const result = read(type, value, field);
  return result instanceof Invalid ? result.message : undefined;
}
