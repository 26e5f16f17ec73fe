import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { RANGE_OPERATORS, type FieldType } from './field-type.js';
import { ownConstraint, textConstraint } from './own-constraint.js';

const INT4_MAX = 2_147_483_647;
const INT4_MIN = -INT4_MAX - 1;
const INTEGER = /^-?\d{1,10}$/;

// JavaScript has a negative zero, the database does not.
const withoutNegativeZero = ({ value }: { value: unknown }): unknown => (value === 0 ? 0 : value);

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
  parse: (raw) => (INTEGER.test(raw) && Number(raw) <= INT4_MAX && Number(raw) >= INT4_MIN ? Number(raw) : undefined),
  expects: 'a 32-bit integer',
  fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  operators: RANGE_OPERATORS,
};

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number. It is stored in double precision, so it is returned unchanged. */
export const number: FieldType = {
  column: () => ({ type: 'double precision' }),
  constraints({ min = -Number.MAX_VALUE, max = Number.MAX_VALUE }) {
    const message = `must be a number between ${min} and ${max}`;
    // JSON.parse makes Infinity of 1e999, which is a number outside every range.
    const isNumber = IsNumber({ allowInfinity: true }, { message: 'must be a number' });
    return [isNumber, Min(min, { message }), Max(max, { message })];
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

/** A decimal number in a string, returned unchanged. */
export const decimal: FieldType = {
  column: () => ({ type: 'numeric' }),
  constraints: () => [IsDecimalText()],
  schema: decimalSchema,
  filterSchema: decimalSchema,
  sqlType: 'numeric',
  parse: (raw) => (isDecimal(raw) ? raw : undefined),
  expects: 'a decimal number such as 1200.50',
  operators: RANGE_OPERATORS,
  select: (column) => `${column}::text`,
};
