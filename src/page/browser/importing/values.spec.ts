import { readTime } from '../times.js';
import { dateOf, numberOf, orderIn, toldDateStyle, toldDecimalSign } from './values.js';

describe('a time', () => {
  it.each([
    ['2026-12-24 22:00', '2026-12-24T21:00:00.000Z'],
    ['28.11.2026 09:00', '2026-11-28T08:00:00.000Z'],
    ['28.11.2026, 9:00:30', '2026-11-28T08:00:30.000Z'],
    ['24/12/2026 10:05 PM', '2026-12-24T21:05:00.000Z'],
    ['24/12/2026 12:05 a.m.', '2026-12-23T23:05:00.000Z'],
    ['2026-12-24T22:00', '2026-12-24T21:00:00.000Z'],
    ['2026-12-24T22:00:00Z', '2026-12-24T22:00:00.000Z'],
    ['2026-12-24 22:00 +0530', '2026-12-24T16:30:00.000Z'],
    ['24 Dec 2026 22:00', '2026-12-24T21:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z'],
    // The first of two.
    ['2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    // Clocks leave it out.
    ['2026-03-29 02:30', undefined],
    ['2026-12-24 25:00', undefined],
    ['2026-12-24 22:00 in the evening', undefined],
    ['2026-12-24 13:00 PM', undefined],
    ['SRV-12', undefined],
    ['2026', undefined],
    ['1', undefined],
    ['', undefined],
  ])('%s keeps its minute, in the zone', (text, expected) => {
    expect(readTime(text, 'dmy', 'Europe/Amsterdam')).toBe(expected);
  });

  it('is read in the order that is chosen', () => {
    expect(readTime('03/04/2026 09:00', 'dmy', 'UTC')).toBe('2026-04-03T09:00:00.000Z');
    expect(readTime('03/04/2026 09:00', 'mdy', 'UTC')).toBe('2026-03-04T09:00:00.000Z');
  });
});

it.each([
  ['en-US', 'mdy'],
  ['en-GB', 'dmy'],
  ['de', 'dmy'],
  ['ja', 'mdy'],
])('in %s dates are %s', (language, order) => {
  expect(orderIn(language)).toBe(order);
});

it.each([
  [['03/04/2026', '13/04/2026'], 'dmy'],
  [['03/04/2026', '04/13/2026 10:00'], 'mdy'],
  [['03.04.2026'], 'dmy'],
  [['03/04/2026', '2026-01-31'], undefined],
  [['03-04-2026'], undefined],
])('the dates %j tell %s', (values, style) => {
  expect(toldDateStyle(values)).toBe(style);
});

it.each([
  [['0,500'], ','],
  [['0.500'], '.'],
  [['-0,125', '1,500'], ','],
  [['1,500'], 'open'],
  [['1.500'], 'open'],
  [['1,500', '12.50'], '.'],
  [['1.234,50 €'], ','],
  [['1 234,500'], ','],
  [['1.234.567'], ','],
  [['1234,500'], ','],
  [['12', '1500'], undefined],
])('the numbers %j tell %s', (values, sign) => {
  expect(toldDecimalSign(values)).toBe(sign);
});

it.each([
  ['0,500', ',', '0.500'],
  ['0,500', '.', undefined],
  ['1,500', '.', '1500'],
  ['1,500', ',', '1.500'],
  ['01,500', '.', undefined],
  ['$1,234.50', '.', '1234.50'],
  ['1.234,50 €', ',', '1234.50'],
  ["CHF 1'234.50", '.', '1234.50'],
  ['1\u202F234,5', ',', '1234.5'],
  ['-12', '.', '-12'],
  ['007', '.', '7'],
  ['.5', '.', '0.5'],
  ['1,50', '.', undefined],
  ['1.2.3', '.', undefined],
  ['0x10', '.', undefined],
  ['1e3', '.', undefined],
  ['36 months', '.', undefined],
])('%s with %s before the fraction is %s', (text, sign, expected) => {
  expect(numberOf(text, sign as '.' | ',')).toBe(expected);
});

it('a date stays one without its time', () => {
  expect(dateOf('2021-01-05 10:00:00', 'dmy')).toBe('2021-01-05');
});
