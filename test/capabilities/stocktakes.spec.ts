import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let api: Api;
beforeAll(async () => {
  service = await startService();
  api = await service.as('editor', ['procurement', 'network', 'people']);
});
afterAll(() => service.stop());

const LISTS = ['expected', 'found', 'missing', 'misplaced', 'unexpected', 'unknown', 'ambiguous'] as const;
type Numbers = Partial<Record<(typeof LISTS)[number], number>>;

const none = Object.fromEntries(LISTS.map((list) => [list, 0]));
const counts = async (path: string): Promise<Numbers> => (await api.get(`${path}/result`)).body.data.counts;
// oxlint-disable-next-line typescript/no-explicit-any -- entries are compared by their parts
const entries = async (path: string, list: string): Promise<any[]> =>
  (await api.get(`${path}/result?list=${list}`)).body.data;
const names = async (path: string, list: string): Promise<(string | null)[]> =>
  (await entries(path, list)).map(({ asset, code }) => asset?.name ?? code);
const refused = ({ status, body }: Answer): [number, string] => [status, body.error as string];

/** A store room within a site, with a shelf in it, and another room. */
async function store(): Promise<Record<'site' | 'room' | 'shelf' | 'other' | 'tag', string>> {
  const tag = randomUUID().slice(0, 8);
  const site = (await api.make('/api/sites', { name: `Site ${tag}` })).id;
  const location = async (name: string, parentId?: string): Promise<string> =>
    (await api.make('/api/locations', { name, siteId: site, parentId })).id;
  const room = await location('Store');
  return { site, room, shelf: await location('Shelf', room), other: await location('Office'), tag };
}

const asset = async (assetTag: string, more: object = {}): Promise<string> =>
  (await api.make('/api/assets', { name: assetTag, assetTag, ...more })).id as string;
const begin = async (body: object): Promise<string> =>
  `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'Count', ...body })).id}`;
const scan = async (path: string, codes: string[], more: object = {}): Promise<Answer> => {
  const answer = await api.post(`${path}/scans`, { codes, ...more });
  expect(answer.status).toBe(200);
  return answer;
};

it('tells what is found, missing, misplaced, unexpected, unknown and ambiguous', async () => {
  const { site, room, shelf, other, tag } = await store();
  const category = (await api.make('/api/asset-categories', { name: 'Laptops' })).id;
  const own = { locationId: room, categoryId: category };
  await asset(`${tag}-found`, own);
  await asset(`${tag}-shelf`, { ...own, locationId: shelf, siteId: site, serialNumber: `${tag}-serial` });
  await asset(`${tag}-missing`, own);
  await asset(`${tag}-office`, { ...own, locationId: other });
  await asset(`${tag}-phone`, { ...own, categoryId: null });
  await asset(`${tag}-phone-unseen`, { ...own, categoryId: null });
  for (const status of ['retired', 'disposed', 'lost']) await asset(`${tag}-${status}`, { ...own, status });
  const held = await asset(`${tag}-held`, own);
  const personId = (await api.make('/api/people', { fullName: 'Ada' })).id;
  await api.post(`/api/assets/${held}/assign`, { personId });
  for (const name of ['twin-1', 'twin-2']) await asset(`${tag}-${name}`, { ...own, serialNumber: `${tag}-twins` });

  const path = await begin({ locationId: room, categoryId: category });
  expect(await counts(path)).toEqual({ ...none, expected: 5, missing: 5 });
  const answer = await scan(path, [
    `  ${tag}-found\r\n`,
    `${tag}-found`,
    `${tag}-serial`,
    `${tag}-office`,
    `${tag}-phone`,
    `${tag}-lost`,
    `${tag}-twins`,
    `${tag}-nothing`,
    `${tag}-FOUND`,
  ]);
  expect(answer.body.data).toEqual({
    count: 8,
    unknown: [`${tag}-FOUND`, `${tag}-nothing`],
    ambiguous: [`${tag}-twins`],
  });
  expect(await counts(path)).toEqual({
    ...{ expected: 5, found: 2, missing: 1, misplaced: 1, unexpected: 2, unknown: 2, ambiguous: 1 },
  });
  expect(await names(path, 'found')).toEqual([`${tag}-found`, `${tag}-shelf`]);
  expect(await names(path, 'missing')).toEqual([`${tag}-missing`]);
  expect(await names(path, 'unexpected')).toEqual([`${tag}-lost`, `${tag}-phone`]);
  expect(await names(path, 'expected')).toEqual(
    ['found', 'missing', 'shelf', 'twin-1', 'twin-2'].map((name) => `${tag}-${name}`),
  );
  expect(await entries(path, 'misplaced')).toEqual([
    {
      asset: { resource: 'assets', id: expect.any(String), name: `${tag}-office` },
      ...{ assetTag: `${tag}-office`, serialNumber: null, status: 'in_stock', code: `${tag}-office`, candidates: [] },
      recorded: { siteId: site, siteName: `Site ${tag}`, locationId: other, locationName: 'Office' },
      seen: { siteId: site, siteName: `Site ${tag}`, locationId: room, locationName: 'Store' },
      changed: false,
    },
  ]);
  const [twins] = await entries(path, 'ambiguous');
  expect(twins).toMatchObject({ asset: null, code: `${tag}-twins`, recorded: null, changed: false });
  expect(twins.candidates.map(({ name }: { name: string }) => name)).toEqual([`${tag}-twin-1`, `${tag}-twin-2`]);
  const page = (await api.get(`${path}/result?list=unknown&pageSize=1&page=2`)).body;
  expect(page).toMatchObject({ total: 2, page: 2, pageSize: 1, hasMore: false });
  expect(page.data.map(({ code }: { code: string }) => code)).toEqual([`${tag}-nothing`]);
  // The tag determines which of the two it is.
  await scan(path, [`${tag}-twin-1`]);
  expect(await counts(path)).toMatchObject({ found: 3, missing: 1, ambiguous: 1 });
});

it('takes the last scan of an asset, by whichever of its codes', async () => {
  const { site, room, shelf, other, tag } = await store();
  await asset(`${tag}-1`, { locationId: shelf, serialNumber: `${tag}-s1` });
  const path = await begin({ siteId: site });
  await scan(path, [`${tag}-1`], { locationId: other });
  expect(await counts(path)).toMatchObject({ misplaced: 1, found: 0, missing: 0 });
  await scan(path, [`${tag}-s1`], { locationId: room });
  expect(await counts(path)).toMatchObject({ misplaced: 0, found: 1 });
  await scan(path, [`${tag}-1`], { locationId: other });
  const [{ seen, code }] = await entries(path, 'misplaced');
  expect([seen.locationId, code]).toEqual([other, `${tag}-1`]);
});

it('tells assets that were changed, received or deleted meanwhile by the log, and leaves them alone', async () => {
  const { room, other, tag } = await store();
  const ids = new Map<string, string>();
  for (const name of ['moved', 'noted', 'gone', 'still', 'astray', 'out'])
    ids.set(name, await asset(`${tag}-${name}`, { locationId: name === 'astray' ? other : room }));
  const path = await begin({ locationId: room });
  await scan(path, [`${tag}-gone`, `${tag}-astray`]);
  await api.patch(`/api/assets/${ids.get('moved')}`, { locationId: other });
  await api.patch(`/api/assets/${ids.get('noted')}`, { notes: 'x' });
  await api.delete(`/api/assets/${ids.get('gone')}`);
  const personId = (await api.make('/api/people', { fullName: 'Ada' })).id;
  await api.post(`/api/assets/${ids.get('out')}/assign`, { personId });
  await asset(`${tag}-new`, { locationId: room });
  expect(await counts(path)).toEqual({ ...none, expected: 3, missing: 3, misplaced: 1, unknown: 1 });
  expect((await entries(path, 'missing')).map(({ assetTag, changed }) => [assetTag, changed])).toEqual([
    [`${tag}-new`, true],
    [`${tag}-noted`, true],
    [`${tag}-still`, false],
  ]);
  expect(await entries(path, 'unknown')).toMatchObject([{ code: `${tag}-gone`, changed: true }]);

  const body = { relocate: true, missingStatus: 'lost' };
  const dry = await api.post(`${path}/close?dryRun=true`, body);
  expect([dry.status, dry.body.dryRun]).toEqual([200, true]);
  expect(await counts(path)).toMatchObject({ missing: 3 });
  expect(await api.get(path)).toMatchObject({ body: { data: { status: 'open', closedAt: null } } });
  const answer = await api.post(`${path}/close`, body);
  expect([answer.status, answer.body.data]).toEqual([
    200,
    {
      ...{ id: path.split('/').at(-1), name: 'Count', status: 'closed', relocated: 1, marked: 1 },
      ...{ closedAt: expect.any(String), closedBy: expect.any(String) },
      counts: { ...none, expected: 3, missing: 3, misplaced: 1, unknown: 1 },
      skipped: ['new', 'noted'].map((name) => ({
        resource: 'assets',
        id: expect.any(String),
        name: `${tag}-${name}`,
      })),
    },
  ]);
  expect({ ...dry.body.data, closedAt: '' }).toEqual({ ...answer.body.data, closedAt: '' });
  const read = async (name: string): Promise<object> => (await api.get(`/api/assets/${ids.get(name)}`)).body.data;
  expect(await read('still')).toMatchObject({ status: 'lost' });
  expect(await read('noted')).toMatchObject({ status: 'in_stock' });
  expect(await read('astray')).toMatchObject({ locationId: room, status: 'in_stock' });

  // The results stay, even if the assets change.
  await api.delete(`/api/assets/${ids.get('still')}`);
  await api.patch(`/api/assets/${ids.get('noted')}`, { status: 'retired' });
  expect(await counts(path)).toEqual(answer.body.data.counts);
  expect(await names(path, 'missing')).toEqual([`${tag}-new`, `${tag}-noted`, `${tag}-still`]);
  expect((await entries(path, 'misplaced'))[0].recorded.locationId).toBe(other);
  expect(await api.get(path)).toMatchObject({
    body: { data: { status: 'closed', closedAt: answer.body.data.closedAt } },
  });
  for (const again of [await api.post(`${path}/close`), await api.post(`${path}/scans`, { codes: ['x'] })])
    expect(refused(again)).toEqual([409, 'status is closed: the result of the stocktake is final']);
  expect(refused(await api.delete(path))).toEqual([409, 'stocktake cannot be deleted: it is closed']);
});

it('closes without changing anything unless it is told to', async () => {
  const { room, tag } = await store();
  const id = await asset(`${tag}-1`, { locationId: room });
  const path = await begin({ locationId: room });
  const answer = await api.post(`${path}/close`, {});
  expect(answer.body.data).toMatchObject({ relocated: 0, marked: 0, skipped: [], counts: { missing: 1 } });
  expect((await api.get(`/api/assets/${id}`)).body.data).toMatchObject({ status: 'in_stock' });
});

it('counts one thing from its beginning on, which cannot be deleted while it is open', async () => {
  const { site, room, tag } = await store();
  const elsewhere = await store();
  const category = (await api.make('/api/asset-categories', { name: 'Monitors' })).id;
  const id = await asset(`${tag}-1`, { siteId: site, locationId: room, categoryId: category });
  const path = await begin({ siteId: site, locationId: room, categoryId: category });
  for (const [property, value] of Object.entries({ siteId: null, locationId: elsewhere.room, categoryId: null })) {
    const { status, body } = await api.patch(path, { [property]: value });
    expect([status, body.details[0].field]).toEqual([400, property]);
  }
  expect((await api.patch(path, { name: 'Again', locationId: room })).body.data).toMatchObject({ name: 'Again' });
  const contradiction = await api.post('/api/stocktakes', { name: 'x', siteId: elsewhere.site, locationId: room });
  expect([contradiction.status, contradiction.body.details[0].field]).toEqual([400, 'siteId']);
  for (const place of [`/api/sites/${site}`, `/api/locations/${room}`, `/api/asset-categories/${category}`]) {
    const { status, body } = await api.delete(place);
    expect(status).toBe(409);
    expect(body.error).toContain(`is counted by the open stocktake 'Again'`);
  }
  await scan(path, [`${tag}-1`]);
  expect(refused(await api.delete(path))).toEqual([409, 'stocktake cannot be deleted: it has scans. Close it instead']);
  // A location that moves takes its stocktake along.
  expect((await api.patch(`/api/locations/${room}`, { siteId: elsewhere.site, parentId: null })).status).toBe(200);
  expect((await api.get(path)).body.data).toMatchObject({ siteId: elsewhere.site });
  expect((await api.post(`${path}/close`)).status).toBe(200);
  expect((await api.delete(`/api/assets/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/asset-categories/${category}`)).status).toBe(204);
  expect((await api.get(path)).body.data).toMatchObject({ categoryId: null, locationId: room });
  expect((await entries(path, 'found'))[0]).toMatchObject({ changed: true, recorded: { locationName: 'Store' } });
});

it('says what is wrong with a scan, a close and a question', async () => {
  const path = await begin({});
  const faults = async (tail: string, body: object): Promise<string[]> =>
    ((await api.post(`${path}/${tail}`, body)).body.details ?? []).map(
      ({ field, message }: { field: string; message: string }) => `${field} ${message}`,
    );
  expect(await faults('scans', {})).toEqual(['codes is required']);
  expect(await faults('scans', { codes: [] })).toEqual(['codes must have at least one entry']);
  expect(await faults('scans', { codes: ['a', ' \t'] })).toEqual([expect.stringContaining('must not be blank')]);
  expect(await faults('scans', { codes: Array.from({ length: 1001 }, String) })).toHaveLength(1);
  expect(await faults('scans', { codes: ['x'.repeat(256)] })).toHaveLength(1);
  expect(await faults('scans', { codes: ['a'], locationId: randomUUID() })).toEqual([
    'locationId does not refer to an existing record',
  ]);
  const { room } = await store();
  const { site } = await store();
  expect(await faults('scans', { codes: ['a'], locationId: room, siteId: site })).toEqual([
    expect.stringContaining('siteId must be the site of locationId'),
  ]);
  expect(await faults('close', { missingStatus: ' ' })).toHaveLength(1);
  for (const query of ['page=1', 'list=lost', 'format=html&list=found', 'format=csv', 'raw=true'])
    expect((await api.get(`${path}/result?${query}`)).status).toBe(400);
  for (const [method, tail] of [
    ['GET', 'result'],
    ['POST', 'scans'],
    ['POST', 'close'],
  ] as const) {
    const answer = await api.request(
      method,
      `/api/stocktakes/${randomUUID()}/${tail}`,
      method === 'GET' ? undefined : tail === 'scans' ? { codes: ['a'] } : {},
    );
    expect(answer.status).toBe(404);
  }
  expect((await (await service.as('viewer')).post(`${path}/scans`, { codes: ['a'] })).status).toBe(403);
});

it('is printed as one page without a script, and a list of it is a file', async () => {
  const { room, tag } = await store();
  await asset(`${tag}-1`, { locationId: room, name: '<script>alert(1)</script> & co' });
  const path = await begin({ name: 'Count <b>', locationId: room });
  await scan(path, ['<i>']);
  const { status, headers, text } = await api.get(`${path}/result?format=html`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|<i>|<b>|https?:|<link|<img/);
  for (const part of ['<h1>Count &#60;b&#62;</h1>', 'Missing (1)', 'Unknown codes (1)', '&#60;i&#62;', 'Store'])
    expect(text).toContain(part);
  const csv = await api.get(`${path}/result?list=missing&format=csv`);
  expect(csv.headers.get('content-disposition')).toContain('stocktake-missing.csv');
  expect(csv.text.split('\r\n')[0]).toBe(
    'asset.resource,asset.id,asset.name,assetTag,serialNumber,status,code,candidates,recorded.siteId,recorded.siteName,recorded.locationId,recorded.locationName,seen.siteId,seen.siteName,seen.locationId,seen.locationName,changed',
  );
});

it('has the labels of what is missing, or of another list, sheet by sheet', async () => {
  const { room, other, tag } = await store();
  const operations = Array.from({ length: 102 }, (_, at) => ({
    op: 'create',
    data: { name: `${tag}-${String(at).padStart(3, '0')}`, assetTag: `tag ${tag}-${at}`, locationId: room },
  }));
  const made = await api.post('/api/assets/bulk', { operations });
  const path = await begin({ locationId: room });
  await scan(path, [`tag ${tag}-0`]);
  await scan(path, [`tag ${tag}-1`], { locationId: other });
  const labelled = async (query = ''): Promise<string[]> => {
    const { status, headers, text } = await api.get(`${path}/labels.svg${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    return [...text.matchAll(/>(\w{8}-\d{3})</g)].map(([, name]) => name!.slice(9));
  };
  const numbers = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, at) => String(from + at).padStart(3, '0'));
  expect(await labelled()).toEqual(numbers(2, 102));
  expect(await labelled('?list=found&code=code128&content=assetTag')).toEqual(['000']);
  expect(await labelled('?list=misplaced')).toEqual(['001']);
  expect([await labelled('?list=expected'), await labelled('?list=expected&sheet=2')]).toEqual([
    numbers(0, 100),
    numbers(100, 102),
  ]);
  const fault = async (query: string): Promise<unknown[]> => {
    const { status, body } = await api.get(`${path}/labels.svg${query}`);
    return [status, body.details[0].field, body.details[0].message];
  };
  expect(await fault('?sheet=2')).toEqual([400, 'sheet', 'must be at most 1']);
  expect(await fault('?list=unexpected')).toEqual([400, 'list', 'must have assets: unexpected has none']);
  expect((await fault('?list=unknown')).slice(0, 2)).toEqual([400, 'list']);
  expect((await api.get(`/api/stocktakes/${randomUUID()}/labels.svg`)).status).toBe(404);
  // After the stocktake is closed, an asset that was deleted has no label.
  await api.post(`${path}/close`);
  await api.delete(`/api/assets/${made.body.data.results[2].id}`);
  expect(await labelled()).toEqual(numbers(3, 102));
});
