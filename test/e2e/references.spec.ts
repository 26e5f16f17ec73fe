import { startService, type Api, type TestService } from '../support/app.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';
import { raw, sql } from '../../src/database/sql.js';
import { ofEachKind } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

describe('what refers to a record', () => {
  it('is counted by resource and field, with the effect of a delete', async () => {
    const device = await admin.make('/api/devices', { name: 'r' });
    const ports = [];
    for (const name of ['a', 'b']) ports.push(await admin.make(`/api/devices/${device.id}/ports`, { name }));
    await admin.make('/api/ip-addresses', { address: '10.0.0.1/24', interfaceId: ports[0].id });
    const { status, body } = await admin.get(`/api/devices/${device.id}/references`);
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { resource: 'device-ports', field: 'deviceId', count: 2, effect: 'deleted' },
          { resource: 'ip-addresses', field: 'deviceId', count: 1, effect: 'cleared' },
        ],
        total: 2,
        page: 1,
        pageSize: 10_000,
        hasMore: false,
      },
    ]);
    const ofPort = await admin.get(`/api/devices/${device.id}/ports/${ports[0].id}/references`);
    expect(ofPort.body.data).toEqual([{ resource: 'ip-addresses', field: 'interfaceId', count: 1, effect: 'cleared' }]);
    const page = await admin.get(`/api/devices/${device.id}/references?pageSize=1&page=2`);
    expect(page.body).toMatchObject({ data: [{ resource: 'ip-addresses' }], total: 2, hasMore: false });
    const { text } = await admin.get(`/api/devices/${device.id}/references`, { accept: 'text/csv' });
    expect(text).toBe(
      'resource,field,count,effect\r\ndevice-ports,deviceId,2,deleted\r\nip-addresses,deviceId,1,cleared\r\n',
    );
  });

  it('says which records keep it from being deleted', async () => {
    const vrf = await admin.make('/api/vrfs', { name: 'kept' });
    const alone = await admin.make('/api/prefixes', { prefix: '10.43.1.0/24', vrfId: vrf.id });
    const twice = await admin.make('/api/prefixes', { prefix: '10.43.2.0/24', vrfId: vrf.id });
    const kinds = async (path: string): Promise<unknown[]> =>
      (await admin.get(`${path}/references`)).body.data.map((row: Record<string, unknown>) => Object.values(row));
    expect(await kinds(`/api/vrfs/${vrf.id}`)).toEqual([['prefixes', 'vrfId', 2, 'cleared']]);
    const outside = await admin.make('/api/prefixes', { prefix: '10.43.2.0/24' });
    expect(await kinds(`/api/vrfs/${vrf.id}`)).toEqual([
      ['prefixes', 'vrfId', 1, 'cleared'],
      ['prefixes', 'vrfId', 1, 'refused'],
    ]);
    expect((await admin.delete(`/api/vrfs/${vrf.id}`)).status).toBe(409);
    for (const { id } of [alone, twice]) expect((await admin.get(`/api/prefixes/${id}`)).body.data.vrfId).toBe(vrf.id);
    await admin.delete(`/api/prefixes/${outside.id}`);
    expect(await kinds(`/api/vrfs/${vrf.id}`)).toEqual([['prefixes', 'vrfId', 2, 'cleared']]);
    expect((await admin.delete(`/api/vrfs/${vrf.id}`)).status).toBe(204);
  });

  it('says that lines with received units keep their order', async () => {
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'KEPT-1',
      items: [
        { name: 'A', quantity: 1 },
        { name: 'B', quantity: 1 },
      ],
    });
    const body = { items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }] };
    expect((await admin.post(`/api/purchase-orders/${order.id}/receive`, body)).status).toBe(200);
    const { data } = (await admin.get(`/api/purchase-orders/${order.id}/references`)).body;
    expect(data.filter(({ field }: { field: string }) => field === 'purchaseOrderId')).toEqual([
      { resource: 'assets', field: 'purchaseOrderId', count: 1, effect: 'cleared' },
      { resource: 'purchase-order-items', field: 'purchaseOrderId', count: 1, effect: 'deleted' },
      { resource: 'purchase-order-items', field: 'purchaseOrderId', count: 1, effect: 'refused' },
      { resource: 'receipts', field: 'purchaseOrderId', count: 1, effect: 'deleted' },
    ]);
    expect((await admin.delete(`/api/purchase-orders/${order.id}`)).status).toBe(409);
  });

  it('includes what the caller may not read', async () => {
    const person = await admin.make('/api/people', { fullName: 'Counted' });
    await admin.make('/api/runbooks', { name: 'x', ownerId: person.id });
    const outsider = await service.as('viewer', []);
    expect((await outsider.get(`/api/people/${person.id}/references`)).body.data).toEqual([
      { resource: 'runbooks', field: 'ownerId', count: 1, effect: 'cleared' },
    ]);
  });

  it('of a record that does not exist, or of the part of another owner, is not found', async () => {
    const [one, other] = [
      await admin.make('/api/devices', { name: '1' }),
      await admin.make('/api/devices', { name: '2' }),
    ];
    const port = await admin.make(`/api/devices/${one.id}/ports`, { name: 'a' });
    await admin.make('/api/ip-addresses', { address: '10.0.0.2/24', interfaceId: port.id });
    expect((await admin.get(`/api/devices/${other.id}/ports/${port.id}/references`)).status).toBe(404);
    expect((await admin.get(`/api/devices/${port.id}/references`)).status).toBe(404);
    expect((await admin.get(`/api/devices/${one.id}/references?sort=count`)).status).toBe(400);
  });

  it('can be asked of every resource', async () => {
    const maker = new Maker(admin, 'references');
    for (const row of ofEachKind(rows)) {
      const { path } = await maker.record(row.path);
      const { status, body } = await admin.get(`${path}/references`);
      const kinds = row.path === '/api/purchase-orders' ? 1 : 0;
      expect([path, status, body.total]).toEqual([path, 200, kinds]);
    }
  });
});

describe('restoring with relink', () => {
  it('sets the references again that the delete cleared, but for what was changed meanwhile', async () => {
    const site = await admin.make('/api/sites', { name: 'AMS1' });
    const other = await admin.make('/api/sites', { name: 'AMS2' });
    const { db } = service.database;
    const insert = (table: string, count: number): Promise<unknown> =>
      db.query(
        sql`INSERT INTO ${raw(table)} (name, site_id) SELECT '${raw(table)} ' || n, ${site.id} FROM generate_series(1, ${raw(count)}) n`,
      );
    const counts = { locations: 3, racks: 4, devices: 40, assets: 200 };
    for (const [table, count] of Object.entries(counts)) await insert(table, count);
    const before = (await admin.get(`/api/sites/${site.id}/references`)).body.data;
    expect(before).toEqual(
      ['assets', 'devices', 'locations', 'racks'].map((resource) => ({
        resource,
        field: 'siteId',
        count: counts[resource as keyof typeof counts],
        effect: 'cleared',
      })),
    );
    const devices: { id: string }[] = (await admin.get(`/api/devices?siteId=${site.id}`)).body.data;
    await admin.delete(`/api/sites/${site.id}`);
    // Meanwhile one device has moved and one is deleted.
    await admin.patch(`/api/devices/${devices[0]!.id}`, { siteId: other.id });
    await admin.delete(`/api/devices/${devices[1]!.id}`);
    const restored = await admin.post(`/api/sites/${site.id}/restore?relink=true`);
    expect([restored.status, restored.body.data]).toEqual([200, { ...site, updatedAt: expect.any(String) }]);
    const after = (await admin.get(`/api/sites/${site.id}/references`)).body.data;
    expect(after.map(({ count }: { count: number }) => count)).toEqual([200, 38, 3, 4]);
    expect((await admin.get(`/api/devices/${devices[0]!.id}`)).body.data.siteId).toBe(other.id);
    const [change] = (await admin.get(`/api/devices/${devices[2]!.id}/changes?order=desc&pageSize=1`)).body.data;
    expect([change.before.siteId, change.after.siteId, change.requestId]).toEqual([
      null,
      site.id,
      restored.headers.get('x-request-id'),
    ]);
  });

  it('is not done unless asked for', async () => {
    const site = await admin.make('/api/sites', { name: 'unlinked' });
    const device = await admin.make('/api/devices', { name: 'unlinked', siteId: site.id });
    await admin.delete(`/api/sites/${site.id}`);
    expect((await admin.post(`/api/sites/${site.id}/restore?relink=maybe`)).body.details).toEqual([
      { field: 'relink', message: 'must be true or false' },
    ]);
    expect((await admin.post(`/api/sites/${site.id}/restore?other=true`)).status).toBe(400);
    expect((await admin.post(`/api/sites/${site.id}/restore?relink=false`)).status).toBe(200);
    expect((await admin.get(`/api/devices/${device.id}`)).body.data.siteId).toBeNull();
  });

  it('includes references to the parts of the record', async () => {
    const device = await admin.make('/api/devices', { name: 'relinked' });
    const port = await admin.make(`/api/devices/${device.id}/ports`, { name: 'a' });
    const bound = await admin.make('/api/ip-addresses', { address: '10.1.0.1/24', interfaceId: port.id });
    const given = await admin.make('/api/ip-addresses', { address: '10.1.0.2/24', deviceId: device.id });
    await admin.delete(`/api/devices/${device.id}`);
    expect((await admin.get(`/api/ip-addresses/${bound.id}`)).body.data).toMatchObject({
      interfaceId: null,
      deviceId: null,
    });
    expect((await admin.post(`/api/devices/${device.id}/restore?relink=true`)).status).toBe(200);
    expect((await admin.get(`/api/ip-addresses/${bound.id}`)).body.data).toMatchObject({
      interfaceId: port.id,
      deviceId: device.id,
    });
    expect((await admin.get(`/api/ip-addresses/${given.id}`)).body.data).toMatchObject({ deviceId: device.id });
  });

  it('includes references from parts', async () => {
    const category = await admin.make('/api/asset-categories', { name: 'relinked' });
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'RELINK-1',
      items: [{ name: 'A', quantity: 1, categoryId: category.id }],
    });
    await admin.delete(`/api/asset-categories/${category.id}`);
    await admin.post(`/api/asset-categories/${category.id}/restore?relink=true`);
    const { data } = (await admin.get(`/api/purchase-orders/${order.id}`)).body;
    expect(data.items[0].categoryId).toBe(category.id);
  });

  it('leaves a reference null that would break a rule, and sets the others', async () => {
    const outer = await admin.make('/api/locations', { name: 'outer' });
    const inner = await admin.make('/api/locations', { name: 'inner', parentId: outer.id });
    const kept = await admin.make('/api/locations', { name: 'kept', parentId: outer.id });
    // The restored location lies in `top`, and `top` by then lies in `inner`.
    const top = await admin.make('/api/locations', { name: 'top' });
    await admin.patch(`/api/locations/${outer.id}`, { parentId: top.id });
    await admin.delete(`/api/locations/${outer.id}`);
    await admin.patch(`/api/locations/${top.id}`, { parentId: inner.id });
    expect((await admin.post(`/api/locations/${outer.id}/restore?relink=true`)).status).toBe(200);
    const parentOf = async ({ id }: { id: string }): Promise<string | null> =>
      (await admin.get(`/api/locations/${id}`)).body.data.parentId;
    expect(await Promise.all([inner, kept, outer, top].map(parentOf))).toEqual([null, outer.id, top.id, inner.id]);
  });

  it('with an Idempotency-Key is another request than without', async () => {
    const site = await admin.make('/api/sites', { name: 'keyed' });
    await admin.delete(`/api/sites/${site.id}`);
    const key = { 'idempotency-key': `relink-${site.id}` };
    expect((await admin.post(`/api/sites/${site.id}/restore`, undefined, key)).status).toBe(200);
    expect((await admin.post(`/api/sites/${site.id}/restore`, undefined, key)).status).toBe(200);
    expect((await admin.post(`/api/sites/${site.id}/restore?relink=true`, undefined, key)).status).toBe(422);
  });
});
