import { unstorable } from '../fields/types/text.js';

// Each text is compared with every record, in upper and lower case.
export const MOST_CHARACTERS = 255;
export const MOST_WORDS = 16;
export const MOST_TEXTS = 16;

/** Why a text is too long to be searched for; undefined if it is not. */
export const tooLong = (text: string): string | undefined =>
  [...text].length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : undefined;

/** Why a text cannot be searched for; undefined if it can. */
export const searchFault = (text: string): string | undefined =>
  unstorable(text) ??
  tooLong(text) ??
  (text.trim().split(/\s+/).length > MOST_WORDS ? `must have at most ${MOST_WORDS} words` : undefined);

/** `%text%`, `text%` or `text` for ILIKE, with the wildcards in the caller's text escaped. */
export function pattern(operator: 'ic' | 'isw' | 'ie', value: string): string {
  const literal = value.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return operator === 'ic' ? `%${literal}%` : operator === 'isw' ? `${literal}%` : literal;
}
