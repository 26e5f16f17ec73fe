/** Values of a source can have any shape, for example if the file is damaged. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value of a source is empty. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A list, which a source may store as JSON; undefined if it is not a list. An absent value is an empty list. */
export function listOf(value: unknown): unknown[] | undefined {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value;
  const parsed = typeof value === 'string' ? jsonOf(value) : undefined;
  return Array.isArray(parsed) ? parsed : undefined;
}

/** The value of a JSON text; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a text value; undefined for other values. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '' || typeof value === 'object') return undefined;
  return String(value);
}

/** Whether a value is true, as JSON or as text. */
export const isTrue = (value: unknown): boolean => value === true || String(value).toLowerCase() === 'true';

/** `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
