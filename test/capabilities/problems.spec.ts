import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ERRORS, type ErrorCode } from '../../src/http/errors.js';
import { pointerTo } from '../../src/http/error-body.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { faultsIn } from '../support/documented.js';

const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
const PROBLEM = 'application/problem+json';
const CSV = { 'content-type': 'text/csv' };

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  await admin.make('/api/people', { fullName: 'Ada', email: 'ada@example.com' });
});
afterAll(() => service.stop());

/** A name for each source of a refusal: the route, its parsers, Fastify, the files, the bulk and lists in other formats. */
const REFUSED: [string, string, string, unknown?, Record<string, string>?][] = [
  ['a field', 'POST', '/api/sites', { name: 5, nam: 1 }],
  ['a conflict', 'POST', '/api/people', { fullName: 'Eva', email: 'ada@example.com' }],
  ['a reference', 'POST', '/api/racks', { name: 'a', siteId: randomUUID() }],
  ['a parameter of a file', 'GET', '/api/sites?nam=1', undefined, { accept: `text/csv, ${PROBLEM}` }],
  ['a format', 'GET', '/api/sites', undefined, { accept: `image/png, ${PROBLEM}` }],
  ['a bulk request', 'POST', '/api/sites/bulk', { operations: [{ op: 'create', data: {} }] }],
  ['a row of a file', 'POST', '/api/sites/import', 'name\n""\n', CSV],
  ['a record', 'GET', `/api/sites/${randomUUID()}`],
  ['a path', 'GET', '/api/nothing'],
  ['a method', 'PUT', '/api/sites', {}],
  ['malformed JSON', 'POST', '/api/sites', '{'],
  ['a media type', 'POST', '/api/sites', 'a', { 'content-type': 'text/plain' }],
  ['a large body', 'POST', '/api/sites', JSON.stringify('a'.repeat(1_100_000))],
  ['a URL that Fastify refuses', 'GET', '/api/%c0'],
  ['a part of the document', 'GET', '/openapi.json?areas=none'],
];

it.each(REFUSED)(
  '%s is refused with problem details for those who ask',
  async (...[, method, path, body, headers = {}]) => {
    const usual = await admin.request(method, path, body, {
      ...headers,
      accept: (headers.accept ?? '*/*').split(',')[0]!,
    });
    expect(usual.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { status, headers: sent, text } = await admin.request(method, path, body, { accept: PROBLEM, ...headers });
    expect([status, sent.get('content-type')]).toEqual([usual.status, `${PROBLEM}; charset=utf-8`]);
    const problem = JSON.parse(text);
    expect(faultsIn('Problem', problem)).toEqual([]);
    const code = usual.code as ErrorCode;
    const { error, details, ...more } = JSON.parse(usual.text);
    expect(problem).toEqual({
      ...more,
      type: `/docs/errors.md#${code}`,
      title: ERRORS[code].title,
      status,
      detail: error,
      instance: `urn:uuid:${sent.get('x-request-id')}`,
      code,
      ...(details && {
        errors: details.map(({ field, message, ...rest }: Record<string, string>) => ({
          ...rest,
          pointer: pointerTo(field!),
          detail: message,
        })),
      }),
    });
  },
);

it.each([
  ['items[0].quantity', '#/items/0/quantity'],
  ['name', '#/name'],
  ['rows[1].site.name', '#/rows/1/site/name'],
  ['a/b~c d', '#/a~1b~0c%20d'],
  ['\ud800', '#/%EF%BF%BD'],
])('the pointer to %j is %j', (field, pointer) => expect(pointerTo(field)).toBe(pointer));

it.each([
  ['named beside others', `application/json, ${PROBLEM};q=0.5`, `${PROBLEM}; charset=utf-8`],
  ['in other letters', 'Application/Problem+JSON', `${PROBLEM}; charset=utf-8`],
  ['excluded', `${PROBLEM};q=0`, 'application/json; charset=utf-8'],
  ['only in a range', 'application/*', 'application/json; charset=utf-8'],
])('the media type %s', async (_, accept, type) => {
  const { headers } = await admin.get('/api/sites?page=0', { accept });
  expect(headers.get('content-type')).toBe(type);
});

it.each(['/api/sites', '/api/profiles', '/openapi.json', '/api/search?q=ada'])(
  'what succeeds is as ever: %s',
  async (path) => {
    const { status, text } = await admin.get(path, { accept: PROBLEM });
    expect([status, text]).toEqual([200, (await admin.get(path)).text]);
  },
);

it('the service serves the page that the types lead to, with an anchor for each code', async () => {
  const { status, text } = await service.anonymous.get('/docs/errors.md');
  expect([status, text]).toEqual([200, page]);
  const anchors = [...text.matchAll(/^\| `(\w+)` \| \d+ \| <a id="(\w+)"><\/a>/gm)].map(([, code, id]) => [code, id]);
  expect(anchors).toEqual(Object.keys(ERRORS).map((code) => [code, code]));
});

it('the example of the page is what the service says', async () => {
  const example = JSON.parse(/```json\n([^`]+)```/.exec(page.split('## Problem details')[1]!)![1]!);
  const path = /\$URL([^"]+)"/.exec(page)![1]!;
  const { text } = await admin.get(path, { accept: PROBLEM });
  expect({ ...JSON.parse(text), instance: example.instance }).toEqual(example);
});

it('a request that is not valid HTTP has no headers that could ask', async () => {
  const { port, hostname } = new URL(service.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(`GET / HTTP/1.1\r\naccept: ${PROBLEM}\r\n: x\r\n\r\n`),
    );
    let text = '';
    socket
      .on('data', (chunk) => (text += chunk))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
  expect(answer).toContain('{"error":"The request is not valid HTTP","code":"validation"}');
});
