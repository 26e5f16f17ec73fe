import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const requestOf = ({ headers }: Answer): string => headers.get('x-request-id')!;
const undo = (of: Answer | string, query = '', api = admin): Promise<Answer> =>
  api.post(`/api/change-log/undo${query}`, { requestId: typeof of === 'string' ? of : requestOf(of) });

/** All records of some tables, without the times of their last change. */
async function estate(): Promise<string> {
  const tables = [
    'sites',
    'racks',
    'devices',
    'device_ports',
    'ip_addresses',
    'assets',
    'purchase_orders',
    'purchase_order_items',
    'receipts',
    'people',
    'asset_assignments',
    'incidents',
    'incident_targets',
    'cables',
    'contracts',
  ];
  const found: unknown[] = [];
  for (const table of tables) {
    const rows = await service.database.db.query(
      sql([`SELECT (to_jsonb(t) - 'updated_at')::text AS row FROM ${table} t ORDER BY id`]),
    );
    found.push([table, rows]);
  }
  return JSON.stringify(found);
}

/** Creates a location with a rack, a device with ports, an address, and an incident about it. */
async function place(): Promise<Record<string, Json>> {
  const site = await admin.make('/api/sites', { name: 'Site' });
  const other = await admin.make('/api/sites', { name: 'Other site' });
  const rack = await admin.make('/api/racks', { name: 'R', siteId: site.id, units: 10 });
  const device = await admin.make('/api/devices', { name: 'sw', rackId: rack.id, rackPosition: 3 });
  const port = await admin.make(`/api/devices/${device.id}/ports`, { name: 'eth0' });
  const address = await admin.make('/api/ip-addresses', { address: '10.0.0.1/24', interfaceId: port.id });
  const incident = await admin.make('/api/incidents', { name: 'Outage' });
  await admin.make(`/api/incidents/${incident.id}/targets`, { resource: 'devices', recordId: device.id });
  const contract = await admin.make('/api/contracts', { name: 'Support', cost: '12345678901234.50' });
  return { site, other, rack, device, port, address, incident, contract };
}

describe('an undo', () => {
  it.each<[string, (at: Record<string, Json>) => Promise<Answer>]>([
    ['a create', () => admin.post('/api/devices', { name: 'new' })],
    ['a change', ({ device }) => admin.patch(`/api/devices/${device!.id}`, { name: 'x', rackPosition: 5 })],
    ['a delete with parts and references', ({ device }) => admin.delete(`/api/devices/${device!.id}`)],
    ['a delete of a rack', ({ rack }) => admin.delete(`/api/racks/${rack!.id}`)],
    ['a delete of a site', ({ site }) => admin.delete(`/api/sites/${site!.id}`)],
    ['what the database did too', ({ rack, other }) => admin.patch(`/api/racks/${rack!.id}`, { siteId: other!.id })],
    ['a price with its digits', ({ contract }) => admin.delete(`/api/contracts/${contract!.id}`)],
    [
      'an order with lines',
      () => admin.post('/api/purchase-orders', { orderNumber: 'PO-U', items: [{ name: 'a', quantity: 1 }] }),
    ],
    [
      'a bulk',
      ({ site, other }) =>
        admin.post('/api/sites/bulk', {
          operations: [
            { op: 'create', data: { name: 'b' } },
            { op: 'update', id: other!.id, data: { name: 'c' } },
            { op: 'delete', id: site!.id },
          ],
        }),
    ],
    [
      'an entry of a timeline',
      ({ incident }) => admin.post(`/api/incidents/${incident!.id}/updates`, { message: 'm', status: 'resolved' }),
    ],
  ])('takes back %s, and can be undone', async (_what, work) => {
    const at = await place();
    const before = await estate();
    const answer = await work(at);
    expect(answer.status).toBeLessThan(300);
    const after = await estate();
    expect(after).not.toBe(before);
    const rehearsed = await undo(answer, '?dryRun=true');
    expect([rehearsed.status, rehearsed.body.dryRun, await estate()]).toEqual([200, true, after]);
    const undone = await undo(answer);
    expect([undone.status, undone.body.data]).toEqual([200, rehearsed.body.data]);
    expect(await estate()).toBe(before);
    expect((await undo(undone)).status).toBe(200);
    expect(await estate()).toBe(after);
  });

  it('says what it took back', async () => {
    const made = await admin.post('/api/sites', { name: 'Told' });
    const { id } = made.body.data;
    expect((await undo(made)).body).toEqual({
      data: { undone: [{ resource: 'sites', id, name: 'Told', action: 'create' }] },
    });
    expect((await admin.get(`/api/sites/${id}`)).status).toBe(404);
  });

  it('does nothing where something stands in its way, and lists all of it', async () => {
    const site = await admin.make('/api/sites', { name: 'A', facility: 'F' });
    const changed = await admin.patch(`/api/sites/${site.id}`, { name: 'B', facility: 'G', description: 'd' });
    await admin.patch(`/api/sites/${site.id}`, { name: 'C', facility: 'H' });
    const refused = await undo(changed);
    expect([
      refused.status,
      refused.body.conflicts.map(({ resource, id, field }: Json) => [resource, id, field]),
    ]).toEqual([
      409,
      [
        ['sites', site.id, 'name'],
        ['sites', site.id, 'facility'],
      ],
    ]);
    expect((await admin.get(`/api/sites/${site.id}`)).body.data.description).toBe('d');
    await admin.delete(`/api/sites/${site.id}`);
    expect((await undo(changed)).body.conflicts).toEqual([
      { resource: 'sites', id: site.id, field: null, message: 'Site not found' },
    ]);
    // The undo would violate a rule.
    const person = await admin.make('/api/people', { fullName: 'P', email: 'p@undo.example.com' });
    const renamed = await admin.patch(`/api/people/${person.id}`, { email: 'q@undo.example.com' });
    await admin.make('/api/people', { fullName: 'Q', email: 'p@undo.example.com' });
    expect((await undo(renamed)).body.conflicts).toMatchObject([{ resource: 'people', field: 'email' }]);
  });

  it('reverses a receipt', async () => {
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'PO-R',
      items: [{ name: 'a', quantity: 2 }],
    });
    const before = await estate();
    const received = await admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: order.items[0].id, quantity: 2, assets: [{}, {}] }],
    });
    expect(received.status).toBeLessThan(300);
    const [asset] = (await admin.get('/api/assets?search=a')).body.data;
    const undone = await undo(received);
    expect(undone.status).toBe(200);
    expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data).toMatchObject({
      status: 'ordered',
      receivedQuantity: 0,
    });
    expect((await admin.get(`/api/assets/${asset.id}`)).status).toBe(404);
    expect((await undo(undone)).status).toBe(200);
    expect((await admin.get(`/api/assets/${asset.id}`)).status).toBe(200);
    expect(before).not.toBe('');
  });

  it('needs the rights of each write, and a request that wrote something', async () => {
    const editor = await service.as('editor', ['network']);
    const made = await admin.post('/api/vendors', { name: 'V' });
    expect((await undo(made, '', editor)).status).toBe(403);
    expect((await undo('nothing')).status).toBe(404);
    expect((await undo('nothing', '', await service.as('viewer', []))).status).toBe(403);
    expect((await admin.post('/api/change-log/undo', {})).status).toBe(400);
  });
});

describe('a revert', () => {
  it('is a change set that takes a merged one back', async () => {
    const { site, rack, device, other } = await place();
    const licence = await admin.make('/api/software-licences', { name: 'L', licenceKey: 'KEY' });
    const before = await estate();
    const set = (await admin.make('/api/change-sets', { name: 'Big' })).id;
    const at = `?changeSet=${set}`;
    await admin.patch(`/api/racks/${rack!.id}${at}`, { siteId: other!.id, name: 'Moved' });
    await admin.post(`/api/devices${at}`, { name: 'new', rackId: rack!.id, rackPosition: 8 });
    await admin.delete(`/api/devices/${device!.id}${at}`);
    await admin.delete(`/api/sites/${site!.id}${at}`);
    await admin.delete(`/api/software-licences/${licence.id}${at}`);
    const path = `/api/change-sets/${set}`;
    expect((await admin.post(`${path}/revert`)).status).toBe(409);
    expect((await admin.post(`${path}/merge`)).status).toBe(200);
    const after = await estate();
    const reverted = await admin.post(`${path}/revert`);
    expect([reverted.status, reverted.body.data]).toEqual([
      201,
      expect.objectContaining({ status: 'open', warnings: [expect.stringContaining('licenceKey')] }),
    ]);
    expect(await estate()).toBe(after);
    const back = `/api/change-sets/${reverted.body.data.id}`;
    const seen = await admin.post(`${back}/preview`);
    expect(seen.body.data.conflicts).toEqual([]);
    expect((await admin.post(`${back}/merge`)).status).toBe(200);
    expect(await estate()).toBe(before);
    expect((await admin.get(`/api/software-licences/${licence.id}`)).body.data.licenceKey).toBeNull();
  });

  it('finds what was changed since', async () => {
    const site = await admin.make('/api/sites', { name: 'One' });
    const set = (await admin.make('/api/change-sets', { name: 'Small' })).id;
    await admin.patch(`/api/sites/${site.id}?changeSet=${set}`, { name: 'Two', facility: 'F' });
    await admin.post(`/api/change-sets/${set}/merge`);
    await admin.patch(`/api/sites/${site.id}`, { name: 'Three' });
    const { id } = (await admin.post(`/api/change-sets/${set}/revert`)).body.data;
    const { conflicts } = (await admin.post(`/api/change-sets/${id}/preview`)).body.data;
    expect(conflicts).toMatchObject([
      { kind: 'changed', field: 'name', base: 'Two', current: 'Three', proposed: 'One' },
    ]);
  });
});
