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
  // A backtracking JavaScript expression would never finish.
  expect(compilePattern('^(a+)+$').test(`${'a'.repeat(65_535)}b`)).toBe(false);
});

it.each([
  ['a**', 'must have at most one repetition after an element, which must be greedy'],
  ['a{2}{3}', 'must have at most one repetition after an element, which must be greedy'],
  ['a+?', 'must have at most one repetition after an element, which must be greedy'],
  ['a{256}', 'must repeat at most 255 times'],
  ['a{3,2}', 'must not have a repetition whose maximum is below its minimum'],
  ['a{,2}', "must escape a '{' that is not a repetition: '\\{'"],
  ['^*', 'must not repeat an anchor'],
  ['*a', 'must not begin with a repetition'],
  ['(a', "has a '(' without a ')'"],
  ['a)', "has a ')' without a '('"],
  ['[a', "has a '[' without a ']'"],
  ['[\\]', "has a '[' without a ']'"],
  ['[]', "has a '[' without a ']'"],
  ['[z-a]', 'has a character range in the wrong order, such as z-a'],
  ['[\\d-z]', 'has a character range with a class, such as \\d-z'],
  ['[[:word:]]', 'must not have the class [:word:]'],
  ['[[:constructor:]]', 'must not have the class [:constructor:]'],
  ['[[.a.]]', "must escape '[' within brackets: '\\['"],
  ['a{2', "must escape a '{' that is not a repetition: '\\{'"],
  ['(?<n>a)', 'must have plain groups only: (…) or (?:…)'],
  ['(?!a)', 'must have plain groups only: (…) or (?:…)'],
  ['\\bword', "must not have '\\b'"],
  ['(a)\\1', "must not have '\\1'"],
  ['\\p{L}', "must not have '\\p'"],
  ['a\\', 'must not end with a backslash'],
  ['((a{255}){255}){255}', 'is too large: it repeats too much'],
  ['('.repeat(51) + ')'.repeat(51), 'must have at most 50 nested groups'],
])('%s is refused', (pattern, message) => {
  expect(patternFault(pattern)).toBe(message);
});

it('leaves to the database what would hold up all others', () => {
  const { test } = compilePattern('a.{250}[xy]|c$');
  const text = 'ab'.repeat(30_000);
  const before = performance.now();
  for (let count = 0; count < 100; count++) expect(test(text)).toBe(true);
  expect(performance.now() - before).toBeLessThan(1000);
});
