import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';

const MERGE = 'application/merge-patch+json';
const BOTH = `application/json, ${MERGE}`;

let service: TestService;
let admin: Api;
let path: string;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  path = `/api/sites/${(await admin.make('/api/sites', { name: 'AMS1', physicalAddress: 'Science Park' })).id}`;
});
afterAll(() => service.stop());

it.each([MERGE, `${MERGE}; charset=utf-8`, 'Application/Merge-Patch+JSON'])('a PATCH takes %s', async (type) => {
  await admin.patch(path, { physicalAddress: 'Science Park' });
  const { status, body } = await admin.patch(path, { physicalAddress: null }, { 'content-type': type });
  expect([status, body.data.physicalAddress, body.data.name]).toEqual([200, null, 'AMS1']);
});

it('the example of docs/clients.md works', async () => {
  const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8').split('## Partial changes')[1]!;
  const type = /Content-Type: ([^']+)'/.exec(page)![1]!;
  const { status, body } = await admin.patch(path, /-d '([^']+)'/.exec(page)![1], { 'content-type': type });
  expect([status, body.data.physicalAddress]).toEqual([200, null]);
});

it.each<[string, string, () => string, unknown, Record<string, string>, number, string | null]>([
  ['another type', 'PATCH', () => path, 'a: 1', { 'content-type': 'text/plain' }, 415, BOTH],
  ['another charset', 'PATCH', () => path, '{}', { 'content-type': `${MERGE}; charset=latin1` }, 415, BOTH],
  ['an encoding', 'PATCH', () => path, '{}', { 'content-type': MERGE, 'content-encoding': 'gzip' }, 415, BOTH],
  ['a POST', 'POST', () => '/api/sites', '{"name":"x"}', { 'content-type': MERGE }, 415, null],
  ['an import', 'POST', () => '/api/sites/import', '{"name":"x"}', { 'content-type': MERGE }, 415, null],
  ['OPTIONS of a record', 'OPTIONS', () => path, undefined, {}, 405, BOTH],
  ['OPTIONS of a collection', 'OPTIONS', () => '/api/sites', undefined, {}, 405, null],
  ['PUT of a record', 'PUT', () => path, {}, {}, 405, null],
])('Accept-Patch of %s', async (_, method, at, body, headers, status, accepted) => {
  const answer = await admin.request(method, at(), body, headers);
  expect([answer.status, answer.headers.get('accept-patch')]).toEqual([status, accepted]);
});

it('malformed bodies are refused as ever', async () => {
  const { status, body } = await admin.patch(path, '{"name":"a","name":"b"}', { 'content-type': MERGE });
  expect([status, body.error]).toEqual([400, expect.stringContaining('name')]);
});
