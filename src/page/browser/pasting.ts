/* A table that is pasted: CSV with tabs, as spreadsheets copy it. A cell with a line break is quoted. */

import { parse } from 'papaparse';

/** The cells of a pasted text, by row. */
export function pastedCells(text: string): string[][] {
  const content = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const read = (quoteChar: string) => parse<string[]>(content, { delimiter: '\t', newline: '\n', quoteChar });
  const quoted = read('"');
  // An unclosed quotation mark is part of the text.
  const rows = quoted.errors.some(({ type }) => type === 'Quotes') ? read('\0').data : quoted.data;
  // The last row ends with a line break too.
  const isLast = rows.length > 1 && rows.at(-1)!.every((cell) => cell === '');
  return (isLast ? rows.slice(0, -1) : rows).map((cells) => cells.map((cell) => cell.trim()));
}
