import { NO_CUSTOM_FIELDS } from '../../fields/custom/defined-fields.js';
import { sameItems } from './purchase-order-items.js';

const line = {
  name: 'Switch',
  sku: null,
  quantity: 2,
  unitPrice: '1200.50',
  categoryId: null,
  manufacturerId: null,
  warrantyMonths: 36,
  notes: null,
  sortOrder: null,
};
/** A line as a response shows it. */
const shown = { ...line, id: 'x', quantityReceived: 1, quantityRemaining: 1, createdAt: '', updatedAt: '' };

describe('sameItems', () => {
  it.each([
    ['what was read', [line]],
    ['what was first given', [{ name: 'Switch', quantity: 2, unitPrice: '1200.5', warrantyMonths: 36 }]],
  ])('takes %s for the same', (_, given) => expect(sameItems(NO_CUSTOM_FIELDS, given, [shown])).toBe(true));

  it.each([
    ['another value', [{ ...line, quantity: 3 }]],
    ['a value less', [{ name: 'Switch', quantity: 2, unitPrice: '1200.50' }]],
    ['another price', [{ ...line, unitPrice: '1200.51' }]],
    ['a line more', [line, line]],
  ])('takes a list with %s for another', (_, given) => expect(sameItems(NO_CUSTOM_FIELDS, given, [shown])).toBe(false));

  it('compares lists in the order they are shown in', () => {
    const stored = [
      { ...shown, name: 'first', sortOrder: 1 },
      { ...shown, name: 'second', sortOrder: 2 },
      { ...shown, name: 'third', sortOrder: null },
      { ...shown, name: 'fourth', sortOrder: null },
    ];
    const [first, second, third, fourth] = stored;
    expect(sameItems(NO_CUSTOM_FIELDS, [third!, second!, fourth!, first!], stored)).toBe(true);
    expect(sameItems(NO_CUSTOM_FIELDS, [first!, second!, fourth!, third!], stored)).toBe(false);
  });
});
