import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const openSet = async (): Promise<string> => (await admin.make('/api/change-sets', { name: 'Nightly' })).id;
const csv = (path: string, rows: readonly string[], api = admin): Promise<Answer> =>
  api.request('POST', path, rows.map((row) => `${row}\n`).join(''), { 'content-type': 'text/csv' });
const operations = async (set: string): Promise<Json[]> =>
  (await admin.get(`/api/change-sets/${set}/operations?pageSize=200`)).body.data;
const shapes = async (set: string): Promise<unknown[]> =>
  (await operations(set)).map(({ op, recordId, data }) => [op, op === 'create' ? null : recordId, data]);
const within = (query: string): string => encodeURIComponent(query);

describe('an import with changeSet', () => {
  it('is written down, without rows that change nothing', async () => {
    const set = await openSet();
    const site = await admin.make('/api/sites', { name: 'Import 1', facility: 'F' });
    await admin.make('/api/sites', { name: 'Import 2' });
    const path = `/api/sites/import?changeSet=${set}&mode=upsert&key=name`;
    const rows = ['name,facility', 'Import 1,G', 'Import 2,', 'Import 3,H'];
    const written = await csv(path, rows);
    expect([written.status, written.body]).toEqual([
      202,
      { data: { operations: [expect.any(String), expect.any(String)] } },
    ]);
    expect(await shapes(set)).toEqual([
      ['create', null, { name: 'Import 3', facility: 'H' }],
      ['update', site.id, { facility: 'G' }],
    ]);
    expect((await admin.get(`/api/sites/${site.id}`)).body.data.facility).toBe('F');
    expect((await admin.get('/api/sites?name=Import%203')).body.total).toBe(0);
    // The rows are compared with the state that the change set plans.
    expect((await csv(path, rows)).body).toEqual({ data: { operations: [] } });
    await csv(`/api/racks/import?changeSet=${set}`, ['name,site.name', 'R1,Import 3']);
    expect((await admin.post(`/api/change-sets/${set}/merge`)).status).toBe(200);
    const [made] = (await admin.get('/api/sites?name=Import%203')).body.data;
    expect((await admin.get('/api/racks?name=R1')).body.data[0].siteId).toBe(made.id);
  });

  it('refuses faulty rows and options', async () => {
    const set = await openSet();
    const path = `/api/sites/import?changeSet=${set}`;
    const faulty = await csv(path, ['name,status', 'x,', ',y']);
    expect([faulty.status, faulty.body.details[0].field]).toEqual([400, 'rows[2].name']);
    const answers = [
      await csv(`${path}&dryRun=true`, ['name', 'x']),
      await csv(`${path}&report=ids`, ['name', 'x']),
      await csv(`${path}&within=name%3Dx`, ['name', 'x']),
      await csv('/api/sites/import?changeSet=3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69', ['name', 'x']),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404]);
    expect(await operations(set)).toEqual([]);
  });
});

describe('a reconcile', () => {
  it('makes the file the whole truth within the filter', async () => {
    const set = await openSet();
    const [here, there] = [
      await admin.make('/api/sites', { name: 'Here' }),
      await admin.make('/api/sites', { name: 'There' }),
    ];
    const make = (name: string, more: Json): Promise<Json> =>
      admin.make('/api/assets', { name, siteId: here.id, ...more });
    const same = await make('same', { assetTag: 'RT-1' });
    const changed = await make('changed', { assetTag: 'RT-2' });
    const missing = await make('missing', { assetTag: 'RT-3' });
    const untagged = await make('untagged', {});
    const elsewhere = await make('elsewhere', { assetTag: 'RT-9', siteId: there.id });
    const path = `/api/assets/import?changeSet=${set}&mode=reconcile&key=assetTag&within=${within(`siteId=${here.id}`)}`;
    const file = ['assetTag,name,site.name', 'RT-1,same,Here', 'RT-2,renamed,Here', 'RT-4,new,Here'];
    const first = await csv(path, file);
    expect([first.status, first.body.data.withoutKey, first.body.data.operations.length]).toEqual([202, 1, 3]);
    expect(await shapes(set)).toEqual([
      ['delete', missing.id, null],
      ['create', null, { assetTag: 'RT-4', name: 'new', siteId: here.id }],
      ['update', changed.id, { name: 'renamed' }],
    ]);
    // The second time it adds nothing, because the operations of the set count.
    expect((await csv(path, file)).body).toEqual({ data: { operations: [], withoutKey: 1 } });
    expect((await operations(set)).length).toBe(3);
    expect((await admin.post(`/api/change-sets/${set}/merge`)).status).toBe(200);
    const left = (await admin.get(`/api/assets?siteId=${here.id}&sort=name`)).body.data as Json[];
    expect(left.map(({ name }) => name)).toEqual(['new', 'renamed', 'same', 'untagged']);
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([same.id, untagged.id]));
    expect((await admin.get(`/api/assets/${elsewhere.id}`)).status).toBe(200);
  });

  it('gives the place of what is missing to what is new', async () => {
    const set = await openSet();
    const rack = await admin.make('/api/racks', { name: 'Replaced', units: 4 });
    const old = await admin.make('/api/devices', { name: 'old', rackId: rack.id, rackPosition: 1 });
    const path = `/api/devices/import?changeSet=${set}&mode=reconcile&key=name&within=${within(`rackId=${rack.id}`)}`;
    expect((await csv(path, ['name,rack.name,rackPosition', 'new,Replaced,1'])).status).toBe(202);
    expect((await admin.post(`/api/change-sets/${set}/preview`)).body.data.conflicts).toEqual([]);
    expect((await admin.post(`/api/change-sets/${set}/merge`)).status).toBe(200);
    expect((await admin.get(`/api/devices/${old.id}`)).status).toBe(404);
  });

  it('refuses rows outside of the filter, and what would delete by mistake', async () => {
    const set = await openSet();
    const [one, two] = [
      await admin.make('/api/sites', { name: 'Inside' }),
      await admin.make('/api/sites', { name: 'Outside' }),
    ];
    await admin.make('/api/racks', { name: 'far', siteId: two.id });
    const path = `/api/racks/import?changeSet=${set}&mode=reconcile`;
    const at = `&within=${within(`siteId=${one.id}`)}`;
    const rows = ['name,site.name', 'a,Inside', 'b,Outside', 'far,Inside'];
    const refused = await csv(`${path}&key=name${at}`, rows);
    expect([refused.status, refused.body.details.map(({ field }: Json) => field)]).toEqual([
      400,
      ['rows[2]', 'rows[3]'],
    ]);
    const empty = await csv(`${path}&key=name${at}`, ['name']);
    expect([empty.status, empty.body.details[0].field]).toEqual([400, 'body']);
    expect((await csv(`${path}&key=name${at}&allowEmpty=true`, ['name'])).status).toBe(202);
    const faults = [
      [await csv(`/api/racks/import?mode=reconcile&key=name${at}`, rows), 'changeSet'],
      [await csv(`${path}${at}`, rows), 'key'],
      [await csv(`${path}&key=name`, rows), 'within'],
      [await csv(`${path}&key=name&within=${within('sitee=x')}`, rows), 'within'],
      [await csv(`${path}&key=name&within=${within('page=2')}`, rows), 'within'],
      [await csv(`${path}&key=name${at}&onError=skip`, rows), 'onError'],
      [await csv(`/api/racks/import?changeSet=${set}&allowEmpty=true`, rows), 'allowEmpty'],
    ] as const;
    expect(faults.map(([{ status, body }, field]) => [status, body.details?.[0].field, field])).toEqual(
      faults.map(([, field]) => [400, field, field]),
    );
    expect(await operations(set)).toEqual([]);
  });

  it('is one of parts of one owner too', async () => {
    const set = await openSet();
    const [device, other] = [
      await admin.make('/api/devices', { name: 'ports' }),
      await admin.make('/api/devices', { name: 'others' }),
    ];
    for (const { id } of [device, other]) await admin.make(`/api/devices/${id}/ports`, { name: 'eth0' });
    const path = `/api/devices/${device.id}/ports/import?changeSet=${set}&mode=reconcile&key=name&within=`;
    expect((await csv(path, ['name', 'eth1'])).status).toBe(202);
    expect((await operations(set)).map(({ op }) => op)).toEqual(['delete', 'create']);
    expect((await admin.post(`/api/change-sets/${set}/merge`)).status).toBe(200);
    expect((await admin.get(`/api/devices/${device.id}/ports`)).body.data[0].name).toBe('eth1');
    expect((await admin.get(`/api/devices/${other.id}/ports`)).body.data[0].name).toBe('eth0');
  });
});
