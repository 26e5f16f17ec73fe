import { put } from '../../../test/support/put.js';
import { currency, price } from './money.js';

describe('price', () => {
  it.each(['0', '1200', '1200.5', '1200.50', '99999999.99'])('takes %p', (value) =>
    expect(put(price, value)).toBe(value),
  );
  it.each(['100000000', '1.005', '-1', '1e2', '', 12.5])('refuses %p', (value) =>
    expect(() => put(price, value)).toThrow(),
  );
});

describe('currency', () => {
  it.each(['usd', 'XYZ', 'US', 840])('refuses %p as a currency', (value) =>
    expect(() => put(currency, value)).toThrow(),
  );
  it.each(['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED', 'XAD', 'XUA', 'XCG', 'ZWG'])(
    'takes %s, which not every ICU has',
    (code) => {
      expect(put(currency, code)).toBe(code);
      expect(currency.withdrawn!(code)).toBeUndefined();
    },
  );
  it.each(['HRK', 'ZWL', 'DEM'])('says that %s was withdrawn', (code) =>
    expect(currency.withdrawn!(code)).toBe(
      `must be an ISO 4217 currency code, such as USD. ${code} was withdrawn: only a record that has it may keep it`,
    ),
  );
  it('knows the usual currencies', () => {
    for (const code of ['USD', 'EUR', 'CHF', 'JPY']) expect(put(currency, code)).toBe(code);
  });
});
