interface MediaRange {
  type: string;
  quality: number;
}

function rangesOf(accept: string): MediaRange[] {
  return accept
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([type]) => type !== '')
    .map(([type, ...parameters]) => {
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { type: type!, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    });
}

/** Media type of problem details (RFC 9457). Only refusals have it, so accepting it does not affect other responses. */
export const PROBLEM_TYPE = 'application/problem+json';

/** Whether an `Accept` header names a media type explicitly, and does not exclude it. */
export const hasRange = (accept: string, type: string): boolean =>
  accept.toLowerCase().includes(type) && rangesOf(accept).some((range) => range.type === type && range.quality > 0);

/** Quality of a media type by the most specific range that includes it. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.filter((candidate) => candidate.type === range);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}

/**
 * The media type that an `Accept` header prefers; undefined if it allows none.
 * @param types in the order in which the service prefers them
 */
export function preferredType<T extends string>(accept: string, types: readonly T[]): T | undefined {
  const ranges = rangesOf(accept).filter(({ type }) => type !== PROBLEM_TYPE);
  if (ranges.length === 0) return types[0];
  let best: T | undefined;
  let highest = 0;
  for (const type of types) {
    const quality = qualityOf(type, ranges);
    if (quality > highest) [best, highest] = [type, quality];
  }
  return best;
}
