import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
let siteId: string;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  siteId = (await admin.make('/api/sites', { name: 'Harbour' })).id;
});
afterAll(() => service.stop());

const shown = async (query = ''): Promise<[string, string, string, number][]> => {
  const { status, body } = await admin.get(`/api/utilisation${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.map((one: { name: string; used: string; size: string; utilisation: number }) => [
    one.name,
    one.used,
    one.size,
    one.utilisation,
  ]);
};
const addresses = async (network: string, count: number, more: object = {}): Promise<void> => {
  const create = (_: unknown, host: number) => ({ op: 'create', data: { address: `${network}.${host}/32`, ...more } });
  const { status } = await admin.post('/api/ip-addresses/bulk', { operations: Array.from({ length: count }, create) });
  expect(status).toBe(200);
};

describe('prefixes', () => {
  let vrfId: string;
  beforeAll(async () => {
    vrfId = (await admin.make('/api/vrfs', { name: 'Blue' })).id;
    // More than one page of prefixes comes before the full ones.
    const empty = Array.from({ length: 60 }, (_, third) => ({
      op: 'create',
      data: { prefix: `10.9.${third}.0/24`, description: 'empty' },
    }));
    await admin.post('/api/prefixes/bulk', { operations: empty });
    await admin.make('/api/prefixes', { prefix: '10.20.0.0/16' });
    await admin.make('/api/prefixes', { prefix: '10.20.1.0/24', siteId });
    await admin.make('/api/prefixes', { prefix: '10.20.1.0/24', vrfId });
    await admin.make('/api/prefixes', { prefix: '10.20.1.0/29' });
    await admin.make('/api/prefixes', { prefix: '2001:db8::/64' });
    await addresses('10.20.1', 240);
    await addresses('10.20.1', 10, { vrfId });
  });

  it('are listed if they are nearly full, the fullest first', async () => {
    expect(await shown('?resource=prefixes')).toEqual([
      ['10.20.1.0/29', '8', '8', 1],
      ['10.20.1.0/24', '240', '256', 0.9375],
    ]);
  });

  it('have the utilisation that they have themselves', async () => {
    const all = (await admin.get('/api/utilisation?resource=prefixes&atLeast=0')).body.data;
    const own = (await admin.get('/api/prefixes')).body.data;
    expect(all.length).toBe(own.length);
    for (const { id, used, size, utilisation, vrfId: vrf, siteId: site } of own.map(
      (prefix: Record<string, unknown>) => ({
        ...prefix,
        used: String(prefix.usedAddresses),
      }),
    ))
      expect(all.find((one: { id: string }) => one.id === id)).toMatchObject({
        used,
        size,
        utilisation,
        vrfId: vrf,
        siteId: site,
      });
  });

  it('are found by their share and their site', async () => {
    expect((await shown('?resource=prefixes&atLeast=1')).map(([name]) => name)).toEqual(['10.20.1.0/29']);
    expect((await shown(`?siteId=${siteId}`)).map(([name]) => name)).toEqual(['10.20.1.0/24']);
    expect((await shown('?resource=prefixes&atLeast=0.03')).length).toBe(3);
  });

  it('are exported with the names of what they refer to', async () => {
    const { text } = await admin.get('/api/utilisation?resource=prefixes&format=csv');
    expect(text.split('\n')[0]!.trim()).toBe('resource,id,name,used,size,utilisation,vrfId,vrf.name,siteId,site.name');
    expect(text).toContain(`${siteId},Harbour`);
  });
});

describe('racks', () => {
  it('count each unit once, and only their own units', async () => {
    const rack = (name: string, units?: number) => admin.make('/api/racks', { name, units, siteId });
    const type = async (model: string, uHeight: number, isFullDepth: boolean) =>
      (await admin.make('/api/device-types', { model, uHeight, isFullDepth })).id;
    const [half, deep] = [await type('Half', 1.5, false), await type('Deep', 4, true)];
    const [full, free, unknown] = [await rack('R1', 6), await rack('R2', 10), await rack('R3')];
    let number = 0;
    const place = (rackId: string, deviceTypeId: string, rackPosition: number, rackFace = 'front') =>
      admin.make('/api/devices', { name: `d${number++}`, rackId, deviceTypeId, rackPosition, rackFace });
    await place(full.id, deep, 1);
    await place(full.id, half, 5);
    await place(full.id, half, 5, 'rear');
    await place(free.id, deep, 1);
    await place(unknown.id, deep, 1);
    expect(await shown('?resource=racks')).toEqual([['R1', '5.5', '6', 5.5 / 6]]);
    expect(await shown('?resource=racks&atLeast=0.4')).toEqual([
      ['R1', '5.5', '6', 5.5 / 6],
      ['R2', '4', '10', 0.4],
    ]);
    for (const { id } of [full, free]) {
      const own = (await admin.get(`/api/racks/${id}/utilisation`)).body.data.utilisation;
      const { data } = (await admin.get('/api/utilisation?resource=racks&atLeast=0')).body;
      expect(data.find((one: { id: string }) => one.id === id).utilisation).toBe(own);
    }
  });
});

it('pages like every list, and names what is wrong', async () => {
  const { body } = await admin.get('/api/utilisation?atLeast=0&page=2&pageSize=5');
  expect(body).toMatchObject({ page: 2, pageSize: 5, hasMore: true });
  expect(body.data.length).toBe(5);
  for (const query of ['atLeast=1.1', 'atLeast=-1', 'atLeast=', 'resource=devices', 'siteId=1', 'vrfId=1'])
    expect([query, (await admin.get(`/api/utilisation?${query}`)).status]).toEqual([query, 400]);
  const viewer = await service.as('viewer', []);
  expect((await viewer.get('/api/utilisation')).status).toBe(200);
  expect((await service.anonymous.get('/api/utilisation')).status).toBe(401);
});
