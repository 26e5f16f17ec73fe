import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startService, startServiceOn, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';

/* Parts of the document, for tools that are slow on all of it. */

let service: TestService;
let whole: Json;
beforeAll(async () => {
  service = await startService();
  whole = (await service.anonymous.get('/openapi.json')).body;
});
afterAll(() => service.stop());

const AREAS = ['access', 'operations', 'network', 'procurement', 'people', 'calendars', 'service'];
const QUERIES = [
  'filters=plain',
  'changeSets=none',
  'changeSets=none&filters=plain',
  ...AREAS.flatMap((area) => [`areas=${area}`, `areas=${area}&filters=plain`]),
];

const operationIdsOf = ({ paths }: Json): string[] =>
  Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods).map(({ operationId }) => operationId));

const namesOf = ({ components }: Json): string[] =>
  Object.entries<Json>(components).flatMap(([kind, entries]) => Object.keys(entries).map((name) => `${kind}/${name}`));

const referencesOf = (document: Json): Set<string> =>
  new Set([...JSON.stringify(document).matchAll(/"#\/components\/([^"]*)"/g)].map(([, name]) => name!));

it.each(['/openapi.json', '/openapi-3.0.json'])('parts of %s hold together', async (path) => {
  const tags = new Set<string>();
  for (const query of QUERIES) {
    const { status, body, headers } = await service.anonymous.get(`${path}?${query}`);
    expect([query, status, headers.get('content-type')]).toEqual([query, 200, 'application/json; charset=utf-8']);
    // Every reference resolves, and nothing is left that nothing refers to.
    const [named, referred] = [new Set(namesOf(body)), referencesOf(body)];
    expect([query, [...referred].filter((name) => !named.has(name))]).toEqual([query, []]);
    const unused = [...named].filter((name) => !referred.has(name) && !name.startsWith('securitySchemes/'));
    expect([query, unused]).toEqual([query, []]);
    const described = body.tags.map(({ name }: Json) => name);
    const used = Object.values<Json>(body.paths).flatMap((methods) =>
      Object.values<Json>(methods).flatMap((operation) => operation.tags),
    );
    expect([query, new Set(used)]).toEqual([query, new Set(described)]);
    expect(body['x-tagGroups'].flatMap((group: Json) => group.tags)).toEqual(described);
    if (query.startsWith('areas')) for (const tag of described) tags.add(tag);
    const tagged = await service.anonymous.get(`${path}?${query}`, { 'if-none-match': headers.get('etag')! });
    expect(tagged.status).toBe(304);
  }
  expect(tags).toEqual(new Set(whole.tags.map(({ name }: Json) => name)));
});

it('an area has its operations as the whole document has them, and the login', async () => {
  const { body, headers } = await service.anonymous.get('/openapi.json?areas=network');
  expect(body.paths['/api/devices']).toEqual(whole.paths['/api/devices']);
  expect(body.components.schemas.Device).toEqual(whole.components.schemas.Device);
  expect(Object.keys(body.paths)).toContain('/api/auth/login');
  expect(Object.keys(body.paths)).not.toContain('/api/contracts');
  expect(headers.get('etag')).not.toBe((await service.anonymous.get('/openapi.json')).headers.get('etag'));
});

it('a document without change sets has one response for what succeeds, and is otherwise the same', async () => {
  const { body } = await service.anonymous.get('/openapi.json?changeSets=none');
  expect(operationIdsOf(body)).toEqual(operationIdsOf(whole));
  const [planned, direct] = [whole.paths['/api/sites'].post, body.paths['/api/sites'].post];
  const { 202: accepted, ...responses } = planned.responses;
  expect([accepted['x-asked-by'], direct.responses]).toEqual(['changeSet', responses]);
  expect(planned.parameters.length - direct.parameters.length).toBe(1);
  expect(JSON.stringify(body)).not.toContain('parameters/Record.changeSet');
  expect(body.components.schemas.PlannedOperations).toBeUndefined();
  expect(body.paths['/api/change-sets']).toEqual(whole.paths['/api/change-sets']);
});

it('an installation has the same parts of its own document', async () => {
  const admin = await service.as('admin');
  const partsOf = async (query: string): Promise<Json[]> =>
    Promise.all(
      ['/openapi.json', '/api/openapi.json'].map(async (path) => {
        const { status, body } = await admin.get(`${path}?${query}`);
        return [status, body];
      }),
    );
  const [published, without] = await partsOf('changeSets=none&areas=network');
  expect(without).toEqual(published);
  await admin.make('/api/custom-fields', {
    key: 'slimmed',
    label: 'Slimmed',
    type: 'text',
    resources: ['sites', 'vendors'],
  });
  const [, [status, own]] = await partsOf('changeSets=none&areas=network');
  expect([status, operationIdsOf(own)]).toEqual([200, operationIdsOf(published![1])]);
  expect(JSON.stringify(own)).toContain('slimmed');
  expect(JSON.stringify(own)).not.toContain('parameters/Record.changeSet');
  expect(own.paths['/api/sites'].post.responses[202]).toBeUndefined();
  const wholeOwn = (await admin.get('/api/openapi.json')).body;
  expect(wholeOwn.paths['/api/sites'].post.responses[202]).toBeDefined();
  expect(operationIdsOf(wholeOwn)).toEqual(operationIdsOf(whole));
  const [refused, refusedToo] = await partsOf('areas=netwrok&filter=plain');
  expect(refusedToo).toEqual(refused);
  expect(refused![0]).toBe(400);
  // It is as closed as the whole.
  expect((await service.anonymous.get('/api/openapi.json?areas=network')).status).toBe(401);
});

it('plain filters are those that equal a value, in all operations', async () => {
  const { body } = await service.anonymous.get('/openapi.json?filters=plain');
  expect(operationIdsOf(body)).toEqual(operationIdsOf(whole));
  const parameters = Object.values<Json>(body.components.parameters);
  expect(parameters.filter((parameter) => 'x-operator-of' in parameter)).toEqual([]);
  expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', 'status', 'search', 'page']));
  expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(whole).length * 0.8);
});

it('recommends the plain document first, and tells the sizes of the parts', async () => {
  const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\/openapi\S+)` \| [^|]+ \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  expect(rows.map(([, path]) => path)).toEqual(
    expect.arrayContaining(['/openapi.json?filters=plain', '/openapi-3.0.json?filters=plain', '/openapi.json']),
  );
  expect(rows[0]![1]).toBe('/openapi.json?filters=plain');
  for (const [, path, size, zipped] of rows) {
    const { text } = await service.anonymous.get(path!);
    const megabytes = [Buffer.byteLength(text), gzipSync(text, { level: 9 }).length].map((bytes) => bytes / 1e6);
    // A document grows with each resource. What the page says is true to a tenth, or to its last digit.
    const isTrue = (said: number, is: number, digit: number): boolean =>
      Math.abs(said - is) <= Math.max(is / 10, digit);
    const told = [isTrue(Number(size), megabytes[0]!, 0.1), isTrue(Number(zipped), megabytes[1]!, 0.01)];
    expect([path, megabytes, told]).toEqual([path, megabytes, [true, true]]);
  }
});

it.each([
  ['areas=netwrok', 'areas', `must be one of ${AREAS.join(', ')}`],
  ['areas=network&areas=people', 'areas', `must be one of ${AREAS.join(', ')}. Only one area can be given`],
  ['areas=network,people', 'areas', `must be one of ${AREAS.join(', ')}. Only one area can be given`],
  ['areas=', 'areas', `must be one of ${AREAS.join(', ')}`],
  ['filters=none', 'filters', 'must be one of plain'],
  ['area=network', 'area', 'is not a known parameter. The known ones are areas, filters, changeSets'],
  ['__proto__=network', '__proto__', 'is not a known parameter. The known ones are areas, filters, changeSets'],
])('%s is refused with what is possible', async (query, field, message) => {
  for (const path of ['/openapi.json', '/openapi-3.0.json']) {
    const { status, body } = await service.anonymous.get(`${path}?${query}`);
    expect([status, body]).toEqual([400, { error: `${field} ${message}`, details: [{ field, message }] }]);
  }
});

it('has a list before what is computed of it, and both before an item', () => {
  const paths = Object.keys(whole.paths);
  const places = new Map(paths.map((path, index) => [path.replaceAll(/\{\w+\}/g, '{}'), index]));
  expect(places.size).toBe(paths.length);
  const misplaced = [...places].filter(([path, index]) => {
    const parent = path.slice(0, path.lastIndexOf('/'));
    const item = path.endsWith('/{}') ? undefined : places.get(`${parent}/{}`);
    return index < (places.get(parent) ?? -1) || index > (item ?? Infinity);
  });
  expect(misplaced).toEqual([]);
});

it('names the address under which the service is reached, where that is configured', async () => {
  expect(whole.servers).toEqual([{ url: '/', description: 'This service' }]);
  const other = await startServiceOn(service.database, { PUBLIC_URL: 'https://example.com/inventory/' });
  try {
    for (const path of ['/openapi.json', '/openapi-3.0.json', '/openapi.json?areas=people']) {
      const { servers } = (await (await other.as('viewer')).get(path)).body;
      expect(servers).toEqual([
        { url: 'https://example.com/inventory', description: 'This service, from outside' },
        { url: '/', description: 'This service' },
      ]);
    }
  } finally {
    other.app.getHttpServer().closeAllConnections();
    await other.app.close();
  }
});
