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

export const withArticle = (words: string): string => `${/^([aeio]|SLA)/i.test(words) ? 'an' : 'a'} ${words}`;
