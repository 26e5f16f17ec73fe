import { IsIn, Matches } from 'class-validator';
import type { FieldType } from './field-type.js';
import { CURRENCIES, WITHDRAWN_CURRENCIES } from './currencies.js';
import { decimal } from './number.js';
import { text } from './text.js';

const PRICE = /^(?:0|[1-9]\d{0,7})(?:\.\d{1,2})?$/;

/** An amount of money, numeric(10,2), in a string with two fractional digits. */
export const price: FieldType = {
  ...decimal,
  column: () => ({ type: 'numeric', precision: 10, scale: 2 }),
  constraints: () => [
    Matches(PRICE, {
      message:
        'must be a decimal number in a string, such as "1200.50", with at most 8 digits before and 2 after the point',
    }),
  ],
  schema: () => ({ type: 'string', pattern: PRICE.source }),
};

const A_CURRENCY = 'must be an ISO 4217 currency code, such as USD';

/**
 * A currency code of ISO 4217. `IsISO4217CurrencyCode` accepts lower case. A withdrawn code is accepted here. It is refused later
 * unless the record already has it.
 */
export const currency: FieldType = {
  ...text,
  constraints: () => [IsIn([...CURRENCIES, ...WITHDRAWN_CURRENCIES], { message: A_CURRENCY })],
  withdrawn: (code) =>
    WITHDRAWN_CURRENCIES.has(code)
      ? `${A_CURRENCY}. ${code} was withdrawn: only a record that has it may keep it`
      : undefined,
  schema: () => ({ type: 'string', format: 'iso-4217', pattern: '^[A-Z]{3}$' }),
};
