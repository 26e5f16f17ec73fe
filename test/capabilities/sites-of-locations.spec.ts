import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from '../../src/database/sql.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';

/** If a record has a location and a site, the site must be that of the location. */
let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Made {
  id: string;
  siteId: string | null;
  locationId: string | null;
}
const make = (resource: string, body: object): Promise<Made> => admin.make(`/api/${resource}`, body) as Promise<Made>;
const read = async (resource: string, { id }: { id: string }): Promise<Made> =>
  (await admin.get(`/api/${resource}/${id}`)).body.data;
const siteOf = async (resource: string, record: { id: string }): Promise<unknown> =>
  (await read(resource, record)).siteId;
const patch = (resource: string, { id }: { id: string }, body: object): Promise<Answer> =>
  admin.patch(`/api/${resource}/${id}`, body);
const refusal = ({ status, body }: Answer): unknown[] => [status, body?.error];

const BODIES = {
  locations: { name: 'Cage' },
  racks: { name: 'A1' },
  devices: { name: 'core' },
  assets: { name: 'Chassis' },
  'purchase-orders': { items: [{ name: 'Switch', quantity: 1 }] },
};
const KINDS = Object.keys(BODIES) as (keyof typeof BODIES)[];
let orders = 0;

/** The body of a record in a location. */
const inside = (resource: keyof typeof BODIES, location: string, more: object = {}): object => ({
  ...BODIES[resource],
  ...(resource === 'purchase-orders' ? { orderNumber: `PO ${orders++}` } : {}),
  [resource === 'locations' ? 'parentId' : 'locationId']: location,
  ...more,
});

async function places() {
  const here = await make('sites', { name: 'Here' });
  const there = await make('sites', { name: 'There' });
  const room = await make('locations', { name: 'Room', siteId: here.id });
  return { here, there, room, nowhere: await make('locations', { name: 'Nowhere' }) };
}

describe.each(KINDS)('%s', (resource) => {
  const field = resource === 'locations' ? 'parentId' : 'locationId';
  const sentence = `siteId must be the site of ${field}: 'Room' is in 'Here'`;

  it('agree with their location', async () => {
    const { here, there, room, nowhere } = await places();
    const post = (location: Made, more: object): Promise<Answer> =>
      admin.post(`/api/${resource}`, inside(resource, location.id, more));
    expect(refusal(await post(room, { siteId: there.id }))).toEqual([400, sentence]);
    expect((await post(nowhere, { siteId: there.id })).status).toBe(201);
    // The service fills in nothing.
    expect((await post(room, {})).body.data.siteId).toBeNull();
    const record = (await post(room, { siteId: here.id })).body.data;
    expect(refusal(await patch(resource, record, { siteId: there.id }))).toEqual([400, sentence]);
    expect((await patch(resource, record, { siteId: there.id, [field]: null })).status).toBe(200);
    expect(refusal(await patch(resource, record, { [field]: room.id }))).toEqual([400, sentence]);
    expect((await patch(resource, record, { [field]: room.id, siteId: null })).status).toBe(200);
    const bulk = await admin.post(`/api/${resource}/bulk`, {
      operations: [
        { op: 'create', data: inside(resource, room.id) },
        { op: 'create', data: inside(resource, room.id, { siteId: there.id }) },
      ],
    });
    expect([bulk.status, bulk.body.details[0].field]).toEqual([400, 'operations[1].data.siteId']);
  });

  it('go with a location that moves, and are logged', async () => {
    const { here, there, room } = await places();
    const record = await make(resource, inside(resource, room.id, { siteId: here.id }));
    const without = await make(resource, inside(resource, room.id));
    expect((await patch('locations', room, { siteId: there.id })).status).toBe(200);
    expect([await siteOf(resource, record), await siteOf(resource, without)]).toEqual([there.id, null]);
    const { data } = (await admin.get(`/api/${resource}/${record.id}/changes`)).body;
    const { data: moves } = (await admin.get(`/api/locations/${room.id}/changes`)).body;
    expect(data.at(-1)).toMatchObject({
      action: 'update',
      after: { siteId: there.id },
      requestId: moves.at(-1).requestId,
    });
    // If a location loses its site, its records keep theirs.
    expect((await patch('locations', room, { siteId: null })).status).toBe(200);
    expect(await siteOf(resource, record)).toBe(there.id);
    expect(refusal(await patch('locations', room, { siteId: here.id }))).toEqual([
      409,
      expect.stringMatching(
        /^siteId contradicts what names the location: [a-z ]+ '(Cage|A1|core|Chassis|PO \d+)' is in 'There'$/,
      ),
    ]);
  });
});

it('a location takes along what is within it, however deep', async () => {
  const { here, there, room } = await places();
  let parentId = room.id;
  for (let depth = 0; depth < 40; depth++)
    ({ id: parentId } = await make('locations', { name: `L${depth}`, parentId, siteId: here.id }));
  const rack = await make('racks', { name: 'A1', locationId: parentId, siteId: here.id });
  const device = await make('devices', { name: 'core', rackId: rack.id });
  expect(device).toMatchObject({ siteId: here.id, locationId: parentId });
  const feed = await make('power-feeds', { name: 'A', rackId: rack.id });
  expect((await patch('locations', room, { siteId: there.id })).status).toBe(200);
  for (const [resource, record] of [
    ['racks', rack],
    ['devices', device],
    ['power-feeds', feed],
  ] as const)
    expect([resource, await siteOf(resource, record)]).toEqual([resource, there.id]);
  // One request may change a location and its contents.
  const cage = await make('locations', { name: 'Cage', parentId: room.id, siteId: there.id });
  const both = await admin.post('/api/locations/bulk', {
    operations: [cage, room].map(({ id }) => ({ op: 'update', id, data: { siteId: here.id } })).toReversed(),
  });
  expect(both.status).toBe(200);
  expect(await siteOf('locations', cage)).toBe(here.id);
});

describe('a device in a rack', () => {
  it('has the site of the location of a rack that has none', async () => {
    const { here, there, room } = await places();
    const rack = await make('racks', { name: 'A1', locationId: room.id });
    const device = await make('devices', { name: 'core', rackId: rack.id });
    const feed = await make('power-feeds', { name: 'A', rackId: rack.id });
    expect([device.siteId, device.locationId, feed.siteId]).toEqual([here.id, room.id, here.id]);
    expect(refusal(await patch('devices', device, { siteId: there.id }))).toEqual([
      400,
      'siteId must be the site of the rack',
    ]);
    expect(refusal(await patch('power-feeds', feed, { siteId: there.id }))[0]).toBe(400);
    await patch('locations', room, { siteId: there.id });
    expect([await siteOf('devices', device), await siteOf('power-feeds', feed)]).toEqual([there.id, there.id]);
    const elsewhere = await make('locations', { name: 'Elsewhere', siteId: here.id });
    await patch('racks', rack, { locationId: elsewhere.id });
    expect(await read('devices', device)).toMatchObject({ siteId: here.id, locationId: elsewhere.id });
  });

  it('keeps its own where the rack has neither', async () => {
    const { here, room } = await places();
    const rack = await make('racks', { name: 'A1', locationId: room.id, siteId: here.id });
    const device = await make('devices', { name: 'core', rackId: rack.id });
    await patch('racks', rack, { siteId: null, locationId: null });
    expect(await read('devices', device)).toMatchObject({ siteId: here.id, locationId: room.id });
    const bare = await make('racks', { name: 'A2' });
    await patch('devices', device, { rackId: bare.id });
    expect(await read('devices', device)).toMatchObject({ siteId: here.id, locationId: room.id });
  });

  it('does not move while its rack stays', async () => {
    const { here, there, room } = await places();
    const rack = await make('racks', { name: 'A1', siteId: here.id });
    const device = await make('devices', { name: 'core', rackId: rack.id, locationId: room.id });
    expect(refusal(await patch('locations', room, { siteId: there.id }))).toEqual([
      409,
      "siteId contradicts what names the location: rack of a device 'A1' is in 'Here'",
    ]);
    // A rack that changes its site leaves its room, and so do its devices.
    expect((await patch('racks', rack, { siteId: there.id })).status).toBe(200);
    expect(await read('devices', device)).toMatchObject({ siteId: there.id, locationId: null });
  });
});

it('a site, a location and what is in them can be deleted', async () => {
  const { here, room } = await places();
  const rack = await make('racks', { name: 'A1', locationId: room.id });
  const device = await make('devices', { name: 'core', rackId: rack.id });
  expect((await admin.delete(`/api/sites/${here.id}`)).status).toBe(204);
  expect(await read('devices', device)).toMatchObject({ siteId: null, locationId: room.id });
  expect((await admin.delete(`/api/locations/${room.id}`)).status).toBe(204);
  expect(await read('devices', device)).toMatchObject({ siteId: null, locationId: null });
});

it('a received asset agrees, and the answer names the unit', async () => {
  const { here, there, room } = await places();
  const order = await make('purchase-orders', inside('purchase-orders', room.id, { siteId: here.id }));
  const [line] = (order as unknown as { items: { id: string }[] }).items;
  const receive = (unit: object): Promise<Answer> =>
    admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: line!.id, quantity: 1, assets: [unit] }],
    });
  const refused = await receive({ siteId: there.id });
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [
      expect.objectContaining({
        field: 'items[0].assets[0].siteId',
        message: "must be the site of locationId: 'Room' is in 'Here'",
      }),
    ],
  ]);
  expect((await receive({ siteId: there.id, locationId: null })).status).toBe(200);
});

const onServerOnly = onServer ? describe : describe.skip;
onServerOnly('a record and a move of its location at the same time', () => {
  it('agree afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const { here, there, room } = await places();
      const rack = await make('racks', { name: 'A1', siteId: here.id });
      const answers = await Promise.all([
        patch('locations', room, { siteId: there.id }),
        admin.post('/api/racks', { name: 'new', siteId: here.id, locationId: room.id }),
        patch('racks', rack, { locationId: room.id }),
        admin.post('/api/assets', { name: 'new', siteId: there.id, locationId: room.id }),
      ]);
      for (const { status } of answers) expect([200, 201, 400, 409]).toContain(status);
      const { siteId } = await read('locations', room);
      for (const resource of ['racks', 'assets']) {
        const { data } = (await admin.get(`/api/${resource}?locationId=${room.id}`)).body;
        for (const record of data) expect([resource, record.siteId]).toEqual([resource, siteId]);
      }
    }
  });
});

it('the migration resolves contradictions in favour of the location, and logs them', async () => {
  const { here, there, room, nowhere } = await places();
  const records = await Promise.all(
    KINDS.map(async (resource) => ({
      resource,
      ...(await make(resource, inside(resource, nowhere.id, { siteId: there.id }))),
    })),
  );
  const rack = records.find(({ resource }) => resource === 'racks')!;
  const device = await make('devices', { name: 'in the rack', rackId: rack.id });
  const open = await make('racks', { name: 'open', locationId: nowhere.id });
  const inOpen = await make('devices', { name: 'in the open', rackId: open.id, siteId: there.id });
  const grandchild = await make('locations', { name: 'Shelf', parentId: records[0]!.id, siteId: there.id });
  const stays = await make('assets', { name: 'stays', locationId: room.id, siteId: here.id });
  const { db } = service.database;
  await db.query(raw('ALTER TABLE locations DISABLE TRIGGER locations_move'));
  await db.query(raw(`UPDATE locations SET site_id = '${here.id}' WHERE id = '${nowhere.id}'`));
  await db.query(raw('ALTER TABLE locations ENABLE TRIGGER locations_move'));
  const file = '1795824010100-sites-of-locations.sql';
  const text = readFileSync(join(__dirname, '../../src/schema/migrations', file), 'utf8');
  await service.database.dataSource.query(text);
  for (const { resource, ...record } of [
    ...records,
    { resource: 'devices', ...device },
    { resource: 'devices', ...inOpen },
    { resource: 'locations', ...grandchild },
  ]) {
    expect([resource, await siteOf(resource, record)]).toEqual([resource, here.id]);
    const { data } = (await admin.get(`/api/${resource}/${record.id}/changes`)).body;
    expect(data.at(-1)).toMatchObject({ action: 'update', actor: 'system', after: { siteId: here.id } });
  }
  const { total } = (await admin.get(`/api/assets/${stays.id}/changes`)).body;
  expect(total).toBe(1);
});
