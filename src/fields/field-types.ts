import { isIP } from 'node:net';
import type { ColumnOptions } from 'typeorm';
import { EMAIL, emailFault, LONG_LOCAL_PART } from '../config/email-address.js';
import { UUID_PATTERN } from '../http/path-id.js';

/**
 * The types a field of a record can have. Each says, once, how a value is stored, checked, normalised, documented,
 * filtered and turned into JSON; everything else in the kernel reads it from here.
 */
export interface FieldType {
  /** Column type for TypeORM. */
  column(field: FieldOptions): ColumnOptions;
  /** What is wrong with a JSON value, as the end of a sentence that starts with the field's name; undefined when nothing. */
  check(value: unknown, field: FieldOptions): string | undefined;
  /** The form that is stored and answered, of a value that passed `check`. */
  normalise?(value: never): unknown;
  /** JSON schema without description, example and nullability. */
  schema(field: FieldOptions): Record<string, unknown>;
  /** The same of a value in a request, where it may be written in more ways than it is answered. */
  requestSchema?(field: FieldOptions): Record<string, unknown>;
  /** The same of one value of a filter, where more can be asked for than can be stored. */
  filterSchema?(field: FieldOptions): Record<string, unknown>;
  /** PostgreSQL type that a filter's parameter is cast to. */
  sqlType: string;
  /** Value of a filter in a query string; undefined when it is not one. */
  parse(raw: string, field: FieldOptions): unknown;
  /** What `parse` expects, for the refusal: "must be …". */
  expects: string;
  /** Filter operators besides equality, `__n` and `__empty`. */
  operators: readonly RangeOrTextOperator[];
  /** SQL that gives the JSON value of a column; the column itself when absent. */
  select?(column: string): string;
  /** SQL sort keys of a column; the column itself when absent. */
  sortKeys?(column: string): string[];
  /** SQL of a column as filters compare it with a value; the column itself when absent. */
  compared?(column: string): string;
  /** SQL text of a column that the text operators match; the column itself when absent. */
  text?(column: string): string;
}

export type RangeOrTextOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'ic' | 'isw' | 'ie';

/** In a schema, the name under which it stands among the schemas of the OpenAPI document. */
export const SCHEMA_NAME = 'x-schema-name';

export interface FieldOptions {
  /** Longest text, in characters (code points). */
  maxLength?: number;
  min?: number;
  max?: number;
  /** Closed set of values, with the name of its schema in the OpenAPI document. */
  values?: readonly string[];
  enumName?: string;
  notBlank?: boolean;
}

export const MAX_LINE = 255;
export const MAX_TEXT = 65_536;
const INT4_MAX = 2_147_483_647;
const RANGE = ['gte', 'lte', 'gt', 'lt'] as const;
const TEXT = ['ic', 'isw', 'ie'] as const;

// A surrogate that is not half of a pair: PostgreSQL stores UTF-8, which cannot hold it.
// oxlint-disable-next-line no-control-regex -- NUL is the very character that has to be found
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** What PostgreSQL cannot store in a text, or undefined. */
export function unstorable(value: string): string | undefined {
  return UNSTORABLE.test(value) ? 'must not contain NUL characters or lone surrogates' : undefined;
}

/** Length in code points, which is what PostgreSQL's varchar and JSON Schema's maxLength count. */
export function codePoints(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length; i++) if ((value.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

/**
 * Code points that show nothing: white space, controls, what Unicode lets a reader ignore (soft hyphen, zero widths,
 * Hangul fillers, variation selectors) and the blank of Braille. First and last of each range.
 */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];
// Not in the document: a regular expression without Unicode mode takes each of these for two characters.
const INVISIBLE_SUPPLEMENTARY: typeof INVISIBLE = [
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** A regular expression, as ECMA-262 and JSON Schema have it, of a text in which one character at least is none of these. */
function visiblePattern(ranges: typeof INVISIBLE): string {
  const hex = (code: number): string => code.toString(16).toUpperCase();
  const written = (code: number): string => (code <= 0xffff ? `\\u${hex(code).padStart(4, '0')}` : `\\u{${hex(code)}}`);
  const classes = ranges.map(([first, last]) =>
    first === last ? written(first) : `${written(first)}-${written(last)}`,
  );
  return `[^${classes.join('')}]`;
}

/** In the document, what a text is that is not blank. */
export const VISIBLE_PATTERN = visiblePattern(INVISIBLE);
const VISIBLE = new RegExp(visiblePattern([...INVISIBLE, ...INVISIBLE_SUPPLEMENTARY]), 'u');

function checkString(value: unknown, { maxLength, notBlank }: FieldOptions): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (notBlank && !VISIBLE.test(value)) return 'must not be blank';
  // The cheap test first: a string has at least as many UTF-16 units as characters.
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
    return `must be at most ${maxLength} characters long`;
  }
  return unstorable(value);
}

const storable = (raw: string): string | undefined => (unstorable(raw) ? undefined : raw);

const anyText = (): Record<string, unknown> => ({ type: 'string' });

/** Text up to `maxLength` characters. */
export const text: FieldType = {
  column: ({ maxLength = MAX_TEXT }) =>
    maxLength <= MAX_LINE ? { type: 'varchar', length: maxLength } : { type: 'text' },
  check: checkString,
  schema: ({ maxLength, notBlank }) => ({
    type: 'string',
    ...(notBlank && { minLength: 1, pattern: VISIBLE_PATTERN }),
    maxLength,
  }),
  filterSchema: anyText,
  sqlType: 'text',
  parse: storable,
  expects: 'text without NUL characters or lone surrogates',
  operators: TEXT,
  // Code point order, whatever the locale of the database, so that both databases agree.
  sortKeys: (column) => [`${column} COLLATE "C"`],
  // The same texts are equal in every collation; in this one an index finds them.
  compared: (column) => `${column} COLLATE "C"`,
};

/** Whether a field is a text of one line. */
export const isLine = ({ type, maxLength = MAX_TEXT }: FieldOptions & { type: FieldType }): boolean =>
  type.sqlType === 'text' && maxLength <= MAX_LINE;

/** Text that is stored encrypted, and so longer than it was given. */
export const secret: FieldType = { ...text, column: () => ({ type: 'text' }) };

/** One of a closed set of words. */
export const enumeration: FieldType = {
  ...text,
  column: () => ({ type: 'varchar', length: 32 }),
  check: (value, { values = [] }) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`,
  schema: ({ values }) => ({ type: 'string', enum: values }),
  filterSchema: ({ values }) => ({ type: 'string', enum: values }),
  parse: (raw, { values = [] }) => (values.includes(raw) ? raw : undefined),
  expects: 'one of the allowed values',
};

/** An email address, with a domain that has a dot. */
export const email: FieldType = {
  ...text,
  check: (value, field) => checkString(value, field) ?? emailFault(value as string),
  schema: ({ maxLength }) => ({
    type: 'string',
    format: 'email',
    pattern: EMAIL.source,
    not: { type: 'string', pattern: LONG_LOCAL_PART.source },
    maxLength,
  }),
};

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** A currency code of ISO 4217. */
export const currency: FieldType = {
  ...text,
  check: (value) =>
    typeof value === 'string' && CURRENCIES.has(value) ? undefined : 'must be an ISO 4217 currency code, such as USD',
  schema: () => ({ type: 'string', format: 'iso-4217', pattern: '^[A-Z]{3}$' }),
};

export const uuid: FieldType = {
  column: () => ({ type: 'uuid' }),
  check: (value) => (typeof value === 'string' && UUID_PATTERN.test(value) ? undefined : 'must be a uuid'),
  normalise: (value: string) => value.toLowerCase(),
  schema: () => ({ type: 'string', format: 'uuid' }),
  sqlType: 'uuid',
  parse: (raw) => (UUID_PATTERN.test(raw) ? raw.toLowerCase() : undefined),
  expects: 'a uuid',
  operators: [],
};

const INTEGER = /^-?\d{1,10}$/;

export const integer: FieldType = {
  column: () => ({ type: 'integer' }),
  check(value, { min = -INT4_MAX - 1, max = INT4_MAX }) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be an integer';
    return value < min || value > max ? `must be an integer between ${min} and ${max}` : undefined;
  },
  // -0 is an integer for JavaScript, but the database has one zero only.
  normalise: (value: number) => value + 0,
  schema: ({ min = -INT4_MAX - 1, max = INT4_MAX }) => ({
    type: 'integer',
    format: 'int32',
    minimum: min,
    maximum: max,
  }),
  sqlType: 'integer',
  parse: (raw) =>
    INTEGER.test(raw) && Number(raw) <= INT4_MAX && Number(raw) >= -INT4_MAX - 1 ? Number(raw) : undefined,
  expects: 'a 32-bit integer',
  operators: RANGE,
};

/** Version of the Internet Protocol. */
export const ipFamily: FieldType = {
  ...integer,
  check: (value) => (value === 4 || value === 6 ? undefined : 'must be 4 or 6'),
  schema: () => ({ type: 'integer', format: 'int32', enum: [4, 6], [SCHEMA_NAME]: 'IpFamily' }),
  parse: (raw) => (raw === '4' || raw === '6' ? Number(raw) : undefined),
  expects: '4 or 6',
};

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number, stored in double precision and so answered as it was given. */
export const number: FieldType = {
  column: () => ({ type: 'double precision' }),
  check(value, { min = -Infinity, max = Infinity }) {
    if (typeof value !== 'number') return 'must be a number';
    return value < min || value > max ? `must be a number between ${min} and ${max}` : undefined;
  },
  normalise: (value: number) => value + 0,
  schema: ({ min, max }) => ({ type: 'number', format: 'double', minimum: min, maximum: max }),
  sqlType: 'double precision',
  parse: (raw) => (NUMBER.test(raw) && Number.isFinite(Number(raw)) ? Number(raw) : undefined),
  expects: 'a number',
  operators: RANGE,
};

/** Rack units: NetBox's heights and positions, in halves. */
export const halves: FieldType = {
  ...number,
  check: (value, field) =>
    number.check(value, field) ?? (Number.isInteger((value as number) * 2) ? undefined : 'must be a multiple of 0.5'),
  schema: (field) => ({ ...number.schema(field), multipleOf: 0.5 }),
};

// Without leading zeros and without a negative zero, so that PostgreSQL's numeric gives back what was written. No lookahead: clients in Go and Rust
// read the pattern in the document, and their regular expressions have none.
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,10})?$/;
const NEGATIVE_ZERO = /^-0(?:\.0+)?$/;
const isDecimal = (value: string): boolean => DECIMAL.test(value) && !NEGATIVE_ZERO.test(value);
const PRICE = /^(?:0|[1-9]\d{0,7})(?:\.\d{1,2})?$/;

const decimalSchema = (): Record<string, unknown> => ({
  type: 'string',
  pattern: DECIMAL.source,
  not: { type: 'string', pattern: NEGATIVE_ZERO.source },
});

/** A decimal number carried as a string, answered exactly as it was written. */
export const decimal: FieldType = {
  column: () => ({ type: 'numeric' }),
  check: (value) =>
    typeof value === 'string' && isDecimal(value)
      ? undefined
      : 'must be a decimal number in a string, such as "1200.50", with at most 20 digits before and 10 after the point',
  schema: decimalSchema,
  filterSchema: decimalSchema,
  sqlType: 'numeric',
  parse: (raw) => (isDecimal(raw) ? raw : undefined),
  expects: 'a decimal number such as 1200.50',
  operators: RANGE,
  select: (column) => `${column}::text`,
};

/** An amount of money, numeric(10,2), carried as a string with two fractional digits. */
export const price: FieldType = {
  ...decimal,
  column: () => ({ type: 'numeric', precision: 10, scale: 2 }),
  check: (value) =>
    typeof value === 'string' && PRICE.test(value)
      ? undefined
      : 'must be a decimal number in a string, such as "1200.50", with at most 8 digits before and 2 after the point',
  schema: () => ({ type: 'string', pattern: PRICE.source }),
};

export const boolean: FieldType = {
  column: () => ({ type: 'boolean' }),
  check: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  schema: () => ({ type: 'boolean' }),
  sqlType: 'boolean',
  parse: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
  expects: 'true or false',
  operators: [],
};

// Calendar dates of the years 1 to 9999, and no other: so the document, which has the same expression, promises nothing that
// is refused. No lookahead, as in DECIMAL.
const YEAR = String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`;
const LEAP_YEAR = String.raw`(?:\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`;
const DAY = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const DATE = `${YEAR}-${DAY}|${LEAP_YEAR}-02-29`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?`;
const OFFSET = String.raw`[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;
const DATE_OR_TIME = new RegExp(`^(${DATE})(?:[Tt]${TIME}(${OFFSET})?)?$`);

/**
 * RFC 3339 UTC with milliseconds of an ISO 8601 date-time or date; a time without an offset is UTC, a date its midnight.
 * Undefined when it is neither, or not within the years 1 to 9999.
 */
export function toTimestamp(value: string): string | undefined {
  const match = DATE_OR_TIME.exec(value);
  if (!match) return undefined;
  const [, date, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const zone = /^[Zz]$/.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.length > 3 ? offset.slice(-2) : '00'}`;
  const instant = new Date(`${date}T${hour}:${minute}:${second}.${millis}${zone}`);
  const year = instant.getUTCFullYear();
  return Number.isNaN(instant.getTime()) || year < 1 || year > 9999 ? undefined : instant.toISOString();
}

/** `YYYY-MM-DD` of a date, or of a date-time as it is written; undefined when it is neither. */
export const toDate = (value: string): string | undefined =>
  toTimestamp(value) === undefined ? undefined : value.slice(0, 10);

/** Schema of a time in a request. */
export const timeInRequest = (): Record<string, unknown> => ({
  type: 'string',
  pattern: DATE_OR_TIME.source,
  [SCHEMA_NAME]: 'Timestamp',
});

/** An instant: RFC 3339 UTC with milliseconds. */
export const timestamp: FieldType = {
  column: () => ({ type: 'timestamp with time zone', precision: 3 }),
  check: (value) =>
    typeof value === 'string' && toTimestamp(value) !== undefined
      ? undefined
      : 'must be an ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date',
  normalise: toTimestamp,
  schema: () => ({ type: 'string', format: 'date-time' }),
  requestSchema: timeInRequest,
  sqlType: 'timestamptz',
  parse: toTimestamp,
  expects: 'an ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date',
  operators: RANGE,
  select: (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

export const date: FieldType = {
  column: () => ({ type: 'date' }),
  check: (value) =>
    typeof value === 'string' && toDate(value) !== undefined ? undefined : 'must be a date, such as 2026-03-01',
  normalise: toDate,
  schema: () => ({ type: 'string', format: 'date' }),
  requestSchema: () => ({ ...timeInRequest(), [SCHEMA_NAME]: 'CalendarDate' }),
  sqlType: 'date',
  parse: toDate,
  expects: 'a date, such as 2026-03-01',
  operators: RANGE,
};

/** A list of texts, each of a closed set where `values` are given. */
export const strings: FieldType = {
  column: () => ({ type: 'text', array: true }),
  check(value, { values, maxLength = MAX_LINE }) {
    if (!Array.isArray(value)) return 'must be an array of strings';
    if (value.length > 1000) return 'must have at most 1000 entries';
    for (const [index, entry] of value.entries()) {
      const fault = values ? enumeration.check(entry, { values }) : checkString(entry, { maxLength });
      if (fault) return `${fault} (entry ${index})`;
    }
    return undefined;
  },
  schema: ({ values, maxLength = MAX_LINE }) => ({
    type: 'array',
    maxItems: 1000,
    items: values ? { type: 'string', enum: values } : { type: 'string', maxLength },
  }),
  filterSchema: ({ values }) => (values ? { type: 'string', enum: values } : anyText()),
  sqlType: 'text',
  parse: (raw, { values }) => (values && !values.includes(raw) ? undefined : storable(raw)),
  expects: 'one of the allowed values',
  operators: [],
};

/** Address and prefix length of `10.0.0.1/24` or `2001:db8::1/64`; undefined when it is not one. */
export function parseAddress(value: string): { family: 4 | 6; host: string; prefix: number } | undefined {
  const slash = value.indexOf('/');
  const host = value.slice(0, slash);
  const prefix = value.slice(slash + 1);
  const family = slash > 0 && /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? isIP(host) : 0;
  // isIP takes zones (fe80::1%eth0), which mean something on one host only.
  if (family === 0 || host.includes('%') || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  return { family: family as 4 | 6, host, prefix: Number(prefix) };
}

/** An IP address with its prefix length. */
export const address: FieldType = {
  column: () => ({ type: 'inet' }),
  check: (value) =>
    typeof value === 'string' && parseAddress(value)
      ? undefined
      : 'must be an IPv4 or IPv6 address with prefix length, such as 10.0.0.1/24 or 2001:db8::1/64',
  schema: () => ({ type: 'string', format: 'cidr' }),
  sqlType: 'inet',
  parse: (raw) => (parseAddress(raw) ? raw : undefined),
  expects: 'an IPv4 or IPv6 address with prefix length, such as 10.0.0.1/24 or 2001:db8::1/64',
  operators: TEXT,
  select: (column) => `${column}::text`,
  // As addresses: PostgreSQL's own order of inet puts the shorter prefix first even when its host is the higher one.
  sortKeys: (column) => [
    `set_masklen(${column}, CASE family(${column}) WHEN 4 THEN 32 ELSE 128 END)`,
    `masklen(${column})`,
  ],
  text: (column) => `${column}::text`,
};
