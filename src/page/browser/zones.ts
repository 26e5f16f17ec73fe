/* Time zones, and their days. */

/** The time zone of the reader. */
export const READERS = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const zones = (): string[] => Intl.supportedValuesOf('timeZone');

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

/** The beginning of the day of a time in a zone. A day need not be 24 hours long. @param days after that day */
export function midnight(time: number, zone: string, days = 0): number {
  const local = new Date(time + ahead(time, zone));
  const utc = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days);
  return utc - ahead(utc - ahead(utc, zone), zone);
}

/** Whether the browser knows a time zone of this name; old names are known, and not among `zones`. */
export const isZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
};
