import { excessFaults, statusAfter, unitsByLine, volumeFault } from './receive.rules.js';

const lines = [
  { id: 'a', quantity: 10, quantityReceived: 7 },
  { id: 'b', quantity: 2, quantityReceived: 0 },
];
const entry = (itemId: string, quantity: number) => ({ itemId, quantity });

describe('volumeFault', () => {
  it('takes 1,000 units, in however many entries', () =>
    expect(volumeFault([entry('a', 400), entry('b', 600)])).toBeUndefined());
  it('refuses one more', () =>
    expect(String(volumeFault([entry('a', 400), entry('b', 601)]))).toBe(
      'items must receive at most 1000 units in one request, and not 1001',
    ));
});

it('unitsByLine adds up the entries of a line', () =>
  expect([...unitsByLine([entry('a', 1), entry('b', 2), entry('a', 3)])]).toEqual([
    ['a', 4],
    ['b', 2],
  ]));

describe('excessFaults', () => {
  it('has none where every line has enough left', () =>
    expect(excessFaults([entry('b', 2), entry('a', 3)], lines)).toEqual([]));

  it('names every entry that asks for too much, with what is left', () =>
    expect(excessFaults([entry('b', 3), entry('a', 4)], lines).map(String)).toEqual([
      'items[0].quantity must not exceed the remaining quantity of the line, which is 2',
      'items[1].quantity must not exceed the remaining quantity of the line, which is 3',
    ]));

  it('counts the entries before it', () =>
    expect(excessFaults([entry('a', 2), entry('a', 2)], lines).map(String)).toEqual([
      'items[1].quantity must not exceed the remaining quantity of the line, which is 1',
    ]));

  it('never says that less than nothing is left', () =>
    expect(excessFaults([entry('a', 5), entry('a', 1)], lines).map(String)).toEqual([
      'items[0].quantity must not exceed the remaining quantity of the line, which is 3',
      'items[1].quantity must not exceed the remaining quantity of the line, which is 0',
    ]));
});

describe('statusAfter', () => {
  it.each([
    ['received when every line is complete', { a: 3, b: 2 }, 'received'],
    ['partially received while a line lacks units', { a: 3, b: 1 }, 'partially_received'],
    ['partially received while a line was not touched', { a: 3 }, 'partially_received'],
  ])('is %s', (_, units, status) => expect(statusAfter(lines, new Map(Object.entries(units)))).toBe(status));
});
