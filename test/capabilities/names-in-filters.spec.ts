import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  const [ams, fra] = [
    await admin.make('/api/sites', { name: 'AMS1' }),
    await admin.make('/api/sites', { name: 'Frankfurt' }),
  ];
  for (const [name, site] of [
    ['a', ams],
    ['b', ams],
    ['c', fra],
    ['d', undefined],
  ] as const)
    await admin.make('/api/racks', { name, siteId: site?.id });
  const ada = await admin.make('/api/people', { fullName: 'Ada', email: 'ada@example.com' });
  for (const [title, person] of [
    ['Fire', ada],
    ['Flood', undefined],
  ] as const)
    await admin.make('/api/incidents', { name: title, assignedToId: person?.id });
});
afterAll(() => service.stop());

const named = async (path: string): Promise<[unknown[], number]> => {
  const { body, text } = await admin.get(path);
  if (!body.data) throw new Error(text);
  return [body.data.map(({ name }: { name: string }) => name), body.total];
};

it.each<[string, string[]]>([
  ['site.name=AMS1', ['a', 'b']],
  ['site.name=AMS1&site.name=Frankfurt', ['a', 'b', 'c']],
  ['site.name__n=AMS1', ['c', 'd']],
  ['site.name__ic=s1', ['a', 'b']],
  ['site.name__isw=frank', ['c']],
  ['site.name__ie=ams1', ['a', 'b']],
  ['site.name__empty=true', ['d']],
  ['site.name__empty=false', ['a', 'b', 'c']],
  ['site.name=ams1', []],
  ['site.name=AMS1&name=b', ['b']],
  ['site.name__ic=r&sort=site.name&order=desc', ['c']],
])('racks by %s', async (query, names) => {
  expect(await named(`/api/racks?${query}`)).toEqual([names, names.length]);
});

it('of what is shown with a name too, in files and summaries', async () => {
  for (const [query, titles] of [
    ['assignedTo.email=ada@example.com', ['Fire']],
    ['assignedTo.email__ic=EXAMPLE', ['Fire']],
    ['assignedTo.fullName__empty=true', ['Flood']],
  ] as const) {
    const { body } = await admin.get(`/api/incidents?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(titles);
  }
  const { text } = await admin.get('/api/racks?site.name=Frankfurt', { accept: 'application/x-ndjson' });
  expect(text.trim().split('\n')).toHaveLength(1);
  const { body } = await admin.get('/api/racks/summary?groupBy=siteId&site.name=AMS1');
  expect(body.data).toEqual([expect.objectContaining({ count: 2 })]);
});

it.each([
  ['site.nam=AMS1', "Unknown filter 'site.nam'. Did you mean 'site.name'?"],
  [`site.name__ic=${'a'.repeat(300)}`, 'site.name__ic'],
  ['site.slug=a', "Unknown filter 'site.slug'"],
])('refuses %s', async (query, sentence) => {
  const { status, body } = await admin.get(`/api/racks?${query}`);
  expect([status, body.error]).toEqual([400, expect.stringContaining(sentence)]);
});

it('the examples of docs/clients.md are accepted', async () => {
  const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8')
    .split('## Names in filters')[1]!
    .split('## ')[0]!;
  const paths = [...page.matchAll(/\$URL([^"]+)"/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
});

it('does not tell names that the caller may not read', async () => {
  const other = await service.as('viewer', ['people']);
  expect((await other.get('/api/racks?site.name=AMS1')).status).toBe((await other.get('/api/racks')).status);
});
