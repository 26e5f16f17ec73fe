/* Descriptions of the document in the words of people who use no API. */

const WORDS: readonly [RegExp, string][] = [
  [/`/g, ''],
  [/\bif null\b/g, 'if empty'],
  [/\bnull\b/g, 'empty'],
  [/\bISO 8601\b,? ?/g, ''],
  [/(?<=[a-z])_(?=[a-z])/g, ' '],
];

/** Sentences for callers of the API only: those with names of properties, methods and bodies. */
const FOR_CALLERS =
  /\b(?:PATCH|POST|PUT|DELETE|GET|JSON)\b|\b[a-z]{1,40}[A-Z]|\b(?:request|response|body|header|parameter|client)s?\b/;

/** @returns undefined if it says nothing to people */
export const plainWords = (text: string | undefined): string | undefined => {
  const sentences = text?.split(/(?<=[.;])\s+/).filter((sentence) => !FOR_CALLERS.test(sentence)) ?? [];
  const said = WORDS.reduce((all, [word, other]) => all.replace(word, other), sentences.join(' '));
  return said.replace(/[;.]$/, '') || undefined;
};
