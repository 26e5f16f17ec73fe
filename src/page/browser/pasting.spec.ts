import { pastedCells } from './pasting.js';

it.each([
  [
    'S1\tT1\r\nS2\tT2\r\n',
    [
      ['S1', 'T1'],
      ['S2', 'T2'],
    ],
  ],
  // A cell that ends with a line break.
  [
    '"S1\n"\tT1\r\nS2\tT2\r\n',
    [
      ['S1', 'T1'],
      ['S2', 'T2'],
    ],
  ],
  ['"S1\n"\r\n', [['S1']]],
  ['"3,5"" disk"\tT1', [['3,5" disk', 'T1']]],
  // Nothing closes it.
  [
    '"S1\tT1\nS2\tT2',
    [
      ['"S1', 'T1'],
      ['S2', 'T2'],
    ],
  ],
  ['S1\n\nS3\n', [['S1'], [''], ['S3']]],
  ['S1', [['S1']]],
])('%j has its cells', (text, cells) => {
  expect(pastedCells(text)).toEqual(cells);
});
