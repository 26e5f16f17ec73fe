import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { integerIn } from '../../config/integer.js';
import { RANGE_OPERATORS, type FieldType } from './field-type.js';
import { ownConstraint, textConstraint } from './own-constraint.js';

const INT4_MAX = 2_147_483_647;
const INT4_MIN = -INT4_MAX - 1;

// JavaScript has a negative zero, the database does not.
const withoutNegativeZero = (value: unknown): unknown => (value === 0 ? 0 : value);

/** A 32-bit integer. */
export const integer: FieldType = {
  column: () => ({ type: 'integer' }),
  constraints({ min = INT4_MIN, max = INT4_MAX }) {
    const message = `must be an integer between ${min} and ${max}`;
    return [IsInt({ message: 'must be an integer' }), Min(min, { message }), Max(max, { message })];
  },
  transform: withoutNegativeZero,
  schema: ({ min = INT4_MIN, max = INT4_MAX }) => ({ type: 'integer', format: 'int32', minimum: min, maximum: max }),
  sqlType: 'integer',
  parse: (raw) => integerIn(raw, INT4_MIN, INT4_MAX),
  expects: 'a 32-bit integer',
  fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  operators: RANGE_OPERATORS,
};

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number. It is stored in double precision, so it is returned unchanged. */
export const number: FieldType = {
  column: () => ({ type: 'double precision' }),
  constraints({ min, max }) {
    const isBetween = min !== undefined && max !== undefined;
    const message = isBetween ? `must be a number between ${min} and ${max}` : undefined;
    // JSON.parse makes Infinity of 1e999, which is a number outside every range.
    return [
      IsNumber({ allowInfinity: true }, { message: 'must be a number' }),
      Min(min ?? -Number.MAX_VALUE, { message: message ?? `must be at least ${min ?? -Number.MAX_VALUE}` }),
      Max(max ?? Number.MAX_VALUE, { message: message ?? `must be at most ${max ?? Number.MAX_VALUE}` }),
    ];
  },
  transform: withoutNegativeZero,
  schema: ({ min, max }) => ({ type: 'number', format: 'double', minimum: min, maximum: max }),
  sqlType: 'double precision',
  parse: (raw) => (NUMBER.test(raw) && Number.isFinite(Number(raw)) ? Number(raw) : undefined),
  expects: 'a number',
  fromText: (text) => (NUMBER.test(text) ? Number(text) : text),
  operators: RANGE_OPERATORS,
};

// PostgreSQL's numeric drops leading zeros and the sign of zero, so these are refused. There is no lookahead because the
// regular expressions of Go and Rust, whose clients read the pattern in the document, do not support it.
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,10})?$/;
/** Most digits after the point. */
const MAX_FRACTION = 10;
const NEGATIVE_ZERO = /^-0(?:\.0+)?$/;
const isDecimal = (value: string): boolean => DECIMAL.test(value) && !NEGATIVE_ZERO.test(value);

const decimalSchema = (): Record<string, unknown> => ({
  type: 'string',
  pattern: DECIMAL.source,
  not: { type: 'string', pattern: NEGATIVE_ZERO.source },
});

/** `IsDecimal` accepts leading zeros and plus signs. */
export const IsDecimalText = textConstraint(
  'isDecimalText',
  isDecimal,
  'must be a decimal number in a string, such as "1200.50", with at most 20 digits before and 10 after the point',
);

/** `IsDivisibleBy` knows whole divisors only. */
export const IsMultipleOf = (divisor: number): PropertyDecorator =>
  ownConstraint(
    'isMultipleOf',
    (value) => typeof value === 'number' && Number.isInteger(value / divisor),
    `must be a multiple of ${divisor}`,
  )();

/** A decimal number without the zeros that do not change it; undefined for any other text. */
function plainDecimal(text: string): string | undefined {
  const [, sign, given, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (given === undefined) return undefined;
  let [start, end] = [0, fraction.length];
  while (start < given.length - 1 && given[start] === '0') start++;
  while (fraction[end - 1] === '0') end--;
  const whole = given.slice(start);
  const digits = end > 0 ? `${whole}.${fraction.slice(0, end)}` : whole;
  return digits === '0' ? digits : `${sign}${digits}`;
}

/** A decimal as a whole number of its smallest fractional digits. */
function scaled(value: string): bigint {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(MAX_FRACTION, '0'));
}

/** Compares decimals by their values: 1.5 and 1.50 are equal. */
export function compareDecimals(a: string, b: string): number {
  const difference = scaled(a) - scaled(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A decimal number in a string, returned unchanged. */
export const decimal: FieldType = {
  column: () => ({ type: 'numeric' }),
  constraints: () => [IsDecimalText()],
  schema: decimalSchema,
  filterSchema: decimalSchema,
  sqlType: 'numeric',
  parse: (raw) => (isDecimal(raw) ? raw : undefined),
  normal: plainDecimal,
  expects: 'a decimal number such as 1200.50',
  operators: RANGE_OPERATORS,
  select: (column) => `${column}::text`,
};
