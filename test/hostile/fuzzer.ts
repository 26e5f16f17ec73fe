import { isDeepStrictEqual } from 'node:util';
import { CUSTOM_TYPES } from '../../src/fields/custom/definition.js';
import { assertDocumented } from '../support/documented.js';
import { document, resolveRef, resolveSchema, type Json, isStream } from '../support/document.js';
import { bodyAttack, headerAttack } from './attacks.js';
import { brokenRequest, sendBytes } from './broken-http.js';
import { WireClient, type Answer, type Wire } from './client.js';
import {
  assertCustomFound,
  assertCustomKept,
  changedDefinition,
  customParameters,
  customValues,
  Definitions,
  DEFINITIONS,
  newDefinition,
} from './custom-fields.js';
import { inOrder, kept, shown } from './kept.js';
import { Random } from './random.js';
import { rowFile } from './row-files.js';
import { HOSTILE_TEXTS, isReference, NOBODY, toJson, Values, type Mood } from './values.js';

interface FuzzOptions {
  /** Address of the service. It must trust `X-Forwarded-For` from here; otherwise its limit of logins applies. */
  url: string;
  /** Session of an administrator. */
  cookie: string;
  seed: number;
  /** Maximum milliseconds of a response. */
  latency: number;
  report?: (progress: FuzzResult) => void;
}

interface Failure {
  number: number;
  request: string;
  problem: string;
}

export interface FuzzResult {
  requests: number;
  /** Additional requests of the fuzzer, to read accepted data back and to keep the tables small. */
  besides: number;
  byStatus: Record<string, number>;
  byKind: Record<string, number>;
  /** Operations that succeeded at least once. */
  succeeded: Set<string>;
  slowest: { number: number; ms: number; request: string };
  failures: Failure[];
}

interface Operation {
  template: string;
  method: string;
  operation: Json;
}

/** A created record and its path. */
interface Known {
  path: string;
  id: string;
}

/** A request of the sequence. */
interface Shot {
  number: number;
  kind: string;
  wire: Wire;
  /** The permitted statuses, if they are known. */
  statuses?: readonly number[];
  operation?: Operation;
  /** The body, if it is a JSON object. */
  sent?: Record<string, Json>;
}

const METHODS = ['get', 'post', 'patch', 'delete'];
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths as Json)
  // The schema does not describe the address of a webhook, so generated values are refused. test/capabilities has its tests.
  .filter(([template]) => !isStream(template) && !template.startsWith('/api/webhooks'))
  .flatMap(([template, operations]) =>
    Object.entries(operations as Json)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        template,
        method: method.toUpperCase(),
        operation,
      })),
  );
/** Whether it creates one record and returns its location. */
const isCreate = ({ method, operation }: Operation): boolean =>
  method === 'POST' && operation.responses['201']?.headers?.Location !== undefined;
const RECEIPTS = OPERATIONS.find(({ template }) => template.endsWith('/receipts'))!.template;

// Writes have the most ways to fail, and all other operations need records.
/** Schema of a JSON body; undefined for an operation without one, or with a file. */
const bodySchema = ({ operation }: Operation): Json => operation.requestBody?.content['application/json']?.schema;
const nameOf = (schema: Json): string | undefined => schema?.$ref?.split('/').at(-1);
const requiredOf = (operation: Operation): readonly string[] => resolveSchema(bodySchema(operation)).required ?? [];
const isOfPorts = (operation: Operation): number => Number(requiredOf(operation).includes('aId'));
/** Collections whose records can be created: owners before their parts, ports before cables. */
const CREATES = OPERATIONS.filter(isCreate).toSorted(
  (a, b) => isOfPorts(a) - isOfPorts(b) || a.template.length - b.template.length,
);
const unnamed = (template: string): string => template.replaceAll(/\{\w+\}/g, '{}');
/** The create operation of the records that a bulk request or an import of this path writes. */
const createBeside = (template: string): Operation => {
  const collection = unnamed(template.slice(0, template.lastIndexOf('/')));
  return CREATES.find((create) => unnamed(create.template) === collection)!;
};
/** The update operation of these records. */
const updateBeside = (template: string): Operation => {
  const record = `${unnamed(createBeside(template).template)}/{}`;
  return OPERATIONS.find((one) => one.method === 'PATCH' && unnamed(one.template) === record)!;
};
const CHOICES = OPERATIONS.filter(
  // deleteOwnTokens would delete the tokens under test. Operations of a change set cannot be updated, not even in bulk.
  ({ template, operation }) =>
    !template.startsWith('/api/auth') &&
    !template.endsWith('/operations/bulk') &&
    operation.operationId !== 'deleteOwnTokens',
).flatMap((operation) => {
  // Definitions affect many other operations.
  const times = (operation.operation.requestBody ? 3 : 1) * (operation.template.startsWith(DEFINITIONS) ? 4 : 1);
  return Array.from({ length: times }, () => operation);
});
const WITH_BODY = CHOICES.filter((choice) => bodySchema(choice) !== undefined);
const AUTH = ['login', 'login', 'logout', 'password', 'session'] as const;

/** The collection of a path with an id. */
const collectionOf = (template: string): string => template.replace(/\/\{[^{}]*\}[^{}]*$/, '');
const settable = (template: string): Json =>
  resolveSchema(bodySchema(CREATES.find((create) => create.template === template)!)).properties;

const OF_ODD_METHOD = 0.05;
const OF_ODD_PATH = 0.05;
/** Number of records that are kept per collection. More would only make lists long. */
const KEPT_RECORDS = 25;
/** The number of requests of which a part is sent concurrently. */
const ROUND = 64;
const AT_ONCE = 8;

// Words about internals. No refusal may show them.
const INTERNAL =
  /violates|duplicate key|relation "|column "|syntax error|SQLSTATE|QueryFailed|(?:Type|Range|Syntax|Reference)Error|Cannot read|is not a function|\bat \S+ \(|\.[jt]s:\d|node_modules|\/src\/|\/dist\/|pg_catalog|SELECT |INSERT INTO|\[object |undefined/;
// Messages of database errors. Validation should have found such values first.
const SLIPPED = /A value of the request cannot be stored or compared|has a value that is not allowed/;

/** Sends requests that are generated from openapi.json and a seed. Checks every response against the document and the contract. */
export class Fuzzer {
  readonly result: FuzzResult = {
    requests: 0,
    besides: 0,
    byStatus: {},
    byKind: {},
    succeeded: new Set(),
    slowest: { number: -1, ms: 0, request: '' },
    failures: [],
  };
  private readonly client: WireClient;
  private readonly records = new Map<string, Known[]>();
  /** Deleted records, as last read. */
  private readonly gone = new Map<string, { path: string; record?: Json }[]>();
  /** The custom fields that exist. */
  private readonly definitions = new Definitions();
  /** Two valid tokens, which are sent in damaged forms. */
  private tokens: readonly [string, string] = ['', ''];
  /** A profile that logs in and out. Its requests run one after the other. */
  private readonly actor = {
    path: '',
    email: '',
    password: 'the first passphrase of the actor',
  };
  private actorsTurn: Promise<void> = Promise.resolve();

  constructor(private readonly options: FuzzOptions) {
    this.client = new WireClient(new URL(options.url));
  }

  /** Creates records of every kind, and sends the requests with these numbers. */
  async run(from: number, to: number): Promise<FuzzResult> {
    try {
      await this.prepare();
      for (let number = from; number < to;) {
        const round = number % ROUND;
        // The last requests of each round are sent concurrently.
        const until = round < ROUND - AT_ONCE ? number + 1 : Math.min(to, number - round + ROUND);
        const numbers = Array.from({ length: until - number }, (_, i) => number + i);
        await Promise.all(numbers.map((one) => this.shoot(one, numbers.length > 1)));
        await this.tidy();
        number = until;
        if (number % 1000 < numbers.length) this.options.report?.(this.result);
        if (this.result.failures.length >= 50) break;
      }
      await this.undefine();
      return this.result;
    } finally {
      this.client.close();
    }
  }

  private async prepare(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      for (const create of CREATES) {
        if (create.template === DEFINITIONS) continue;
        const random = new Random(this.options.seed, CREATES.indexOf(create), i);
        const path = this.pathOf(create.template, random, 'valid');
        // The fuzzer cannot guess the digest of a record.
        if (path.endsWith('/approvals')) continue;
        const body = Object.fromEntries(
          requiredOf(create).map((name) => [
            name,
            this.values(random, 'valid').value(resolveSchema(bodySchema(create)).properties[name], name),
          ]),
        );
        if ('recordId' in body) body.resource = 'devices';
        // Only a port in tagged mode has VLANs.
        if ('mode' in resolveSchema(bodySchema(create)).properties) body.mode = 'tagged';
        // Either a roster or a person is responsible.
        if (path.endsWith('/responsibilities')) body.roster = `roster ${i}`;
        // An operation that an editor may write.
        if (path.endsWith('/operations'))
          Object.assign(body, { op: 'create', resource: 'vendors', data: { name: `${i}` } });
        // Either a person, an asset or a device has a seat.
        if (path.endsWith('/seats')) {
          const { personId } = resolveSchema(bodySchema(create)).properties as Json;
          body.personId = this.values(random, 'valid').value({ ...personId, type: 'string' }, 'personId');
        }
        // A valid movement.
        if (path.endsWith('/movements')) Object.assign(body, { kind: 'count', quantity: 1 + i });
        // A resource whose records have a status.
        if (path === '/api/transitions') body.resource = 'cables';
        // A booking needs a record and a time.
        if (path.endsWith('/bookings')) {
          const { assetId } = resolveSchema(bodySchema(create)).properties as Json;
          body.assetId = this.values(random, 'valid').value({ ...assetId, type: 'string' }, 'assetId');
          Object.assign(body, { startTime: `${2100 + i}-01-01`, endTime: `${2100 + i}-02-01` });
        }
        // Units that racks of every height have.
        if (path.endsWith('/rack-reservations'))
          Object.assign(body, { units: [1 + i], startTime: `${2100 + i}-01-01`, endTime: `${2100 + i}-02-01` });
        // Sometimes both ends are the same port.
        if ('aId' in body && String(body.aId).toLowerCase() === String(body.bId).toLowerCase()) continue;
        const answer = await this.client.send(this.wire('POST', path, toJson(body)));
        // Sometimes the target exists already.
        if (answer.status === 409) continue;
        if (answer.status !== 201)
          throw new Error(`POST ${path} ${toJson(body)} gave ${answer.status}: ${answer.text}`);
        this.learn(create.template, answer.headers.location!);
      }
    }
    for (const [index, type] of CUSTOM_TYPES.entries()) {
      const random = new Random(this.options.seed, index);
      const body = toJson(newDefinition(this.values(random, 'valid'), type));
      const answer = await this.client.send(this.wire('POST', DEFINITIONS, body));
      // Records have no value yet.
      if (answer.status !== 201 && answer.status !== 409)
        throw new Error(`POST ${DEFINITIONS} ${body} gave ${answer.text}`);
      if (answer.status === 201) this.learn(DEFINITIONS, answer.headers.location!);
    }
    await this.readDefinitions();
    this.actor.email = `actor-${this.options.seed}-${Date.now()}@example.com`;
    const { email, password } = this.actor;
    const answer = await this.client.send(this.wire('POST', '/api/profiles', JSON.stringify({ email, password })));
    if (answer.status !== 201) throw new Error(`The profile of the actor: ${answer.text}`);
    this.tokens = [await this.issue(), await this.issue()];
  }

  private async issue(): Promise<string> {
    const answer = await this.client.send(this.wire('POST', '/api/tokens', '{"name":"of the fuzzer"}'));
    if (answer.status !== 201) throw new Error(`A token: ${answer.text}`);
    return answer.body.data.token;
  }

  /** Sends the request of a number. Seed and number determine it, except for ids of existing records. */
  private async shoot(number: number, together: boolean): Promise<void> {
    const random = new Random(this.options.seed, number);
    const die = random.next();
    let shot: Shot | undefined;
    try {
      if (die < 0.03) await this.breakHttp(number, random);
      else if (die < 0.045) await this.takeTurn(() => this.authenticate(number, random));
      else {
        shot = die < 0.1 ? this.attackBody(number, random) : await this.ordinary(number, random);
        await this.judge(shot, together);
      }
    } catch (error) {
      this.fail(number, shot ? inWords(shot.wire) : '', (error as Error).message);
    }
  }

  private fail(number: number, request: string, problem: string): void {
    this.result.failures.push({
      number,
      request,
      problem: problem.slice(0, 1500),
    });
  }

  private count(kind: string, status: number | string, operation?: Operation): void {
    if (operation && Number(status) < 300) this.result.succeeded.add(`${operation.method} ${operation.template}`);
    this.result.requests++;
    this.result.byKind[kind] = (this.result.byKind[kind] ?? 0) + 1;
    this.result.byStatus[status] = (this.result.byStatus[status] ?? 0) + 1;
  }

  private time(number: number, ms: number, request: string): void {
    if (ms > this.result.slowest.ms) this.result.slowest = { number, ms, request: request.slice(0, 300) };
    if (ms > this.options.latency) throw new Error(`took ${Math.round(ms)} ms`);
  }

  private wire(method: string, path: string, json?: string, headers: Wire['headers'] = {}): Wire {
    return {
      method,
      path,
      headers: {
        cookie: `session=${this.options.cookie}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? undefined : Buffer.from(json),
    };
  }

  private values(random: Random, mood: Mood): Values {
    return new Values(
      random,
      mood,
      (collection) => this.known(collection, random)?.id,
      (values, body, of) => {
        const given = customValues(values, this.definitions.ofBody(of), !of.startsWith('Update'));
        if (given !== undefined) body.customFields = given;
      },
    );
  }

  private async readDefinitions(): Promise<void> {
    this.definitions.set((await this.besides('GET', `${DEFINITIONS}?pageSize=1000`)).body.data);
  }

  /** Deletes the custom fields with their values. */
  private async undefine(): Promise<void> {
    await this.readDefinitions();
    for (const id of this.definitions.ids) {
      const { status, text } = await this.besides('DELETE', `${DEFINITIONS}/${id}?dropValues=true`);
      if (status !== 204) throw new Error(`DELETE ${DEFINITIONS}/${id} gave ${status}: ${text}`);
    }
  }

  private known(collection: string, random: Random): Known | undefined {
    // The fuzzer draws the same random numbers in any state, so that a single request can be repeated.
    const at = random.next();
    const list = this.records.get(collection) ?? [];
    return list[Math.floor(at * list.length)];
  }

  private learn(collection: string, path: string): void {
    const list = this.records.get(collection) ?? [];
    this.records.set(collection, [...list, { path, id: path.split('/').at(-1)! }]);
  }

  private forget(collection: string, path: string): void {
    this.records.set(
      collection,
      (this.records.get(collection) ?? []).filter((known) => known.path !== path),
    );
  }

  /** Deletes the oldest records of collections that are too large. */
  private async tidy(): Promise<void> {
    for (const [collection, list] of this.records) {
      if (list.length <= KEPT_RECORDS) continue;
      const { path } = list[0]!;
      this.forget(collection, path);
      this.bury(collection, path);
      const isDefinition = collection === DEFINITIONS;
      const answer = await this.besides('DELETE', isDefinition ? `${path}?dropValues=true` : path);
      if (isDefinition) await this.readDefinitions();
      // A part is deleted with its owner.
      if (answer.status !== 204 && answer.status !== 404)
        throw new Error(`DELETE ${path} gave ${answer.status}: ${answer.text}`);
    }
  }

  private besides(method: string, path: string): Promise<Answer> {
    this.result.besides++;
    return this.client.send(this.wire(method, path));
  }

  // ---------------------------------------------------------------- requests

  /** Fills in the path of a template, usually with an existing record. */
  private pathOf(template: string, random: Random, mood: Mood): string {
    const values = this.values(random, 'boundary');
    if (!template.includes('{')) return template;
    const collection = collectionOf(template);
    const rest = template.slice(template.lastIndexOf('}') + 1);
    const known = this.known(collection, random);
    if (mood !== 'valid' && random.chance(0.1)) {
      const given = random.chance(0.5) ? values.value({ type: 'string', format: 'uuid' }) : random.one(HOSTILE_TEXTS);
      const id = random.chance(0.2)
        ? random.one([
            '%',
            '%zz',
            '%ff',
            '%C0%80',
            '%00',
            '%2e%2e%2f',
            '..',
            '.',
            '%ED%A0%80',
            '\u00ff',
            '*',
            ':id',
            '0'.repeat(1200),
          ])
        : encode(String(given));
      return `${this.pathOf(collection, random, 'valid')}/${id}${rest}`;
    }
    return `${known?.path ?? `${this.pathOf(collection, random, 'valid')}/${NOBODY}`}${rest}`;
  }

  private query({ template, operation }: Operation, random: Random, mood: Mood): string {
    const parameters = ((operation.parameters ?? []) as Json[]).map(resolveRef).filter((one) => one.in === 'query');
    const pairs: string[] = [];
    if (parameters.length > 0) {
      const values = this.values(random, mood);
      for (let i = random.int(4); i > 0; i--) {
        const { name, schema } = random.one(parameters);
        const many = resolveSchema(schema).type === 'array';
        const inner = many ? resolveSchema(schema).items : schema;
        const repeats = many ? 1 + random.int(3) : mood === 'valid' || random.chance(0.9) ? 1 : 2;
        if (mood === 'valid' && pairs.some((pair) => pair.startsWith(`${name}=`))) continue;
        for (let j = 0; j < repeats; j++)
          pairs.push(this.pair(name as string, values.value(inner, name), random, mood));
      }
      if (mood === 'hostile' && random.chance(0.15)) pairs.push(random.one(ODD_PAIRS));
    } else if (mood === 'hostile' && random.chance(0.1)) pairs.push(random.one(ODD_PAIRS));
    // The fuzzer's change log is too long for one response, so only pages of it are requested.
    if (template === '/api/change-log') {
      const others = pairs.filter((pair) => !pair.startsWith('pageSize='));
      pairs.splice(0, pairs.length, ...others, 'pageSize=20');
    }
    // A request that waits for changes takes that long.
    if (template === '/api/changes') {
      const others = pairs.filter((pair) => !pair.startsWith('wait='));
      pairs.splice(0, pairs.length, ...others);
    }
    // Other tests read the lines of exports. `page` needs `pageSize` in exports.
    if (
      mood === 'valid' &&
      pairs.some((pair) => pair.startsWith('format=')) &&
      !pairs.some((pair) => pair.startsWith('pageSize='))
    )
      pairs.push('pageSize=20');
    for (const { name, schema } of parameters.filter(({ required }) => required)) {
      const { format, enum: words } = resolveSchema(resolveSchema(schema).items ?? {});
      if (mood === 'valid' && !pairs.some((pair) => pair.startsWith(`${name}=`)))
        pairs.push(`${name}=${words?.[0] ?? (format === 'uuid' ? NOBODY : 'search')}`);
    }
    if (operation.responses['200'] && (template.endsWith('/summary') || operation.operationId?.startsWith('list'))) {
      const isSummary = template.endsWith('/summary');
      const about = this.definitions.ofCollection(isSummary ? template.slice(0, -'/summary'.length) : template);
      for (const [name, value] of customParameters(this.values(random, mood), about, isSummary)) {
        pairs.push(`${encodeURIComponent(name)}=${encode(value)}`);
      }
    }
    // Longer query strings are refused for their length. Other tests cover this.
    while (pairs.join('&').length > 12_000) pairs.pop();
    return pairs.length > 0 || (mood === 'hostile' && random.chance(0.02)) ? `?${pairs.join('&')}` : '';
  }

  private pair(name: string, value: unknown, random: Random, mood: Mood): string {
    const text = typeof value === 'string' ? value.slice(0, 3000) : toJson(value).slice(0, 3000);
    if (mood !== 'hostile' || random.chance(0.85)) return `${encodeURIComponent(name)}=${encode(text)}`;
    return random.one([
      `${name}[]=${encode(text)}`,
      `${name}[0]=${encode(text)}`,
      `${name}[$gt]=${encode(text)}`,
      `${name}.${name}=${encode(text)}`,
      `${name.toUpperCase()}=${encode(text)}`,
      `${name}__=${encode(text)}`,
      `${name}__regex=${encode(text)}`,
      `${name}`,
      `${name}==${encode(text)}`,
      // Raw bytes, as UTF-8 and as invalid UTF-8.
      `${name}=${Buffer.from('é€😀').toString('latin1')}`,
      `${name}=\u00ff\u00fe`,
      `${name}=${random.one(['%', '%f', '%zz', '%ff', '%C0%80', '%ED%A0%80', '%00', '%F4%90%80%80'])}`,
    ]);
  }

  private async ordinary(number: number, random: Random): Promise<Shot> {
    const operation = random.one(CHOICES);
    const { template, method } = operation;
    const die = random.next();
    const mood: Mood = die < 0.45 ? 'valid' : die < 0.7 ? 'boundary' : 'hostile';
    const gone = this.gone.get(collectionOf(template)) ?? [];
    const restores = template.endsWith('/restore') && random.chance(0.7) && gone.length > 0;
    const path = restores ? `${random.one(gone).path}/restore` : this.pathOf(template, random, mood);
    const schema = bodySchema(operation);
    if (template.endsWith('/import') && !schema) return this.importFile(number, operation, path, random, mood);
    const body = template.endsWith('/bulk')
      ? this.bulkBody(operation, random, mood)
      : (this.definitionBody(operation, path, random, mood) ?? this.bodyOf(schema, random, mood));
    if (template.endsWith('/receive') && random.chance(mood === 'hostile' ? 0.5 : 1)) {
      await this.receiveLines(path.slice(0, -'/receive'.length), body.items as unknown, random);
    }
    const json = schema && toJson(body);
    const wire = this.wire(method, path + this.query(operation, random, mood), json);
    const shot: Shot = {
      number,
      kind: mood,
      wire,
      operation,
      sent: schema && JSON.parse(json),
    };
    this.dress(shot, random, mood);
    return shot;
  }

  private bodyOf(schema: Json, random: Random, mood: Mood): Json {
    return schema && this.values(random, mood).body(schema);
  }

  /** The body of a definition, which the schema hardly describes; undefined for other operations. */
  private definitionBody({ template, method }: Operation, path: string, random: Random, mood: Mood): Json {
    const values = this.values(random, mood);
    if (mood === 'hostile' && random.chance(0.2)) return undefined;
    if (template === DEFINITIONS && method === 'POST') return newDefinition(values);
    if (template === `${DEFINITIONS}/{id}` && method === 'PATCH') {
      return changedDefinition(values, this.definitions.find(path.slice(DEFINITIONS.length + 1)));
    }
    return undefined;
  }

  /** Operations that usually address records of the collection. */
  private bulkBody(operation: Operation, random: Random, mood: Mood): Json {
    if (mood === 'hostile' && random.chance(0.3)) return this.bodyOf(bodySchema(operation), random, mood);
    const { template } = operation;
    const collection = createBeside(template).template;
    const [create, update] = [bodySchema(createBeside(template)), bodySchema(updateBeside(template))];
    const operations = random.some(1 + random.int(4), () => {
      const op = random.one(['create', 'create', 'update', 'update', 'delete']);
      if (op === 'create') return { op, data: this.bodyOf(create, random, mood) };
      const id = this.known(collection, random)?.id ?? NOBODY;
      return op === 'delete' ? { op, id } : { op, id, data: this.bodyOf(update, random, mood) };
    });
    return { operations };
  }

  private importFile(number: number, operation: Operation, path: string, random: Random, mood: Mood): Shot {
    const create = createBeside(operation.template);
    const [collection, schema] = [create.template, bodySchema(create)];
    const bodies = random.some(1 + random.int(4), () => {
      const body = this.bodyOf(schema, random, mood);
      return random.chance(0.2) ? { id: this.known(collection, random)?.id, ...body } : body;
    });
    const query = this.query(operation, random, mood);
    // Shows the records that exist now.
    const report = query.includes('report=') ? '' : `${query === '' ? '?' : '&'}report=ids`;
    const { contentType, body } = rowFile(random, mood, bodies);
    const wire = this.wire('POST', path + query + report, undefined, {
      'content-type': contentType,
    });
    wire.body = body;
    const shot: Shot = { number, kind: mood, wire, operation };
    this.dress(shot, random, mood);
    return shot;
  }

  /** Replaces the items of a receive with lines of the order that have remaining units. */
  private async receiveLines(path: string, items: unknown, random: Random): Promise<void> {
    const { body } = await this.besides('GET', path);
    const lines = (body?.data?.items ?? []) as Json[];
    if (!Array.isArray(items) || lines.length === 0) return;
    for (const item of items as Json[]) {
      if (typeof item !== 'object' || item === null || !Array.isArray(item.assets)) continue;
      const { id, quantityRemaining } = random.one(lines);
      const units = item.assets.slice(0, Math.max(1, quantityRemaining)) as unknown[];
      Object.assign(item, {
        itemId: id,
        quantity: Math.max(1, units.length),
        assets: units.length > 0 ? units : [{}],
      });
    }
  }

  /** Adds headers, or changes the method. */
  private dress(shot: Shot, random: Random, mood: Mood): void {
    const { wire, operation } = shot;
    const names = ((operation!.operation.parameters ?? []) as Json[]).map((one) => resolveRef(one).name as string);
    if (names.includes('Idempotency-Key') && random.chance(0.1)) {
      wire.headers['idempotency-key'] =
        mood === 'valid'
          ? `key-${shot.number}`
          : random.one(['', ' ', '"', 'x'.repeat(256), '\u00e9', 'a\tb', 'same', ['a', 'b']]);
    }
    const conditional = names.find((name) => name.startsWith('If-'));
    if (conditional && random.chance(0.1)) {
      wire.headers[conditional.toLowerCase()] = random.one([
        '*',
        '"x"',
        'W/"x"',
        '',
        ',,,',
        'x',
        '"\u00ff"',
        '"a", "b"',
      ]);
    }
    if (mood !== 'hostile') return;
    if (random.chance(0.1)) {
      const attack = headerAttack(random, this.options.cookie, this.tokens);
      Object.assign(wire.headers, attack.headers);
      // Health has no guard.
      if (attack.statuses && wire.path.startsWith('/api/')) {
        // An invalid path is refused before authentication.
        const isPath = /^(?:[\x21-\x24\x26-\x7e]|%[0-7][\da-f])*$/i.test(wire.path) && wire.path.length < 1000;
        shot.statuses = isPath ? attack.statuses : [...attack.statuses, 400, 414];
      }
    } else if (random.chance(0.03)) {
      wire.headers[random.one(['origin', 'sec-fetch-site'])] = random.one([
        'cross-site',
        'null',
        'https://evil.example',
      ]);
    } else if (random.chance(OF_ODD_METHOD)) {
      wire.method = random.one(['PUT', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'DELETE', 'PROPFIND', 'QUERY']);
      shot.sent = undefined;
    } else if (random.chance(OF_ODD_PATH)) {
      wire.path = random.one([
        // A path is sent as Latin-1, and the capital of `ÿ` is not Latin-1.
        wire.path.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
        `${wire.path}/`,
        `/${wire.path}`,
        wire.path.replace('/api', '/api/.'),
        wire.path.replace('/api', '/api/%2e%2e'),
        wire.path.replaceAll('/', '//'),
        `${wire.path.split('?')[0]}/nonsense`,
        `${wire.path};x=y`,
        '/api/../../etc/passwd',
        '/__proto__',
        '/api/constructor',
        '/',
        '/docs/../../package.json',
        '/docs/%2e%2e/%2e%2e/package.json',
      ]);
      shot.sent = undefined;
    }
    if (shot.sent === undefined) shot.operation = undefined;
  }

  private attackBody(number: number, random: Random): Shot {
    const operation = random.one(WITH_BODY);
    const path = this.pathOf(operation.template, random, 'valid');
    const schema = bodySchema(operation);
    const some = toJson(this.values(random, 'valid').body(schema));
    // The service ignores a computed property, whatever its value.
    const [first = 'x'] = Object.keys(resolveSchema(schema).properties ?? {});
    const json = some === '{}' ? JSON.stringify({ [first]: 'x' }) : some;
    const limit = operation.template.endsWith('/bulk') ? 16 : 1;
    const isOptional = operation.operation.requestBody.required !== true;
    const attack = bodyAttack(random, json, limit, isOptional, operation.method === 'PATCH');
    const { name, body, contentType, headers, statuses } = attack;
    const wire = this.wire(operation.method, path, '', headers);
    wire.body = body;
    delete wire.headers['content-type'];
    if (contentType !== undefined) wire.headers['content-type'] = contentType;
    return { number, kind: `body: ${name}`, wire, statuses, operation };
  }

  // ---------------------------------------------------------------- broken HTTP

  private async breakHttp(number: number, random: Random): Promise<void> {
    const { host, port } = new URL(this.options.url);
    const { name, bytes, statuses } = brokenRequest(random, host, this.options.cookie);
    const kind = `HTTP: ${name}`;
    try {
      const answer = await sendBytes(Number(port), bytes);
      this.count(kind, answer.statuses.at(-1) ?? 'closed');
      answer.statuses.forEach((status, index) => {
        if (!statuses.includes(status))
          throw new Error(`answered ${status}, not ${statuses.join(' or ')}: ${answer.bodies[index]!.slice(0, 300)}`);
        if (status >= 400) assertRefusal(JSON.parse(answer.bodies[index]!), bytes.toString('latin1'));
      });
      this.time(number, answer.ms, kind);
    } catch (error) {
      this.fail(number, `${kind}: ${JSON.stringify(bytes.toString('latin1').slice(0, 400))}`, (error as Error).message);
    }
  }

  // ---------------------------------------------------------------- login and logout

  private takeTurn(turn: () => Promise<void>): Promise<void> {
    return (this.actorsTurn = this.actorsTurn.then(turn));
  }

  private async authenticate(number: number, random: Random): Promise<void> {
    const what = random.one(AUTH);
    const right = random.chance(0.6);
    const kind = `auth: ${what}${right ? '' : ', wrong'}`;
    const operation = OPERATIONS.find(({ template }) => template === `/api/auth/${what}`)!;
    const mood: Mood = random.one(['valid', 'boundary', 'hostile']);
    const made = bodySchema(operation) && (this.values(random, mood).body(bodySchema(operation)) as Json);
    const from = {
      'x-forwarded-for': random.some(4, () => random.int(256)).join('.'),
    };
    const { email, password } = this.actor;
    let cookie: string | undefined;
    let request = '';
    const send = async (path: string, body: unknown, statuses: readonly number[]): Promise<Answer> => {
      const wire = this.wire(
        path.endsWith('session') ? 'GET' : 'POST',
        path,
        body === undefined ? undefined : toJson(body),
        {
          ...from,
          cookie: cookie ?? '',
        },
      );
      request = inWords(wire);
      const answer = await this.client.send(wire);
      this.check({ number, kind, wire, statuses }, answer);
      return answer;
    };
    const login = async (): Promise<Answer> => {
      const answer = await send('/api/auth/login', { email, password: this.actor.password }, [200]);
      cookie = answer.headers['set-cookie']![0]!.split(';')[0];
      return answer;
    };
    try {
      if (what === 'login' && !right) {
        this.count(kind, (await send('/api/auth/login', made, [400, 401, 429])).status);
        return;
      }
      if (!right && what !== 'password') {
        cookie = `session=${random.one(['', 'x', '\u00ff', '%', encode(random.one(HOSTILE_TEXTS)).slice(0, 500)])}`;
        this.count(kind, (await send(`/api/auth/${what}`, undefined, [401])).status);
        return;
      }
      const opened = await login();
      this.result.succeeded.add('POST /api/auth/login');
      if (what === 'login') {
        same('email', opened.body.data.email, email);
        this.count(kind, opened.status);
      } else if (what === 'session') {
        const answer = await send('/api/auth/session', undefined, [200]);
        same('the profile', answer.body, opened.body);
        this.count(kind, answer.status, operation);
      } else if (what === 'logout') {
        this.count(kind, (await send('/api/auth/logout', undefined, [204])).status, operation);
        await send('/api/auth/session', undefined, [401]);
      } else if (right) {
        const answer = await send('/api/auth/password', { ...made, currentPassword: password }, [204, 400]);
        this.count(kind, answer.status, operation);
        if (answer.status === 204) this.actor.password = made.newPassword;
        // Only the whole password opens a session; any shorter one is refused.
        await login();
        if (answer.status === 204) {
          await send('/api/auth/login', { email, password: [...made.newPassword].slice(0, -1).join('') }, [401]);
          await login();
        }
      } else {
        this.count(kind, (await send('/api/auth/password', made, [400, 429])).status);
        // Wrong passwords count as attempts. The correct password does not count and resets the number.
        await login();
      }
    } catch (error) {
      this.fail(number, request, (error as Error).message);
    }
  }

  // ---------------------------------------------------------------- responses

  private async judge(shot: Shot, together: boolean): Promise<void> {
    const before = together ? undefined : await this.before(shot);
    const answer = await this.client.send(shot.wire);
    this.count(shot.kind, answer.status, shot.operation);
    this.check(shot, answer);
    await this.follow(shot, answer, before, together);
  }

  /** The record before a PATCH or DELETE changes it. */
  private async before({ operation, wire }: Shot): Promise<Json> {
    if (!operation || !['PATCH', 'DELETE'].includes(wire.method) || operation.template.endsWith('/sessions'))
      return undefined;
    const path = wire.path.split('?')[0]!;
    if (!this.isKnown(collectionOf(operation.template), path)) return undefined;
    const answer = await this.besides('GET', path);
    return answer.status === 200 ? answer.body.data : undefined;
  }

  private isKnown(collection: string, path: string): boolean {
    return this.records.get(collection)?.some((known) => known.path === path) ?? false;
  }

  /** Checks every response, whatever was sent. */
  private check({ number, wire, statuses, operation }: Shot, answer: Answer): void {
    const { status, body } = answer;
    const words = (): string => `${status} ${answer.text.slice(0, 400)}`;
    // Prometheus gets an error if an empty response would remove its targets.
    const isTooFew = status === 503 && /fewer than minTargets \(\d+\)/.test(answer.text);
    if (status >= 500 && !isTooFew) throw new Error(`answered ${words()}`);
    if (statuses && !statuses.includes(status)) throw new Error(`answered ${words()}, not ${statuses.join(' or ')}`);
    if (status === 200 && wire.path.startsWith('/api') && !isDecodable(wire.path))
      throw new Error('accepted a query string with invalid UTF-8');
    if (wire.method !== 'HEAD') {
      if (!this.isTaken(operation, status))
        assertDocumented(wire.method, wire.path, status, new Headers(flat(answer.headers)), body);
      if (status >= 400) assertRefusal(body, `${decoded(wire.path)} ${wire.body?.toString('latin1') ?? ''}`);
      // Lists of available values, and the results of actions, have no totals.
      else if (wire.method === 'GET' && Array.isArray(body?.data) && !wire.path.includes('/available-')) {
        assertPage(wire.path, body);
      }
    }
    this.time(number, answer.ms, inWords(wire));
  }

  /** Whether the value of a unique custom field may be a duplicate. Only the document of the installation describes this for every PATCH. */
  private isTaken(operation: Operation | undefined, status: number): boolean {
    if (status !== 409 || operation?.method !== 'PATCH') return false;
    return this.definitions.ofBody(nameOf(bodySchema(operation))).some(({ unique }) => unique);
  }

  /** Checks that accepted data can be read now, and that a refused request has changed nothing. */
  private async follow(shot: Shot, answer: Answer, before: Json, together: boolean): Promise<void> {
    const { operation, sent, wire } = shot;
    const { status, body } = answer;
    if (!operation) return;
    const { template, method } = operation;
    const collection = isCreate(operation) ? template : collectionOf(template);
    const path = wire.path.split('?')[0]!;
    if (template === '/api/change-log' && status === 200 && wire.method === 'GET') {
      const entries = (body.data as Json[]).map(({ id }) => ({
        path: `${template}/${id}`,
        id: id as string,
      }));
      if (entries.length > 0) this.records.set(template, entries);
    }
    if (template.startsWith(DEFINITIONS) && wire.method !== 'GET' && status < 300) await this.readDefinitions();
    if (!together && status === 200 && wire.method === 'GET' && Array.isArray(body?.data)) {
      assertCustomFound(
        this.definitions.ofCollection(template),
        new URLSearchParams(wire.path.split('?')[1] ?? ''),
        body.data as Json[],
      );
    }
    if (status === 200 && /\/(?:bulk|import)$/.test(template) && body.dryRun !== true) {
      if (answer.headers['idempotency-replayed'] === undefined) this.learnMany(template, path, body.data);
      return;
    }
    const isRecord = path.split('/').length === template.split('/').length && template.endsWith('}');
    if (isCreate(operation) && status === 201) {
      const location = answer.headers.location!;
      this.learn(collection, location);
      const asSent = sent ?? (JSON.parse(new TextDecoder().decode(wire.body)) as Json);
      assertKept(bodySchema(operation), keptBy(template, asSent), body.data);
      if (together) return;
      this.assertCustom(operation, asSent, body.data);
      // The response shows a token, or the address of a calendar, only once.
      const { [template === '/api/calendar-feeds' ? 'url' : 'token']: _once, ...record } = body.data as Json;
      await this.reads(location, record);
      if (wire.headers['idempotency-key'] === undefined) return;
      const again = await this.client.send(wire);
      same('the response to the same key', [again.status, again.text], [201, answer.text]);
      same('the header for a replayed response', again.headers['idempotency-replayed'], 'true');
    } else if (method === 'PATCH' && isRecord && wire.method === 'PATCH') {
      if (status === 200) {
        const asSent = sent ?? (JSON.parse(new TextDecoder().decode(wire.body)) as Json);
        assertKept(bodySchema(operation), keptBy(collection, asSent), body.data);
        if (!together) this.assertCustom(operation, asSent, body.data);
        if (before) assertUnchanged(collection, asSent, before, body.data);
        if (!together) await this.reads(path, body.data);
      } else if (before) await this.reads(path, before);
    } else if (method === 'DELETE' && isRecord && wire.method === 'DELETE') {
      if (status === 204) {
        this.forget(collection, path.toLowerCase());
        this.bury(collection, path, before);
        if (!together) same('the status of a deleted record', (await this.besides('GET', path)).status, 404);
      } else if (before && status !== 401) await this.reads(path, before);
    } else if (template.endsWith('/restore') && status === 200) {
      const at = path.slice(0, -'/restore'.length);
      // A repeated key returns the earlier response.
      if (answer.headers['idempotency-replayed'] !== undefined) return;
      const gone = this.gone.get(collection)?.find((one) => one.path === at)?.record;
      this.bury(collection, at);
      this.learn(collection, at);
      if (gone) assertRestored(collection, gone, body.data);
      if (!together) await this.reads(at, body.data);
    } else if (template.endsWith('/receive') && status === 200 && sent) {
      // The assets of the earlier response may be deleted by now, for example by the reversal of their receipt.
      if (answer.headers['idempotency-replayed'] !== undefined) return;
      await this.received(sent, body.data, together);
      const receipts = path.replace(/[^/]+$/, 'receipts');
      const receipt = await this.lastOf(receipts);
      // Other requests read and reverse these.
      this.learn(RECEIPTS, `${receipts}/${receipt.id}`);
      if (!together) this.assertCustom(operation, sent, receipt);
    } else if (/\/(?:assign|return)$/.test(template) && status === 200 && sent && !together) {
      if (answer.headers['idempotency-replayed'] !== undefined) return;
      this.assertCustom(operation, sent, await this.lastOf(path.replace(/[^/]+$/, 'assignments')));
    }
  }

  private assertCustom(operation: Operation, sent: Json, data: Json): void {
    const schema = bodySchema(operation);
    const about = this.definitions.ofBody(nameOf(schema));
    if (about.length > 0) assertCustomKept(about, sent.customFields, data.customFields);
    // The lines of an order. The received quantities are not values of a receipt.
    const line = nameOf(resolveSchema(schema).properties.items?.items);
    const ofLines = line === 'CreatePurchaseOrderItem' ? this.definitions.ofBody(line) : [];
    if (ofLines.length === 0) return;
    for (const [index, { customFields }] of inOrder(sent.items ?? []).entries()) {
      assertCustomKept(ofLines, customFields, data.items[index].customFields);
    }
  }

  private async reads(path: string, expected: Json): Promise<void> {
    const { status, body, text } = await this.besides('GET', path);
    if (status !== 200) throw new Error(`GET ${path} gave ${status}: ${text.slice(0, 300)}`);
    same(`what GET ${path} reads`, body.data, expected);
  }

  /** @param record as last read; undefined if other requests may have changed it since */
  private bury(collection: string, path: string, record?: Json): void {
    const others = (this.gone.get(collection) ?? []).filter((one) => one.path !== path);
    this.gone.set(collection, [...others.slice(-20), { path, record }]);
  }

  /** The records that many operations, or the rows of a file, have created and deleted. */
  private learnMany(template: string, path: string, { results, ids }: Json): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    const collection = createBeside(template).template;
    const known = (ids ?? (results as Json[] | undefined)?.map(({ id }) => id) ?? []) as (string | null)[];
    const deleted = new Set((results as Json[] | undefined)?.filter(({ op }) => op === 'delete').map(({ id }) => id));
    for (const id of known) {
      if (id === null) continue;
      const at = `${parent}/${id}`;
      if (deleted.has(id)) {
        this.forget(collection, at);
        this.bury(collection, at);
      } else if (!this.isKnown(collection, at)) this.learn(collection, at);
    }
  }

  /** The last record of a list. */
  private async lastOf(list: string): Promise<Json> {
    return (await this.besides('GET', `${list}?order=desc&pageSize=1`)).body.data[0];
  }

  /** Checks, unit by unit, that the received assets are those that were sent. */
  private async received(sent: Json, data: Json, together: boolean): Promise<void> {
    const units = sent.items.flatMap((item: Json) => item.assets) as Json[];
    same('count', [data.count, data.assetIds.length], [units.length, units.length]);
    for (const [index, id] of (data.assetIds as string[]).entries()) {
      this.learn('/api/assets', `/api/assets/${id}`);
      if (together) continue;
      const { body } = await this.besides('GET', `/api/assets/${id}`);
      const { siteId, locationId, ...rest } = units[index];
      // The order supplies values that the unit does not have.
      assertKept(
        settableSchema('/api/assets'),
        {
          ...rest,
          ...(siteId && { siteId }),
          ...(locationId && { locationId }),
        },
        body.data,
      );
    }
  }
}

/** The part of a body that can be compared with the record. Other tests compare the settings of a definition that depend on its type. */
function keptBy(collection: string, sent: Json): Json {
  if (collection !== DEFINITIONS) return sent;
  const { resources: _resources, default: _default, minimum: _minimum, maximum: _maximum, ...rest } = sent;
  return rest;
}

const settableSchema = (collection: string): Json => ({
  properties: settable(collection),
});

/** Pairs that are not parameters, or parameters in an unusual form. */
const ODD_PAIRS: readonly string[] = [
  '=',
  '&&&',
  '=x',
  'x',
  '%',
  '%ff=1',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor[prototype][x]=1',
  'toString=1',
  'hasOwnProperty=1',
  'sort=__proto__',
  'sort=constructor',
  `sort=${encodeURIComponent('name; DROP TABLE sites')}`,
  `sort=${encodeURIComponent('(SELECT 1)')}`,
  'sort=name&sort=id',
  'sort=',
  'order=DESC',
  'order=asc&order=desc',
  `order=${encodeURIComponent('asc, pg_sleep(5)')}`,
  ...['0', '-1', '10001', '1e3', '2147483648', '9007199254740993', 'NaN', '', '1.5', '٣'].map(
    (value) => `pageSize=${encodeURIComponent(value)}`,
  ),
  ...['0', '-1', '2147483647', '2147483648', '1e1', '9'.repeat(50)].map((value) => `page=${value}`),
  'page=2147483647&pageSize=10000',
  `search=${encodeURIComponent("%' OR 1=1 --")}`,
  `search=${encodeURIComponent(String.raw`\%_`)}`,
  `search=${'a'.repeat(8000)}`,
  'search=%00',
  'search=a&search=b',
  Array.from({ length: 1200 }, (_, i) => `id=${i}`).join('&'),
  Array.from({ length: 300 }, () => `id=${NOBODY}`).join('&'),
  'asOf=infinity',
  'window=P1D',
];

/** Like `encodeURIComponent`, but encodes lone surrogates as bytes, where that function throws. */
const encode = (text: string): string =>
  text
    .split(/([\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF])/)
    .map((part) => (/^[\uD800-\uDFFF]$/.test(part) ? '%ED%A0%80' : encodeURIComponent(part)))
    .join('');

/** A path with the texts of its query string, which a refusal may repeat. */
const decoded = (path: string): string => (isDecodable(path) ? decodeURIComponent(path) : path);

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

const flat = (headers: Answer['headers']): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)]);

function inWords({ method, path, headers, body }: Wire): string {
  const { cookie: _cookie, ...rest } = headers;
  // A character has at most three bytes, or four if it counts as two.
  const beginning = body?.subarray(0, 1800).toString().slice(0, 600);
  return `${method} ${path.slice(0, 400)} ${JSON.stringify(rest).slice(0, 300)} ${JSON.stringify(beginning ?? null)}`;
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} is ${excerpt(actual)}, not ${excerpt(expected)}`);
}

const excerpt = (value: unknown): string => JSON.stringify(value)?.slice(0, 500);

/** @param sent the request; a refusal may repeat its words */
function assertRefusal(body: Json, sent: string): void {
  // Records that violate the change of a definition.
  const { error, code, details, count: _count, records: _records, ...rest } = (body ?? {}) as Json;
  const isFault = (fault: Json): boolean =>
    // Refusals of an import give the position in the file.
    ['code,field,message', 'code,field,line,message,row'].includes(
      Object.keys(fault ?? {})
        .toSorted()
        .join(','),
    ) &&
    typeof fault.field === 'string' &&
    typeof fault.message === 'string';
  const hasShape =
    typeof error === 'string' &&
    error.trim() !== '' &&
    typeof code === 'string' &&
    Object.keys(rest).length === 0 &&
    (details === undefined || (Array.isArray(details) && details.length > 0 && details.every(isFault)));
  if (!hasShape) throw new Error(`a refusal in the wrong shape: ${excerpt(body)}`);
  const text = [error, ...((details ?? []) as Json[]).map((fault) => fault.message)].join(' ');
  const [leak] = INTERNAL.exec(text) ?? [];
  if (leak !== undefined && !sent.includes(leak))
    throw new Error(`a refusal that shows internals: ${text.slice(0, 400)}`);
  if (SLIPPED.test(text)) throw new Error(`validation accepted it, the database refused it: ${text}`);
}

function assertPage(path: string, { data, total, page, pageSize, hasMore }: Json): void {
  // The feed of changes has a cursor instead.
  if (path.startsWith('/api/changes')) return;
  // Some clients send `name[]=`. The service reads it as `name=`.
  const query = new URLSearchParams(path.split('?')[1]?.replaceAll(/(?:\[\]|%5B%5D)(?==)/gi, ''));
  same('page', String(page), query.get('page')?.replace(/^0+/, '') ?? '1');
  same('pageSize', String(pageSize), query.get('pageSize')?.replace(/^0+/, '') ?? '10000');
  if (total === undefined) {
    if (hasMore) same('the number of records on the page', data.length, pageSize);
  } else if (!query.has('after')) {
    same('hasMore', hasMore, page * pageSize < total);
    same(
      'the number of records on the page',
      data.length,
      Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize)),
    );
  }
  // An output filters devices, and a summary filters records. Their responses have other fields.
  if (path.startsWith('/api/outputs/') || path.includes('/summary?')) return;
  // Checks that the service applied each accepted filter.
  for (const name of ['name', 'status', 'id']) {
    const values = query.getAll(name);
    if (values.length === 0) continue;
    const wanted = new Set(name === 'id' ? values.map((value) => value.toLowerCase()) : values);
    const wrong = (data as Json[]).find((record) => !wanted.has(record[name]));
    if (wrong) throw new Error(`${name}=${values.join()} found ${excerpt(wrong)}`);
  }
}

/** Checks that every accepted field is stored as the contract describes. */
function assertKept(schema: Json, sent: Json, data: Json): void {
  const { properties } = resolveSchema(schema);
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(properties, name) || !(name in data)) continue;
    // The port determines the device.
    if (name === 'deviceId' && sent.interfaceId) continue;
    if (value === null && fromRack(name, sent)) continue;
    const lines = Array.isArray(value) && resolveSchema(resolveSchema(properties[name]).items ?? {}).properties;
    if (lines) {
      const expected = kept(properties[name], value, name) as Json[];
      const actual = (data[name] as Json[]).map((line, index) =>
        Object.fromEntries(
          // A line shows its stock item only if it has one.
          Object.keys(expected[index] ?? {}).map((field) => [
            field,
            field === 'stockItemId' ? (line[field] ?? null) : line[field],
          ]),
        ),
      );
      same(name, actual, expected);
    } else same(name, shown(properties[name], data[name]), kept(properties[name], value, name));
  }
}

/** A device takes its place from its rack, unless the request has one. */
const fromRack = (name: string, { rackId }: Json): boolean =>
  Boolean(rackId) && ['siteId', 'locationId'].includes(name);

/** Checks that a PATCH changed no other fields, except those that depend on the sent ones. */
function assertUnchanged(collection: string, sent: Json, before: Json, after: Json): void {
  for (const name of Object.keys(settable(collection))) {
    if (name in sent || !(name in before)) continue;
    if ((name === 'deviceId' && 'interfaceId' in sent) || (name === 'family' && 'address' in sent)) continue;
    if (fromRack(name, sent)) continue;
    same(`${name}, which was not sent,`, after[name], before[name]);
  }
}

/** Lines of an order are compared separately. The change log, the source of restores, has no secrets. */
const UNRESTORED = new Set(['items', 'licenceKey']);

/** Checks that a restored record has its former values, except references to records that no longer exist. */
function assertRestored(collection: string, gone: Json, restored: Json): void {
  for (const name of Object.keys(settable(collection))) {
    if (!(name in gone) || (isReference(name) && restored[name] === null) || UNRESTORED.has(name)) continue;
    same(`${name}, restored,`, restored[name], gone[name]);
  }
}
