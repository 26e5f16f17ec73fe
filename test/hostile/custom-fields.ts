import { isDeepStrictEqual } from 'node:util';
import { CUSTOM_TYPES, type CustomType } from '../../src/fields/custom/definition.js';
import { resourceOf } from '../../src/fields/record-entity.js';
import { pathLike, type Json } from '../support/document.js';
import { pathOf, resources } from '../support/resources.js';
import { instantOf } from './kept.js';
import type { Random } from './random.js';
import { HOSTILE_TEXTS, HOSTILE_VALUES, Raw, type Mood, type Values } from './values.js';

/* Definitions of custom fields, and their values in bodies and filters. */

export const DEFINITIONS = '/api/custom-fields';

/** A definition as the service shows it. */
interface Definition {
  id: string;
  key: string;
  resources: string[];
  type: CustomType;
  choices: string[] | null;
  target: string | null;
  required: boolean;
  unique: boolean;
  default: unknown;
  minimum: unknown;
  maximum: unknown;
}

type Body = Record<string, unknown>;

/** Collections by their resources. Lines of orders have no list of their own. */
const COLLECTIONS = new Map([
  ...resources.map((resource) => [resourceOf(resource.record)!, pathLike(pathOf(resource))] as const),
  ['incident-updates', pathLike('/api/incidents/{}/updates')],
  ['receipts', pathLike('/api/purchase-orders/{}/receipts')],
  ['asset-assignments', pathLike('/api/assets/{}/assignments')],
]);
const OWNERS = [...COLLECTIONS.keys(), 'purchase-order-items'];
/** Resources by the names of the body schemas with custom values. */
const BODIES = new Map<string, string>([
  ['ReceivedUnit', 'assets'],
  ['AllocatedIp', 'ip-addresses'],
  ['CreatePurchaseOrderItem', 'purchase-order-items'],
  ['ReceivePurchaseOrder', 'receipts'],
  ['AssignAsset', 'asset-assignments'],
  ['ReturnAsset', 'asset-assignments'],
  ['AssetHolder', 'asset-assignments'],
  ['CreateIncidentUpdate', 'incident-updates'],
  ...resources.flatMap(({ record }) =>
    ['Create', 'Update'].map((what) => [`${what}${record.name}`, resourceOf(record)!] as const),
  ),
]);
const RESOURCES = new Map([...COLLECTIONS].map(([resource, path]) => [path, resource] as const));

const BOUNDED: readonly string[] = ['integer', 'decimal', 'date', 'dateTime'];
const TEXTS: readonly string[] = ['text', 'url'];
const UNIQUE: readonly string[] = ['text', 'integer', 'decimal', 'date', 'dateTime', 'url', 'choice', 'reference'];
/** Patterns that the words of this file match, including addresses. */
const PATTERNS = ['w', 'w[0-9a-z]*$', '^(?:https://example\\.com/)?w', '[^ ]+', '', '^.{1,255}$', '(?:w|x)+'];
const BAD_PATTERNS = [
  '(a',
  'a)',
  'a**',
  'a+?',
  '[z-a]',
  '(?=a)',
  '(a)\\1',
  '\\p{L}',
  '\\bw',
  'x'.repeat(256),
  '((a{255}){255}){255}',
  '('.repeat(60) + ')'.repeat(60),
  '^*',
  'a{,2}',
  '[[:word:]]',
  '\\',
  '😀{2}',
  '[\u0001-\u{10FFFF}]{255}',
];
const KEYS = ['', 'A', '1a', 'a b', 'a.b', 'a_b', '__proto__', 'constructor', 'toString', 'é', `f${'x'.repeat(62)}`];

/** A text that a refusal may repeat must not look like one that no refusal may show. */
const HARMLESS = HOSTILE_TEXTS.filter((text) => !/SELECT|undefined|DROP|length/i.test(text) && text.length < 256);

/** The custom fields that exist. */
export class Definitions {
  private all: readonly Definition[] = [];

  set(all: readonly Definition[]): void {
    this.all = all;
  }

  get ids(): string[] {
    return this.all.map(({ id }) => id);
  }

  find(id: string): Definition | undefined {
    return this.all.find((one) => one.id === id.toLowerCase());
  }

  private of(resource: string | undefined): readonly Definition[] {
    return this.all.filter(({ resources: owners }) => resource !== undefined && owners.includes(resource));
  }

  /** The fields of the records that a body creates or updates. @param body name of its schema */
  ofBody(body: string | undefined): readonly Definition[] {
    return this.of(BODIES.get(body ?? ''));
  }

  /** The fields of the records of a collection. */
  ofCollection(template: string): readonly Definition[] {
    return this.of(RESOURCES.get(template));
  }
}

/** A body that defines a field. @param type of its values; random if absent */
export function newDefinition(values: Values, type: Definition['type'] = values.random.one(CUSTOM_TYPES)): Body {
  const { random, mood } = values;
  const body: Body = {
    key: `f${random.int(2 ** 31).toString(36)}`,
    type,
    resources: [...new Set(random.some(1 + random.int(6), () => random.one(OWNERS)))],
    ...settings(values, { type, choices: null, target: type === 'reference' ? random.one(OWNERS) : null }),
  };
  if (type === 'reference') body.target = random.one(OWNERS);
  return mood === 'valid' || random.chance(0.5) ? body : spoilt(random, mood, body);
}

/** A body that updates a definition. */
export function changedDefinition(values: Values, known: Definition | undefined): Body {
  const { random, mood } = values;
  const body = settings(values, known ?? { type: 'text', choices: null, target: null });
  if (known && random.chance(0.2)) {
    body.resources = [...new Set([...(random.chance(0.7) ? known.resources : []), random.one(OWNERS)])];
  }
  if (known && random.chance(0.1)) Object.assign(body, { key: known.key, type: known.type, target: known.target });
  if (mood !== 'valid' && random.chance(0.1)) body.type = random.one(CUSTOM_TYPES);
  return mood === 'valid' || random.chance(0.5) ? body : spoilt(random, mood, body);
}

/** Some of the settings of a type. */
function settings(values: Values, about: Pick<Definition, 'type' | 'choices' | 'target'>): Body {
  const { random } = values;
  const { type } = about;
  const body: Body = {};
  const given = (probability: number): boolean => random.chance(probability);
  if (given(0.3)) body.label = random.chance(0.2) ? null : values.word();
  if (given(0.2)) body.description = values.text(random.int(40));
  if (given(0.3)) body.position = random.int(5) * 10;
  let { choices } = about;
  if (type === 'choice' || (type === 'tags' && given(0.3))) {
    const kept = (choices ?? []).filter(() => random.chance(0.8));
    choices = [...new Set([...kept, ...random.some(1 + random.int(3), () => values.word())])];
    body.choices = choices;
  }
  const sample = (): unknown => valueOf(values, { type, choices, target: about.target });
  if (UNIQUE.includes(type) && given(0.2)) body.unique = random.chance(0.7);
  else if (type !== 'reference' && given(0.3)) body.default = random.chance(0.2) ? null : sample();
  else if (BOUNDED.includes(type) && given(0.5))
    body[random.one(['minimum', 'maximum'])] = given(0.3) ? null : sample();
  if (TEXTS.includes(type) && body.default === undefined && given(0.4)) body.pattern = random.one([...PATTERNS, null]);
  if (type !== 'reference' && given(0.1)) body.required = random.chance(0.7);
  if (['text', 'url', 'choice', 'tags'].includes(type) && given(0.3)) body.searched = random.chance(0.7);
  return body;
}

/** The same body with one setting that is usually invalid. */
function spoilt(random: Random, mood: Mood, body: Body): Body {
  const [name, value] = random.one<[string, unknown]>([
    ['key', random.one(KEYS)],
    ['pattern', random.one(BAD_PATTERNS)],
    ['choices', random.one<unknown>([[], ['a', 'a'], [' '], null, ['x'.repeat(256)], 'a'])],
    ['resources', random.one<unknown>([[], ['profiles'], ['vendors', 'vendors'], ['vendor'], null, ['__proto__']])],
    ['target', random.one<unknown>(['vendors', 'profiles', 'nothing', '', null])],
    ['default', random.one<unknown>([1, '1', true, [], ['a'], '2026-02-30', new Raw('1e400'), '0'.repeat(300)])],
    ['minimum', random.one<unknown>([1, '10', '2026-01-01', '-0', new Raw('-0'), 2 ** 31, 'x'])],
    ['maximum', random.one<unknown>([-5, '9.5', '0001-01-01', 2 ** 53, [1]])],
    ['position', random.one<unknown>([2 ** 31, 0.5, '1', null])],
    ...(['required', 'unique', 'searched'] as const).map((flag): [string, unknown] => [flag, true]),
  ]);
  if (mood === 'boundary' || random.chance(0.5)) return { ...body, [name]: value };
  return { ...body, [name]: random.one<unknown>(random.chance(0.5) ? HARMLESS : HOSTILE_VALUES) };
}

/** A value that is usually valid for the field. */
function valueOf(
  values: Values,
  {
    type,
    choices,
    target,
    minimum = null,
    maximum = null,
  }: Pick<Definition, 'type' | 'choices' | 'target'> & Partial<Definition>,
): unknown {
  const { random } = values;
  const bound = minimum ?? maximum;
  if (bound !== null && random.chance(0.7)) return bound;
  switch (type) {
    case 'text':
      return random.chance(0.8) ? values.word() : values.text(random.int(40));
    case 'integer':
      return random.int(20) - 5;
    case 'decimal':
      return `${random.int(100) - 50}${random.chance(0.5) ? '' : `.${random.int(100)}`}`.replace(/^-0$/, '0');
    case 'boolean':
      return random.chance(0.5);
    case 'date':
      return values.value({ type: 'string', format: 'date' });
    case 'dateTime':
      return values.value({ type: 'string', format: 'date-time' });
    case 'url':
      return `https://example.com/${values.word()}`;
    case 'choice':
      return choices ? random.one(choices) : values.word();
    case 'tags':
      return random.some(random.int(4), () => (choices ? random.one(choices) : values.word()));
    case 'reference':
      return values.known(COLLECTIONS.get(target ?? '') ?? '') ?? null;
  }
}

/** Values of custom fields for a body; undefined if it has none. */
export function customValues(values: Values, definitions: readonly Definition[], isNew: boolean): unknown {
  const { random, mood } = values;
  if (definitions.length === 0) return undefined;
  if (mood === 'hostile' && random.chance(0.1)) {
    return random.one<unknown>([
      null,
      [],
      'x',
      5,
      new Raw('{"__proto__":1}'),
      { constructor: 1 },
      { '': 1 },
      { 'a.b': 1 },
    ]);
  }
  const share = random.next() * 0.6;
  const given: Body = {};
  for (const one of definitions) {
    const isNeeded = isNew && one.required && one.default === null;
    if (!random.chance(share) && !isNeeded) continue;
    if (random.chance(0.05)) given[one.key] = null;
    else if (mood === 'boundary' && random.chance(0.3)) given[one.key] = boundaryOf(values, one);
    else if (mood === 'hostile' && random.chance(0.3)) {
      given[one.key] = random.one(random.chance(0.5) ? HOSTILE_TEXTS : HOSTILE_VALUES);
    } else given[one.key] = valueOf(values, one);
  }
  if (mood === 'hostile' && random.chance(0.1)) given[random.one(['nonsense', 'toString', ...KEYS])] = 1;
  return Object.keys(given).length > 0 || random.chance(0.1) ? given : undefined;
}

function boundaryOf(values: Values, { type }: Definition): unknown {
  const { random } = values;
  const long = (length: number): string => (random.chance(0.1) ? 'w'.repeat(length) : 'w');
  switch (type) {
    case 'text':
      return random.one([() => '', () => ' ', () => long(65_536), () => long(65_537), () => '\n'])();
    case 'integer':
      return random.one<unknown>([
        2 ** 31 - 1,
        2 ** 31,
        -(2 ** 31),
        -(2 ** 31) - 1,
        0.5,
        '1',
        new Raw('-0'),
        new Raw('1.0'),
      ]);
    case 'tags':
      return random.one<() => unknown>([
        () => [],
        () => [''],
        () => [' '],
        () => ['w'.repeat(255)],
        () => ['w'.repeat(256)],
        () => ['b', 'a', 'b', 'B', 'ä'],
        () => Array.from({ length: random.one([1000, 1001]) }, (_, n) => `w${n}`),
      ])();
    case 'url':
      return random.one([
        'http://',
        'ftp://example.com',
        'http://a b',
        'https:///x',
        `https://w/${long(65_530)}`,
        '//w',
      ]);
    case 'boolean':
      return random.one<unknown>([0, 1, 'true', '']);
    case 'choice':
      return random.one<unknown>(['', ' ', 'W', []]);
    case 'reference':
      return values.value({ type: 'string', format: 'uuid' });
    default:
      return random.one<unknown>([
        '',
        '-0',
        '0.0',
        '9'.repeat(21),
        '2026-02-30',
        '0001-01-01',
        '9999-12-31',
        'infinity',
        1,
      ]);
  }
}

/** Query parameters about custom fields, as names and values. */
export function customParameters(
  values: Values,
  definitions: readonly Definition[],
  isSummary: boolean,
): [string, string][] {
  const { random, mood } = values;
  if (definitions.length === 0 || !random.chance(0.3)) return [];
  const one = random.one(definitions);
  const name = `customFields.${one.key}`;
  if (mood === 'hostile' && random.chance(0.3)) {
    return [
      random.one<[string, string]>([
        ['customFields', 'x'],
        ['customFields.', 'x'],
        ['customFields.__proto__', 'x'],
        [`${name}.x`, 'x'],
        [`${name}__regex`, 'x'],
        [`customFields[${one.key}]`, 'x'],
        ['sort', `${name}.id`],
        ['sort', `${name}; DROP TABLE vendors`],
        ['expand', `${name}.x`],
      ]),
    ];
  }
  if (isSummary) return [['groupBy', `${name}${random.one(['', '', ':month', ':day'])}`]];
  if (random.chance(0.15)) return [['sort', name]];
  if (one.type === 'reference' && random.chance(0.4)) return [['expand', name]];
  const operator = random.one(['', '', '', '__n', '__gte', '__lt', '__ic', '__empty', '__all', '__nic', '__sw']);
  const value =
    operator === '__empty' ? random.chance(0.5) : mood === 'valid' ? valueOf(values, one) : boundaryOf(values, one);
  const text = Array.isArray(value) ? value[0] : value instanceof Raw ? value.text : value;
  return [[`${name}${operator}`, typeof text === 'string' ? text.slice(0, 3000) : String(text ?? '')]];
}

/** The stored form of an accepted value; undefined if none is stored. */
function keptOf(type: Definition['type'], value: Json): unknown {
  if (value === null || value === undefined) return undefined;
  switch (type) {
    case 'integer':
      return value + 0;
    case 'date':
      return value.slice(0, 10);
    case 'dateTime':
      return instantOf(value);
    case 'reference':
      return value.toLowerCase();
    case 'tags': {
      const bytes = (text: string): Buffer => Buffer.from(text);
      const words = [...new Set(value as string[])].toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)));
      return words.length > 0 ? words : undefined;
    }
    default:
      return value;
  }
}

/** Checks that accepted custom values are stored. @throws Error if they are not */
export function assertCustomKept(definitions: readonly Definition[], sent: Json, shown: Json): void {
  for (const [key, value] of Object.entries((sent ?? {}) as Body)) {
    const definition = definitions.find((one) => one.key === key);
    if (!definition) throw new Error(`accepted customFields.${key}, which is not defined`);
    const expected = keptOf(definition.type, value);
    if (!isDeepStrictEqual(shown?.[key], expected)) {
      throw new Error(
        `customFields.${key} is ${JSON.stringify(shown?.[key])?.slice(0, 300)}, not ${JSON.stringify(expected)?.slice(0, 300)}`,
      );
    }
  }
}

/** Checks that all records of a list match its filters by custom fields. @throws Error if one does not */
export function assertCustomFound(
  definitions: readonly Definition[],
  query: URLSearchParams,
  records: readonly Json[],
): void {
  for (const { key, type } of definitions) {
    const wanted = query.getAll(`customFields.${key}`);
    if (wanted.length === 0 || !['text', 'choice', 'url', 'integer', 'boolean'].includes(type)) continue;
    const wrong = records.find(({ customFields }) => !wanted.map(String).includes(String(customFields?.[key])));
    if (wrong) throw new Error(`customFields.${key}=${wanted.join()} found ${JSON.stringify(wrong).slice(0, 300)}`);
  }
}
