/*
 * Times as somebody types them, by the clocks of a zone: `tomorrow 22:00`, `fri 9:00`, `1.12. 9:00`, `22:00`, `+2h`, and all that files
 * may have. A time is here the text of a clock, `2026-12-24T22:00`.
 */

import { dateAndTimeOf, orderIn } from './importing/values.js';
import { READERS_LANGUAGE } from './locale.js';
import { localIn } from './zones.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: DAY, w: 7 * DAY };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const AHEAD = /^(?:\+|in ) ?(\d{1,4}) ?([mhdw])[a-z]*$/i;
const DAY_AND_MONTH = /^(\d{1,2})[./-](\d{1,2})\.?(?= |,|$)/;
const DAY_AND_WORD = /^(?:(\d{1,2})\.? )?(\p{L}+)\.?(?: (\d{1,2})(?=,| |$)(?! ?[ap]m))?/iu;
const HOUR = /^(\d{1,2})( ?[ap]m)?$/i;

const styled = orderIn(READERS_LANGUAGE);
const plain = (text: string): string => text.toLowerCase().replaceAll('.', '');

/** Words for days, in English and in the language of the reader, with the number of days to that day. */
function dayWords(today: number): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const language of [READERS_LANGUAGE, 'en']) {
    for (let days = 7; days > 0; days--)
      for (const weekday of ['long', 'short'] as const) {
        const said = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(today + days * DAY);
        words.set(plain(said), days);
      }
    const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    for (const days of [-1, 0, 1]) words.set(plain(near.format(days, 'day')), days);
  }
  return words;
}

const dateText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The date of a day and a month that is nearest to today. */
function nearestDate(day: number, month: number, today: number): string | undefined {
  const year = new Date(today).getUTCFullYear();
  const dates = [year - 1, year, year + 1].map((one) => Date.UTC(one, month - 1, day));
  const [found] = dates
    .filter((one) => new Date(one).getUTCMonth() === month - 1 && new Date(one).getUTCDate() === day)
    .toSorted((one, other) => Math.abs(one - today) - Math.abs(other - today));
  return found === undefined ? undefined : dateText(found);
}

/** The day that a text begins with, and what follows it. */
function leadingDay(text: string, today: number): { date: string | undefined; rest: string } | undefined {
  const numbers = DAY_AND_MONTH.exec(text);
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])];
    const [day, month] = styled === 'mdy' && !numbers[0].includes('.') ? [second, first] : [first, second];
    return { date: nearestDate(day, month, today), rest: text.slice(numbers[0].length) };
  }
  const word = DAY_AND_WORD.exec(text);
  if (!word) return undefined;
  const month = MONTHS.indexOf(word[2]!.slice(0, 3).toLowerCase()) + 1;
  const day = word[1] ?? word[3];
  if (day !== undefined && month > 0)
    return { date: nearestDate(Number(day), month, today), rest: text.slice(word[0].length) };
  const [, name = ''] = /^(\S+)/.exec(text) ?? [];
  const days = dayWords(today).get(plain(name));
  return days === undefined ? undefined : { date: dateText(today + days * DAY), rest: text.slice(name.length) };
}

/** Without zeros that say nothing: `2026-12-24T22:00`. */
const clock = (date: string, time = '00:00'): string => `${date}T${time.replace(/:00\.000$|\.000$/, '')}`;

/** The time that somebody typed; undefined for any other text. */
export function typedTime(given: string, zone: string, now = Date.now()): string | undefined {
  const text = given.trim();
  const current = localIn(Math.floor(now / MINUTE) * MINUTE, zone);
  if (/^now$/i.test(text)) return current;
  const full = dateAndTimeOf(text, styled);
  if (full) {
    const { date, time, offset } = full;
    return offset === undefined ? clock(date, time) : localIn(Date.parse(`${date}T${time}Z`) - offset * MINUTE, zone);
  }
  const [, count, unit] = AHEAD.exec(text) ?? [];
  if (unit !== undefined)
    return localIn(Math.floor(now / MINUTE) * MINUTE + Number(count) * UNITS[unit.toLowerCase()]!, zone);
  const today = Date.parse(`${current.slice(0, 10)}T00:00:00Z`);
  const day = leadingDay(text, today) ?? { date: dateText(today), rest: ` ${text}` };
  const rest = day.rest.replace(/^,? *(?:at )?/, '').replace(HOUR, '$1:00$2');
  // A number alone is a part of something that is still being typed.
  if (day.date === undefined || text === '' || /^\d+$/.test(text)) return undefined;
  const found = dateAndTimeOf(rest === '' ? day.date : `${day.date} ${rest}`, styled);
  return found && clock(found.date, found.time);
}

/** The date that somebody typed. */
export const typedDate = (text: string, zone: string): string | undefined => typedTime(text, zone)?.slice(0, 10);

const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

/** What a clock or a calendar shows, as a number for the formats of UTC. */
export const clockTime = (local: string): number => Date.parse(local.length > 10 ? `${local}Z` : `${local}T00:00:00Z`);

/** A time or a date as the reader writes it, which is read as the same; in the form of ISO 8601 if it would not be. */
export function writtenTime(local: string | null | undefined): string {
  if (!local) return '';
  const time = clockTime(local);
  if (Number.isNaN(time)) return local;
  const parts = local.length > 10 ? { ...CLOCK, ...(local.length > 16 && { second: '2-digit' as const }) } : {};
  const written = new Intl.DateTimeFormat(READERS_LANGUAGE, { ...NUMERIC, ...parts }).format(time);
  const read = typedTime(written, 'UTC');
  return read?.slice(0, local.length) === local ? written : local.replace('T', ' ');
}
