import { raw, sql, type Sql } from '../database/sql.js';

/*
 * CSV as in RFC 4180, with null as an empty cell and empty text as a quoted one.
 *
 * Text that a spreadsheet would take for a formula gets a leading apostrophe. So does text that begins with an apostrophe, so
 * that an import can remove it again.
 */

const END_OF_LINE = '\r\n';

/** First characters of a formula, and the apostrophe itself. */
const GUARDED = ["'", '=', '+', '-', '@', '\t', '\r'];
const CODES = GUARDED.map((character) => character.codePointAt(0)!);
const IN_CODES = raw(CODES.join(', '));
const AFTER_CODES = raw(Math.max(...CODES));

/** SQL of a text that no spreadsheet takes for a formula. */
export const guarded = (text: Sql): Sql =>
  // Most texts begin with a letter, which is after all of them.
  sql`CASE WHEN ascii(${text}) > ${AFTER_CODES} THEN ${text} WHEN ascii(${text}) IN (${IN_CODES}) THEN '''' || ${text} ELSE ${text} END`;

// A cell with any of these is quoted. Some readers of CSV remove white space, some take backslashes for escapes, and in many countries
// a spreadsheet takes semicolons for separators, so that what follows would be a cell of its own, and perhaps a formula.
const QUOTED = /["\\(),; \t\n\v\f\r]/;

const cellOf = (value: string | null): string =>
  value === null ? '' : value === '' || QUOTED.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

export const lineOf = (cells: readonly (string | null)[]): string => cells.map(cellOf).join(',') + END_OF_LINE;

/** A text that no spreadsheet takes for a formula. */
export const guardedText = (value: string): string => (GUARDED.includes(value.charAt(0)) ? `'${value}` : value);
