import { TypedField, type Options } from '../fields/fields.js';
import { checked, type FieldType } from '../types/field-type.js';
import { decimal } from '../types/number.js';
import { text } from '../types/text.js';

const PRICE = /^(?:0|[1-9]\d{0,7})(?:\.\d{1,2})?$/;

/** An amount of money, numeric(10,2), in a string with two fractional digits. */
export const price: FieldType = {
  ...decimal,
  column: () => ({ type: 'numeric', precision: 10, scale: 2 }),
  read: checked((value) =>
    typeof value === 'string' && PRICE.test(value)
      ? undefined
      : 'must be a decimal number in a string, such as "1200.50", with at most 8 digits before and 2 after the point',
  ),
  schema: () => ({ type: 'string', pattern: PRICE.source }),
};

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** A currency code of ISO 4217. */
export const currency: FieldType = {
  ...text,
  read: checked((value) =>
    typeof value === 'string' && CURRENCIES.has(value) ? undefined : 'must be an ISO 4217 currency code, such as USD',
  ),
  schema: () => ({ type: 'string', format: 'iso-4217', pattern: '^[A-Z]{3}$' }),
};

/** An amount of money. */
export const PriceField = (description: string, options: Options = {}) =>
  TypedField(price, description, { example: '1200.50', ...options });

/** A currency code, `USD` by default. */
export const CurrencyField = (description = 'Currency, an ISO 4217 code', options: Options = {}) =>
  TypedField(currency, description, { maxLength: 3, default: 'USD', example: 'USD', ...options });
