/* Encodings of files: all that browsers support, and whether the bytes of a file certainly have one. */

import { decode, isUtf8, narrowEncodingOf, wideEncodingOf } from './text.js';

/** By their names for `TextDecoder`. */
export const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252, Western',
  'windows-1250': 'Windows-1250, Central European',
  'windows-1251': 'Windows-1251, Cyrillic',
  'windows-1253': 'Windows-1253, Greek',
  'windows-1254': 'Windows-1254, Turkish',
  'windows-1255': 'Windows-1255, Hebrew',
  'windows-1256': 'Windows-1256, Arabic',
  'windows-1257': 'Windows-1257, Baltic',
  'windows-1258': 'Windows-1258, Vietnamese',
  'windows-874': 'Windows-874, Thai',
  gbk: 'GBK, Chinese',
  gb18030: 'GB 18030, Chinese',
  big5: 'Big5, Chinese',
  shift_jis: 'Shift_JIS, Japanese',
  'euc-jp': 'EUC-JP, Japanese',
  'iso-2022-jp': 'ISO-2022-JP, Japanese',
  'euc-kr': 'EUC-KR, Korean',
  'iso-8859-2': 'ISO-8859-2, Central European',
  'iso-8859-3': 'ISO-8859-3, South European',
  'iso-8859-4': 'ISO-8859-4, Baltic',
  'iso-8859-5': 'ISO-8859-5, Cyrillic',
  'iso-8859-6': 'ISO-8859-6, Arabic',
  'iso-8859-7': 'ISO-8859-7, Greek',
  'iso-8859-8': 'ISO-8859-8, Hebrew',
  'iso-8859-8-i': 'ISO-8859-8-I, Hebrew',
  'iso-8859-10': 'ISO-8859-10, Nordic',
  'iso-8859-13': 'ISO-8859-13, Baltic',
  'iso-8859-14': 'ISO-8859-14, Celtic',
  'iso-8859-15': 'ISO-8859-15, Western',
  'iso-8859-16': 'ISO-8859-16, Romanian',
  'koi8-r': 'KOI8-R, Russian',
  'koi8-u': 'KOI8-U, Ukrainian',
  ibm866: 'IBM866, Cyrillic',
  macintosh: 'Mac Roman',
  'x-mac-cyrillic': 'Mac Cyrillic',
};

/** Letters beyond ASCII of the languages that use Windows-1252, including loanwords. */
const WESTERN = [
  'äöüßé', // German
  'àâæçéèêëîïôœùûüÿ', // French
  'áéíñóúüçàèïò', // Spanish, Catalan
  'áâãàçéêíóôõúü', // Portuguese
  'àèéìòùî', // Italian
  'áéëïíóöúü', // Dutch
  'åäöéæøü', // Danish, Norwegian, Swedish, Finnish
  'áðéíóúýþæö', // Icelandic
].map((letters) => new Set(letters));

/** Other possible encodings of such a file, with the letters of their languages. */
const RIVALS: readonly (readonly [encoding: string, languages: readonly string[]])[] = [
  ['windows-1250', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž']],
  ['windows-1254', ['çğıöşüâîû\u0307']],
  ['windows-1257', ['āčēģīķļņšūž', 'ąčęėįšųūž', 'äõöüšž']],
];

/** Signs beside words that nearly all Windows encodings have at the same position. */
const SIGNS = new Set('€‚„…‹‘’“”•–—›\u00A0¤§«\u00AD°±µ»©®™');
const UNITS = new Set(['m²', 'm³', 'cm²', 'cm³', 'mm²', 'km²', 'nº', 'º', 'ª', '½', '¼', '¾', '×', 'ø']);

const isAscii = (character: string): boolean => character < '\u0080';
const isLetter = (character: string): boolean =>
  character.toLowerCase() !== character.toUpperCase() || character === 'ß';

/** The words of a text with a character beyond ASCII, in lower case. A sign ends a word. */
function* wordsOf(text: string): Generator<string> {
  let word = '';
  let isHigh = false;
  for (const character of `${text} `) {
    if (isAscii(character) ? isLetter(character) : !SIGNS.has(character)) {
      word += character;
      isHigh ||= !isAscii(character);
    } else {
      if (isHigh) yield word.toLowerCase();
      word = '';
      isHigh = false;
    }
  }
}

const areIn = (letters: Iterable<string>, alphabet: { has: (letter: string) => boolean }): boolean =>
  [...letters].every((letter) => isAscii(letter) || alphabet.has(letter));

/**
 * Whether bytes are certainly text in Windows-1252, and not in a similar encoding. Each word must belong to a language with that
 * encoding, and the bytes must not read as well in another encoding: `Øehoø` is `Řehoř`.
 */
function isWestern(bytes: Uint8Array): boolean {
  const words = [...new Set(wordsOf(decode(bytes, 'windows-1252')))];
  const isWord = (word: string): boolean =>
    UNITS.has(word) ||
    ((word.length === 1 || [...word].some(isAscii)) && WESTERN.some((alphabet) => areIn(word, alphabet)));
  if (!words.every(isWord)) return false;
  const ours = lettersOf(words);
  return RIVALS.every(([encoding, languages]) => {
    const theirs = lettersOf(wordsOf(decode(bytes, encoding)));
    return ours === theirs || !languages.some((letters) => areIn(theirs, new Set(letters)));
  });
}

/** The letters beyond ASCII of some words, once each. */
const lettersOf = (words: Iterable<string>): string =>
  [...new Set([...words].flatMap((word) => [...word]))]
    .filter((letter) => !isAscii(letter))
    .toSorted()
    .join('');

/** The start of a character set switch, as in ISO-2022-JP. */
const ESCAPE = 0x1b;

/**
 * The text of a file without its byte-order mark, and its encoding.
 * @param chosen the encoding, if the user has chosen one
 */
export function textOf(bytes: Uint8Array, chosen?: string): { text: string; encoding: string; isSure: boolean } {
  const found = chosen ?? wideEncodingOf(bytes);
  if (found) return { text: decode(bytes, found), encoding: found, isSure: true };
  const encoding = narrowEncodingOf({ isUtf8: isUtf8(bytes), hasLineFeeds: bytes.includes(0x0a) });
  const isSure = encoding === 'utf-8' ? !bytes.includes(ESCAPE) : encoding === 'windows-1252' && isWestern(bytes);
  return { text: decode(bytes, encoding), encoding, isSure };
}
