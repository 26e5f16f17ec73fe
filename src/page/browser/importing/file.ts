/* A file of a spreadsheet as rows of cells. */

import { parse } from 'papaparse';
import { separatorOf } from './text.js';
import { textOf } from './encodings.js';

/** Milliseconds of work in one turn, so that the page stays responsive. */
const SLICE = 12;

export interface FileTable {
  name: string;
  encoding: string;
  /** Whether its encoding is certain, so that the user need not be asked. */
  isSure: boolean;
  separator: string;
  header: string[];
  /** The cells of each row, and the line of the file on which it starts. */
  rows: { cells: string[]; line: number }[];
}

/** Waits for the next turn if the current one has taken long. */
export function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/** Options for reading a file that does not determine them itself. */
export interface Reading {
  encoding?: string;
  separator?: string;
}

/** Messages for files that are not text. */
const BINARY: readonly (readonly [start: readonly number[], said: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'This is a workbook. Save it as CSV in the spreadsheet program, and import that file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is a workbook. Save it as CSV in the spreadsheet program, and import that file'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF document. Import a CSV file'],
];

/**
 * Reads a file.
 * @param given the encoding, and what stands between cells; by default what the header uses most
 * @throws Error with a sentence, if it has no rows
 */
export async function readFile(file: File, given: Reading = {}): Promise<FileTable> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const binary = BINARY.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (binary) throw new Error(binary[1]);
  const { text, encoding, isSure } = textOf(bytes, given.encoding);
  const told = /^sep=([,;\t])\r?\n/i.exec(text);
  const content = told ? text.slice(told[0].length) : text;
  const separator = given.separator ?? told?.[1] ?? separatorOf(content);
  const [header, ...rows] = await rowsOf(content, separator, told ? 2 : 1);
  if (!header || rows.length === 0) throw new Error('The file has no rows below a header');
  return {
    name: file.name,
    encoding,
    isSure,
    separator,
    header: header.cells.map((cell) => cell.trim()),
    rows,
  };
}

/** Rows with any kind of line ends. Rows of empty cells are left out. */
function rowsOf(text: string, delimiter: string, firstLine: number): Promise<FileTable['rows']> {
  return new Promise((done) => {
    const rows: FileTable['rows'] = [];
    let line = firstLine;
    let since = performance.now();
    parse<string[]>(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'), {
      delimiter,
      newline: '\n',
      step: ({ data: cells }, parser) => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ cells, line });
        line += cells.reduce((count, cell) => count + cell.split('\n').length - 1, 1);
        if (performance.now() - since < SLICE) return;
        parser.pause();
        setTimeout(() => {
          since = performance.now();
          parser.resume();
        });
      },
      complete: () => done(rows),
    });
  });
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
