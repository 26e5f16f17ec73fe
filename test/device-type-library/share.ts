import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ValidationFailed } from '../../src/http/errors.js';
import { LibraryReader, type LibraryType } from '../../src/network/device-type-library/library-file.js';
import { PORT_LISTS } from '../../src/network/device-type-library/library-ports.js';

export const SAMPLE = join(__dirname, '../fixtures/device-type-library');

/** Number of keys of documents, each as often as it is there, and how many of them are kept. */
interface Share {
  documents: number;
  /** Documents that contradict themselves, such as an outlet of a power port that there is not. An import refuses them. */
  refused: number;
  keys: number;
  /** While interfaces were the only ports. */
  before: number;
  after: number;
}

/** The keys of a document: those of its entries as `interfaces.name`. */
function keysOf(document: Record<string, unknown>): string[] {
  return Object.entries(document).flatMap(([key, value]) => {
    const entries = Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
    return [key, ...entries.flatMap((entry) => Object.keys(entry as object).map((own) => `${key}.${own}`))];
  });
}

/** The type of the document that was read; undefined if it is refused. */
function typeOf(reader: LibraryReader): LibraryType | undefined {
  try {
    return reader.types()[0];
  } catch (error) {
    if (error instanceof ValidationFailed) return undefined;
    throw error;
  }
}

export async function shareOf(folder: string): Promise<Share> {
  const share: Share = { documents: 0, refused: 0, keys: 0, before: 0, after: 0 };
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => /\.ya?ml$/.test(name));
  for (const file of files.toSorted()) {
    const text = readFileSync(join(folder, file));
    const reader = new LibraryReader();
    await reader.read([text]);
    const type = typeOf(reader);
    if (!type) {
      share.refused++;
      continue;
    }
    const ignored = new Set(type.ignored);
    const keys = keysOf(parse(text.toString(), { schema: 'failsafe' }) as Record<string, unknown>);
    const kept = keys.filter((key) => !ignored.has(key) && !ignored.has(key.split('.')[0]!));
    const isOfOtherPorts = (key: string): boolean => {
      const [list] = key.split('.');
      return list !== 'interfaces' && Object.hasOwn(PORT_LISTS, list!);
    };
    share.documents++;
    share.keys += keys.length;
    share.after += kept.length;
    share.before += kept.filter((key) => !isOfOtherPorts(key)).length;
  }
  return share;
}
