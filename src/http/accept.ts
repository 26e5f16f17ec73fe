export interface MediaRange {
  type: string;
  quality: number;
}

/** The media ranges of an `Accept` header. */
export function mediaRanges(accept: string): MediaRange[] {
  return accept
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([type]) => type !== '')
    .map(([type, ...parameters]) => {
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { type: type!, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    });
}

/** Quality of a media type by the most specific range that includes it. */
export function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.filter((candidate) => candidate.type === range);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}
