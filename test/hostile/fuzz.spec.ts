import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';

/*
 * Hostile and boundary requests to every operation, made from the document and from a seed. Whatever is sent, the answer is
 * one that the document knows (the client of the tests sees to that), no 5xx, and what was accepted reads back as it was
 * sent. `FUZZ_REQUESTS` and `FUZZ_SEED` make it longer and other: a failure prints its seed and number.
 */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape
type Json = any;
const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as Json;
const resolve = (value: Json): Json =>
  value?.$ref
    ? resolve(
        (value.$ref as string)
          .slice(2)
          .split('/')
          .reduce((at, part) => at[part], document),
      )
    : value;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const HOSTILE: Json[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDFFFy',
  'é',
  '😀',
  '\u202e',
  '\ufeff',
  'a'.repeat(255),
  'a'.repeat(256),
  'ﷺ'.repeat(65_536),
  'a'.repeat(65_537),
  "'; DROP TABLE sites; --",
  '%',
  '_',
  '\\',
  '"',
  '${7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '1_000',
  '٣',
  '9'.repeat(400),
  '1.'.padEnd(300, '0'),
  '-1',
  '00',
  '1,5',
  '1200.50',
  0,
  -0,
  -1,
  1,
  0.1,
  1e308,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53,
  Number.MIN_VALUE,
  true,
  false,
  null,
  [],
  {},
  [null],
  [[]],
  { __proto__: null, a: 1 },
  deep(31),
  deep(33),
  '0000-00-00',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '10000-01-01',
  '-0001-01-01T00:00:00Z',
  '2026-03-01T08:30:00+14:00',
  '2026-03-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000-0000-4000-8000-000000000000'.toUpperCase(),
  '00000000000040008000000000000000',
  '10.0.0.1/24',
  '10.0.0.1',
  '10.0.0.1/33',
  '::/0',
  '2001:db8::1/129',
  'fe80::1%eth0/64',
  '010.0.0.1/24',
  '1.2.3/8',
];

class Fuzzer {
  readonly ids = new Map<string, string[]>();
  constructor(private readonly next: () => number) {}

  int = (below: number): number => Math.floor(this.next() * below);
  one = <T>(list: readonly T[]): T => list[this.int(list.length)]!;

  /** A value by the schema, most of the time. */
  value(schema: Json, depth = 0): Json {
    if (this.next() < 0.12) return this.one(HOSTILE);
    const {
      type,
      enum: values,
      format,
      properties,
      required = [],
      items,
      example,
      anyOf,
      allOf,
      oneOf,
    } = resolve(schema);
    const choices = anyOf ?? allOf ?? oneOf;
    if (choices) return this.value(this.one(choices), depth + 1);
    if (values) return this.one(values);
    const kind = Array.isArray(type) ? this.one(type) : type;
    if (kind === 'null') return null;
    if (kind === 'object' && properties) {
      const body: Json = {};
      for (const [name, property] of Object.entries(properties)) {
        if (required.includes(name) ? this.next() < 0.97 : this.next() < 0.35)
          body[name] = this.value(property, depth + 1);
      }
      if (this.next() < 0.04) body[this.one(['nonsense', '__proto__', 'id', 'toString', ''])] = this.one(HOSTILE);
      return body;
    }
    if (kind === 'array') return Array.from({ length: this.int(3) + 1 }, () => this.value(items, depth + 1));
    if (kind === 'boolean') return this.next() < 0.5;
    if (kind === 'integer' || kind === 'number') return this.one([0, 1, 2, 42, example ?? 7]);
    if (format === 'uuid') return this.id();
    return example ?? `text ${this.int(1e6)}`;
  }

  /** Of some record that there is, or of none. */
  id(path?: string): string {
    const known = (path === undefined ? undefined : this.ids.get(path)) ?? [...this.ids.values()].flat();
    return known.length > 0 && this.next() < 0.8
      ? this.one(known)
      : this.next() < 0.9
        ? '00000000-0000-4000-8000-000000000000'
        : encodeURIComponent(
            String(
              this.one(
                HOSTILE.filter(
                  (value) => typeof value === 'string' && !/[\uD800-\uDFFF]/.test(value) && value.length < 300,
                ),
              ),
            ),
          );
  }

  query(parameters: Json[]): string {
    const given = parameters.map(resolve).filter(({ in: place }: Json) => place === 'query');
    const pairs: string[] = [];
    for (let i = this.int(4); i > 0 && given.length > 0; i--) {
      const { name, schema } = this.one(given) as Json;
      const inner = schema.type === 'array' ? schema.items : schema;
      const value = this.value(inner);
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      pairs.push(
        `${this.next() < 0.02 ? 'nonsense' : encodeURIComponent(name)}=${encodeURIComponent(Buffer.from(text.slice(0, 2000)).toString())}`,
      );
    }
    return pairs.length > 0 ? `?${pairs.join('&')}` : '';
  }
}

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

it(`stands ${REQUESTS} hostile requests of seed ${SEED}`, async () => {
  const fuzzer = new Fuzzer(random(SEED));
  const operations = Object.entries(document.paths as Record<string, Json>)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Json>).map(([method, operation]) => ({ path, method, operation })),
    )
    // Logging in and out and changing the own password would end what the others need.
    .filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/auth'));
  const tally: Record<string, number> = {};
  const failures: string[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const { path, method, operation } = fuzzer.one(operations);
    const collection = path.split('/{')[0]!;
    const url = path.replaceAll(/\{\w+\}/g, () => fuzzer.id(collection)) + fuzzer.query(operation.parameters ?? []);
    const schema = operation.requestBody?.content['application/json'].schema;
    const body = schema && fuzzer.value(schema);
    try {
      const answer = await admin.request(method.toUpperCase(), url, schema ? JSON.stringify(body) : undefined);
      tally[answer.status] = (tally[answer.status] ?? 0) + 1;
      if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
      if (answer.status === 201) {
        const known = fuzzer.ids.get(path) ?? [];
        fuzzer.ids.set(path, [...known.slice(-50), answer.body.data.id]);
        const read = await admin.get(answer.headers.get('location')!);
        expect(read.body).toEqual(answer.body);
        for (const [name, value] of Object.entries(body as object)) {
          const stored = answer.body.data[name];
          // Texts and numbers come back as they were sent; dates, uuids and lists have forms of their own.
          if (
            stored !== undefined &&
            typeof value === 'string' &&
            typeof stored === 'string' &&
            !/date|Time|At$|For$|Id$|Until|rice|address/i.test(name)
          ) {
            expect([name, stored]).toEqual([name, value]);
          }
        }
      }
    } catch (error) {
      const sent = JSON.stringify(body)?.slice(0, 300) ?? '';
      failures.push(
        `#${n} ${method.toUpperCase()} ${url.slice(0, 300)} ${sent}: ${(error as Error).message.slice(0, 400)}`,
      );
      if (failures.length >= 20) break;
    }
  }
  expect(failures).toEqual([]);
  // It reaches what it is about: records are made, and most of what is refused is refused for its content.
  expect(tally['201']).toBeGreaterThan(REQUESTS / 100);
  expect(tally['400']).toBeGreaterThan(REQUESTS / 10);
}, 600_000);
