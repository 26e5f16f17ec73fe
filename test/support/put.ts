import { Invalid, type FieldOptions, type FieldType } from '../../src/types/field-type.js';

/** What is stored of a value. @throws Error with the reason for refusing it */
export function put(type: FieldType, value: unknown, field: FieldOptions = {}): unknown {
  const result = type.read(value, field);
  if (result instanceof Invalid) throw new Error(result.message);
  return result;
}

/** The reason for refusing a value, or undefined. */
export function faultOf(type: FieldType, value: unknown, field: FieldOptions = {}): string | undefined {
  const result = type.read(value, field);
  return result instanceof Invalid ? result.message : undefined;
}
