import { readFileSync } from 'node:fs';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { buildDocument } from '../../src/openapi/document/build.js';
import { toOpenApi30 } from '../../src/openapi/document/to-3.0.js';
import { startService, type TestService } from '../support/app.js';
import { resolveRef, type Json } from '../support/document.js';
import { faultsIn } from '../support/documented.js';

let service: TestService;
let document: Json;
beforeAll(async () => {
  service = await startService();
  document = JSON.parse(JSON.stringify(buildDocument(service.app, NO_FIELDS)));
});
afterAll(() => service.stop());

const operations = (): { path: string; method: string; operation: Json }[] =>
  Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

it('is equal to openapi.json', () => {
  expect(document).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
});

it('is served at /openapi.json without a session', async () => {
  const answer = await service.anonymous.get('/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(document);
});

it('has the version of the package', () => {
  expect(document.info.version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
});

it('names a body after its purpose', () => {
  const bodies = new Set(
    operations()
      .map(({ operation }) => operation.requestBody?.content['application/json']?.schema.$ref)
      .filter(Boolean)
      .map((reference: string) => reference.split('/').at(-1)),
  );
  expect(bodies).toContain('CreateDevice');
  expect(Object.keys(document.components.schemas).filter((name) => /Dto|DTO/.test(name))).toEqual([]);
});

it('describes what webhooks are sent, in 3.1 only', () => {
  const { webhooks } = document;
  expect(Object.keys(webhooks)).toEqual(['change', 'changeAsText', 'test']);
  for (const { post } of Object.values(webhooks) as Json[]) {
    const { schema, example } = post.requestBody.content['application/json'];
    expect(faultsIn(schema.$ref.split('/').at(-1), example)).toEqual([]);
    expect(document.tags).toContainEqual(expect.objectContaining({ name: post.tags[0] }));
  }
  expect(document.components.schemas.WebhookEvent.properties.data).toEqual({
    $ref: '#/components/schemas/WebhookEntry',
  });
  // What is read-only must not be in a request, and these are requests.
  const { WebhookEntry: sent, ChangeLogEntry: shown } = document.components.schemas;
  expect(Object.keys(sent.properties)).toEqual(Object.keys(shown.properties));
  expect(JSON.stringify(sent)).not.toContain('readOnly');
  const older = toOpenApi30(document) as Json;
  expect(older).not.toHaveProperty('webhooks');
  expect(older.components.schemas).toHaveProperty('ChangeLogEntry');
  for (const name of ['WebhookEntry', 'WebhookEvent', 'WebhookTest', 'WebhookTestData']) {
    expect(older.components.schemas).not.toHaveProperty(name);
  }
});

it('has no dangling references', () => {
  const references = new Set(JSON.stringify(document).match(/"#\/components\/\w+\/[^"]*"/g));
  expect(references.size).toBeGreaterThan(1000);
  for (const reference of references) {
    const [kind, name] = reference.slice(1, -1).split('/').slice(2);
    expect([reference, document.components[kind!]?.[name!] !== undefined]).toEqual([reference, true]);
  }
});

it('gives every operation a unique name that suits an SDK', () => {
  const ids = operations().map(({ operation }) => operation.operationId as string);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  expect(ids).toEqual(
    expect.arrayContaining([
      'listRunbooks',
      'createRunbook',
      'getRunbook',
      'updateRunbook',
      'deleteRunbook',
      'receivePurchaseOrder',
      'listDeviceIps',
    ]),
  );
});

/** What is also answered as a picture. */
const PICTURES = new Set([
  '/api/bookings',
  '/api/device-ports/{id}/trace',
  '/api/devices/{deviceId}/ports/{portId}/trace',
  '/api/expirations',
  '/api/on-call/shifts',
  '/api/racks/{id}/elevation',
]);

/** What is answered instead of JSON, by the ending of the path. */
const DOCUMENTS: Record<string, string[]> = { '.svg': ['image/svg+xml'], '.ics': ['text/calendar'] };
/** Text that an operation answers with beside JSON. */
const TEXTS: Record<string, string[]> = {
  '/api/outputs/dns': ['text/dns'],
  '/api/stocktakes/{id}/result': ['text/html'],
};
const STREAMS: Record<string, string[]> = {
  '/api/change-sets/{id}/diff': ['text/html'],
  '/api/changes/stream': ['text/event-stream'],
};

it('describes for every operation its purpose, its permissions and its refusals', () => {
  for (const { path, method, operation } of operations()) {
    const at = `${method} ${path}`;
    expect([at, operation.summary?.length > 0, operation.tags?.length]).toEqual([at, true, 1]);
    // The operations of single sign-on redirect browsers.
    const success = Object.keys(operation.responses).filter(
      // A request that is written down in a change set is answered with 202.
      (status) => (status.startsWith('2') && status !== '202') || status === '302',
    );
    expect([at, success.length]).toEqual([at, 1]);
    const { content } = operation.responses[success[0]!];
    const isEmpty = success[0] === '204' || success[0] === '302';
    const files = operation.operationId.startsWith('list') ? ['text/csv', 'application/x-ndjson'] : [];
    const pictures = (PICTURES.has(path) && method === 'get') || path.endsWith('/summary') ? ['image/svg+xml'] : [];
    expect([at, isEmpty ? content === undefined : Object.keys(content)]).toEqual([
      at,
      isEmpty
        ? true
        : (STREAMS[path] ??
          DOCUMENTS[path.slice(path.lastIndexOf('.'))] ?? [
            ...(TEXTS[path] ?? []),
            'application/json',
            ...files,
            ...pictures,
          ]),
    ]);
    const closed = path.startsWith('/api') && !/^\/api\/auth\/(?:login|oidc\/\w+)$/.test(path);
    // With a token nobody makes, changes or ends a credential.
    const needsSession = method !== 'get' && /^\/api\/(?:auth|calendar-feeds|profiles|tokens)\b/.test(path);
    const ways = needsSession ? [{ session: [] }] : [{ bearerAuth: [] }, { session: [] }];
    expect([at, operation.security ?? document.security]).toEqual([at, closed ? ways : []]);
    if (closed) expect([at, Object.keys(operation.responses)]).toEqual([at, expect.arrayContaining(['401', '503'])]);
    if (path.includes('{'))
      expect([at, Object.keys(operation.responses)]).toEqual([at, expect.arrayContaining(['404'])]);
    const placed = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = operation.parameters
      .map(resolveRef)
      .filter((p: Json) => p.in === 'path')
      .map((p: Json) => p.name);
    expect([at, named]).toEqual([at, placed]);
  }
});

it('lists paging, search, order, filters and then their operators, each marked with its filter', () => {
  const lists = operations()
    .map(({ operation }) => operation.parameters.map(resolveRef).filter(({ in: place }: Json) => place === 'query'))
    .filter((parameters) => parameters.some(({ name }: Json) => name === 'page'));
  expect(lists.length).toBeGreaterThan(60);
  for (const parameters of lists) {
    const names: string[] = parameters.map(({ name }: Json) => name);
    // A computed list has its pages, its formats and parameters of its own.
    if (names[2] === 'format') {
      expect(names.slice(0, 4)).toEqual(['page', 'pageSize', 'format', 'raw']);
      continue;
    }
    const search = names.includes('search') ? ['search'] : [];
    const expand = names.includes('expand') ? ['expand'] : [];
    const first = ['page', 'pageSize', ...search, 'sort', 'order', 'format', 'raw', ...expand];
    expect(names.slice(0, first.length)).toEqual(first);
    const isOperator = parameters.slice(first.length).map(({ name }: Json) => name.includes('__'));
    expect(isOperator).toEqual(isOperator.toSorted());
    for (const parameter of parameters) {
      const [filter, operator] = parameter.name.split('__');
      expect([parameter.name, parameter['x-operator-of']]).toEqual([parameter.name, operator ? filter : undefined]);
      expect(names).toContain(filter);
    }
  }
});

it('has no two parameters of the same name in an operation, in any location', () => {
  for (const { operation } of operations()) {
    const names = operation.parameters.map((parameter: Json) => resolveRef(parameter).name as string);
    expect([operation.operationId, names.filter((name: string, at: number) => names.indexOf(name) !== at)]).toEqual([
      operation.operationId,
      [],
    ]);
  }
});

it('has component names that differ by more than case and punctuation', () => {
  // Generators derive types and files from the names, and some file systems do not distinguish `area.ts` from `Area.ts`.
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const names = Object.values(document.components as Json)
    .flatMap((kind: Json) => Object.keys(kind))
    .filter((name) => document.components.headers[name] === undefined && name !== 'session')
    .map(plain);
  expect(names.length).toBeGreaterThan(1000);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it('does not offer filters without an effect', () => {
  const lists = operations().filter(({ operation }) => operation.operationId.startsWith('list'));
  const namesOf = ({ operation }: { operation: Json }): string[] =>
    operation.parameters.map((parameter: Json) => resolveRef(parameter).name);
  for (const list of lists) {
    const names = namesOf(list);
    if (!names.includes('sort')) continue;
    for (const name of ['id', 'createdAt', 'updatedAt', 'name'])
      expect([list.path, names.includes(`${name}__empty`)]).toEqual([list.path, false]);
    if (!list.path.endsWith('/changes')) continue;
    expect([list.path, names.filter((name) => /^(?:recordId|resource|area)(?:__|$)/.test(name))]).toEqual([
      list.path,
      [],
    ]);
    expect(names).toEqual(expect.arrayContaining(['action', 'actorId__empty', 'createdAt__gte']));
  }
  const sites = namesOf(lists.find(({ path }) => path === '/api/sites')!);
  expect(sites).toEqual(expect.arrayContaining(['facility__empty', 'slug__empty']));
});

it('lists the usual values of a filter', () => {
  const { description } = document.components.parameters['DeviceList.status'];
  expect(description).toMatch(/^status is one of the given values; known values: `active`, /);
});

// Swagger UI sends the examples of parameters, so that one of an optional parameter would change what is done.
it('has no example for optional parameters of a write', () => {
  const filled: string[] = [];
  for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
    for (const [method, { parameters = [] }] of Object.entries(item as Json) as [string, Json][]) {
      if (method === 'get') continue;
      for (const parameter of parameters as Json[]) {
        const { name, required, example, schema } = parameter.$ref
          ? document.components.parameters[parameter.$ref.split('/').at(-1)!]
          : parameter;
        if (!required && (example ?? schema.example) !== undefined) filled.push(`${method} ${path} ${name}`);
      }
    }
  }
  expect(filled).toEqual([]);
});

it('has an example of every refusal, which is valid', () => {
  const refusals = Object.entries(document.components.responses as Record<string, Json>);
  expect(refusals.length).toBeGreaterThan(10);
  for (const [name, { content }] of refusals) {
    const { example } = content['application/json'];
    expect([name, faultsIn('Error', example)]).toEqual([name, []]);
  }
});

it('names every object and every enum, and none twice', () => {
  const anonymous: string[] = [];
  const shapes = new Map<string, string[]>();
  const visit = (value: Json, at: string, named: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!named && (value.enum || (value.type === 'object' && value.properties))) anonymous.push(at);
    for (const [key, entry] of Object.entries(value)) {
      // Property names are not values.
      if (!['example', 'examples', 'default', 'propertyNames'].includes(key))
        visit(entry, `${at}/${key}`, at === '/components/schemas');
    }
  };
  visit(document, '', false);
  expect(anonymous).toEqual([]);
  for (const [name, { description, ...schema }] of Object.entries(document.components.schemas) as Json[]) {
    // The sort values of a list are a separate type, even if two lists happen to have the same fields.
    if (/(?:Sort|Expand|Grouping|Summable)$/.test(name)) continue;
    // Texts and numbers of one shape can mean different things.
    const shape = JSON.stringify(schema.enum || schema.type === 'object' ? schema : { description, ...schema });
    shapes.set(shape, [...(shapes.get(shape) ?? []), name]);
  }
  // Without a required field, both bodies of a record have one shape, and their rules differ.
  const isPair = ([create, update, ...others]: string[]): boolean =>
    others.length === 0 && create!.startsWith('Create') && update === create!.replace('Create', 'Update');
  expect([...shapes.values()].filter((names) => names.length > 1 && !isPair(names))).toEqual([]);
});
