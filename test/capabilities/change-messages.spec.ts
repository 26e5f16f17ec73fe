import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';
import { until } from '../support/until.js';

let service: TestService;
let admin: Api;
let site: string;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  site = `/api/sites/${(await admin.make('/api/sites', { name: 'AMS1' })).id}`;
});
afterAll(() => service.stop());

/** The messages of the latest entries, newest first; null for an entry without a message. */
const messages = async (most: number): Promise<unknown[]> =>
  (await admin.get(`/api/change-log?sort=createdAt&order=desc&pageSize=${most}`)).body.data.map(
    ({ message }: { message?: string }) => message ?? null,
  );

const said = (message: string): Record<string, string> => ({ 'x-change-message': message });

let count = 0;
const rename = (headers: Record<string, string>) => admin.patch(site, { name: `site ${++count}` }, headers);

it.each([
  ['a text', 'ticket 4711', 'ticket 4711'],
  ['a percent-encoded text', 'na%C3%AFve%0A%F0%9F%98%80', 'naïve\n😀'],
  ['the form of RFC 8187', "UTF-8''na%C3%AFve", 'naïve'],
  ['the form of RFC 8187 with a language', "utf-8'en'it's", "it's"],
  ['as long as it may be', '%F0%9F%98%80'.repeat(1000), '😀'.repeat(1000)],
  ['nothing', '', null],
  ['only spaces', '%20%20', null],
])('%s is kept with the change', async (_, sent, message) => {
  expect((await rename(said(sent))).status).toBe(200);
  expect(await messages(1)).toEqual([message]);
});

it.each([
  ['a stray percent sign', '50% done', 'must be UTF-8, percent-encoded', 'invalid'],
  ['another charset', 'na%EFve', 'must be UTF-8, percent-encoded', 'invalid'],
  ['bytes of no charset', 'na\u00efve', 'must be UTF-8, percent-encoded', 'invalid'],
  ['NUL', '%00', 'must not contain NUL characters', 'invalid'],
  ['too many characters', 'a'.repeat(1001), 'must be at most 1000 characters long', 'too_long'],
])('%s is refused', async (_, sent, message, code) => {
  const { status, body, faultCodes } = await rename(said(sent));
  expect([status, body.details, faultCodes]).toEqual([400, [{ field: 'X-Change-Message', message }], [code]]);
});

it('every write takes it, and no other request keeps it', async () => {
  const { id } = await admin.make('/api/sites', { name: 'x' });
  expect(await messages(1)).toEqual([null]);
  await admin.delete(`/api/sites/${id}`, said('deleted'));
  const operations = ['a', 'b'].map((name) => ({ op: 'create', data: { name } }));
  await admin.post('/api/sites/bulk', { operations }, said('bulk'));
  await admin.request('POST', '/api/sites/import', 'name\nc\n', { 'content-type': 'text/csv', ...said('import') });
  await admin.post('/api/sites', { name: 'd' }, { 'idempotency-key': 'k', ...said('create') });
  expect(await messages(5)).toEqual(['create', 'import', 'bulk', 'bulk', 'deleted']);
  expect((await admin.get('/api/sites', said('50% done'))).status).toBe(200);
});

it.each([
  ['message=create', 1],
  ['message__ic=BUL', 2],
  ['search=bulk', 2],
  ['message__empty=false&resource=sites&message__isw=imp', 1],
])('the change log by %s', async (query, total) => {
  expect((await admin.get(`/api/change-log?${query}`)).body.total).toBe(total);
});

it('is in the history of the record and in the feed', async () => {
  await rename(said('history'));
  const { body } = await admin.get(`${site}/changes?message=history`);
  expect(body.data).toHaveLength(1);
  // A transaction of another test on the same server may delay the feed.
  const feed = await until(
    async () => (await admin.get('/api/changes?since=start')).body.data as { message?: string }[],
    (entries) => entries.at(-1)?.message === 'history',
  );
  expect(feed.at(-1)!.message).toBe('history');
});

it('the example of docs/clients.md works', async () => {
  const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8').split('## Why a change')[1]!;
  const message = /X-Change-Message: ([^']+)'/.exec(page)![1]!;
  const { status } = await rename(said(message));
  const path = /\$URL(\/api\/change-log[^"]+)"/.exec(page)![1]!;
  expect([status, (await admin.get(path)).body.total]).toEqual([200, 2]);
});
