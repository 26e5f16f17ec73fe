/**
 * Code points without a visible form, as the first and last of each range: white space, controls, default ignorable code points
 * (soft hyphen, zero widths, Hangul fillers, variation selectors) and the blank Braille pattern.
 */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];
// Not documented: a regular expression without Unicode mode reads each of these as two characters.
const INVISIBLE_SUPPLEMENTARY: typeof INVISIBLE = [
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** The ranges inside of a class of an ECMA-262 regular expression. */
function classOf(ranges: typeof INVISIBLE): string {
  const hex = (code: number): string => code.toString(16).toUpperCase();
  const written = (code: number): string => (code <= 0xffff ? `\\u${hex(code).padStart(4, '0')}` : `\\u{${hex(code)}}`);
  return ranges
    .map(([first, last]) => (first === last ? written(first) : `${written(first)}-${written(last)}`))
    .join('');
}

/** JSON Schema pattern of a text that is not blank. */
export const VISIBLE_PATTERN = `[^${classOf(INVISIBLE)}]`;

/** JSON Schema pattern of a text of one line. */
export const LINE_PATTERN = String.raw`^[^\n]*$`;

const LINE_FEED = 0x0a;
const INVISIBLE_IN_LINE = INVISIBLE.flatMap(([first, last]): typeof INVISIBLE =>
  first <= LINE_FEED && LINE_FEED <= last
    ? [
        [first, LINE_FEED - 1],
        [LINE_FEED + 1, last],
      ]
    : [[first, last]],
);

/** The same for a text that is also not blank. Each character has only one place in the pattern, so matching takes linear time. */
export const VISIBLE_LINE_PATTERN = String.raw`^[${classOf(INVISIBLE_IN_LINE)}]*${VISIBLE_PATTERN}[^\n]*$`;

const VISIBLE = new RegExp(`[^${classOf([...INVISIBLE, ...INVISIBLE_SUPPLEMENTARY])}]`, 'u');

/** Whether a text has no visible character. */
export const isBlank = (value: string): boolean => !VISIBLE.test(value);
