import { invalid } from './errors.js';

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The uuid that a path parameter must be, in lower case. @throws ValidationFailed */
export function pathId(parameters: Record<string, string>, name = 'id'): string {
  const value = parameters[name] ?? '';
  if (!UUID_PATTERN.test(value)) throw invalid(name, 'in the path must be a uuid');
  return value.toLowerCase();
}
