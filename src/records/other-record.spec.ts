import { readingsOf } from './other-record.js';

it.each<[string, boolean[], string[][]]>([
  ['a', [true], [['a']]],
  ['a, b', [true], [['a, b']]],
  ['id, a, b', [false, true], [['id', 'a, b']]],
  ['a, b, id', [true, false], [['a, b', 'id']]],
  [
    'id, a, b, c',
    [false, true, true],
    [
      ['id', 'a', 'b, c'],
      ['id', 'a, b', 'c'],
    ],
  ],
  ['a, b', [false, false], [['a', 'b']]],
  ['a', [false, false], []],
])('reads the values of %j where %j are texts', (values, texts, readings) => {
  expect(readingsOf(values.split(', '), texts)).toEqual(readings);
});
