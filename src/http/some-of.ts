/** Maximum words in a sentence, and maximum characters of each. */
const MOST_NAMED = 10;
const MOST_SHOWN = 64;

/** The accepted words for a sentence: the first ones, and the number of the others. */
export function someOf(words: readonly string[]): string {
  const named = words.slice(0, MOST_NAMED).map(shortened).join(', ');
  const others = words.length - MOST_NAMED;
  return others > 0 ? `${named} and ${others.toLocaleString('en')} ${others === 1 ? 'other' : 'others'}` : named;
}

/** The beginning of a possibly long word. */
export const shortened = (word: string): string => (word.length > MOST_SHOWN ? `${word.slice(0, MOST_SHOWN)}…` : word);
