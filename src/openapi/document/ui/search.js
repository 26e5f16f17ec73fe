/* The search of operations. */

/** Words of a question that say little about what is asked for. */
const STOP_WORDS = new Set(
  'a an and are at by can do does for from get has have how i in is it me my now of on or our that the there these this to was we what when where which who whose why with you'.split(
    ' ',
  ),
);

const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/**
 * What an operation has of the words of a phrase: first the words that are asked for, wherever they stand, and then all words that
 * are words of the operation too. 0 if it has not most of those that are asked for.
 */
function rankOf(text, phrase) {
  const all = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  const asked = telling.length > 0 ? telling : all;
  const found = asked.filter((word) => text.toLowerCase().includes(word)).length;
  const own = new Set(wordsOf(text));
  return found * 2 > asked.length ? found * 100 + all.filter((word) => own.has(word)).length : 0;
}

/** Operations that have most of the words in their group, method, path, name or summary, by group; the best come first. */
export function filterOperations(groups, phrase) {
  const rank = (tag, entry) => {
    const operation = entry.get('operation');
    const text = [tag, entry.get('method'), entry.get('path'), operation.get('operationId'), operation.get('summary')];
    return rankOf(text.join(' '), phrase);
  };
  const ranked = groups.map((group, tag) =>
    group.update('operations', (operations) =>
      operations
        .map((entry) => ({ entry, rank: rank(tag, entry) }))
        .filter((one) => one.rank > 0)
        .sortBy((one) => -one.rank),
    ),
  );
  return ranked
    .filter((group) => group.get('operations').size > 0)
    .sortBy((group) => -group.get('operations').first().rank)
    .map((group) => group.update('operations', (operations) => operations.map(({ entry }) => entry)));
}
