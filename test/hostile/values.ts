import { formatOf, pathLike, resolveSchema, type Json } from '../support/document.js';
import { referencesOf, resources } from '../support/resources.js';
import { Random } from './random.js';

/** How closely a request follows the document. */
export type Mood = 'valid' | 'boundary' | 'hostile';

/** JSON text that `JSON.stringify` would not write. */
export class Raw {
  constructor(readonly text: string) {}
}

/** JSON of a value that may contain raw text. */
export function toJson(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, entry]) => `${JSON.stringify(name)}:${toJson(entry)}`)
    .join(',')}}`;
}

export const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Texts that have broken software before. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDFFFy',
  '\uDC00\uD800',
  '\u202e\u0007\u001b[31m',
  '\ufeff',
  '\uFFFE\uFFFF',
  '\u{10FFFF}',
  'e\u0301',
  'ﷺ'.repeat(85),
  'a'.repeat(255),
  'a'.repeat(256),
  '\u0000'.repeat(300),
  "'; DROP TABLE sites; --",
  "' OR '1'='1",
  '1; SELECT pg_sleep(5)',
  '(CASE WHEN 1=1 THEN name ELSE id END)',
  'name DESC, (SELECT 1)',
  '$1',
  '%s%n%x',
  '%',
  '_',
  '\\',
  '\\u0000',
  '"',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '-0.0',
  '1e400',
  '0x10',
  '1_000',
  '٣',
  '９',
  '9'.repeat(400),
  '1.'.padEnd(300, '0'),
  '00',
  '+1',
  '.5',
  '1.',
  ' 1',
  '1,5',
  '1e5',
  '1200.50',
];

const deep = (levels: number): Raw => new Raw('['.repeat(levels) + ']'.repeat(levels));

/** Values of the wrong type, or of unusual size or depth. */
export const HOSTILE_VALUES: readonly unknown[] = [
  0,
  new Raw('-0'),
  1,
  -1,
  0.1,
  new Raw('1.0'),
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('1e-400'),
  new Raw('9007199254740993'),
  new Raw('1'.repeat(500)),
  2 ** 31,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  [null],
  [[]],
  [['a']],
  [{}],
  { $gt: '' },
  { length: 1e9 },
  new Raw('{"__proto__":{"admin":true}}'),
  new Raw('{"constructor":{"prototype":{"admin":true}}}'),
  new Raw('{"toString":1,"valueOf":null}'),
  deep(28),
  deep(33),
  new Raw('{"a":'.repeat(40) + '1' + '}'.repeat(40)),
];

const DATES: readonly string[] = [
  '0001-01-01',
  '9999-12-31',
  '0000-01-01',
  '0000-00-00',
  '10000-01-01',
  '-0001-01-01',
  '+002026-01-01',
  '2026-02-29',
  '2024-02-29',
  '1900-02-29',
  '2000-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '2026-W01-1',
  '2026-060',
  '20260301',
  '01/03/2026',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'today',
  '2026-03-01 BC',
  '2026-03-01T08:30',
  '2026-03-01T08:30:00',
  '2026-03-01t08:30:00z',
  '2026-03-01T08:30:00,123456789+05:30',
  '2026-03-01T08:30:00.9999Z',
  '2026-03-01T08:30:00.1234567891Z',
  '2026-03-01T08:30:00+14:00',
  '2026-03-01T08:30:00-2359',
  '2026-03-01T08:30:00+05',
  '2026-03-01T08:30:00+24:00',
  '2026-03-01T24:00:00Z',
  '2026-03-01T23:59:60Z',
  '2026-03-01T08:30:00 Europe/Paris',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '2026-03-29T02:30:00',
  '٢٠٢٦-٠٣-٠١',
];

const ADDRESSES: readonly string[] = [
  '0.0.0.0/0',
  '255.255.255.255/32',
  '10.0.0.1/33',
  '10.0.0.1/-1',
  '10.0.0.1/024',
  '10.0.0.1/24/24',
  '10.0.0.1/ 24',
  '10.0.0.1',
  '010.0.0.1/24',
  '1.2.3/8',
  '0x7f.0.0.1/8',
  '256.0.0.1/8',
  '::/0',
  '::1/128',
  '::1/129',
  'FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF/128',
  '2001:0DB8:0000:0000:0000:0000:0000:0001/64',
  '2001:db8:0:1:1:1:1:1/64',
  '2001:db8::1:0:0:1/64',
  '::ffff:10.0.0.1/128',
  '::10.0.0.1/96',
  '64:ff9b::192.0.2.33/96',
  'fe80::1%eth0/64',
  '2001:db8:::1/64',
  '[::1]/64',
];

const DECIMALS: readonly string[] = [
  '0',
  '-0',
  '0.0',
  '-0.00',
  '0.01',
  '-0.01',
  '1.10',
  '1.100',
  '0.0000000001',
  '0.00000000001',
  '99999999.99',
  '99999999.995',
  '100000000',
  '9'.repeat(20),
  '9'.repeat(21),
  `-${'9'.repeat(20)}.${'9'.repeat(10)}`,
];

const uuidForms = (id: string): string[] => [
  id.toUpperCase(),
  `{${id}}`,
  `urn:uuid:${id}`,
  id.replaceAll('-', ''),
  `${id} `,
  `${id}0`,
  id.slice(1),
  id.replace('4', '-'),
  NOBODY,
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

/** The planes of Unicode, and ranges of the first plane with special treatment. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x01, 0x1f],
  [0x20, 0x7e],
  [0x80, 0x24f],
  [0x300, 0x36f],
  [0x590, 0x6ff],
  [0x2000, 0x206f],
  [0x4e00, 0x9fff],
  [0xe000, 0xf8ff],
  [0xfdd0, 0xfdef],
  [0xfff0, 0xffff],
  ...Array.from({ length: 16 }, (_, plane) => [(plane + 1) << 16, ((plane + 1) << 16) | 0xffff] as const),
];

/** Collections by the names of references to their records, with and without the schema of the body: `CreateRack.siteId`. */
const COLLECTIONS = new Map<string, string>();
for (const { record } of resources) {
  for (const [name, collection] of Object.entries(referencesOf(record))) {
    const path = pathLike(collection);
    // Without its schema, a name has its meaning in the first resource.
    if (!COLLECTIONS.has(name)) COLLECTIONS.set(name, path);
    for (const body of ['Create', 'Update']) COLLECTIONS.set(`${body}${record.name}.${name}`, path);
  }
}

// The referenced collection depends on `resource`, which is usually devices.
COLLECTIONS.set('recordId', '/api/devices');
// Ends of cables are ports, unless the body names another resource.
for (const end of ['aId', 'bId']) COLLECTIONS.set(end, '/api/device-ports');

/** Whether some field with this name is a reference. */
export const isReference = (name: string): boolean => COLLECTIONS.has(name);

/** Entries of a list, without duplicates if the schema requires that. */
const distinct = ({ uniqueItems }: Json, entries: unknown[]): unknown[] =>
  uniqueItems ? [...new Set(entries)] : entries;

/** Generates values of the document's schemas. */
export class Values {
  constructor(
    readonly random: Random,
    readonly mood: Mood,
    /** Id of some record of a collection; undefined if no record is known. */
    readonly known: (collection: string) => string | undefined,
    /** Adds values to a body that the document does not describe. @param of name of its schema */
    private readonly extend?: (values: Values, body: Record<string, unknown>, of: string) => void,
  ) {}

  /** A body of a schema: the required properties and some of the others. */
  body(schema: Json): Record<string, unknown> {
    const { properties = {}, required = [] } = resolveSchema(schema);
    const { random } = this;
    const of = schema.$ref?.split('/').at(-1);
    const entries: [string, unknown][] = [];
    // One request has many properties, the next one few.
    const share = random.next();
    for (const [name, property] of Object.entries(properties as Record<string, Json>)) {
      const given = required.includes(name) ? this.mood !== 'hostile' || random.chance(0.97) : random.chance(share);
      if (given) entries.push([name, this.value(property, name, of)]);
    }
    if (this.mood === 'hostile' && random.chance(0.08)) {
      const unknown = random.one(['nonsense', '__proto__', 'constructor', 'id', 'createdAt', 'toString', '', 'nam\0e']);
      entries.push([unknown, random.one(HOSTILE_VALUES)]);
    }
    const body = Object.fromEntries(entries);
    if (of !== undefined) this.extend?.(this, body, of);
    return body;
  }

  /** @param of name of the schema */
  value(given: Json, name = '', of?: string): unknown {
    const { random, mood } = this;
    if (mood === 'hostile' && random.chance(0.15))
      return random.one(random.chance(0.6) ? HOSTILE_TEXTS : HOSTILE_VALUES);
    const schema = resolveSchema(given);
    const nullable = schema.anyOf !== undefined || (Array.isArray(schema.type) && schema.type.includes('null'));
    if (nullable && random.chance(0.08)) return null;
    const inner = schema.anyOf ? resolveSchema(schema.anyOf[0]) : schema;
    if (mood === 'boundary' && random.chance(0.35)) return this.boundary(inner, name, of);
    return this.valid(inner, name, of);
  }

  private valid(schema: Json, name: string, of?: string): unknown {
    const { random } = this;
    if (schema.enum) return random.one(schema.enum as unknown[]);
    const type = [schema.type].flat()[0] as string;
    const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1, multipleOf } = schema;
    switch (type) {
      case 'boolean':
        return random.chance(0.5);
      case 'integer':
        return random.chance(0.8)
          ? Math.max(minimum, Math.min(maximum, 1 + random.int(5)))
          : minimum + random.int(maximum - minimum + 1);
      case 'number':
        return multipleOf
          ? minimum + random.int((maximum - minimum) / multipleOf + 1) * multipleOf
          : minimum + random.next() * (maximum - minimum);
      case 'array':
        return distinct(
          schema,
          random.some((schema.minItems ?? 0) + random.int(3), () => this.value(schema.items)),
        );
      case 'object':
        return this.body(schema);
      default:
        return this.validText(schema, name, of);
    }
  }

  private referred(name: string, of: string | undefined): string | undefined {
    return this.known(COLLECTIONS.get(`${of}.${name}`) ?? COLLECTIONS.get(name) ?? '');
  }

  private validText(schema: Json, name: string, of?: string): string | null {
    const { random } = this;
    const { pattern, maxLength = 64 } = schema;
    const format = formatOf(schema);
    const digits = (count: number): string => random.some(count, () => random.int(10)).join('');
    switch (format) {
      case 'uuid': {
        const id = this.referred(name, of) ?? null;
        return id !== null && random.chance(0.2) ? id.toUpperCase() : id;
      }
      case 'date':
        return this.instant().slice(0, random.chance(0.8) ? 10 : undefined);
      case 'date-time':
        return this.instant();
      case 'email':
        return `${this.word()}@${random.one(['example.com', 'a.example.net', 'EXAMPLE.org'])}`;
      case 'password':
        // The text needs a visible character.
        return `${this.word()}${this.text(12 + random.int(20))}`;
      case 'iso-4217':
        return random.one(['USD', 'EUR', 'JPY', 'CHF', 'KWD']);
      case 'inet':
        return this.address();
      case 'cidr':
        return this.network();
      default:
    }
    if (pattern?.includes('\\d')) {
      const [whole, fraction] = pattern.includes('{0,7}') ? [8, 2] : [20, 10];
      return `${1 + random.int(9)}${digits(random.int(whole))}${random.chance(0.5) ? '' : `.${digits(1 + random.int(fraction))}`}`;
    }
    // One-line texts are often long. Long multi-line texts are rare, because they slow everything down.
    if (random.chance(maxLength > 1000 ? 0.01 : 0.05)) {
      const text = this.text(maxLength);
      // A name needs a visible character.
      return pattern ? ['n', ...[...text].slice(1)].join('').replaceAll('\n', ' ') : text;
    }
    return pattern ? `${this.word()}${this.text(random.int(20))}`.replaceAll('\n', ' ') : this.text(random.int(40));
  }

  /** A value at the limits of a schema, on either side. */
  private boundary(schema: Json, name: string, of?: string): unknown {
    const { random } = this;
    const { pattern, minimum, maximum, minLength = 0, maxLength, maxItems, multipleOf } = schema;
    const format = formatOf(schema);
    if (schema.enum) {
      const value = random.one(schema.enum as unknown[]);
      return random.one([value, String(value).toUpperCase(), ` ${String(value)}`, '', null]);
    }
    switch ([schema.type].flat()[0]) {
      case 'boolean':
        return random.one<unknown>([0, 1, 'true', 'false', '', null]);
      case 'integer':
      case 'number':
        return random.one<unknown>([
          ...(minimum === undefined ? [] : [minimum, minimum - 1, minimum + (multipleOf ?? 1)]),
          ...(maximum === undefined ? [] : [maximum, maximum + 1, maximum - (multipleOf ?? 1)]),
          ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 0.5, 1.5, Number.EPSILON],
          ...[new Raw('-0'), new Raw('0.0'), new Raw('1E0'), new Raw('9007199254740993'), new Raw('1e400'), '1', 'NaN'],
        ]);
      case 'array': {
        const count = random.one([0, 1, maxItems ?? 10, (maxItems ?? 10) + 1]);
        // Parts of a record are bodies themselves. A thousand parts would only test the size of the request.
        if (maxItems === undefined) return random.some(count, () => this.value(schema.items));
        const entry = this.valid(resolveSchema(schema.items), name);
        return random.some(count, () => entry);
      }
      case 'object':
        return this.body(schema);
      default:
    }
    if (format === 'uuid') return random.one(uuidForms(this.referred(name, of) ?? NOBODY));
    if (format === 'date' || format === 'date-time') return random.one(DATES);
    if (format === 'cidr' || format === 'inet') return random.one(ADDRESSES);
    if (format === 'iso-4217') return random.one(['XXX', 'usd', 'ZZZ', 'US', 'USDD', 'ＵＳＤ']);
    if (format === 'email') {
      return random.one([
        'a@b',
        'a@',
        '@b',
        `${'a'.repeat(64)}@example.com`,
        'é@example.com',
        'a b@c',
        `a@${'b'.repeat(260)}`,
      ]);
    }
    if (pattern?.includes('\\d')) return random.one(DECIMALS);
    const unit = random.one(['x', 'é', '𝒳', ' ']);
    const longest = maxLength ?? 64;
    const length = random.one([0, minLength, Math.max(0, minLength - 1), 1, longest, longest + 1]);
    // Long texts are slow, so only one in four is generated.
    return length > 1000 && random.chance(0.75) ? unit : unit.repeat(length);
  }

  word(): string {
    return `w${this.random.int(2 ** 31).toString(36)}`;
  }

  /** Text of this length that a database can store, with characters from every plane. */
  text(length: number): string {
    const { random } = this;
    const [from, to] = random.one(RANGES);
    const mixed = random.chance(0.3);
    return random
      .some(length, () => {
        const [first, last] = mixed ? random.one(RANGES) : [from, to];
        return String.fromCodePoint(first + random.int(last - first + 1));
      })
      .join('');
  }

  private instant(): string {
    const { random } = this;
    const [first, last] = random.chance(0.1)
      ? [Date.parse('0002-01-01'), Date.parse('9998-12-31')]
      : [Date.parse('2020-01-01'), Date.parse('2035-01-01')];
    const iso = new Date(first + random.int(last - first)).toISOString();
    return random.one([
      iso,
      iso.slice(0, 10),
      iso.slice(0, 16),
      `${iso.slice(0, 19)}Z`,
      `${iso.slice(0, 23)}456+05:30`,
      `${iso.slice(0, 19).toLowerCase()}-1130`,
      `${iso.slice(0, 19)},5+14`,
    ]);
  }

  /** A network address, without host bits. */
  private network(): string {
    const { random } = this;
    const bytes = random.some(3, () => random.int(256));
    if (random.chance(0.5)) return `${bytes.join('.')}.0/24`;
    const group = random.int(65_536);
    return random.one([
      `2001:db8:${group.toString(16)}::/48`,
      `2001:DB8:${group.toString(16)}:0:0:0:0:0/${48 + random.int(16)}`,
    ]);
  }

  private address(): string {
    const { random } = this;
    if (random.chance(0.5)) return `${random.some(4, () => random.int(256)).join('.')}/${random.int(33)}`;
    const groups = random.some(8, () => (random.chance(0.4) ? '0' : random.int(65_536).toString(16)));
    const host = random.one([
      groups.join(':'),
      groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':'),
      `${groups.slice(0, 3).join(':')}::${groups.slice(6).join(':')}`,
      `::ffff:${random.some(4, () => random.int(256)).join('.')}`,
    ]);
    return `${host}/${random.int(129)}`;
  }
}
