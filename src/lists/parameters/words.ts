import { someOf } from '../../http/some-of.js';
import { closest } from '../../http/closest.js';
import { whichOf, type Parameter } from './query-parameters.js';

interface WordsOptions {
  /** The words can also be separated by commas. */
  separated?: true;
  /** Noun for the words in the message that suggests one: `names of references`. */
  called?: string;
  /** Another reason for a wrong word, which names it. */
  reason?(word: string): string | undefined;
}

/**
 * A parameter that is one or several of some words.
 * @param set applies the given words, each once. @returns the reason for refusing them, or undefined
 */
export const words = <R, V extends string>(
  name: string,
  enumName: string,
  description: string,
  known: readonly V[],
  set: (request: R, given: readonly V[]) => string | undefined | void,
  { separated, called, reason }: WordsOptions = {},
): Parameter<R> => ({
  name,
  description,
  schema: { type: 'string', enum: known },
  enumName,
  many: true,
  ...(separated && { separated }),
  apply(request, raw) {
    const given = [...new Set(separated ? raw.flatMap((value) => value.split(',')) : raw)];
    const isKnown = (word: string): word is V => (known as readonly string[]).includes(word);
    const wrong = given.find((word) => !isKnown(word));
    if (wrong === undefined) return set(request, given.filter(isKnown)) ?? undefined;
    const own = reason?.(wrong);
    const near = closest(wrong, known);
    const all = separated ? `one or more of ${someOf(known)}, separated by commas` : `one of ${someOf(known)}`;
    if (own !== undefined) return own;
    return `must be ${(near && called) ?? all}${whichOf(given, wrong)}${near ? `. Did you mean '${near}'?` : ''}`;
  },
});
