// Made for the first text, as it loads the data of languages.
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as readers see them. */
function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const ELLIPSIS = '…';

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\uFE0F|\p{Emoji_Presentation}/u;
const BROAD = /[MW@%mw…—]/u;
const SIGN = /[<>=+~#\p{Lu}]/u;
const NARROW = /[iljtfrI.,:;'|!()[\] ]/u;

/** Width of a character as readers see one, in ems of a usual typeface; rather too much than too little. */
function widthOf(character: string): number {
  if (WIDE.test(character)) return 1.4;
  if (BROAD.test(character)) return 1.05;
  if (NARROW.test(character)) return 0.4;
  return SIGN.test(character) ? 0.82 : 0.64;
}

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
  const rest = charactersOf(text.trim());
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
