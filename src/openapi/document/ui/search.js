/* The search of operations. */

/** Words of a question without information. */
const STOP_WORDS = new Set(
  'a an and are at by can do does for from get has have how i in is it me my now of on or our that the there these this to was we what when where which who whose why with you'.split(
    ' ',
  ),
);

/** Synonyms: words of users, and the words of operations. */
const SYNONYMS = { history: 'changes', undo: 'restore' };

const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** The words of a phrase without the punctuation of a sentence. Paths keep theirs. */
const wordsOfPhrase = (phrase) =>
  phrase
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^["'(]+|(?<!["'),.:;?!])["'),.:;?!]+$/g, ''))
    .filter(Boolean)
    .map((word) => (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : word));

/** A word without its ending, so that `labels` finds `label`, and `expires` what `expired`. */
const stemOf = (word) => (/^\p{L}{5,}$/u.test(word) ? word.replace(/(?:ings?|ed|es|e|s)$/, '') : word);

/**
 * What an operation has of the words of a phrase: first the words that are asked for, wherever they stand, and then all words that
 * are words of the operation too. 0 if it has not more of those that are asked for than the least share.
 */
function rankOf(text, phrase, least) {
  const all = wordsOfPhrase(phrase);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  const asked = telling.length > 0 ? telling : all;
  const found = asked.filter((word) => text.toLowerCase().includes(stemOf(word))).length;
  const own = new Set(wordsOf(text));
  return found > least * asked.length ? found * 100 + all.filter((word) => own.has(word)).length : 0;
}

/** The visible text of an operation, and the text of its responses. */
function textOf(tag, entry) {
  const operation = entry.get('operation');
  const text = ['operationId', 'summary', 'x-words'].map((key) => operation.get(key));
  return [tag, entry.get('method'), entry.get('path'), ...text].join(' ');
}

/** The operations of which the text has enough of the words, by group; the best come first, and of these those with the shortest summary. */
function ranked(groups, phrase, text, least) {
  const lengthOf = (entry) => wordsOf(entry.getIn(['operation', 'summary']) ?? '').length;
  return groups
    .map((group, tag) =>
      group.update('operations', (operations) =>
        operations
          .map((entry) => ({ entry, rank: rankOf(text(tag, entry), phrase, least) }))
          .filter((one) => one.rank > 0)
          .map((one) => ({ ...one, rank: one.rank - lengthOf(one.entry) / 100 }))
          .sortBy((one) => -one.rank),
      ),
    )
    .filter((group) => group.get('operations').size > 0)
    .sortBy((group) => -group.get('operations').first().rank)
    .map((group) => group.update('operations', (operations) => operations.map(({ entry }) => entry)));
}

const explainedOf = (tag, entry) => `${textOf(tag, entry)} ${entry.getIn(['operation', 'x-explanation'])}`;

/**
 * Operations that have most of the words in what is shown of them; if there are none, those that have them in their explanation
 * too; and if there are none of these either, those that have any of the words.
 */
export function filterOperations(groups, phrase) {
  let found;
  for (const [text, least] of [
    [textOf, 0.5],
    [explainedOf, 0.5],
    [textOf, 0],
    [explainedOf, 0],
  ]) {
    found = ranked(groups, phrase, text, least);
    if (found.size > 0) break;
  }
  return found;
}
