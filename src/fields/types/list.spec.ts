import { faultOf, put } from '../../../test/support/put.js';
import { strings } from './list.js';

describe('strings', () => {
  it.each([[[]], [['a', 'b']], [['']]])('takes %p', (value) => expect(put(strings, value)).toEqual(value));
  it.each(['a', null, [1], [null], ['a\0'], [['a']], { 0: 'a' }].map((value) => [value]))('refuses %p', (value) =>
    expect(() => put(strings, value)).toThrow(),
  );
  it('says which entry is at fault', () =>
    expect(faultOf(strings, ['x', 'z'], { values: ['x', 'y'] })).toBe('must be one of x, y'));
});
