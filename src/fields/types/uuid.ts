import { ArrayMaxSize, ArrayNotEmpty, IsArray, isUUID, IsUUID } from 'class-validator';
import { UUID_PATTERN } from '../../http/path-id.js';
import type { FieldType } from './field-type.js';
import { eachEntry } from './own-constraint.js';

// Any digits in the form of a UUID, as PostgreSQL's type accepts them.
const ANY = 'loose';

const lowerCase = (value: unknown): unknown => (isUUID(value, ANY) ? (value as string).toLowerCase() : value);

/** A UUID, stored in lower case. */
export const uuid = {
  column: () => ({ type: 'uuid' }),
  constraints: () => [IsUUID(ANY, { message: 'must be a uuid' })],
  transform: lowerCase,
  schema: () => ({ type: 'string', format: 'uuid' }),
  sqlType: 'uuid',
  parse: (raw) => (UUID_PATTERN.test(raw) ? raw.toLowerCase() : undefined),
  expects: 'a uuid',
  operators: [],
} satisfies FieldType;

const MAX_ENTRIES = 1000;

/** A list of UUIDs, at least one. */
export const uuids: FieldType = {
  column: () => ({ type: 'uuid', array: true }),
  constraints: () => [
    IsArray({ message: 'must be an array of at least one uuid' }),
    ArrayNotEmpty({ message: 'must be an array of at least one uuid' }),
    ArrayMaxSize(MAX_ENTRIES, { message: `must have at most ${MAX_ENTRIES} entries` }),
    IsUUID(
      ANY,
      eachEntry('must be a uuid', (entry) => isUUID(entry, ANY)),
    ),
  ],
  transform: (value) => (Array.isArray(value) ? value.map(lowerCase) : value),
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
