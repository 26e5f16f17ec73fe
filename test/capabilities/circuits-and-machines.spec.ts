import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

const refusal = ({ status, body }: Answer): [number, string[]] => [
  status,
  (body.details ?? []).map((fault: { field: string }) => fault.field),
];

describe('a region', () => {
  it('is never its own ancestor', async () => {
    const country = await editor.make('/api/regions', { name: 'Netherlands' });
    const city = await editor.make('/api/regions', { name: 'Amsterdam', parentId: country.id });
    for (const parentId of [country.id, city.id]) {
      expect(refusal(await editor.patch(`/api/regions/${country.id}`, { parentId }))).toEqual([400, ['parentId']]);
    }
    const site = await editor.make('/api/sites', { name: 'AM3', regionId: city.id });
    expect((await editor.get(`/api/sites?regionId=${city.id}`)).body.data).toEqual([site]);
    await editor.delete(`/api/regions/${city.id}`);
    expect((await editor.get(`/api/sites/${site.id}`)).body.data.regionId).toBeNull();
  });
});

describe('a circuit', () => {
  it('has a number that is unique among those of its vendor', async () => {
    const admin = await service.as('admin');
    const vendor = await admin.make('/api/vendors', { name: 'Carrier' });
    const body = { circuitNumber: 'C-1', vendorId: vendor.id };
    await editor.make('/api/circuits', body);
    expect(refusal(await editor.post('/api/circuits', body))).toEqual([409, ['circuitNumber']]);
    await editor.make('/api/circuits', { circuitNumber: 'C-1' });
    await editor.make('/api/circuits', { circuitNumber: 'C-1' });
  });

  it('does not end before it was installed', async () => {
    const body = { circuitNumber: 'C-3', installDate: '2026-03-02' };
    expect(refusal(await editor.post('/api/circuits', { ...body, terminationDate: '2026-03-01' }))).toEqual([
      400,
      ['terminationDate'],
    ]);
    const { id } = await editor.make('/api/circuits', { ...body, terminationDate: '2026-03-02' });
    for (const change of [{ installDate: '2026-03-03' }, { terminationDate: '2026-03-01' }]) {
      expect(refusal(await editor.patch(`/api/circuits/${id}`, change))).toEqual([400, ['terminationDate']]);
    }
  });

  it('has two ends at most, each at a site or in a network', async () => {
    const circuit = await editor.make('/api/circuits', { circuitNumber: 'C-2' });
    const path = `/api/circuits/${circuit.id}/terminations`;
    const { id: siteId } = await editor.make('/api/sites', { name: 'LD8' });
    expect(refusal(await editor.post(path, { side: 'A', siteId, providerNetwork: 'IX' }))).toEqual([
      400,
      ['providerNetwork'],
    ]);
    expect(refusal(await editor.post(path, { side: 'B' }))).toEqual([400, ['side']]);
    const end = await editor.make(path, { side: 'A', siteId });
    expect(refusal(await editor.post(path, { side: 'A' }))).toEqual([409, ['side']]);
    expect(refusal(await editor.patch(`${path}/${end.id}`, { side: 'Z' }))).toEqual([400, ['side']]);
    expect((await editor.patch(`${path}/${end.id}`, { side: 'A', crossConnect: 'X' })).status).toBe(200);
    expect(refusal(await editor.patch(`${path}/${end.id}`, { providerNetwork: 'IX' }))).toEqual([
      400,
      ['providerNetwork'],
    ]);
    expect((await editor.patch(`${path}/${end.id}`, { siteId: null, providerNetwork: 'IX' })).status).toBe(200);
    await editor.make(path, { side: 'Z' });
  });
});

describe('a power feed', () => {
  it.each([
    [{ voltageV: 230, amperageA: 32 }, 5888],
    [{ voltageV: -48, amperageA: 63, supply: 'dc', maximumUtilisation: 100 }, 3024],
    [{ voltageV: 400, amperageA: 16, phase: 'three' }, 8868],
    [{ voltageV: 230 }, null],
    [{ amperageA: 32 }, null],
  ])('of %p supplies %p W', async (body, availableW) =>
    expect((await editor.make('/api/power-feeds', { name: 'A', ...body })).availableW).toBe(availableW),
  );

  it('is at the site of its rack', async () => {
    const [one, other] = await Promise.all(['AM3', 'LD8'].map((name) => editor.make('/api/sites', { name })));
    const rack = await editor.make('/api/racks', { name: 'A1', siteId: one.id });
    const elsewhere = await editor.make('/api/racks', { name: 'B1', siteId: other.id });
    expect(refusal(await editor.post('/api/power-feeds', { name: 'A', rackId: rack.id, siteId: other.id }))).toEqual([
      400,
      ['siteId'],
    ]);
    const feed = await editor.make('/api/power-feeds', { name: 'A', rackId: rack.id });
    expect(feed.siteId).toBe(one.id);
    const path = `/api/power-feeds/${feed.id}`;
    expect(refusal(await editor.patch(path, { siteId: other.id }))).toEqual([400, ['siteId']]);
    expect(refusal(await editor.patch(path, { rackId: elsewhere.id, siteId: one.id }))).toEqual([400, ['siteId']]);
    expect((await editor.patch(path, { rackId: elsewhere.id })).body.data.siteId).toBe(other.id);
    await editor.patch(`/api/racks/${elsewhere.id}`, { siteId: one.id });
    expect((await editor.get(path)).body.data.siteId).toBe(one.id);
  });
});

describe('the addresses of a virtual machine', () => {
  const machine = async (): Promise<{ path: string; id: string; interfaceId: string }> => {
    const { id } = await editor.make('/api/virtual-machines', { name: 'web' });
    const path = `/api/virtual-machines/${id}`;
    return { path, id, interfaceId: (await editor.make(`${path}/interfaces`, { name: 'eth0' })).id };
  };
  let last = 0;
  const address = (more: object = {}): Promise<{ id: string }> =>
    editor.make('/api/ip-addresses', { address: `10.9.0.${++last}/24`, ...more });

  it('are each of one device or one machine', async () => {
    const [web, db] = [await machine(), await machine()];
    const { id: ipAddressId } = await address();
    const body = { ipAddressId, interfaceId: web.interfaceId };
    expect(refusal(await editor.post(`${web.path}/addresses`, { ...body, interfaceId: db.interfaceId }))).toEqual([
      400,
      ['interfaceId'],
    ]);
    const given = await editor.make(`${web.path}/addresses`, body);
    for (const { path } of [web, db]) {
      expect(refusal(await editor.post(`${path}/addresses`, { ipAddressId }))).toEqual([409, ['ipAddressId']]);
    }
    const { id: deviceId } = await editor.make('/api/devices', { name: 'sw' });
    const port = await editor.make(`/api/devices/${deviceId}/ports`, { name: 'eth0' });
    const refused = await editor.patch(`/api/ip-addresses/${ipAddressId}`, { deviceId });
    expect([refusal(refused), refused.body.error]).toEqual([
      [409, ['deviceId']],
      `deviceId must be null: the address belongs to a virtual machine: 'web' (virtual-machines ${web.id})`,
    ]);
    expect(refusal(await editor.patch(`/api/ip-addresses/${ipAddressId}`, { interfaceId: port.id }))).toEqual([
      409,
      ['interfaceId'],
    ]);
    const ofDevice = await address({ deviceId });
    expect(refusal(await editor.post(`${web.path}/addresses`, { ipAddressId: ofDevice.id }))).toEqual([
      409,
      ['ipAddressId'],
    ]);
    const part = `${web.path}/addresses/${given.id}`;
    expect(refusal(await editor.patch(part, { ipAddressId: ofDevice.id }))).toEqual([400, ['ipAddressId']]);
    expect(refusal(await editor.patch(part, { interfaceId: db.interfaceId }))).toEqual([400, ['interfaceId']]);
    const ips = (await editor.get(`${web.path}/ips`)).body.data;
    expect(ips).toEqual([expect.objectContaining({ id: ipAddressId, interfaceName: 'eth0' })]);
    expect((await editor.get(`/api/ip-addresses?virtualMachineId=${web.id}`)).body.total).toBe(1);
    expect((await editor.get(`/api/ip-addresses?virtualMachineId=${randomUUID()}`)).body.total).toBe(0);
    expect((await editor.get(`/api/virtual-machines/${randomUUID()}/ips`)).status).toBe(404);
    await editor.delete(`${web.path}/interfaces/${web.interfaceId}`);
    expect((await editor.get(`${web.path}/ips`)).body.data[0].interfaceName).toBeNull();
    await editor.delete(part);
    expect((await editor.patch(`/api/ip-addresses/${ipAddressId}`, { deviceId })).status).toBe(200);
  });

  it('come back with it, at the interfaces where they were', async () => {
    const admin = await service.as('admin');
    const web = await machine();
    const body = { ipAddressId: (await address()).id, interfaceId: web.interfaceId };
    const given = await editor.make(`${web.path}/addresses`, body);
    await editor.delete(web.path);
    expect((await admin.post(`${web.path}/restore`)).status).toBe(200);
    expect((await editor.get(`${web.path}/addresses`)).body.data).toMatchObject([{ id: given.id, ...body }]);
    expect((await editor.get(`${web.path}/ips`)).body.data).toMatchObject([{ interfaceName: 'eth0' }]);
  });

  it('are taken from a prefix', async () => {
    const web = await machine();
    const db = await machine();
    const prefix = await editor.make('/api/prefixes', { prefix: '10.8.0.0/24' });
    const path = `/api/prefixes/${prefix.id}/available-ips`;
    const { id: deviceId } = await editor.make('/api/devices', { name: 'sw' });
    const refused = await editor.post(path, {
      addresses: [
        { virtualMachineInterfaceId: web.interfaceId },
        { virtualMachineId: web.id, deviceId },
        { virtualMachineId: web.id, interfaceId: randomUUID() },
      ],
    });
    expect(refusal(refused)).toEqual([
      400,
      ['addresses[0].virtualMachineInterfaceId', 'addresses[1].deviceId', 'addresses[2].interfaceId'],
    ]);
    const foreign = await editor.post(path, {
      addresses: [{}, { virtualMachineId: web.id, virtualMachineInterfaceId: db.interfaceId }],
    });
    expect(refusal(foreign)).toEqual([400, ['addresses[1].virtualMachineInterfaceId']]);
    const supply = await editor.make(`/api/devices/${deviceId}/ports`, { name: 'PSU1', kind: 'power' });
    const unfit = await editor.post(path, { addresses: [{}, { interfaceId: supply.id }] });
    expect(refusal(unfit)).toEqual([400, ['addresses[1].interfaceId']]);
    const missing = await editor.post(path, { addresses: [{ virtualMachineId: randomUUID() }] });
    expect(refusal(missing)).toEqual([400, ['addresses[0].virtualMachineId']]);
    const made = await editor.post(path, {
      addresses: [{ virtualMachineId: web.id, virtualMachineInterfaceId: web.interfaceId }, { dnsName: 'x' }],
    });
    expect([made.status, made.body.data.length]).toEqual([201, 2]);
    expect((await editor.get(`${web.path}/ips`)).body.data).toEqual([{ ...made.body.data[0], interfaceName: 'eth0' }]);
  });

  it('are the only ones of an address, whoever is first', async () => {
    const web = await machine();
    const { id: deviceId } = await editor.make('/api/devices', { name: 'sw' });
    for (let round = 0; round < 10; round++) {
      const { id: ipAddressId } = await address();
      const answers = await Promise.all([
        editor.patch(`/api/ip-addresses/${ipAddressId}`, { deviceId }),
        editor.post(`${web.path}/addresses`, { ipAddressId }),
      ]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    }
  });
});
