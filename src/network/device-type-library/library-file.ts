import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import type { CST, Document } from 'yaml';
import { Fault, invalid, ValidationFailed } from '../../http/errors.js';
import { CreateManufacturerOfLibrary, CreateTypeOfLibrary } from './library-bodies.js';
import { isPortList, LibraryPorts, type LibraryPort } from './library-ports.js';
import { keysOf, readAs, typed } from './library-values.js';

type Yaml = typeof import('yaml');

/** Parts of a document that are read in one turn of the event loop. They take a few milliseconds. */
const LEXEMES_AT_ONCE = 1_000;

/** A device type as a document of the library describes it. */
export interface LibraryType {
  /** Number of the document, from 1. */
  document: number;
  manufacturer: string;
  /** The properties of the type that the document contains. */
  type: CreateTypeOfLibrary & { model: string };
  ports: LibraryPort[];
  /** Keys that are ignored. */
  ignored: string[];
}

/** Maximum characters of a document. The largest of the library has 11,000; reading many more takes seconds. */
const MAX_DOCUMENT = 256 * 1024;
const MAX_FAULTS = 1000;
/** Maximum tokens of a document, including spaces and line ends. They are composed in a single turn of the event loop. */
const MAX_LEXEMES = 100_000;
/** Maximum nesting of lists and mappings. `yaml` reads them recursively, and a stack overflow would end the process. */
const MAX_NESTING = 32;

const TYPE_KEYS: Record<string, keyof CreateTypeOfLibrary> = {
  model: 'model',
  slug: 'slug',
  part_number: 'partNumber',
  u_height: 'uHeight',
  is_full_depth: 'isFullDepth',
  weight: 'weight',
  airflow: 'airflow',
  subdevice_role: 'subdeviceRole',
  is_powered: 'isPowered',
  description: 'description',
};
/** Kilograms in the units of a weight. */
const UNITS: Record<string, number> = { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125 };

const TOO_DEEP = 'is nested too deeply';

/** Reads files of YAML documents, and collects their faults. */
export class LibraryReader {
  private readonly found: LibraryType[] = [];
  private readonly faults: Fault[] = [];
  private readonly names = new Set<string>();
  private documents = 0;

  /** @param place the name of a document in its faults, by number */
  async read(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    place: (document: number) => string = (document) => `documents[${document}]`,
  ): Promise<void> {
    // Large, and few processes need it.
    const yaml = await import('yaml');
    for await (const text of documentsOf(chunks)) {
      const path = place(++this.documents);
      const type = await readDocument(yaml, text, path, this.faults);
      if (type) {
        const name = nameOf(type);
        if (this.names.has(name)) this.faults.push(new Fault(`${path}.model`, 'is already in an earlier document'));
        this.names.add(name);
        this.found.push({ document: this.documents, ...type });
      }
      if (this.faults.length >= MAX_FAULTS) return;
      // Other requests are served between the documents.
      await setImmediate();
    }
  }

  /** @throws ValidationFailed with the faults of all documents */
  types(): LibraryType[] {
    if (this.documents === 0) throw invalid('body', 'must hold a YAML document');
    if (this.faults.length > 0) throw new ValidationFailed(this.faults.slice(0, MAX_FAULTS));
    return this.found;
  }

  /** Returns and removes the faults so far, so that the other documents can be imported. */
  takeFaults(): Fault[] {
    return this.faults.splice(0);
  }
}

/** A manufacturer's name in a form in which equal names are equal: ASCII letters in lower case, as in `lower(name COLLATE "C")`. */
export const makerKey = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Key of a type: equal for two documents of the same type. */
export const nameOf = ({ manufacturer, type }: Pick<LibraryType, 'manufacturer' | 'type'>): string =>
  JSON.stringify([makerKey(manufacturer), type.model]);

/** The texts of the documents of a file: a line that begins with `---` starts one, wherever it stands. */
async function* documentsOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let lines: string[] = [];
  let length = 0;
  const take = (): string => {
    const text = lines.join('\n');
    lines = [];
    length = 0;
    return text;
  };
  const add = (line: string): void => {
    length += line.length + 1;
    if (length > MAX_DOCUMENT) throw invalid('body', 'has a document of more than 256 KiB');
    lines.push(line);
  };
  let first = true;
  for await (const chunk of chunks) {
    let text = rest + decoder.write(chunk);
    if (first) text = text.replace(/^\uFEFF/, '');
    first = false;
    const complete = text.split(/\r?\n/);
    rest = complete.pop()!;
    if (rest.length > MAX_DOCUMENT) add(rest);
    for (const line of complete) {
      if (/^---(?:\s|$)/.test(line)) {
        const before = take();
        if (hasContent(before)) yield before;
      }
      add(line);
    }
  }
  add(rest + decoder.end());
  const last = take();
  if (hasContent(last)) yield last;
}

/** Whether a text has more than comments and the mark that starts a document. Each line is read once. */
const hasContent = (text: string): boolean =>
  text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const shown = line.trim();
    return shown !== '' && shown !== '---' && !shown.startsWith('#');
  });

type Entry = [key: string, value: unknown];

async function readDocument(
  yaml: Yaml,
  text: string,
  path: string,
  faults: Fault[],
): Promise<Omit<LibraryType, 'document'> | undefined> {
  const entries = await entriesOf(yaml, text, path, faults);
  if (!entries) return undefined;
  const ignored: string[] = [];
  const body: Record<string, unknown> = {};
  let manufacturer: unknown;
  const lists: Entry[] = [];
  const unit = UNITS[String(entries.find(([key]) => key === 'weight_unit')?.[1])];
  for (const [key, value] of entries) {
    if (key === 'manufacturer') manufacturer = value;
    else if (isPortList(key)) lists.push([key, value]);
    // A number without its unit has no meaning.
    else if (unit === undefined && (key === 'weight' || key === 'weight_unit')) ignored.push(key);
    else if (key === 'weight') body.weight = kilograms(typed(key, value), unit!);
    else if (Object.hasOwn(TYPE_KEYS, key)) body[TYPE_KEYS[key]!] = typed(key, value);
    else if (key !== 'weight_unit') ignored.push(key);
  }
  const before = faults.length;
  readAs(CreateManufacturerOfLibrary, { name: manufacturer }, { name: 'manufacturer' }, `${path}.`, faults);
  const type = readAs(CreateTypeOfLibrary, body, keysOf(TYPE_KEYS), `${path}.`, faults);
  const ports = new LibraryPorts(path, ignored, faults).read(lists);
  if (faults.length > before) return undefined;
  return {
    manufacturer: manufacturer as string,
    type: type as LibraryType['type'],
    ports,
    ignored: [...new Set(ignored)],
  };
}

/**
 * Like `parseDocument`, which takes half a second for 256 KiB, but in steps, so that other requests are served in between.
 * @returns why it is refused, if it is too large
 */
async function documentsIn(yaml: Yaml, text: string): Promise<Document.Parsed[] | string> {
  const parser = new yaml.Parser();
  const composer = new yaml.Composer({
    schema: 'failsafe',
    prettyErrors: false,
    // The library compares each key with every other key of its mapping, which takes minutes for a large mapping.
    uniqueKeys: false,
    stringKeys: true,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  const compose = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) documents.push(...composer.next(token));
  };
  let count = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    compose(parser.next(lexeme));
    // The lowest entry is the document.
    if (parser.stack.length > MAX_NESTING + 1) return TOO_DEEP;
    if (count++ === MAX_LEXEMES) return 'has more than 100,000 words and signs';
    if (count % LEXEMES_AT_ONCE === 0) await setImmediate();
  }
  compose(parser.end());
  documents.push(...composer.end(true, text.length));
  return documents;
}

/** The entries of a document as texts, lists and maps. No value is converted to a number, a date or a boolean. */
async function entriesOf(yaml: Yaml, text: string, path: string, faults: Fault[]): Promise<Entry[] | undefined> {
  const refuse = (message: string): undefined => void faults.push(new Fault(path, message));
  try {
    const documents = await documentsIn(yaml, text);
    if (typeof documents === 'string') return refuse(documents);
    const [document, another] = documents;
    if (!document || another) return refuse('must be one YAML document');
    const [error] = document.errors;
    if (error?.code === 'RESOURCE_EXHAUSTION') return refuse(TOO_DEEP);
    if (error) return refuse(`is not valid YAML: ${error.message}`);
    const [warning] = document.warnings;
    if (warning) return refuse(`must not have tags: ${warning.message}`);
    let isAliased = false;
    yaml.visit(document, { Alias: () => ((isAliased = true), yaml.visit.BREAK) });
    if (isAliased) return refuse('must not have aliases');
    if (!yaml.isMap(document.contents)) return refuse('must be a mapping');
    const keys = document.contents.items.map(({ key }) => String(yaml.isScalar(key) ? key.value : key));
    const seen = new Set<string>();
    const twice = keys.find((key) => seen.has(key) || !seen.add(key));
    if (twice !== undefined) return refuse(`has the key '${twice.slice(0, 100)}' twice`);
    return [...(document.toJS({ mapAsMap: true, maxAliasCount: 0 }) as Map<string, unknown>)];
  } catch (error) {
    if (error instanceof RangeError) return refuse(TOO_DEEP);
    throw error;
  }
}

/** The weight in kilograms, rounded to the gram. Other values are returned unchanged, and validation refuses them. */
const kilograms = (value: unknown, unit: number): unknown =>
  typeof value === 'number' ? Math.round(value * unit * 1000) / 1000 : value;
