/* Time zones, and their days. */

/** The time zone of the reader. */
export const READERS = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const zones = (): string[] => Intl.supportedValuesOf('timeZone');

const DAY = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds that a zone is ahead of UTC at a time. */
function ahead(time: number, zone: string): number {
  if (!clocks.has(zone))
    clocks.set(
      zone,
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
    );
  const parts = clocks.get(zone)!.formatToParts(time);
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    Number(parts.find((part) => part.type === type)!.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

/**
 * The start of the day of a time in a zone. A day may not have 24 hours. If clocks skip midnight, it starts with the first moment after
 * that. @param days after that day
 */
export function midnight(time: number, zone: string, days = 0): number {
  const local = new Date(time + ahead(time, zone));
  const utc = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days);
  const [first] = instantsOf(utc, zone);
  if (first !== undefined) return first;
  // Within these hours the clocks go forward over midnight, to the next date.
  let [before, after] = [utc - DAY, utc + DAY];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + ahead(middle, zone) < utc) before = middle;
    else after = middle;
  }
  return after;
}

/** The instants at which the clocks of a zone show a time: one, two in the order of time, or none. @param utc that time in UTC */
function instantsOf(utc: number, zone: string): number[] {
  const offsets = [...new Set([utc - DAY, utc + DAY].map((around) => ahead(around, zone)))];
  return offsets
    .map((offset) => utc - offset)
    .filter((time) => time + ahead(time, zone) === utc)
    .toSorted((one, other) => one - other);
}

/** Whether the browser knows a time zone of this name; old names are known, and not among `zones`. */
export const isZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
};

/**
 * The instant of a time of day in a zone, in milliseconds; undefined if clocks skip it. If they show it twice, the first one, or the
 * one nearer to the former instant.
 * @param local `2026-12-24T22:00`
 */
export function instantIn(local: string, zone: string, replaced = Number.NEGATIVE_INFINITY): number | undefined {
  const [first, second] = instantsOf(Date.parse(`${local}Z`), zone);
  if (first === undefined || second === undefined) return first;
  return Math.abs(second - replaced) < Math.abs(first - replaced) ? second : first;
}

/** An instant as the clocks of a zone show it: `2026-12-24T22:00`, with seconds if there are any. */
export function localIn(time: number, zone: string): string {
  const text = new Date(time + ahead(time, zone)).toISOString();
  return text.slice(0, text.slice(17, 19) === '00' ? 16 : 19);
}
