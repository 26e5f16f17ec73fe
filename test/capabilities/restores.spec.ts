import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';

/** What a restore restores, what it leaves out, and what it refuses. */
let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const make = (resource: string, body: object): Promise<{ id: string }> => admin.make(`/api/${resource}`, body);
const remove = async (resource: string, ...ids: string[]): Promise<void> => {
  const operations = ids.map((id) => ({ op: 'delete', id }));
  expect((await admin.post(`/api/${resource}/bulk`, { operations })).status).toBe(200);
};
const restore = (resource: string, id: string, query = '', caller = admin): Promise<Answer> =>
  caller.post(`/api/${resource}/${id}/restore${query}`);
const total = async (path: string): Promise<number> => (await admin.get(path)).body.total;

async function device(name: string): Promise<{ id: string; port: { id: string } }> {
  const { id } = await make('devices', { name });
  return { id, port: await make(`devices/${id}/ports`, { name: 'eth0' }) };
}
const cable = (a: { port: { id: string } }, b: { port: { id: string } }): Promise<{ id: string }> =>
  make('cables', { aId: a.port.id, bId: b.port.id, label: 'C-1' });

it('refuses a record whose part belongs to another one by now', async () => {
  const one = await device('one');
  const other = await make('devices', { name: 'other' });
  await remove('devices', one.id);
  const row = `id,name\n${one.port.id},eth9\n`;
  const imported = await admin.post(`/api/devices/${other.id}/ports/import?mode=upsert`, row, {
    'content-type': 'text/csv',
  });
  expect(imported.status).toBe(200);
  const refused = await restore('devices', one.id);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    "id has a part that belongs to another record by now: device port 'eth0'",
  ]);
  expect((await admin.get(`/api/devices/${one.id}`)).status).toBe(404);
});

it('leaves out what belongs to another record by now, and says so', async () => {
  const machine = await make('virtual-machines', { name: 'web' });
  const other = await make('virtual-machines', { name: 'other' });
  const addresses = await Promise.all(
    ['192.0.2.1/24', '192.0.2.2/24'].map((address) => make('ip-addresses', { address })),
  );
  for (const { id: ipAddressId } of addresses) await make(`virtual-machines/${machine.id}/addresses`, { ipAddressId });
  await remove('virtual-machines', machine.id);
  await make(`virtual-machines/${other.id}/addresses`, { ipAddressId: addresses[0]!.id });
  const key = { 'idempotency-key': 'machine' };
  const answers = [
    await admin.post(`/api/virtual-machines/${machine.id}/restore`, undefined, key),
    await admin.post(`/api/virtual-machines/${machine.id}/restore`, undefined, key),
  ];
  for (const { status, body } of answers) {
    expect([status, body.leftOut]).toEqual([
      200,
      [
        {
          resource: 'virtual-machine-addresses',
          count: 1,
          records: [{ id: expect.any(String), name: null }],
        },
      ],
    ]);
  }
  expect(await total(`/api/virtual-machines/${machine.id}/addresses`)).toBe(1);
});

it('says that a cable waits for its other end, and brings it back with that', async () => {
  const [a, b] = [await device('a'), await device('b')];
  await cable(a, b);
  await remove('devices', a.id, b.id);
  const first = await restore('devices', a.id);
  expect(first.body.leftOut).toMatchObject([{ resource: 'cables', count: 1, records: [{ name: 'C-1' }] }]);
  const second = await restore('devices', b.id);
  expect([second.status, Object.keys(second.body)]).toEqual([200, ['data']]);
  expect(await total(`/api/cables?label=C-1&aId=${a.port.id}`)).toBe(1);
});

it('relinks only what its caller may write, and counts the rest', async () => {
  const person = await make('people', { fullName: 'Ada' });
  const incident = await make('incidents', { name: 'secret', severity: 'sev2', assignedToId: person.id });
  const order = await make('purchase-orders', {
    orderNumber: 'PO of Ada',
    requestedById: person.id,
    items: [{ name: 'Switch', quantity: 1 }],
  });
  await remove('people', person.id);
  const outsider = await service.as('admin', ['people', 'procurement']);
  const restored = await restore('people', person.id, '?relink=true', outsider);
  expect([restored.status, restored.body.leftOut]).toEqual([200, [{ resource: 'incidents', count: 1, records: [] }]]);
  expect((await admin.get(`/api/incidents/${incident.id}`)).body.data.assignedToId).toBeNull();
  expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data.requestedById).toBe(person.id);
});

/** Two records by their paths, and the list of the records that join them. */
const JOINED: Record<string, () => Promise<{ pair: [string, string]; list: string }>> = {
  'a cable': async () => {
    const [a, b] = [await device('a'), await device('b')];
    await cable(a, b);
    return { pair: [`devices/${a.id}`, `devices/${b.id}`], list: `cables?aId=${a.port.id}` };
  },
  cover: async () => {
    const [contract, { id }] = [await make('contracts', { name: 'Care' }), await make('devices', { name: 'd' })];
    const list = `contracts/${contract.id}/coverage`;
    await make(list, { resource: 'devices', recordId: id });
    return { pair: [`contracts/${contract.id}`, `devices/${id}`], list };
  },
  'a target': async () => {
    const [incident, { id }] = [await make('incidents', { name: 'Outage' }), await make('sites', { name: 's' })];
    const list = `incidents/${incident.id}/targets`;
    await make(list, { resource: 'sites', recordId: id });
    return { pair: [`incidents/${incident.id}`, `sites/${id}`], list };
  },
  'an address of a machine': async () => {
    const machine = await make('virtual-machines', { name: 'vm' });
    const { id } = await make('ip-addresses', { address: '192.0.2.77/24' });
    const list = `virtual-machines/${machine.id}/addresses`;
    await make(list, { ipAddressId: id });
    return { pair: [`virtual-machines/${machine.id}`, `ip-addresses/${id}`], list };
  },
  'a responsibility': async () => {
    const [rack, { id }] = [await make('racks', { name: 'R1' }), await make('people', { fullName: 'Grace' })];
    const list = `racks/${rack.id}/responsibilities`;
    await make(list, { personId: id });
    return { pair: [`racks/${rack.id}`, `people/${id}`], list };
  },
  'a seat': async () => {
    const [licence, { id }] = [await make('software-licences', { name: 'L' }), await make('devices', { name: 'd' })];
    const list = `software-licences/${licence.id}/seats`;
    await make(list, { deviceId: id });
    return { pair: [`software-licences/${licence.id}`, `devices/${id}`], list };
  },
  'a tagged VLAN': async () => {
    const [{ id, port }, vlan] = [await device('p'), await make('vlans', { vid: 7, name: 'v' })];
    await admin.patch(`/api/device-ports/${port.id}`, { mode: 'tagged' });
    await make(`device-ports/${port.id}/tagged-vlans`, { vlanId: vlan.id });
    return { pair: [`devices/${id}`, `vlans/${vlan.id}`], list: `device-ports/${port.id}/tagged-vlans` };
  },
};

it.each(Object.keys(JOINED))('two restores at once bring back what joins the records: %s', async (what) => {
  for (let round = 0; round < (onServer ? 8 : 1); round++) {
    const { pair, list } = await JOINED[what]!();
    expect(await total(`/api/${list}`)).toBe(1);
    const set = await make('change-sets', { name: 'Away' });
    for (const path of pair) expect((await admin.delete(`/api/${path}?changeSet=${set.id}`)).status).toBe(202);
    expect((await admin.post(`/api/change-sets/${set.id}/merge`)).status).toBe(200);
    const answers = await Promise.all(pair.map((path) => admin.post(`/api/${path}/restore`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await total(`/api/${list}`)).toBe(1);
  }
});
