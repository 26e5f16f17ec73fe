import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse, type CsvError } from 'csv-parse';
import { DomainError, ValidationFailed } from '../../http/errors.js';
import { betweenTurns } from '../../http/event-loop.js';
import type { FileBody } from './file-body.js';
import { isObject, MIB, parseJson } from '../../http/json-body.js';

const MAX_ROW = MIB;
/** Most rows of a file. Empty ones count too, because reading them takes time. */
const MAX_ROWS = 100_000;
const MAX_COLUMNS = 1000;
/** Bytes that are parsed in one turn of the event loop. */
const SLICE = 4 * 1024;

/** The text of a cell of a CSV file. Null for an empty cell; a quoted empty cell is empty text. */
export type Cell = string | null;

export interface FileRow {
  /** Number of the row, from 1, without the header. */
  row: number;
  /** Line of the file on which it starts, from 1. */
  line: number;
  /** Length of its text. */
  bytes: number;
  /** Cells in the order of the header. Absent if the file has no header. */
  cells?: readonly Cell[];
  /** Values by column name, if every row names its own columns. */
  values?: Readonly<Record<string, unknown>>;
  /** The reason why it cannot be read. */
  fault?: string;
}

export interface RowFile {
  /** Names of the columns; undefined if every row names its own. */
  header?: readonly string[];
  rows: AsyncIterable<FileRow>;
}

const refuse = (sentence: string): DomainError => new DomainError('validation', sentence);
const tooManyRows = (): DomainError =>
  new DomainError('body_too_large', `The file has more than ${MAX_ROWS.toLocaleString('en')} rows`);

/** @throws DomainError for a file that cannot be read as rows; later ones are thrown by the iteration */
export const openRows = async (file: FileBody): Promise<RowFile> =>
  file.type === 'text/csv' ? openCsv(file) : { rows: readNdjson(file) };

/** Reads rows to the last one. @throws DomainError for rows that cannot be read, or too many of them */
export async function readToEnd({ rows }: RowFile): Promise<void> {
  const turn = betweenTurns();
  for await (const _row of rows) await turn();
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const DELIMITERS = [',', ';', '\t'];

/** The line before the header by which Excel is told the delimiter. */
const MARKED_DELIMITER = /^sep=([,;\t])\r?\n/i;

/** The delimiter that the header uses: the most frequent one outside quotes. */
function delimiterOf(start: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of start) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return DELIMITERS.reduce((most, delimiter) => (counts.get(delimiter)! > counts.get(most)! ? delimiter : most));
}

interface CsvRecord {
  record: string[];
  raw: string;
}

async function openCsv(file: FileBody): Promise<RowFile> {
  const first = await file.chunks().next();
  const start = first.done ? Buffer.alloc(0) : first.value;
  const marked = start.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const text = start.subarray(marked ? 3 : 0).toString('utf8');
  const told = MARKED_DELIMITER.exec(text)?.[1];
  const records = readCsv(file, told ?? delimiterOf(text));
  if (told !== undefined) await records.next();
  const { value, done } = await records.next();
  if (done) throw refuse('The file has no header row');
  const header = value.cells.map((cell) => (cell ?? '').trim());
  if (header.length > MAX_COLUMNS) throw refuse(`The header has more than ${MAX_COLUMNS} columns`);
  return { header, rows: rowsOf(records, header) };
}

type CsvRow = Required<Pick<FileRow, 'cells' | 'line' | 'bytes'>>;

/** How many lines a text ends: at a line feed, a carriage return, or both together. */
function lineEndsIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) count++;
  }
  return count;
}

/** @param to number of the last row that is read */
async function* recordsOf(file: FileBody, delimiter: string, to?: number): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: MAX_ROW,
    // Quoted empty cells and line counts are detected from the text of the whole row. A callback for each cell would take several times
    // as long.
    raw: true,
    // By default the library expects all lines to end like the first one.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    to,
  });
  const source = Readable.from(slicesOf(file));
  source.on('error', (error) => parser.destroy(error));
  try {
    yield* source.pipe(parser) as AsyncIterable<CsvRecord>;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** The bytes of a file in small slices, with a turn of the event loop after each. Every byte of a slice can be a row. */
async function* slicesOf(file: FileBody): AsyncGenerator<Buffer> {
  for await (const chunk of file.chunks()) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      yield chunk.subarray(at, at + SLICE);
      await setImmediate();
    }
  }
}

async function* readCsv(file: FileBody, delimiter: string): AsyncGenerator<CsvRow> {
  let line = 1;
  try {
    for await (const { record, raw } of recordsOf(file, delimiter)) {
      yield { cells: cellsOf(record, raw, delimiter), line, bytes: raw.length };
      line += lineEndsIn(raw);
    }
  } catch (error) {
    throw (await csvFault(error, file, delimiter)) ?? error;
  }
}

/** The line after a number of rows. After an error the library discards parsed rows that nobody has read, so they are read again. */
async function lineAfter(rows: number, file: FileBody, delimiter: string): Promise<number> {
  let line = 1;
  if (rows > 0) for await (const { raw } of recordsOf(file, delimiter, rows)) line += lineEndsIn(raw);
  return line;
}

/** Messages for the errors of the library, whose own messages contain text of the file. */
async function csvFault(error: unknown, file: FileBody, delimiter: string): Promise<DomainError | undefined> {
  const { code, records } = error as CsvError & { records?: number };
  const what = {
    CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
    INVALID_OPENING_QUOTE: 'has a quote within a cell that is not quoted',
    CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
    CSV_MAX_RECORD_SIZE: 'is longer than 1 MiB',
  }[code as string];
  if (what === undefined) return undefined;
  return refuse(`The row on line ${await lineAfter(records ?? 0, file, delimiter)} ${what}`);
}

/** The cells of a row. Empty cells without quotes are null. */
function cellsOf(record: string[], raw: string, delimiter: string): Cell[] {
  const quoted = raw.includes('""') ? quotedCells(raw, delimiter) : undefined;
  // In place: the library made the array for this row.
  const cells: Cell[] = record;
  for (let index = 0; index < cells.length; index++) {
    if (cells[index] === '' && !quoted?.has(index)) cells[index] = null;
  }
  return cells;
}

/** Positions of the quoted cells of a row. */
function quotedCells(raw: string, delimiter: string): Set<number> {
  const quoted = new Set<number>();
  let inQuotes = false;
  let cell = 0;
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === '"') {
      inQuotes = !inQuotes;
      quoted.add(cell);
    } else if (raw[i] === delimiter && !inQuotes) cell++;
  }
  return quoted;
}

async function* rowsOf(records: AsyncIterable<CsvRow>, header: readonly string[]): AsyncGenerator<FileRow> {
  let row = 0;
  let count = 0;
  for await (const { cells, line, bytes } of records) {
    if (++count > MAX_ROWS) throw tooManyRows();
    // Spreadsheets write empty rows for formatted or deleted cells.
    if (cells.every((cell) => cell === null)) continue;
    row++;
    let fault: string | undefined;
    for (let index = 0; index < cells.length; index++) {
      if (cells[index] !== null && !header[index]) {
        fault = `has a value in column ${index + 1}, which has no name in the header`;
      }
    }
    if (cells.length < header.length) fault ??= `has ${cells.length} cells, and the header ${header.length}`;
    yield { row, line, bytes, cells, fault };
  }
}

async function* readNdjson(file: FileBody): AsyncGenerator<FileRow> {
  let row = 0;
  let number = 0;
  for await (const line of linesOf(file)) {
    if (++number > MAX_ROWS) throw tooManyRows();
    const text = number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
    if (isBlank(text)) continue;
    row++;
    yield { row, line: number, bytes: text.length, ...readObject(text) };
  }
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

function readObject(line: Buffer): { values?: Readonly<Record<string, unknown>>; fault?: string } {
  try {
    const value = parseJson(line);
    return isObject(value) ? { values: value } : { fault: 'must be a JSON object' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const fault = error instanceof ValidationFailed ? error.message : error.message.replace('The body ', '');
    return { fault };
  }
}

const LINE_FEED = 0x0a;

async function* linesOf(file: FileBody): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of file.chunks()) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield pieces.length > 0 ? Buffer.concat([...pieces, chunk.subarray(start, end)]) : chunk.subarray(start, end);
      pieces = [];
      length = 0;
      number++;
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_ROW) throw refuse(`The row on line ${number} is longer than 1 MiB`);
  }
  if (length > 0) yield Buffer.concat(pieces);
}
