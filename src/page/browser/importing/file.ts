/* A file of a spreadsheet as rows of cells. */

import { separatorOf, textOf, type Encoding } from './text.js';

/** Milliseconds that the page is busy at a time, so that it goes on answering. */
const SLICE = 12;

export interface FileTable {
  name: string;
  encoding: Encoding;
  separator: string;
  header: string[];
  /** The cells of each row, and the line of the file on which it starts. */
  rows: { cells: string[]; line: number }[];
}

/** Waits for the next turn of the page once it has been busy for a moment. */
export function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/**
 * Reads a file.
 * @param separator what stands between cells; by default what the header uses most
 * @throws Error with a sentence, if it has no rows
 */
export async function readFile(file: File, separator?: string): Promise<FileTable> {
  const { text, encoding } = textOf(new Uint8Array(await file.arrayBuffer()));
  const told = /^sep=([,;\t])\r?\n/i.exec(text);
  const content = (told ? text.slice(told[0].length) : text).replace(/^\uFEFF/, '');
  const used = separator ?? told?.[1] ?? separatorOf(content);
  const rows: FileTable['rows'] = [];
  let header: string[] | undefined;
  const pause = pauses();
  for (const row of rowsOf(content, used, told ? 2 : 1)) {
    // Rows of empty cells are none.
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    if (header) rows.push(row);
    else header = row.cells.map((cell) => cell.trim());
    await pause();
  }
  if (!header || rows.length === 0) throw new Error('The file has no rows below a header');
  return { name: file.name, encoding, separator: used, header, rows };
}

/** Rows of RFC 4180, whatever their lines end with. */
function* rowsOf(text: string, separator: string, firstLine: number): Generator<{ cells: string[]; line: number }> {
  const special = new RegExp(`[${separator === '\t' ? '\\t' : separator}"\\r\\n]`, 'g');
  let cells: string[] = [];
  let cell = '';
  let line = firstLine;
  let start = firstLine;
  let at = 0;
  while (at < text.length) {
    special.lastIndex = at;
    const next = special.exec(text)?.index ?? text.length;
    cell += text.slice(at, next);
    const sign = text[next];
    at = next + 1;
    if (sign === '"') {
      if (cell.trim() !== '') {
        // A quotation mark within a text is a part of it.
        cell += sign;
        continue;
      }
      cell = '';
      for (;;) {
        const end = text.indexOf('"', at);
        const part = text.slice(at, end < 0 ? undefined : end);
        line += part.split(/\r\n|\n|\r/).length - 1;
        cell += part;
        at = end < 0 ? text.length : end + 1;
        if (end < 0 || text[at] !== '"') break;
        cell += '"';
        at++;
      }
    } else if (sign === separator) {
      cells.push(cell);
      cell = '';
    } else if (sign !== undefined) {
      if (sign === '\r' && text[at] === '\n') at++;
      line++;
      yield { cells: [...cells, cell], line: start };
      cells = [];
      cell = '';
      start = line;
    }
  }
  if (cells.length > 0 || cell !== '') yield { cells: [...cells, cell], line: start };
}

/** A cell as CSV has it. An empty one is not quoted, because a quoted one is empty text. */
const quoted = (cell: string): string =>
  /["\r\n,;\t]/.test(cell) || /^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Rows as the text of a CSV file. */
export async function csvOf(rows: Iterable<readonly string[]>, separator: string): Promise<string> {
  const lines: string[] = [];
  const pause = pauses();
  for (const row of rows) {
    lines.push(row.map(quoted).join(separator));
    await pause();
  }
  return `${lines.join('\r\n')}\r\n`;
}
