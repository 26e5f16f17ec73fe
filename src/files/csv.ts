/*
 * CSV as in RFC 4180, with null as an empty cell and empty text as a quoted one.
 *
 * Text that a spreadsheet would take for a formula gets a leading apostrophe. So does text that begins with an apostrophe, so
 * that an import can remove it again.
 */

export const END_OF_LINE = '\r\n';

/** First characters of a formula, and the apostrophe itself. */
const GUARDED = ["'", '=', '+', '-', '@', '\t', '\r'];
const CODES = GUARDED.map((character) => character.codePointAt(0)!);
const LAST_CODE = Math.max(...CODES);

/** SQL of a text that no spreadsheet takes for a formula. */
export const guarded = (sql: string): string =>
  // Most texts begin with a letter, which is after all of them.
  `CASE WHEN ascii(${sql}) > ${LAST_CODE} THEN ${sql} WHEN ascii(${sql}) IN (${CODES.join(', ')}) THEN '''' || ${sql} ELSE ${sql} END`;

/** A cell whose text is not as PostgreSQL sends it. */
export const cellOf = (value: string | null): string =>
  value === null ? '' : value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** A text that no spreadsheet takes for a formula. */
export const guardedText = (value: string): string => (GUARDED.includes(value.charAt(0)) ? `'${value}` : value);
