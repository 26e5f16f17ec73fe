import { sumOf, typedNumber } from './numbers.js';

it.each([
  ['12', true, 12],
  [' -3 ', true, -3],
  ['0x10', true, '0x10'],
  ['1e3', true, '1e3'],
  ['1.5', true, '1.5'],
  ['9007199254740993', true, '9007199254740993'],
  ['', true, null],
  ['5.05', false, 5.05],
  ['.5', false, 0.5],
  ['1e3', false, '1e3'],
  ['5,05', false, '5,05'],
])('%j as a number, whole: %j', (text, whole, expected) => {
  expect(typedNumber(text, whole)).toBe(expected);
});

it.each([
  [['0.10', '0.20'], '0.30'],
  [['1', '0.005'], '1.005'],
  [['-0.05', '0.02'], '-0.03'],
  [['90071992547409.93', '0.01'], '90071992547409.94'],
  [[], '0'],
])('the sum of %j is %s', (amounts, sum) => {
  expect(sumOf(amounts)).toBe(sum);
});
