/*
 * Lines that are made of the cells of rows, as bytes. PostgreSQL sends each cell as its text. To make one text of a row costs
 * PostgreSQL more than to read the row, and a string of it is work for the garbage collector.
 *
 * A row is what follows the length of a message DataRow: the number of cells in two bytes, and each cell as its length in four
 * bytes, -1 for null, and its text in UTF-8.
 */

/** What the database says of a column. */
export interface LineColumn {
  name: string;
  /** OID of its type. */
  dataTypeID: number;
}

/** Makes lines of rows. */
export interface LineWriter {
  /** Most bytes of the line of a row of this many bytes. */
  most(bytes: number): number;
  /** Writes the line of the row at a position. @returns the position after the line */
  write(row: Buffer, at: number, to: Buffer, end: number): number;
}

/** A form of lines, for rows of these columns. */
export type LineForm = (columns: readonly LineColumn[]) => LineWriter;

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, COMMA, BACKSLASH, MINUS, ZERO, NINE] = ['"', ',', '\\', '-', '0', '9'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const [CR, LF, SPACE] = [13, 10, 32];

const copy = (from: Buffer, start: number, end: number, to: Buffer, at: number): number => {
  for (let index = start; index < end; index++) to[at++] = from[index]!;
  return at;
};

// A cell with any of these is quoted. Some readers of CSV remove white space, and some take backslashes for escapes.
const QUOTED = new Uint8Array(256);
for (const character of '"\\(), \t\n\v\f\r') QUOTED[code(character)] = 1;

function isQuoted(row: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (QUOTED[row[index]!] === 1) return true;
  return false;
}

/** CSV as in RFC 4180, with null as an empty cell and empty text as a quoted one. */
export const csvForm: LineForm = () => ({
  // All characters of a cell may be quotes. Its length takes four bytes, its own quotes and the comma take three.
  most: (bytes) => 2 * bytes,
  write(row, at, to, end) {
    const cells = row.readUInt16BE(at);
    at += 2;
    for (let cell = 0; cell < cells; cell++) {
      if (cell > 0) to[end++] = COMMA;
      const length = row.readInt32BE(at);
      at += 4;
      if (length < 0) continue;
      const stop = at + length;
      if (length > 0 && !isQuoted(row, at, stop)) {
        end = copy(row, at, stop, to, end);
      } else {
        to[end++] = QUOTE;
        for (let index = at; index < stop; index++) {
          const byte = row[index]!;
          if (byte === QUOTE) to[end++] = QUOTE;
          to[end++] = byte;
        }
        to[end++] = QUOTE;
      }
      at = stop;
    }
    to[end++] = CR;
    to[end++] = LF;
    return end;
  },
});

/** Lines that PostgreSQL has made: the only cell of a row. */
export const textForm: LineForm = () => ({
  most: (bytes) => bytes,
  write(row, at, to, end) {
    const length = row.readInt32BE(at + 2);
    const start = at + 6;
    const after = end + row.copy(to, end, start, start + Math.max(length, 0));
    to[after] = LF;
    return after + 1;
  },
});

/** What the first row tells about the list that it begins. */
export interface ListStart {
  /** Bytes of the first record; 0 if there are no records. */
  first: number;
  /** Number of records of the list; absent if the rows do not have it. */
  total?: number;
}

/**
 * Records as the text of a JSON array without its brackets. The first cell of a row is the JSON of a record, or null if the list
 * has none. The second cell is the total of the list, if it is counted.
 * @param list is told what the first row says
 */
export const recordsForm =
  (list: ListStart): LineForm =>
  (columns) => {
    const isCounted = columns.length > 1;
    let rows = 0;
    return {
      // The lengths of the cells take more bytes than a comma.
      most: (bytes) => bytes,
      write(row, at, to, end) {
        const length = row.readInt32BE(at + 2);
        const start = at + 6;
        const stop = start + Math.max(length, 0);
        if (rows++ === 0) {
          list.first = stop - start;
          if (isCounted) list.total = Number(row.toString('latin1', stop + 4, stop + 4 + row.readInt32BE(stop)));
        } else if (length >= 0) {
          to[end++] = COMMA;
        }
        return end + row.copy(to, end, start, stop);
      },
    };
  };

// What a character of JSON is escaped as.
const ESCAPES: (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : undefined,
);
const ESCAPED = Uint8Array.from(ESCAPES, (escape) => (escape ? 1 : 0));
const LONGEST_ESCAPE = 6;

type WriteValue = (row: Buffer, start: number, stop: number, to: Buffer, end: number) => number;

const asText: WriteValue = (row, start, stop, to, end) => {
  to[end++] = QUOTE;
  for (let index = start; index < stop; index++) {
    const byte = row[index]!;
    if (ESCAPED[byte] === 1) end += ESCAPES[byte]!.copy(to, end);
    else to[end++] = byte;
  }
  to[end++] = QUOTE;
  return end;
};

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

// NaN and Infinity are texts in JSON.
const asNumber: WriteValue = (row, start, stop, to, end) =>
  isDigit(row[row[start] === MINUS ? start + 1 : start])
    ? copy(row, start, stop, to, end)
    : asText(row, start, stop, to, end);

const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];
const asBoolean: WriteValue = (row, start, _stop, to, end) =>
  end + (row[start] === code('t') ? TRUE : FALSE).copy(to, end);

// The OIDs of PostgreSQL's types, which are the same in every database.
const WRITERS = new Map<number, WriteValue>([
  ...[114, 3802].map((type): [number, WriteValue] => [type, copy]),
  ...[20, 21, 23, 700, 701, 1700].map((type): [number, WriteValue] => [type, asNumber]),
  [16, asBoolean],
]);

/** Objects of JSON, with the names of the columns. A value of a type that has no form of its own in JSON is a text. */
export const jsonForm: LineForm = (columns) => {
  const writers = columns.map(({ dataTypeID }) => WRITERS.get(dataTypeID) ?? asText);
  const names = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const around = names.reduce((sum, { length }) => sum + length, 0) + columns.length * NULL.length + 4;
  return {
    most: (bytes) => LONGEST_ESCAPE * bytes + around,
    write(row, at, to, end) {
      at += 2;
      for (let cell = 0; cell < writers.length; cell++) {
        end = copy(names[cell]!, 0, names[cell]!.length, to, end);
        const length = row.readInt32BE(at);
        at += 4;
        if (length < 0) {
          end = copy(NULL, 0, NULL.length, to, end);
        } else {
          end = writers[cell]!(row, at, at + length, to, end);
          at += length;
        }
      }
      to[end++] = code('}');
      to[end++] = LF;
      return end;
    },
  };
};
