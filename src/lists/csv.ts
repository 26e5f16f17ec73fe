import { raw, sql, type Sql } from '../database/sql.js';

/*
 * CSV as in RFC 4180, with null as an empty cell and empty text as a quoted one.
 * Text that a spreadsheet would interpret as a formula gets a leading apostrophe. Text that begins with an apostrophe gets one too, so
 * that an
 * import can remove it again.
 */

const END_OF_LINE = '\r\n';

/** First characters of a formula, and the apostrophe itself. */
const GUARDED = ["'", '=', '+', '-', '@', '\t', '\r'];
const CODES = GUARDED.map((character) => character.codePointAt(0)!);
const IN_CODES = raw(CODES.join(', '));
const AFTER_CODES = raw(Math.max(...CODES));

/** SQL of a text that no spreadsheet takes for a formula. */
export const guarded = (text: Sql): Sql =>
  // Most texts begin with a letter, which sorts after all of these.
  sql`CASE WHEN ascii(${text}) > ${AFTER_CODES} THEN ${text} WHEN ascii(${text}) IN (${IN_CODES}) THEN '''' || ${text} ELSE ${text} END`;

// A cell with any of these is quoted. Some CSV readers trim white space, and some treat backslashes as escapes. In many countries a spreadsheet
// separates at semicolons, so that the rest would become a separate cell, and perhaps a formula.
const QUOTED = /["\\(),; \t\n\v\f\r]/;

const cellOf = (value: string | null): string =>
  value === null ? '' : value === '' || QUOTED.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

export const lineOf = (cells: readonly (string | null)[]): string => cells.map(cellOf).join(',') + END_OF_LINE;

/** A text that no spreadsheet takes for a formula. */
export const guardedText = (value: string): string => (GUARDED.includes(value.charAt(0)) ? `'${value}` : value);
