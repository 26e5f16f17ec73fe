import { UUID_PATTERN } from '../http/path-id.js';
import { Invalid, type FieldType } from './field-type.js';

/** A UUID, stored in lower case. */
export const uuid: FieldType = {
  column: () => ({ type: 'uuid' }),
  read: (value) =>
    typeof value === 'string' && UUID_PATTERN.test(value) ? value.toLowerCase() : new Invalid('must be a uuid'),
  schema: () => ({ type: 'string', format: 'uuid' }),
  sqlType: 'uuid',
  parse: (raw) => (UUID_PATTERN.test(raw) ? raw.toLowerCase() : undefined),
  expects: 'a uuid',
  operators: [],
};

const MAX_ENTRIES = 1000;

/** A list of UUIDs, at least one. */
export const uuids: FieldType = {
  column: () => ({ type: 'uuid', array: true }),
  read(value) {
    if (!Array.isArray(value) || value.length === 0) return new Invalid('must be an array of at least one uuid');
    if (value.length > MAX_ENTRIES) return new Invalid(`must have at most ${MAX_ENTRIES} entries`);
    const stranger = value.findIndex((entry) => typeof entry !== 'string' || !UUID_PATTERN.test(entry));
    if (stranger >= 0) return new Invalid(`must be an array of uuids (entry ${stranger} is not one)`);
    return (value as string[]).map((entry) => entry.toLowerCase());
  },
  schema: () => ({
    type: 'array',
    minItems: 1,
    maxItems: MAX_ENTRIES,
    items: { type: 'string', format: 'uuid' },
  }),
  sqlType: 'uuid[]',
  parse: () => undefined,
  expects: 'uuids',
  operators: [],
};
