import type { StoredField } from './field.js';
import { Invalid } from './types/field-type.js';

/** The stored form of a value in a request, or an `Invalid` with the reason for refusing it. */
export function readValue(value: unknown, field: StoredField): unknown {
  if (value === undefined) return new Invalid('is required');
  if (value === null) return field.nullable ? value : new Invalid('must not be null');
  return field.type.read(value, field);
}

/** The reason for refusing a value as a list of at least `min` objects, or undefined. */
export function listFault(value: unknown, min: number): string | undefined {
  if (!Array.isArray(value)) return 'must be an array of objects';
  const stranger = value.findIndex((entry) => !isObject(entry));
  if (stranger >= 0) return `must be an array of objects (entry ${stranger} is not one)`;
  return value.length < min ? `must have at least ${min === 1 ? 'one entry' : `${min} entries`}` : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
