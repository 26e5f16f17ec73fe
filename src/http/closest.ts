/** Edit distance of two words, at most `limit`. A swap of two neighbouring letters counts as one edit. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
      }
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, limit);
}

/** The known name that is most similar to a misspelt one, if at most a third of it differs. */
export function closest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.min(4, Math.floor(name.length / 3) + 1);
  for (const candidate of known) {
    const far = distance(wanted, candidate.toLowerCase(), least);
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}
