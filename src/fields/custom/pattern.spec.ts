import { compilePattern, patternFault } from './pattern.js';

const PATTERNS = [
  '^[A-Z]{2}\\d+$',
  'a|b|',
  '(?:ab)+c?',
  'x{2,3}$',
  '^$',
  '[^\\d]',
  '[]a-c\\-]',
  '[[:alpha:]_]+\\.',
  '\\S\\s\\w\\W',
  '.',
  '^(a|b{2})*$',
  '\\$\\^\\/',
  'é+',
  '[😀-😂]',
  '^\\t?-?a-z$',
];
const TEXTS = [
  '',
  'AB12',
  'ab',
  'abababc',
  'xx',
  'xxxx',
  'a b!',
  'bb',
  'abb',
  '$^/',
  'éé',
  '😁',
  '\n',
  '-',
  ']',
  '\ta-z',
  'foo_.',
  '7',
];

describe.each(PATTERNS)('the pattern %s', (pattern) => {
  it.each(TEXTS)('matches %j as ECMAScript reads it', (text) => {
    const { source, test } = compilePattern(pattern);
    expect(test(text)).toBe(new RegExp(source, 'u').test(text));
  });
});

it('is matched without looking at one place twice', () => {
  // Takes longer than the universe with an expression of JavaScript.
  expect(compilePattern('^(a+)+$').test(`${'a'.repeat(65_535)}b`)).toBe(false);
});

it.each([
  ['a**', 'must have one greedy repetition after a part'],
  ['a{2}{3}', 'must have one greedy repetition after a part'],
  ['a+?', 'must have one greedy repetition after a part'],
  ['a{256}', 'must repeat at most 255 times'],
  ['a{3,2}', 'must not repeat at most fewer times than at least'],
  ['a{,2}', "must write a '{' that is no repetition as '\\{'"],
  ['^*', 'must not repeat an anchor'],
  ['*a', 'must not begin with a repetition'],
  ['(a', "has a '(' without a ')'"],
  ['a)', "has a ')' without a '('"],
  ['[a', "has a '[' without a ']'"],
  ['[z-a]', 'has a range that is none'],
  ['[[:word:]]', 'must not have the class [:word:]'],
  ['(?<n>a)', 'must have plain groups only: (…) or (?:…)'],
  ['(?!a)', 'must have plain groups only: (…) or (?:…)'],
  ['\\bword', "must not have '\\b'"],
  ['(a)\\1', "must not have '\\1'"],
  ['\\p{L}', "must not have '\\p'"],
  ['a\\', 'must not end with a backslash'],
  ['((a{255}){255}){255}', 'is too large: it repeats too much'],
  ['('.repeat(51) + ')'.repeat(51), 'must have at most 50 groups in each other'],
])('%s is refused', (pattern, message) => {
  expect(patternFault(pattern)).toBe(message);
});
