import { PURCHASE_ORDER_STATUSES } from '../purchase-order-status.js';
import { planOf, type Line, type Order } from './receive.rules.js';

const order: Order = {
  id: 'order',
  status: 'ordered',
  siteId: 'site',
  locationId: null,
  purchasedAt: '2026-03-01',
  currency: 'EUR',
};
const line = (id: string, quantity: number, quantityReceived: number): Line => ({
  id,
  quantity,
  quantityReceived,
  name: `line ${id}`,
  categoryId: null,
  manufacturerId: null,
  unitPrice: '1.50',
  warrantyUntil: null,
  stockItemId: null,
});
const lines = [line('a', 10, 7), line('b', 2, 0)];
const entry = (itemId: string, quantity: number, unit: object = {}) => ({
  itemId,
  quantity,
  assets: Array.from({ length: quantity }, () => unit),
});
const faults =
  (...entries: ReturnType<typeof entry>[]): (() => unknown) =>
  () =>
    planOf(order, lines, entries, []);

it('only ordered and partially received orders can be received', () => {
  const isReceived = (status: Order['status']): boolean => {
    try {
      return planOf({ ...order, status }, lines, [entry('a', 1)], []).assets.length === 1;
    } catch {
      return false;
    }
  };
  expect(PURCHASE_ORDER_STATUSES.filter(isReceived)).toEqual(['ordered', 'partially_received']);
});

it('refuses a line that the order does not have', () =>
  expect(faults(entry('a', 1), entry('c', 1))).toThrow('Purchase order item not found'));

it('adds up the entries of a line, and keeps the assets in the order of the request', () => {
  const { assets, items } = planOf(order, lines, [entry('a', 1), entry('b', 1), entry('a', 2)], []);
  expect(assets.map(({ entry: { name } }) => name)).toEqual(['line a', 'line b', 'line a', 'line a']);
  expect(assets.map(({ path }) => path)).toEqual([
    'items[0].assets[0]',
    'items[1].assets[0]',
    'items[2].assets[0]',
    'items[2].assets[1]',
  ]);
  const assetIds = assets.map(({ id }) => id);
  const [first, second, ...others] = assetIds;
  expect(items).toEqual([
    { itemId: 'a', name: 'line a', quantity: 3, assetIds: [first, ...others] },
    { itemId: 'b', name: 'line b', quantity: 1, assetIds: [second] },
  ]);
  expect(new Set(assetIds).size).toBe(4);
});

it('an asset is where its unit says, or else where the order says', () => {
  const sites = [{}, { siteId: null }, { siteId: 'other' }].map((unit) => entry('a', 1, unit));
  expect(planOf(order, lines, sites, []).assets.map(({ entry: { siteId } }) => siteId)).toEqual([
    'site',
    null,
    'other',
  ]);
});

describe('a line of which too much is asked', () => {
  it('is none where every line has enough left', () => expect(faults(entry('b', 2), entry('a', 3))).not.toThrow());

  it('is named in every entry, with what is left', () =>
    expect(faults(entry('b', 3), entry('a', 4))).toThrow(
      'items[0].quantity must not exceed the remaining quantity of the line, which is 2; ' +
        'items[1].quantity must not exceed the remaining quantity of the line, which is 3',
    ));

  it('lacks what the entries before take', () =>
    expect(faults(entry('a', 2), entry('a', 2))).toThrow(
      'items[1].quantity must not exceed the remaining quantity of the line, which is 1',
    ));

  it('never has less than nothing left', () =>
    expect(faults(entry('a', 5), entry('a', 1))).toThrow(
      'items[0].quantity must not exceed the remaining quantity of the line, which is 3; ' +
        'items[1].quantity must not exceed the remaining quantity of the line, which is 0',
    ));
});

describe('the order afterwards', () => {
  it.each([
    ['received when every line is complete', [entry('a', 3), entry('b', 2)], 'received'],
    ['partially received while a line lacks units', [entry('a', 3), entry('b', 1)], 'partially_received'],
    ['partially received while a line was not touched', [entry('a', 3)], 'partially_received'],
  ])('is %s', (_, entries, status) => expect(planOf(order, lines, entries, []).status).toBe(status));
});
