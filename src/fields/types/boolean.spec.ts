import { put } from '../../../test/support/put.js';
import { boolean } from './boolean.js';

describe('boolean', () => {
  it.each(['true', 0, 1, null])('refuses %p as a boolean', (value) => expect(() => put(boolean, value)).toThrow());
});
