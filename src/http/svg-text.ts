import { once } from './once.js';

// Created on first use, because it loads language data.
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** The characters of a text as readers see them. @param most how many of them */
function charactersOf(text: string, most = Infinity): string[] {
  const characters: string[] = [];
  for (const { segment } of segmenter().segment(text)) {
    characters.push(segment);
    if (characters.length === most) break;
  }
  return characters;
}

const ELLIPSIS = '…';

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\uFE0F|\p{Emoji_Presentation}/u;
const BROAD = /[MW@%mw…—]/u;
const SIGN = /[<>=+~#\p{Lu}]/u;
/** Ems of the narrowest characters. */
const LEAST = 0.4;
const NARROW = /[iljtfrI.,:;'|!()[\] ]/u;

// Nine of ten letters of Noto Sans are at most 1.34 ems wide in Tamil, 1.51 in Malayalam and 1.3 in Sinhala; half of them at most 1. In
// the scripts of the second line the figures are 0.83 to 1.16, and 0.6 to 0.8.
const LARGE_SCRIPT = /[\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}]/u;
const BROAD_SCRIPT =
  /[\p{Script=Kannada}\p{Script=Telugu}\p{Script=Oriya}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Ethiopic}]/u;
/** Combining marks and format characters, which take no space. */
const PLACELESS = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Estimated width of a character in ems of a common typeface; rather too large than too small. */
function widthOf(character: string): number {
  if (WIDE.test(character)) return 1.4;
  if (BROAD.test(character)) return 1.05;
  if (NARROW.test(character)) return LEAST;
  // A letter and the vowel signs beside it are one character.
  if (LARGE_SCRIPT.test(character)) return 1.35 * placesOf(character);
  if (BROAD_SCRIPT.test(character)) return 0.9 * placesOf(character);
  return SIGN.test(character) ? 0.82 : 0.64;
}

/** Number of code points of a character that take space. */
const placesOf = (character: string): number => Array.from(character).filter((one) => !PLACELESS.test(one)).length || 1;

/** Number of characters that fit into a width, and at least one. */
function fitting(characters: readonly string[], width: number): number {
  let used = 0;
  const over = characters.findIndex((character) => (used += widthOf(character)) > width);
  return over < 0 ? characters.length : Math.max(1, over);
}

/**
 * Breaks a text into lines, between words where it can. SVG does not break text by itself.
 * @param width of a line in ems
 * @param most lines; what does not fit into them is replaced by an ellipsis
 */
export function linesOf(text: string, width: number, most = 1): string[] {
  // With one more than can fit, so that what is left out is noticed.
  const rest = charactersOf(text.trim(), Math.ceil((width / LEAST) * most) + 1);
  const lines: string[] = [];
  while (rest.length > 0 && lines.length < most) {
    let length = fitting(rest, width);
    if (length < rest.length) {
      if (lines.length === most - 1) {
        rest.splice(fitting(rest, width - widthOf(ELLIPSIS)), Infinity, ELLIPSIS);
        length = rest.length;
      } else {
        const space = rest.lastIndexOf(' ', length);
        if (space > 0) length = space;
      }
    }
    lines.push(rest.splice(0, length).join('').trim());
  }
  return lines;
}

/** Width of a text in ems, as `widthOf` estimates it. */
export const emsOf = (text: string): number =>
  charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);

/** Whether a text fits into a width in ems. */
export const fits = (text: string, width: number): boolean => emsOf(text) <= width;

/** Minimum width, in ems, at which the beginning of a name distinguishes it. */
const BEGINNING = 5;

/** A name, or a beginning that still distinguishes it; nothing if there is no room. @param width in ems */
export const nameIn = (name: string, width: number): string =>
  fits(name, width) ? name : width < BEGINNING ? '' : (linesOf(name, width)[0] ?? '');

/** The initials of the first and the last word of a name, or of the first only, if they fit. @param width in ems */
export function initialsIn(name: string, width: number): string {
  const letters = name.split(/\s+/).flatMap((word) => /^\p{L}/u.exec(word)?.[0].toUpperCase() ?? []);
  const [first = ''] = letters;
  const initials = letters.length > 1 ? first + letters.at(-1) : first;
  return [initials, first].find((some) => fits(some, width)) ?? '';
}
