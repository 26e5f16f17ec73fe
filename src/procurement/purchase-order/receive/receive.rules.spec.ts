import { PURCHASE_ORDER_STATUSES } from '../purchase-order-status.js';
import { excessFaults, isReceivable, statusAfter, unitsByLine } from './receive.rules.js';

const lines = [
  { id: 'a', quantity: 10, quantityReceived: 7 },
  { id: 'b', quantity: 2, quantityReceived: 0 },
];
const entry = (itemId: string, quantity: number) => ({ itemId, quantity });

it('only ordered and partially received orders can be received', () =>
  expect(PURCHASE_ORDER_STATUSES.filter(isReceivable)).toEqual(['ordered', 'partially_received']));

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
