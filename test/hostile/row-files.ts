import type { Random } from './random.js';
import { HOSTILE_TEXTS, toJson, type Mood } from './values.js';

/** A file of an import. */
interface RowFile {
  contentType: string;
  body: Buffer;
}

type Body = Record<string, unknown>;

/** A file of rows with these bodies: JSON lines, or CSV in the dialects of various programs. Hostile files are often damaged. */
export function rowFile(random: Random, mood: Mood, bodies: readonly Body[]): RowFile {
  const isCsv = random.chance(0.7);
  const text = isCsv ? csv(random, bodies) : `${bodies.map(toJson).join(random.one(['\n', '\r\n']))}\n`;
  const contentType = isCsv ? random.one(['text/csv', 'text/csv; charset=utf-8']) : 'application/x-ndjson';
  const body = Buffer.from(random.chance(0.2) ? `\u{FEFF}${text}` : text);
  return { contentType, body: mood === 'hostile' && random.chance(0.4) ? damaged(random, body) : body };
}

/** The column of a custom field has the name of the field. */
const flat = ({ customFields, ...body }: Body): Body =>
  typeof customFields !== 'object' || customFields === null
    ? { ...body, ...(customFields !== undefined && { customFields }) }
    : {
        ...body,
        ...Object.fromEntries(Object.entries(customFields).map(([key, value]) => [`customFields.${key}`, value])),
      };

function csv(random: Random, given: readonly Body[]): string {
  const bodies = given.map(flat);
  const header = [...new Set(bodies.flatMap((body) => Object.keys(body)))];
  const delimiter = random.one([',', ',', ';', '\t']);
  const quotesAll = random.chance(0.3);
  const cell = (value: unknown): string => {
    if (value === undefined || value === null) return '';
    const text = typeof value === 'string' ? value : ((toJson(value) as string | undefined) ?? '');
    const guarded = /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
    const needsQuotes = quotesAll || guarded === '' || /["\r\n]/.test(guarded) || guarded.includes(delimiter);
    return needsQuotes ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  // Spreadsheets also write empty columns and rows.
  const spare = random.chance(0.2) ? ['', ''] : [];
  const lines = [
    [...header.map(cell), ...spare],
    ...bodies.map((body) => [...header.map((name) => cell(body[name])), ...spare]),
    ...(random.chance(0.2) ? [[...header.map(() => ''), ...spare]] : []),
  ];
  return lines.map((line) => line.join(delimiter)).join(random.one(['\n', '\r\n', '\r'])) + random.one(['', '\n']);
}

/** A file that no program should write. */
function damaged(random: Random, body: Buffer): Buffer {
  const at = random.int(body.length + 1);
  const insert = (bytes: Buffer): Buffer => Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
  switch (random.int(10)) {
    case 0:
      return body.subarray(0, at);
    case 1:
      return insert(Buffer.from('"'));
    case 2:
      return insert(Buffer.from('\0'));
    case 3:
      return insert(Buffer.from([random.one([0xff, 0xc0, 0x80, 0xed])]));
    case 4:
      return Buffer.from(body.toString(), 'utf16le');
    case 5:
      return insert(Buffer.from('x'.repeat(1024 * 1024 + 1)));
    case 6:
      return insert(Buffer.from(random.one(HOSTILE_TEXTS)));
    case 7:
      return Buffer.from(`${Array.from({ length: 2000 }, (_, i) => `c${i}`).join(',')}\n`);
    case 8:
      return Buffer.from(`${random.one(['__proto__', 'constructor', 'id,id', ',,', 'name,name', 'toString'])}\nx,y\n`);
    default:
      return insert(Buffer.from(random.one(['\n', '\r', ',', ';', '\t', '\u2028', "'=1+1", '{"a":1}', '[]', 'null'])));
  }
}
