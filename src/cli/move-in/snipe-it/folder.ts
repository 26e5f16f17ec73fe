import { createReadStream, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { CommandError } from '../../remote.js';
import { fieldsOf, kindOf } from './columns.js';
import { byName, type Raw, unescaped } from './raw.js';

type Reading = typeof import('../../../page/browser/importing/text.js', { with: { 'resolution-mode': 'import' } });

/** @throws CommandError for a name that is not known */
function checkEncoding(encoding: string): void {
  try {
    void new TextDecoder(encoding);
  } catch {
    throw new CommandError(`'${encoding}' is not the name of an encoding, such as windows-1251 or shift_jis`);
  }
}

/**
 * The rows of all CSV files of a folder, as they are read.
 * @param encoding of the files. It is detected if absent
 * @throws CommandError if there is none, or one cannot be read
 */
export async function* readFolder(folder: string, encoding?: string): AsyncGenerator<Raw> {
  if (encoding !== undefined) checkEncoding(encoding);
  // The page reads files in the same way, as a module for browsers.
  const reading = await import('../../../page/browser/importing/text.js');
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.csv$/i.test(name));
  } catch (error) {
    throw new CommandError(`${folder} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (names.length === 0) throw new CommandError(`${folder} has no CSV files`);
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    try {
      yield* readFile(path, reading, encoding);
    } catch (error) {
      throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
    }
  }
}

async function* readFile(path: string, reading: Reading, encoding: string | undefined): AsyncGenerator<Raw> {
  const name = basename(path);
  let header: string[] | undefined;
  let kind: ReturnType<typeof kindOf>;
  let fields: ReturnType<typeof fieldsOf> | undefined;
  let row = 0;
  for await (const cells of cellsOf(path, reading, encoding)) {
    if (!header) {
      header = cells;
      kind = kindOf(header, name);
      fields = kind && fieldsOf(kind, header);
      continue;
    }
    row++;
    // A row of empty cells is skipped.
    if (cells.every((cell) => cell.trim() === '')) continue;
    const raw: Raw = {
      kind: kind ?? `file:${name}`,
      list: name,
      at: `${name}, row ${row}`,
      fields: {},
      custom: byName(),
      changes: [],
    };
    for (const [column, cell] of cells.entries()) {
      const value = unescaped(cleaned(cell));
      if (value === '') continue;
      const named = header[column]?.trim() || `column ${column + 1}`;
      const whole = reading.mended(value);
      if (whole !== undefined) raw.changes.push([named, `'${value}' was read as '${whole}'`]);
      const field = header[column]?.trim() ? fields?.[column] : undefined;
      if (field === null) continue;
      // A column name may occur twice. The first value counts.
      if (field === undefined) raw.custom[named] ??= whole ?? value;
      else raw.fields[field] ??= whole ?? value;
    }
    yield raw;
  }
}

/** Trimmed, and without characters that no text may have. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const cleaned = (cell: string): string => cell.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFEFF]/g, '').trim();

/** The encoding of a file. The whole file has to be read for this. */
async function encodingOf(path: string, { decoderOf, narrowEncodingOf, wideEncodingOf }: Reading) {
  const decode = decoderOf('utf-8', true);
  let isFirst = true;
  let [isUtf8, hasLineFeeds] = [true, false];
  const look = (bytes?: Uint8Array): void => {
    try {
      if (isUtf8) decode(bytes);
    } catch {
      isUtf8 = false;
    }
  };
  for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) {
    const wide = isFirst ? wideEncodingOf(bytes) : undefined;
    if (wide !== undefined) return wide;
    isFirst = false;
    hasLineFeeds ||= bytes.includes(0x0a);
    look(bytes);
    if (!isUtf8 && hasLineFeeds) break;
  }
  look();
  return narrowEncodingOf({ isUtf8, hasLineFeeds });
}

/** The text of a file, piece by piece. */
async function* textsOf(path: string, reading: Reading, encoding: string | undefined): AsyncGenerator<string> {
  const decode = reading.decoderOf(encoding ?? (await encodingOf(path, reading)));
  for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) yield decode(bytes);
  yield decode();
}

async function* cellsOf(path: string, reading: Reading, encoding: string | undefined): AsyncGenerator<string[]> {
  const texts = textsOf(path, reading, encoding);
  // The first piece has the separator line, or else the header.
  const { value: start = '' } = (await texts.next()) as { value?: string };
  const told = /^sep=([,;\t])\r?\n/i.exec(start);
  const content = told ? start.slice(told[0].length) : start;
  const parser = parse({
    bom: true,
    delimiter: told?.[1] ?? reading.separatorOf(content),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  async function* all(): AsyncGenerator<string> {
    yield content;
    yield* texts;
  }
  // The parser throws the errors of the stream.
  pipeline(Readable.from(all()), parser, () => {});
  yield* parser as AsyncIterable<string[]>;
}
