/* Dates and numbers, as files of spreadsheets write them. */

/** How the dates of a column are written: `d.m.y` and the like, or `m/d/y`. Those that begin with the year are understood beside both. */
export type DateStyle = 'dmy' | 'mdy';
/** The sign before the fraction of a number. */
export type DecimalSign = '.' | ',';

const NUMERIC = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?(?:[ T]|$)/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The style that fits all dates of a column. Where both fit, dates with slashes begin with the month, and others with the day.
 */
export function dateStyleOf(values: Iterable<string>): DateStyle {
  let hasSlashes = true;
  for (const value of values) {
    const [, first, sign, second] = NUMERIC.exec(value.trim()) ?? [];
    if (first === undefined || first.length > 2) continue;
    if (Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
    hasSlashes = sign === '/';
  }
  return hasSlashes ? 'mdy' : 'dmy';
}

/** A date as `YYYY-MM-DD`; undefined if the text is none. */
export function dateOf(text: string, style: DateStyle): string | undefined {
  const value = text.trim();
  const numeric = NUMERIC.exec(value);
  if (numeric) {
    const [, first = '', , second = '', third = ''] = numeric;
    if (first.length > 2) return validDate(first, second, third);
    return style === 'mdy' ? validDate(third, first, second) : validDate(third, second, first);
  }
  // `Tue Jan 5, 2021`, `Jan 5, 2021`, `5 Jan, 2021`
  const [, day, month, otherDay, year] =
    /^(?:[A-Za-z]{3,9},? )?(?:(\d{1,2}) )?([A-Za-z]{3})[a-z]*\.?,? (?:(\d{1,2}),? )?(\d{4})\b/.exec(value) ?? [];
  if (month === undefined) return undefined;
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return validDate(year!, String(number), day ?? otherDay ?? '');
}

function validDate(year: string, month: string, day: string): string | undefined {
  // Two digits are of this century, but for what lies far ahead.
  const full = year.length > 2 ? Number(year) : Number(year) + (Number(year) > 79 ? 1900 : 2000);
  const date = `${String(full).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : date;
}

/** What stands around a number: signs of currencies, their codes, and blanks. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Sc}\s\u00A0'’]/gu, '').replaceAll(/^[A-Z]{2,3}\.?|[A-Z]{3}$/gi, '');

/** The sign that fits all numbers of a column. */
export function decimalSignOf(values: Iterable<string>): DecimalSign {
  let guess: DecimalSign = '.';
  for (const text of values) {
    const value = plain(text);
    const [dot, comma] = [value.lastIndexOf('.'), value.lastIndexOf(',')];
    if (dot >= 0 && comma >= 0) return dot > comma ? '.' : ',';
    const only = dot >= 0 ? '.' : comma >= 0 ? ',' : undefined;
    if (only === undefined) continue;
    const parts = value.split(only);
    const other: DecimalSign = only === '.' ? ',' : '.';
    // Several of them are between thousands; digits that are not three are a fraction.
    if (parts.length > 2) return other;
    if (parts[1]!.length !== 3) return only;
    guess = only === ',' ? '.' : guess;
  }
  return guess;
}

/** A number as digits with a point; undefined if the text is none. */
export function numberOf(text: string, sign: DecimalSign): string | undefined {
  const value = plain(text);
  const grouped = sign === '.' ? value.replaceAll(/,(?=\d{3}(?!\d))/g, '') : value.replaceAll(/\.(?=\d{3}(?!\d))/g, '');
  const found = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(sign === ',' ? grouped.replace(',', '.') : grouped);
  if (!found) return undefined;
  const [, minus, whole, fraction] = found;
  return `${minus === '-' ? '-' : ''}${whole!.replace(/^0+(?=\d)/, '')}${fraction ? `.${fraction}` : ''}`;
}
