import { planReceive, strangerAt } from './receive.rules.js';

const lines = [
  { id: 'a', quantity: 10, quantityReceived: 4 },
  { id: 'b', quantity: 2, quantityReceived: 2 },
];

describe('planReceive', () => {
  it('leaves an order partially received while a line lacks units', () => {
    const plan = planReceive('ordered', lines, [{ itemId: 'a', quantity: 5 }]);
    expect(plan).toEqual({ gains: new Map([['a', 5]]), status: 'partially_received' });
  });

  it('completes an order with the last unit, also when its line stands twice', () => {
    const plan = planReceive('partially_received', lines, [
      { itemId: 'a', quantity: 4 },
      { itemId: 'a', quantity: 2 },
    ]);
    expect(plan).toEqual({ gains: new Map([['a', 6]]), status: 'received' });
  });

  it('refuses what exceeds the rest, counting earlier entries of the same line', () => {
    const faults = planReceive('ordered', lines, [
      { itemId: 'a', quantity: 4 },
      { itemId: 'a', quantity: 3 },
      { itemId: 'b', quantity: 1 },
    ]);
    expect(String(faults)).toBe(
      'items[1].quantity must not exceed the 2 that remain on the line,items[2].quantity must not exceed the 0 that remain on the line',
    );
  });

  it.each(['draft', 'received', 'closed', 'cancelled'])('refuses an order that is %s', (status) => {
    expect(String(planReceive(status, lines, [{ itemId: 'a', quantity: 1 }]))).toContain(
      `status of the order is ${status}`,
    );
  });
});

describe('strangerAt', () => {
  it('finds the entry that names no line of the order', () => {
    expect(strangerAt(lines, [{ itemId: 'a' }, { itemId: 'x' }])).toBe(1);
    expect(strangerAt(lines, [{ itemId: 'b' }])).toBe(-1);
  });
});
