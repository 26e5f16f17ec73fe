import { EMAIL, emailFault, LONG_LOCAL_PART } from '../config/email-address.js';
import { checked, TEXT_OPERATORS, type FieldOptions, type FieldType } from './field-type.js';
import { isBlank, VISIBLE_PATTERN } from './visible.js';

export const MAX_LINE = 255;
export const MAX_TEXT = 65_536;

// A NUL, or a surrogate outside a pair: PostgreSQL cannot store either in a text.
// oxlint-disable-next-line no-control-regex -- NUL is the character to find
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The reason why PostgreSQL cannot store a text, or undefined. */
export function unstorable(value: string): string | undefined {
  return UNSTORABLE.test(value) ? 'must not contain NUL characters or lone surrogates' : undefined;
}

/** Length in code points, as PostgreSQL's varchar and JSON Schema's maxLength count. */
export function codePoints(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length; i++) if ((value.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

/** The reason for refusing a value as text, or undefined. */
export function textFault(value: unknown, { maxLength, notBlank }: FieldOptions): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (notBlank && isBlank(value)) return 'must not be blank';
  // The cheap test comes first: a string has at least as many UTF-16 units as code points.
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
    return `must be at most ${maxLength} characters long`;
  }
  return unstorable(value);
}

/** The reason for refusing a value outside a closed set, or undefined. */
export const choiceFault = (value: unknown, values: readonly string[]): string | undefined =>
  typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

/** A filter value that PostgreSQL can compare with a text; undefined if it cannot. */
export const storable = (raw: string): string | undefined => (unstorable(raw) ? undefined : raw);

export const anyText = (): Record<string, unknown> => ({ type: 'string' });

/** Text up to `maxLength` characters. */
export const text: FieldType = {
  column: ({ maxLength = MAX_TEXT }) =>
    maxLength <= MAX_LINE ? { type: 'varchar', length: maxLength } : { type: 'text' },
  read: checked(textFault),
  schema: ({ maxLength, notBlank }) => ({
    type: 'string',
    ...(notBlank && { minLength: 1, pattern: VISIBLE_PATTERN }),
    maxLength,
  }),
  filterSchema: anyText,
  sqlType: 'text',
  parse: storable,
  expects: 'text without NUL characters or lone surrogates',
  operators: TEXT_OPERATORS,
  // Code point order does not depend on the locale of the database.
  sortKeys: (column) => [`${column} COLLATE "C"`],
  // Equality is the same in every collation, and the index is in this one.
  compared: (column) => `${column} COLLATE "C"`,
};

/** Whether a field is a text of one line. */
export const isLine = ({ type, maxLength = MAX_TEXT }: FieldOptions & { type: FieldType }): boolean =>
  type.sqlType === 'text' && maxLength <= MAX_LINE;

/** Text that is stored encrypted. The column has no length limit, because the encrypted text is longer. */
export const secret: FieldType = { ...text, column: () => ({ type: 'text' }) };

/** One of a closed set of words. */
export const enumeration: FieldType = {
  ...text,
  column: () => ({ type: 'varchar', length: 32 }),
  read: checked((value, { values = [] }) => choiceFault(value, values)),
  schema: ({ values }) => ({ type: 'string', enum: values }),
  filterSchema: ({ values }) => ({ type: 'string', enum: values }),
  parse: (raw, { values = [] }) => (values.includes(raw) ? raw : undefined),
  expects: 'one of the allowed values',
};

/** An email address whose domain has a dot. */
export const email: FieldType = {
  ...text,
  key: (column) => `lower(${column})`,
  folded: (address) => address.toLowerCase(),
  read: checked((value, field) => textFault(value, field) ?? emailFault(value as string)),
  schema: ({ maxLength }) => ({
    type: 'string',
    format: 'email',
    pattern: EMAIL.source,
    not: { type: 'string', pattern: LONG_LOCAL_PART.source },
    maxLength,
  }),
};
