/* Descriptions of the document in words for people who do not use the API. */

const WORDS: readonly [RegExp, string][] = [
  [/`/g, ''],
  [/\bif null\b/g, 'if empty'],
  [/\bnull\b/g, 'empty'],
  [/\[\]/g, 'none'],
  [/\bISO 8601\b,? ?/g, ''],
  [/(?<=[a-z])_(?=[a-z])/g, ' '],
];

/** Sentences that only concern API clients: those with names of properties, methods and bodies. */
const FOR_CALLERS =
  /\b(?:PATCH|POST|PUT|DELETE|GET|JSON)\b|\b[a-z]{1,40}[A-Z]|\b(?:request|response|body|header|parameter|client)s?\b/;

/** @returns undefined if nothing is left for people */
export const plainWords = (text: string | undefined): string | undefined => {
  const sentences = text?.split(/(?<=[.;])\s+/).filter((sentence) => !FOR_CALLERS.test(sentence)) ?? [];
  const said = WORDS.reduce((all, [word, other]) => all.replace(word, other), sentences.join(' '));
  return said.replace(/[;.]$/, '') || undefined;
};
