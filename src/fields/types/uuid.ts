import { UUID_PATTERN } from '../../http/path-id.js';
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
