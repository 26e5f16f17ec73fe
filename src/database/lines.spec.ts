import { csvForm, jsonForm, recordsForm, textForm, type LineForm, type ListStart } from './lines.js';

/** A row as it comes from the database. */
function rowOf(cells: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(cells.length);
  const parts = cells.flatMap((cell) => {
    const bytes = Buffer.from(cell ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(cell === null ? -1 : bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([count, ...parts]);
}

/** The line of a row, in exactly as many bytes as it may take. */
function lineOf(form: LineForm, cells: readonly (string | null)[], types: readonly number[] = []): string {
  const row = Buffer.concat([Buffer.alloc(7), rowOf(cells)]);
  const writer = form(cells.map((_, index) => ({ name: `c"${index}`, dataTypeID: types[index] ?? 25 })));
  const line = Buffer.alloc(writer.most(row.length - 7));
  const end = writer.write(row, 7, line, 0);
  expect(end).toBeLessThanOrEqual(line.length);
  return line.subarray(0, end).toString();
}

const [BOOL, INT4, FLOAT8, NUMERIC, JSON_TYPE, UUID] = [16, 23, 701, 1700, 114, 2950];
const EVERY = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1));

describe('lines', () => {
  it('of CSV have quotes where a reader needs them', () => {
    expect(lineOf(csvForm, ['plain', null, '', 'a,b', 'say "x"', 'é', ' x', 'a\r\nb'])).toBe(
      'plain,,"","a,b","say ""x""",é," x","a\r\nb"\r\n',
    );
    for (const character of EVERY) {
      const isQuoted = '"\\(), \t\n\v\f\r'.includes(character);
      const shown = character === '"' ? '""' : character;
      expect(lineOf(csvForm, [character])).toBe(`${isQuoted ? `"${shown}"` : shown}\r\n`);
    }
    expect(lineOf(csvForm, ['"'.repeat(1000)])).toBe(`"${'"'.repeat(2000)}"\r\n`);
  });

  it('of JSON have each value in the form of its type', () => {
    const types = [BOOL, BOOL, INT4, NUMERIC, FLOAT8, FLOAT8, FLOAT8, JSON_TYPE, UUID, INT4];
    const cells = ['t', 'f', '-1', '120.50', '1e-07', 'NaN', '-Infinity', '{"a": [1]}', '12-ab', null];
    const names = cells.map((_, index) => JSON.stringify(`c"${index}`));
    const values = ['true', 'false', '-1', '120.50', '1e-07', '"NaN"', '"-Infinity"', '{"a": [1]}', '"12-ab"', 'null'];
    expect(lineOf(jsonForm, cells, types)).toBe(
      `{${names.map((name, index) => `${name}:${values[index]}`).join(',')}}\n`,
    );
  });

  it('of JSON escape texts', () => {
    for (const text of [EVERY, '\u{1F600} é \u2028', '', '\u0001'.repeat(1000)]) {
      expect(lineOf(jsonForm, [text])).toBe(`{"c\\"0":${JSON.stringify(text)}}\n`);
    }
  });

  it('that the database has made stay as they are', () => {
    expect(lineOf(textForm, ['["a, b", 1]'])).toBe('["a, b", 1]\n');
    expect(lineOf(textForm, [null])).toBe('\n');
  });

  it.each([
    [
      [
        ['{"a":"é"}', '12'],
        ['{"b":2}', '12'],
        ['{}', '12'],
      ],
      '{"a":"é"},{"b":2},{}',
      { first: 10, total: 12 },
    ],
    [[[null, '12']], '', { first: 0, total: 12 }],
    [[['{}'], ['{}']], '{},{}', { first: 2 }],
  ])(
    'of a list are its records with commas between them, and the first row tells of the list: %j',
    (rows, text, start) => {
      const list: ListStart = { first: 0 };
      const writer = recordsForm(list)(rows[0]!.map((_, index) => ({ name: `c${index}`, dataTypeID: 25 })));
      const lines = rows.map((cells) => {
        const row = rowOf(cells);
        const line = Buffer.alloc(writer.most(row.length));
        return line.subarray(0, writer.write(row, 0, line, 0));
      });
      expect(Buffer.concat(lines).toString()).toBe(text);
      expect(list).toEqual(start);
    },
  );
});
