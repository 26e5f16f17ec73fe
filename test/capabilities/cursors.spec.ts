import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';

/* Pages that start after a cursor return the whole list in order, whatever is written meanwhile. */
let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  const sites = await Promise.all(['Alpha', 'Beta', 'Gamma'].map((name) => admin.make('/api/sites', { name })));
  for (let at = 0; at < 23; at++) {
    const site = sites[at % 4];
    await admin.make('/api/racks', {
      name: `Rack ${at % 5}`,
      siteId: site?.id ?? null,
      units: at % 3 === 0 ? null : 40 + (at % 3),
      status: at % 2 ? 'active' : 'planned',
    });
  }
});
afterAll(() => service.stop());

/** The address in the `Link` header of a page; undefined for the last page. */
const nextOf = ({ headers }: Answer): string | undefined =>
  /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

async function idsOf(address: string): Promise<string[]> {
  const { body, status, text } = await admin.get(address);
  if (status !== 200) throw new Error(text);
  return body.data.map(({ id }: { id: string }) => id);
}

/** The ids of all pages, from the first one on. */
async function walk(address: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  for (let at: string | undefined = address; at !== undefined;) {
    const answer: Answer = await admin.get(at);
    if (answer.status !== 200) throw new Error(answer.text);
    ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
    at = nextOf(answer);
    expect([address, answer.body.hasMore]).toEqual([address, at !== undefined]);
    await meanwhile();
  }
  return ids;
}

const SORTS = ['createdAt', 'id', 'name', 'siteId', 'site.name', 'units', 'updatedAt', 'status'];

it.each(SORTS.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&order=desc`]))(
  'walks a list with %s',
  async (sorted) => {
    const whole = await idsOf(`/api/racks?${sorted}`);
    expect(whole.length).toBe(23);
    for (const size of [1, 4, 22, 23]) expect(await walk(`/api/racks?${sorted}&pageSize=${size}`)).toEqual(whole);
    expect(await walk(`/api/racks?${sorted}&pageSize=3&units__gte=41`)).toEqual(
      await idsOf(`/api/racks?${sorted}&units__gte=41`),
    );
  },
);

it('says no total after a cursor, unless it is asked for', async () => {
  const first = await admin.get('/api/racks?sort=name&pageSize=10&page=1');
  expect(first.body).toMatchObject({ total: 23, page: 1, pageSize: 10, hasMore: true });
  const next = nextOf(first)!;
  expect(next).toMatch(/^\/api\/racks\?sort=name&pageSize=10&after=[\w-]+$/);
  const second = await admin.get(next);
  expect([Object.keys(second.body), second.body.page]).toEqual([['data', 'page', 'pageSize', 'hasMore'], 1]);
  expect((await admin.get(`${next}&total=true`)).body).toMatchObject({ total: 23, page: 1, hasMore: true });
  const third = await admin.get(`${next}&page=2`);
  expect([third.body.data.length, third.body.hasMore, nextOf(third)]).toEqual([3, false, undefined]);
  expect(Object.keys((await admin.get('/api/racks?pageSize=2&total=false')).body)).not.toContain('total');
  expect((await admin.get('/api/racks?pageSize=2&total=false')).body.hasMore).toBe(true);
  expect((await admin.get('/api/racks?name=Rack 1&pageSize=2&total=true')).body.total).toBe(5);
});

it('goes on in a file', async () => {
  const next = nextOf(await admin.get('/api/racks?sort=site.name&pageSize=20'))!;
  const whole = await idsOf('/api/racks?sort=site.name');
  const { text } = await admin.get(`${next}&format=ndjson`);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(whole.slice(20));
});

it('refuses what is no cursor of the list', async () => {
  const next = nextOf(await admin.get('/api/racks?sort=name&pageSize=2'))!;
  const cursor = next.split('after=')[1]!;
  const made = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  for (const [query, reason] of [
    ['after=', 'must be a cursor, as in the header Link of a page'],
    ['after=x%00', 'must be a cursor, as in the header Link of a page'],
    [`after=${'a'.repeat(2001)}`, 'must be a cursor, as in the header Link of a page'],
    [`after=${made({})}`, 'must be a cursor, as in the header Link of a page'],
    [`after=${made([mark, 1, 2])}`, 'must be a cursor, as in the header Link of a page'],
    [`sort=name&after=${made([mark, 'one'])}`, 'must be a cursor, as in the header Link of a page'],
    [`sort=name&after=${made([mark, 'Rack 1', 'no id'])}`, 'must be a cursor, as in the header Link of a page'],
    [
      `sort=name&order=desc&after=${cursor}`,
      'is a cursor of another order. Use it with the parameters of the page that it came from',
    ],
    [`after=${cursor}`, 'is a cursor of another order. Use it with the parameters of the page that it came from'],
  ] as const) {
    for (const format of ['', '&format=csv', '&format=ndjson']) {
      const { status, body } = await admin.get(`/api/racks?${query}${format}`);
      expect([query, format, status, body.details]).toEqual([
        query,
        format,
        400,
        [{ field: 'after', message: reason }],
      ]);
    }
  }
});

it('walks lists that are computed', async () => {
  for (const [address, key] of [
    ['/api/search?q=Rack', 'id'],
    ['/api/racks/summary?groupBy=siteId,units', 'count'],
    ['/api/utilisation?atLeast=0', 'id'],
  ] as const) {
    const shown = (rows: unknown[]): unknown[] => rows;
    const whole = shown((await admin.get(address)).body.data);
    expect([address, whole.length > 3, key]).toEqual([address, true, key]);
    const rows: unknown[] = [];
    for (let at: string | undefined = `${address}&pageSize=2`; at !== undefined;) {
      const answer: Answer = await admin.get(at);
      rows.push(...shown(answer.body.data));
      at = nextOf(answer);
    }
    expect([address, rows]).toEqual([address, whole]);
  }
});

it('is shown in docs/clients.md by a request that is accepted', async () => {
  const part = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8')
    .split('## Pages that hold still')[1]!
    .split('## ')[0]!;
  const [, path] = /\$URL([^"]+)"/.exec(part)!;
  expect((await admin.get(path!)).status).toBe(200);
  expect(part).toContain(`Link: <${path}&after=`);
});

it('has no link where a row is sorted by a long text', async () => {
  const body = { name: 'Long', severity: 'low', description: 'x'.repeat(3000) };
  for (let at = 0; at < 3; at++) await admin.make('/api/known-issues', { ...body, name: `Long ${at}` });
  const answer = await admin.get('/api/known-issues?sort=description&pageSize=2');
  expect([answer.body.hasMore, nextOf(answer)]).toEqual([true, undefined]);
});

itOnServer('misses nothing that stays, and shows nothing twice, while others write', async () => {
  const stays: string[] = [];
  const goes: string[] = [];
  for (let batch = 0; batch < 10; batch++) {
    const operations = Array.from({ length: 200 }, (_, at) => ({
      op: 'create',
      data: { name: `Walked ${String((at * 37 + batch * 11) % 2000).padStart(4, '0')} ${batch}` },
    }));
    const { body } = await admin.post('/api/vendors/bulk', { operations });
    for (const [at, { id }] of body.data.results.entries()) (at % 2 ? goes : stays).push(id);
  }
  for (const query of ['sort=name', 'sort=createdAt', 'sort=name&order=desc']) {
    const seen = await walk(
      `/api/vendors?search=Walked&${query}&pageSize=${query === 'sort=name' ? 97 : 150}`,
      async () => {
        const deletes = goes.splice(0, 9).map((id) => ({ op: 'delete', id }));
        const creates = Array.from({ length: 9 }, () => ({
          op: 'create',
          data: { name: `Walked ${String(Math.floor(Math.random() * 2000)).padStart(4, '0')} new ${Math.random()}` },
        }));
        const { status, text } = await admin.post('/api/vendors/bulk', { operations: [...deletes, ...creates] });
        if (status !== 200) throw new Error(text);
      },
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(stays.filter((id) => !seen.includes(id))).toEqual([]);
  }
});
