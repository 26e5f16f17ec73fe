import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { sql } from '../../src/database/sql.js';

/** A device gets the ports of its type. */
let service: TestService;
let editor: Api;
let admin: Api;
let typeId: string;

beforeAll(async () => {
  service = await startService();
  [editor, admin] = await Promise.all([service.as('editor'), service.as('admin')]);
});
beforeEach(async () => {
  typeId = (await editor.make('/api/device-types', { model: 'T' })).id;
  for (const [name, speedMbps] of [
    ['eth0', 1000],
    ['eth1', 10_000],
  ] as const) {
    const port = {
      name,
      label: `${name}!`,
      type: '1000base-t',
      mgmtOnly: name === 'eth0',
      speedMbps,
      description: 'd',
    };
    await editor.make(`/api/device-types/${typeId}/ports`, port);
  }
});
afterAll(() => service.stop());

const portsOf = async (deviceId: string) => (await editor.get(`/api/devices/${deviceId}/ports?sort=name`)).body.data;
const sync = (id: string, query = ''): Promise<Answer> => editor.post(`/api/devices/${id}/ports/sync${query}`);

it('a name stands once in its type', async () => {
  const again = await editor.post(`/api/device-types/${typeId}/ports`, { name: 'eth0' });
  expect([again.status, again.body.error]).toEqual([
    409,
    expect.stringMatching(
      /^name is already taken by another port of the device type: 'eth0' \(device-type-ports \S{36}\)$/,
    ),
  ]);
  const other = await editor.make('/api/device-types', { model: 'U' });
  expect((await editor.post(`/api/device-types/${other.id}/ports`, { name: 'eth0' })).status).toBe(201);
});

it('a device is created with the ports of its type where that is asked for', async () => {
  const plain = await editor.make('/api/devices', { name: 'd', deviceTypeId: typeId });
  expect(await portsOf(plain.id)).toEqual([]);
  const made = await editor.make('/api/devices?withPorts=true', { name: 'd', deviceTypeId: typeId });
  expect(Object.keys(made)).toEqual(Object.keys(plain));
  expect(await portsOf(made.id)).toMatchObject([
    {
      name: 'eth0',
      label: 'eth0!',
      type: '1000base-t',
      mgmtOnly: true,
      speedMbps: 1000,
      description: 'd',
      enabled: true,
    },
    { name: 'eth1', mgmtOnly: false, speedMbps: 10_000 },
  ]);
  const refused = await editor.post('/api/devices?withPorts=true', { name: 'd' });
  expect([refused.status, refused.body.details[0].field]).toEqual([400, 'deviceTypeId']);
  expect((await editor.post('/api/devices?withPorts=yes', { name: 'd' })).status).toBe(400);
  expect((await editor.post('/api/devices?withports=true', { name: 'd' })).status).toBe(400);
});

it('the same key with and without ports is another request', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'd', deviceTypeId: typeId };
  expect((await editor.post('/api/devices?withPorts=true', body, headers)).status).toBe(201);
  expect((await editor.post('/api/devices', body, headers)).status).toBe(422);
});

it('a sync adds the ports that a device lacks, and changes and removes none', async () => {
  const { id } = await editor.make('/api/devices', { name: 'd', deviceTypeId: typeId });
  await editor.make(`/api/devices/${id}/ports`, { name: 'eth1', description: 'own' });
  await editor.make(`/api/devices/${id}/ports`, { name: 'extra' });
  const before = await portsOf(id);
  const rehearsed = await sync(id, '?dryRun=true');
  expect(rehearsed.body).toEqual({
    data: { created: [expect.objectContaining({ name: 'eth0', deviceId: id })], existing: 1 },
    dryRun: true,
  });
  expect(await portsOf(id)).toEqual(before);
  const mistaken = await editor.post(`/api/devices/${id}/ports/sync`, { dryRun: true });
  expect([mistaken.status, mistaken.body.details[0].field]).toEqual([400, 'dryRun']);
  const done = await sync(id);
  expect([done.status, done.body.data.existing]).toEqual([200, 1]);
  const after = await portsOf(id);
  expect(after).toEqual([done.body.data.created[0], ...before]);
  expect((await sync(id)).body).toEqual({ data: { created: [], existing: 2 } });
});

it('a sync needs a device with a type', async () => {
  const { id } = await editor.make('/api/devices', { name: 'd' });
  const refused = await sync(id);
  expect([refused.status, refused.body.details[0].field]).toEqual([400, 'deviceTypeId']);
  expect((await sync(randomUUID())).status).toBe(404);
});

it('a type of the vendor becomes the customer’s when it, or a port of it, is changed', async () => {
  const sourceOf = async (id: string): Promise<string> =>
    (await editor.get(`/api/device-types/${id}`)).body.data.source as string;
  await loadCatalogue(service.database.db);
  const [first, second, third] = (await editor.get('/api/device-types?source=vendor&pageSize=3')).body.data as {
    id: string;
    model: string;
    manufacturerId: string;
  }[];
  expect((await editor.patch(`/api/device-types/${first!.id}`, { model: first!.model })).body.data.source).toBe(
    'vendor',
  );
  expect((await editor.patch(`/api/device-types/${first!.id}`, { description: 'mine' })).body.data.source).toBe(
    'customer',
  );
  await editor.make(`/api/device-types/${second!.id}/ports`, { name: 'a' });
  expect(await sourceOf(second!.id)).toBe('customer');
  await editor.delete(`/api/device-types/${third!.id}`);
  await admin.post(`/api/device-types/${third!.id}/restore`);
  await editor.delete(`/api/manufacturers/${third!.manufacturerId}`);
  expect(await sourceOf(third!.id)).toBe('vendor');
});

it('ports are restored with their type, which stays that of its vendor', async () => {
  await service.database.db.query(sql`UPDATE device_types SET source = 'vendor' WHERE id = ${typeId}`);
  await editor.delete(`/api/device-types/${typeId}`);
  const restored = await admin.post(`/api/device-types/${typeId}/restore`);
  expect([restored.status, restored.body.data.source]).toEqual([200, 'vendor']);
  expect((await editor.get(`/api/device-types/${typeId}/ports`)).body.total).toBe(2);
});

const onServerOnly = onServer ? describe : describe.skip;
onServerOnly('many writers', () => {
  it('syncs at the same time add each port once', async () => {
    const { id } = await editor.make('/api/devices', { name: 'd', deviceTypeId: typeId });
    const answers = await Promise.all(Array.from({ length: 6 }, () => sync(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(answers.flatMap(({ body }) => body.data.created)).toHaveLength(2);
    expect(await portsOf(id)).toHaveLength(2);
  });
});
