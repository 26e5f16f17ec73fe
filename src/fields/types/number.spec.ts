import { put } from '../../../test/support/put.js';
import { decimal, integer, number } from './number.js';

describe('integer', () => {
  it.each([0, -0, 1, -2_147_483_648, 2_147_483_647, 1e3])('takes %p', (value) =>
    expect(put(integer, value)).toBe(value + 0),
  );
  it.each([2_147_483_648, -2_147_483_649, 1.5, Number.NaN, Infinity, '5', true, 1e300])('refuses %p', (value) =>
    expect(() => put(integer, value)).toThrow(),
  );
  it('keeps to the range of its field', () => {
    expect(put(integer, 0, { min: 0 })).toBe(0);
    expect(() => put(integer, -1, { min: 0 })).toThrow('between 0 and 2147483647');
  });
  it.each([
    ['5', 5],
    ['-5', -5],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
    ['2147483648', undefined],
    ['-2147483649', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['+1', undefined],
    [' 1', undefined],
    ['0x10', undefined],
    ['99999999999', undefined],
  ])('of the query %p is %p', (raw, value) => expect(integer.parse(raw, {})).toBe(value));
});

describe('number', () => {
  it.each([0, -90, 90, 52.3563, 1e-7])('takes %p', (value) =>
    expect(put(number, value, { min: -90, max: 90 })).toBe(value),
  );
  it.each([90.1, -91, '1', true])('refuses %p', (value) =>
    expect(() => put(number, value, { min: -90, max: 90 })).toThrow(),
  );
  it('names the bound that its field has', () => {
    expect(() => put(number, 91, { min: -90, max: 90 })).toThrow('must be a number between -90 and 90');
    expect(() => put(number, -1, { min: 0 })).toThrow('must be at least 0');
    expect(() => put(number, Infinity, { min: 0 })).toThrow('must be at most 1.7976931348623157e+308');
  });
});

describe('decimal', () => {
  it.each(['0', '1200', '1200.50', '-3.10', '0.0000000001', '12345678901234567890', '0.00'])(
    'takes %p as written',
    (value) => expect(put(decimal, value)).toBe(value),
  );
  it.each([
    ...['', '1,200', '1e3', '.5', '5.', '+1', '00', '01', '-0', '-0.00', ' 1', '1 ', 'NaN', 'Infinity', '1\n'],
    ...['123456789012345678901', '0.12345678901'],
    1200,
  ])('refuses %p', (value) => expect(() => put(decimal, value)).toThrow());
});
