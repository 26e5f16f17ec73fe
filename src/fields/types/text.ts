import { someOf } from '../../http/some-of.js';
import { IsIn, IsString, type ValidationOptions } from 'class-validator';
import { EMAIL, isEmailAddress, LONG_LOCAL_PART, MUST_BE_EMAIL } from '../../config/email-address.js';
import { raw as toSql, sql, type Sql } from '../../database/sql.js';
import { TEXT_OPERATORS, type FieldOptions, type FieldType } from './field-type.js';
import { named } from '../../openapi/schema.js';
import { textConstraint } from './own-constraint.js';
import { isBlank, LINE_PATTERN, VISIBLE_LINE_PATTERN, VISIBLE_PATTERN } from './visible.js';

export const MAX_LINE = 255;
export const MAX_TEXT = 65_536;

// A NUL, or a surrogate outside a pair: PostgreSQL cannot store either in a text.
// oxlint-disable-next-line no-control-regex -- NUL is the character to find
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export const MUST_BE_STORABLE = 'must not contain NUL characters or lone surrogates';

export const isStorable = (value: string): boolean => !UNSTORABLE.test(value);

/** The reason why PostgreSQL cannot store a text, or undefined. */
export const unstorable = (value: string): string | undefined => (isStorable(value) ? undefined : MUST_BE_STORABLE);

/** Length in code points, as PostgreSQL's varchar and JSON Schema's maxLength count. */
export function codePoints(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length; i++) if ((value.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

export const IsStorableText = textConstraint('isStorableText', isStorable, MUST_BE_STORABLE);

/** The text has a visible character. `IsNotEmpty` accepts spaces. */
export const IsNotBlank = textConstraint('isNotBlank', (value) => !isBlank(value), 'must not be blank');

/** A single-line text has no line feed, because it would become several lines where it is shown. */
const IsOneLine = textConstraint('isOneLine', (value) => !value.includes('\n'), 'must be one line');

/** `MinLength` and `MaxLength` count a character and its variation selector as one, and PostgreSQL as two. */
export const MinCodePoints = (min: number): PropertyDecorator =>
  textConstraint('minCodePoints', (value) => codePoints(value) >= min, `must be at least ${min} characters long`)();

export const MaxCodePoints = (max: number, options?: ValidationOptions): PropertyDecorator =>
  textConstraint('maxCodePoints', (value) => isNoLonger(value, max), tooLong(max))(options);

// The cheap test comes first: a string has at least as many UTF-16 units as code points.
export const isNoLonger = (value: string, max: number): boolean => value.length <= max || codePoints(value) <= max;

export const tooLong = (max: number): string => `must be at most ${max} characters long`;

/** `IsEmail` accepts addresses that common validators of `format: email` refuse. */
export const IsEmailAddress = textConstraint('isEmailAddress', isEmailAddress, MUST_BE_EMAIL);

export const oneOf = (values: readonly string[]): string => `must be one of ${someOf(values)}`;

/** A filter value that PostgreSQL can compare with a text; undefined if it cannot. */
export const storable = (raw: string): string | undefined => (unstorable(raw) ? undefined : raw);

export const anyText = (): Record<string, unknown> => ({ type: 'string' });

/** The pattern is long, and most records have such a text as their name. */
const VISIBLE_LINE = named(
  { name: 'VisibleLine', description: 'One line of text with a visible character' },
  { type: 'string', minLength: 1, pattern: VISIBLE_LINE_PATTERN, maxLength: MAX_LINE },
);

function patternOf(manyLines: boolean, notBlank: boolean): string | undefined {
  if (!manyLines) return notBlank ? VISIBLE_LINE_PATTERN : LINE_PATTERN;
  return notBlank ? VISIBLE_PATTERN : undefined;
}

/** Text up to `maxLength` characters. */
export const text: FieldType = {
  column: ({ maxLength = MAX_TEXT }) =>
    maxLength <= MAX_LINE ? { type: 'varchar', length: maxLength } : { type: 'text' },
  constraints: ({ maxLength, notBlank, manyLines = maxLength === undefined || maxLength > MAX_LINE }) => [
    IsString({ message: 'must be a string' }),
    ...(notBlank ? [IsNotBlank()] : []),
    ...(maxLength === undefined ? [] : [MaxCodePoints(maxLength)]),
    ...(manyLines ? [] : [IsOneLine()]),
    IsStorableText(),
  ],
  schema: ({ maxLength, notBlank = false, manyLines = maxLength === undefined || maxLength > MAX_LINE }) =>
    notBlank && !manyLines && maxLength === MAX_LINE
      ? VISIBLE_LINE
      : {
          type: 'string',
          ...(notBlank && { minLength: 1 }),
          pattern: patternOf(manyLines, notBlank),
          maxLength,
        },
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

/** Refuses the placeholder that the change log has instead of secrets (`withhold.sql`), because a client may send it back. */
export const IsNotWithheld = textConstraint(
  'isNotWithheld',
  (value) => value !== '(withheld)',
  'must not be (withheld), which the change log shows in place of a secret',
);

/** Text that is stored encrypted. The column has no length limit, because the encrypted text is longer. */
export const secret: FieldType = {
  ...text,
  column: () => ({ type: 'text' }),
  constraints: (field) => [...text.constraints(field), IsNotWithheld()],
};

/** One of a closed set of words. */
export const enumeration: FieldType = {
  ...text,
  column: () => ({ type: 'varchar', length: 32 }),
  constraints: ({ values = [] }) => [IsIn(values, { message: oneOf(values) })],
  schema: ({ values }) => ({ type: 'string', enum: values }),
  filterSchema: ({ values }) => ({ type: 'string', enum: values }),
  parse: (raw, { values = [] }) => (values.includes(raw) ? raw : undefined),
  expects: 'one of the allowed values',
};

/**
 * SQL of an email address in a canonical form. Addresses are ASCII. Lower case of ASCII letters is the same everywhere only in this
 * collation: in Turkish, lower case of I is not i.
 */
const emailKey = (address: Sql): Sql => sql`lower(${address} COLLATE "C")`;

/** Whether a column has an email address. */
export const isEmail = (column: string, address: string | null): Sql =>
  sql`${emailKey(toSql(column))} = ${emailKey(sql`${address}::text`)}`;

/** An email address whose domain has a dot. */
export const email: FieldType = {
  ...text,
  key: (column) => emailKey(toSql(column)).text,
  folded: (address) => address.toLowerCase(),
  constraints: (field) => [...text.constraints(field), IsEmailAddress()],
  schema: ({ maxLength }) => ({
    type: 'string',
    format: 'email',
    pattern: EMAIL.source,
    not: { type: 'string', pattern: LONG_LOCAL_PART.source },
    maxLength,
  }),
};
