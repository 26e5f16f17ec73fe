/* Finds the intended word after a typing error. */

/** The number of letters to add, leave out, replace or exchange with the next one, by the algorithm for optimal string alignment. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const costs = [row[j - 1]! + 1, rows[i - 1]![j]! + 1, rows[i - 1]![j - 1]! + cost];
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        costs.push(rows[i - 2]![j - 2]! + 1);
      row.push(Math.min(...costs));
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}

const LONGEST = 40;

/** The usual word that a text resembles; undefined if it is one, or resembles none. */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const typed = text.trim().toLowerCase().replaceAll(' ', '_');
  if (words.includes(text) || typed.length > LONGEST) return undefined;
  return words
    .map((word) => ({ word, far: distance(typed, word.toLowerCase()) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(word.length / 4)))
    .toSorted((a, b) => a.far - b.far)[0]?.word;
}
