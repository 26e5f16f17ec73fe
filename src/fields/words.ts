import { snakeCase } from '../database/naming.js';

const INITIALISMS = /\b(ip|sla|vrf)(s?)\b/g;

/** A class or table name in words: `on-call schedule`, `IP addresses`. */
export function wordsOf(name: string): string {
  return snakeCase(name)
    .replaceAll('_', ' ')
    .replace('on call', 'on-call')
    .replaceAll(INITIALISMS, (_, letters: string, plural: string) => letters.toUpperCase() + plural);
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Initialisms are read letter by letter, and `S` begins with a vowel then. A `u` sounds as in `user` or as in `unknown`. */
const VOWEL_SOUND = /^(?:[aeio]|SLA|un(?!i))/i;

/** `an incident`, `an IP address`, `an SLA`, `a VRF`, `a device`. */
export const withArticle = (words: string): string => `${VOWEL_SOUND.test(words) ? 'an' : 'a'} ${words}`;
