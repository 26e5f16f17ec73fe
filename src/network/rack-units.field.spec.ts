import { put } from '../../test/support/put.js';
import { halves } from './rack-units.field.js';

describe('rack units', () => {
  it.each([0, 0.5, 1, 42])('takes %p rack units', (value) => expect(put(halves, value)).toBe(value));
  it.each([0.25, 1.1, '1'])('refuses %p rack units', (value) => expect(() => put(halves, value)).toThrow());
});
