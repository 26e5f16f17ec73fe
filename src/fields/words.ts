import { snakeCase } from '../database/naming.js';

/** A class or table name in words: `asset category`, `known issues`. */
export const wordsOf = (name: string): string => snakeCase(name).replaceAll('_', ' ');

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

// A `u` sounds as in `user` or as in `unknown`.
const VOWEL_SOUND = /^(?:[aeio]|un(?!i))/i;

/** The indefinite article of a noun, by its spelling. */
export const articleOf = (words: string): 'a' | 'an' => (VOWEL_SOUND.test(words) ? 'an' : 'a');
