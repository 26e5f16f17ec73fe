/* Dates, times and numbers, as files of spreadsheets write them. */

/** How the dates of a column are written: `d.m.y` and the like, or `m/d/y`. Dates that begin with the year are understood with both. */
export type DateStyle = 'dmy' | 'mdy';
/** The sign before the fraction of a number. */
export type DecimalSign = '.' | ',';

const NUMERIC = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `Tue Jan 5, 2021`, `Jan 5, 2021`, `5 Jan, 2021` */
const WORDED = /^(?:[A-Za-z]{3,9},? )?(?:(\d{1,2}) )?([A-Za-z]{3})[a-z]*\.?,? (?:(\d{1,2}),? )?(\d{4})\b/;

/** The order of day and month in a language. */
export function orderIn(language: string): DateStyle {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('month') < parts.indexOf('day') ? 'mdy' : 'dmy';
}

/** The style that fits all dates of a column. Undefined if both do; dots occur in dates that begin with the day. */
export function toldDateStyle(values: Iterable<string>): DateStyle | undefined {
  let told: DateStyle | undefined;
  for (const value of values) {
    const [, first, sign, second] = NUMERIC.exec(value.trim()) ?? [];
    if (first === undefined || first.length > 2) continue;
    if (Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
    if (sign === '.') told = 'dmy';
  }
  return told;
}

/** Like `toldDateStyle`, if there is no user to ask: dates with slashes begin with the month, and others with the day. */
export function dateStyleOf(values: Iterable<string>): DateStyle {
  const all = [...values];
  const hasSlashes = all.every((value) => ['/', undefined].includes(NUMERIC.exec(value.trim())?.[2]));
  return toldDateStyle(all) ?? (hasSlashes ? 'mdy' : 'dmy');
}

/** The date that a text begins with, and what follows it. */
function leadingDate(text: string, style: DateStyle): { date: string; rest: string } | undefined {
  const numeric = NUMERIC.exec(text);
  const worded = numeric ? null : WORDED.exec(text);
  let date: string | undefined;
  if (numeric) {
    const [, first = '', , second = '', third = ''] = numeric;
    if (first.length > 2) date = validDate(first, second, third);
    else date = style === 'mdy' ? validDate(third, first, second) : validDate(third, second, first);
  } else if (worded) {
    const [, day, month, otherDay, year] = worded;
    date = validDate(year!, String(MONTHS.indexOf(month!.toLowerCase()) + 1), day ?? otherDay ?? '');
  }
  return date === undefined ? undefined : { date, rest: text.slice((numeric ?? worded)![0].length) };
}

/** A date as `YYYY-MM-DD`, whatever stands behind it; undefined if the text begins with none. */
export function dateOf(text: string, style: DateStyle): string | undefined {
  const found = leadingDate(text.trim(), style);
  return found && (found.rest === '' || ' T'.includes(found.rest[0]!)) ? found.date : undefined;
}

function validDate(year: string, month: string, day: string): string | undefined {
  // Two digits are a year of this century, unless it is far in the future.
  const full = year.length > 2 ? Number(year) : Number(year) + (Number(year) > 79 ? 1900 : 2000);
  const date = `${String(full).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : date;
}

/** A date with the time of day that a text gives it. */
export interface DateAndTime {
  date: string;
  /** `22:00:00.000`; undefined if the text has none. */
  time?: string;
  /** Whether it is the first moment of the day. */
  isMidnight: boolean;
  /** From UTC, in minutes; undefined if the text does not say it. */
  offset?: number;
}

const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[ \u00A0\u202F]?([ap])\.?m\.?)?(?: ?(z|utc|gmt)| ?([+-])(\d{2}):?(\d{2})?)?$/i;

/** A date, with or without a time of day; undefined for any other text. */
export function dateAndTimeOf(text: string, style: DateStyle): DateAndTime | undefined {
  const found = leadingDate(text.trim(), style);
  if (!found) return undefined;
  const { date, rest } = found;
  if (rest === '') return { date, isMidnight: true };
  if (!' T,'.includes(rest[0]!)) return undefined;
  const match = TIME.exec(rest.slice(1).trim());
  if (!match) return undefined;
  const [, given, minute = '', second = '00', fraction = '', half, utc, sign, hours, minutes = '00'] = match;
  let hour = Number(given);
  if (half && (hour < 1 || hour > 12)) return undefined;
  if (half) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59 || Number(hours ?? 0) > 23 || Number(minutes) > 59)
    return undefined;
  const time = `${String(hour).padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const isMidnight = time === '00:00:00.000';
  if (utc) return { date, time, isMidnight, offset: 0 };
  if (!sign) return { date, time, isMidnight };
  return { date, time, isMidnight, offset: (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)) };
}

/** Texts around a number: currency signs and codes. */
const withoutCurrency = (text: string): string =>
  text
    .replaceAll(/\p{Sc}/gu, '')
    .trim()
    .replaceAll(/^[A-Z]{2,3}\.?|[A-Z]{3}$/gi, '')
    .trim();

/** Separators of thousands, whatever the decimal sign. */
const BLANKS = /[\s\u00A0\u202F'’]/;

/** Whether digits between signs are groups of thousands: `1`, `234`, `500`. No number has a `0` before such a sign. */
const areThousands = ([first = '', ...others]: readonly string[]): boolean =>
  isDigits(first) &&
  first.length <= 3 &&
  !first.startsWith('0') &&
  others.every((one) => isDigits(one) && one.length === 3);

const isDigits = (text: string): boolean => text !== '' && !/\D/.test(text);

/** The decimal sign that fits all numbers of a column. `open` if both do, because `1,500` may be one and a half. Undefined without any sign. */
export function toldDecimalSign(values: Iterable<string>): DecimalSign | 'open' | undefined {
  let told: 'open' | undefined;
  for (const text of values) {
    const value = withoutCurrency(text).replace(/^[+-]/, '');
    const [dot, comma] = [value.lastIndexOf('.'), value.lastIndexOf(',')];
    if (dot >= 0 && comma >= 0) return dot > comma ? '.' : ',';
    const only = dot >= 0 ? '.' : comma >= 0 ? ',' : undefined;
    if (only === undefined) continue;
    const parts = value.split(only);
    // If a sign occurs repeatedly, it separates thousands.
    if (parts.length > 2) return only === '.' ? ',' : '.';
    // Digits that are not a group of thousands are a fraction. So are digits after groups that blanks separate.
    if (!areThousands(parts)) return only;
    told = 'open';
  }
  return told;
}

/** Like `toldDecimalSign`, if there is no user to ask. */
export const decimalSignOf = (values: Iterable<string>): DecimalSign => {
  const told = toldDecimalSign(values);
  return told === ',' ? ',' : '.';
};

/** A number as digits with a point; undefined if the text is none. */
export function numberOf(text: string, sign: DecimalSign): string | undefined {
  const value = withoutCurrency(text);
  const minus = value.startsWith('-') ? '-' : '';
  const [whole = '', fraction, ...more] = (/^[+-]/.test(value) ? value.slice(1) : value).trim().split(sign);
  if (more.length > 0 || (fraction !== undefined && fraction !== '' && !isDigits(fraction))) return undefined;
  if (whole === '' && fraction) return `${minus}0.${fraction}`;
  const groups = whole.split(sign === '.' ? ',' : '.').flatMap((part) => part.split(BLANKS));
  if (groups.length === 1 ? !isDigits(whole) : !areThousands(groups)) return undefined;
  return `${minus}${groups.join('').replace(/^0+(?=\d)/, '')}${fraction ? `.${fraction}` : ''}`;
}
