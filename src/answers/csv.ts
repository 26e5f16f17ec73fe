/*
 * CSV after RFC 4180. PostgreSQL makes the lines: its text of a row has the same quotes, with null as an empty cell and empty
 * text as a quoted one, and costs a fraction of quoting by functions. Only its parentheses and doubled backslashes differ.
 *
 * Text that a spreadsheet would take for a formula gets a leading apostrophe, and so does text that begins with one, so that an
 * import can take it off again.
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

/** SQL of a row of cells, of whose text `csvLines` makes a line. */
export const row = (cells: readonly string[]): string => `ROW(${cells.join(', ')})`;

/** Lines of CSV of the texts of rows. */
export function csvLines(rows: readonly string[]): string {
  const lines = rows.map((text) => text.slice(1, -1)).join(END_OF_LINE) + END_OF_LINE;
  return lines.includes('\\') ? lines.replaceAll('\\\\', '\\') : lines;
}

/** A cell that the service makes. */
export const cellOf = (value: string | null): string =>
  value === null ? '' : value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** A text that no spreadsheet takes for a formula. */
export const guardedText = (value: string): string => (GUARDED.includes(value.charAt(0)) ? `'${value}` : value);
