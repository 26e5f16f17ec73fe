/* Times as people write them, and in the form of the service. `new Date` is not used to parse texts, because it accepts `SRV-12`. */

import { dateAndTimeOf, orderIn, type DateStyle } from './importing/values.js';
import { READERS_LANGUAGE } from './locale.js';
import { instantIn, localIn, READERS } from './zones.js';

const MINUTE = 60_000;

/**
 * A date, or a date and a time, in the form of the service; undefined for any other text, and for a time that clocks skip.
 * @param replaced the former instant. If clocks show the time twice, the nearer one counts
 */
export function readTime(text: string, style: DateStyle, zone: string, replaced?: string): string | undefined {
  const found = dateAndTimeOf(text, style);
  if (!found) return undefined;
  const { date, time = '00:00', offset } = found;
  const instant =
    offset === undefined
      ? instantIn(`${date}T${time}`, zone, instantOf(replaced))
      : Date.parse(`${date}T${time}Z`) - offset * MINUTE;
  return instant === undefined ? undefined : new Date(instant).toISOString();
}

/** A time that was typed or pasted, in the order of the language and in the reader's zone. */
export const readersTime = (text: string, replaced?: string): string | undefined =>
  readTime(text, orderIn(READERS_LANGUAGE), READERS, replaced);

/** A time as the clock of the reader shows it, for an input, and back: `2026-12-24T22:00`. */
export const toLocal = (time: string | null | undefined): string => (time ? localIn(Date.parse(time), READERS) : '');

/** ISO 8601 with an offset, as the service has instants. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The milliseconds of an instant; undefined for any other text. */
export function instantOf(text: unknown): number | undefined {
  const time = typeof text === 'string' && INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The first moment of a date in UTC, for its day; undefined for any other text. */
export const dayOf = (text: unknown): number | undefined => instantOf(`${String(text)}T00:00:00Z`);
