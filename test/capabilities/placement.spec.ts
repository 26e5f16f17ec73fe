import { randomUUID } from 'node:crypto';
import { reportRackConflicts } from '../../src/app/startup/rack-conflicts.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { sql, type Sql } from '../../src/database/sql.js';

/** Devices must fit into their racks, whichever request writes them. */
let service: TestService;
let editor: Api;
let admin: Api;
let front: string;
let full: string;
let flat: string;

beforeAll(async () => {
  service = await startService();
  [editor, admin] = await Promise.all([service.as('editor'), service.as('admin')]);
  front = await type({ uHeight: 2, isFullDepth: false });
  full = await type({ uHeight: 2 });
  flat = await type({});
});
afterAll(() => service.stop());

const onServerOnly = onServer ? describe : describe.skip;
const type = async (fields: object): Promise<string> =>
  (await editor.make('/api/device-types', { model: `T-${randomUUID()}`, ...fields })).id;
const rack = async (fields: object = {}): Promise<string> =>
  (await editor.make('/api/racks', { name: 'R1', units: 42, ...fields })).id;
const place = (rackId: string, rackPosition: number, deviceTypeId: string, more: object = {}): Promise<Answer> =>
  editor.post('/api/devices', { name: `at-${rackPosition}`, rackId, rackPosition, deviceTypeId, ...more });
const made = async (...given: Parameters<typeof place>): Promise<string> => {
  const answer = await place(...given);
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return answer.body.data.id;
};
const refusal = ({ status, body }: Answer): unknown[] => [status, body?.error];
const run = (statement: Sql) => service.database.db.query(statement);

describe('a device', () => {
  it('must not overlap another one on a face that it takes', async () => {
    const rackId = await rack();
    await made(rackId, 10, front, { name: 'below' });
    expect(refusal(await place(rackId, 11, front))).toEqual([
      409,
      `rackPosition overlaps 'below', which takes units 10 to 11 of the front`,
    ]);
    expect(refusal(await place(rackId, 9, full))).toEqual([409, expect.stringContaining(`'below'`)]);
    // Without a face, the device is on the front, and the rear is free.
    expect((await place(rackId, 10, front, { rackFace: 'front' })).status).toBe(409);
    await made(rackId, 10, front, { rackFace: 'rear', name: 'behind' });
    expect(refusal(await place(rackId, 11, full))[0]).toBe(409);
    await made(rackId, 12, full, { name: 'deep' });
    expect(refusal(await place(rackId, 13, front, { rackFace: 'rear' }))).toEqual([
      409,
      `rackPosition overlaps 'deep', which takes units 12 to 13 of both faces`,
    ]);
    await made(await rack(), 10, full);
  });

  it('takes half units, and nothing without a height', async () => {
    const rackId = await rack();
    const half = await type({ uHeight: 0.5, isFullDepth: false });
    await made(rackId, 1, half);
    await made(rackId, 1.5, half);
    expect((await place(rackId, 1.5, half)).status).toBe(409);
    for (const without of [flat, await type({ uHeight: 0 })]) await made(rackId, 1, without);
    await made(rackId, 1.5, front, { deviceTypeId: null });
  });

  it('must be within the units of the rack', async () => {
    const rackId = await rack({ name: 'low', units: 4 });
    await made(rackId, 3, full);
    for (const [position, deviceTypeId] of [
      [4, full],
      [0, full],
      [0.5, front],
      [5, flat],
    ] as const) {
      const answer = await place(rackId, position, deviceTypeId);
      expect(answer.status).toBe(400);
      expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(['rackPosition']);
    }
    expect((await place(rackId, 4, full, { name: 'tall' })).body.error).toBe(
      `rackPosition does not fit: 'tall' with a height of 2 at position 4, while rack 'low' has units 1 to 4`,
    );
    const boundless = await rack({ units: null });
    await made(boundless, 900, full);
    expect((await place(boundless, 0, full)).status).toBe(400);
  });

  it('is checked wherever it is moved', async () => {
    const [one, other] = [await rack(), await rack()];
    const a = await made(one, 1, full);
    const b = await made(other, 1, full);
    const patch = (id: string, body: object): Promise<Answer> => editor.patch(`/api/devices/${id}`, body);
    expect((await patch(b, { rackId: one })).status).toBe(409);
    expect((await patch(b, { rackId: one, rackPosition: 3 })).status).toBe(200);
    expect((await patch(b, { rackPosition: 2 })).status).toBe(409);
    expect((await patch(b, { rackPosition: 42 })).status).toBe(400);
    // Without a position, the device takes no units.
    expect((await patch(b, { rackPosition: null })).status).toBe(200);
    expect((await patch(a, { rackPosition: 3 })).status).toBe(200);
    expect((await patch(b, { rackPosition: 3 })).status).toBe(409);
    expect((await editor.delete(`/api/devices/${a}`)).status).toBe(204);
    expect((await patch(b, { rackPosition: 3 })).status).toBe(200);
    expect((await admin.post(`/api/devices/${a}/restore`)).status).toBe(409);
    expect((await patch(b, { rackPosition: 5 })).status).toBe(200);
    expect((await admin.post(`/api/devices/${a}/restore`)).status).toBe(200);
  });

  it('is checked in bulk, in the order of the operations, and on import', async () => {
    const rackId = await rack();
    const a = await made(rackId, 1, full);
    const data = { name: 'b', rackId, rackPosition: 1, deviceTypeId: full };
    const bulk = (...operations: object[]): Promise<Answer> => editor.post('/api/devices/bulk', { operations });
    const up = { op: 'update', id: a, data: { rackPosition: 5 } };
    const refused = await bulk({ op: 'create', data }, up);
    expect(refused.status).toBe(409);
    expect(refused.body.details).toEqual([
      {
        field: 'operations[0].data.rackPosition',
        message: `overlaps 'at-1', which takes units 1 to 2 of both faces`,
      },
    ]);
    expect((await bulk(up, { op: 'create', data })).status).toBe(200);
    const twice = { ...data, rackPosition: 10 };
    const both = await bulk({ op: 'create', data: twice }, { op: 'create', data: twice });
    expect([both.status, both.body.details[0].field]).toEqual([409, 'operations[1].data.rackPosition']);
    const row = (name: string, position: number): string => `${name},${rackId},${position},${full}`;
    const file = ['name,rackId,rackPosition,deviceTypeId', row('x', 20), row('y', 21)].join('\n');
    const imported = await editor.request('POST', '/api/devices/import?onError=skip', file, {
      'content-type': 'text/csv',
    });
    expect(imported.body.data).toMatchObject({ created: 1, failed: 1 });
    expect(imported.body.data.faults).toEqual([
      expect.objectContaining({ row: 2, field: 'rackPosition', message: expect.stringContaining(`overlaps 'x'`) }),
    ]);
  });

  it('is checked when it is written by hand, where two may change places by one statement', async () => {
    const rackId = await rack();
    const a = await made(rackId, 1, full);
    const b = await made(rackId, 3, full);
    await expect(run(sql`UPDATE devices SET rack_position = 2 WHERE id = ${a}`)).rejects.toMatchObject({
      code: '23P01',
    });
    await run(sql`UPDATE devices SET rack_position = 4 - rack_position WHERE id = ANY(${[a, b]})`);
    expect((await editor.get(`/api/devices/${a}`)).body.data.rackPosition).toBe(3);
  });
});

describe('a change of a type or a rack', () => {
  it('is refused where it would break a placement', async () => {
    const rackId = await rack({ name: 'R9', units: 6 });
    const deviceTypeId = await type({ uHeight: 1, isFullDepth: false });
    await made(rackId, 1, deviceTypeId, { name: 'a' });
    await made(rackId, 2, front, { name: 'b' });
    await made(rackId, 1, front, { rackFace: 'rear', name: 'c' });
    const patch = (body: object): Promise<Answer> => editor.patch(`/api/device-types/${deviceTypeId}`, body);
    expect(refusal(await patch({ uHeight: 2 }))).toEqual([
      409,
      `uHeight would make 'a' overlap 'b', which takes units 2 to 3 of the front`,
    ]);
    expect(refusal(await patch({ isFullDepth: true }))).toEqual([
      409,
      `isFullDepth would make 'a' overlap 'c', which takes units 1 to 2 of the rear`,
    ]);
    await made(rackId, 6, deviceTypeId, { name: 'top' });
    expect((await patch({ uHeight: 1.5, isFullDepth: false })).status).toBe(409);
    expect((await patch({ uHeight: 0.5 })).status).toBe(200);
    expect((await patch({ uHeight: 1 })).status).toBe(200);
    expect(refusal(await editor.patch(`/api/racks/${rackId}`, { units: 5 }))).toEqual([
      409,
      `units leaves no room for 'top' with a height of 1 at position 6, while rack 'R9' has units 1 to 5`,
    ]);
    expect((await editor.patch(`/api/racks/${rackId}`, { units: null })).status).toBe(200);
    expect((await editor.patch(`/api/racks/${rackId}`, { units: 6 })).status).toBe(200);
  });

  it('frees what its devices no longer take', async () => {
    const rackId = await rack();
    const deviceTypeId = await type({ uHeight: 4 });
    await made(rackId, 1, deviceTypeId);
    expect((await place(rackId, 3, front)).status).toBe(409);
    expect((await editor.patch(`/api/device-types/${deviceTypeId}`, { uHeight: 2 })).status).toBe(200);
    await made(rackId, 3, front);
    expect((await editor.delete(`/api/device-types/${deviceTypeId}`)).status).toBe(204);
    await made(rackId, 1, front);
  });
});

describe('the site and the location of a device', () => {
  it('are those of its rack', async () => {
    const [site, elsewhere] = [
      await editor.make('/api/sites', { name: 'A' }),
      await editor.make('/api/sites', { name: 'B' }),
    ];
    const room = await editor.make('/api/locations', { name: 'Room', siteId: site.id });
    const rackId = await rack({ siteId: site.id, locationId: room.id });
    const device = await editor.make('/api/devices', { name: 'd', rackId });
    expect(device).toMatchObject({ siteId: site.id, locationId: room.id });
    const contradicting = await editor.post('/api/devices', { name: 'd', rackId, siteId: elsewhere.id });
    expect(refusal(contradicting)).toEqual([400, 'siteId must be the site of the rack']);
    const location = await editor.make('/api/locations', { name: 'Other' });
    expect(refusal(await editor.post('/api/devices', { name: 'd', rackId, locationId: location.id }))).toEqual([
      400,
      'locationId must be the location of the rack',
    ]);
    const path = `/api/devices/${device.id}`;
    expect((await editor.patch(path, { siteId: elsewhere.id })).status).toBe(400);

    const there = await rack({ siteId: elsewhere.id });
    expect((await editor.patch(path, { rackId: there, siteId: site.id })).status).toBe(400);
    expect((await editor.patch(path, { rackId: there })).body.data).toMatchObject({
      siteId: elsewhere.id,
      locationId: null,
    });
    expect((await editor.patch(path, { rackId, siteId: site.id })).body.data).toMatchObject({ locationId: room.id });
    // A rack without a site gives the device no site.
    expect((await editor.patch(path, { rackId: await rack() })).body.data).toMatchObject({
      siteId: site.id,
      locationId: room.id,
    });
  });

  it('follow a rack that moves, with an entry in the change log', async () => {
    const [site, elsewhere] = [
      await editor.make('/api/sites', { name: 'A' }),
      await editor.make('/api/sites', { name: 'B' }),
    ];
    const room = await editor.make('/api/locations', { name: 'Room', siteId: site.id });
    const rackId = await rack({ siteId: site.id, locationId: room.id });
    const device = await editor.make('/api/devices', { name: 'd', rackId });
    await editor.patch(`/api/racks/${rackId}`, { siteId: elsewhere.id, locationId: null });
    const path = `/api/devices/${device.id}`;
    expect((await editor.get(path)).body.data).toMatchObject({ siteId: elsewhere.id, locationId: null });
    const { data } = (await editor.get(`${path}/changes`)).body;
    expect(data.at(-1)).toMatchObject({ action: 'update', after: { siteId: elsewhere.id, locationId: null } });
    expect((await editor.delete(`/api/sites/${elsewhere.id}`)).status).toBe(204);
    expect((await editor.get(path)).body.data).toMatchObject({ siteId: null, rackId });
    await editor.patch(`/api/racks/${rackId}`, { siteId: site.id });
    expect((await editor.delete(`/api/racks/${rackId}`)).status).toBe(204);
    expect((await editor.get(path)).body.data).toMatchObject({ siteId: site.id, rackId: null });
  });
});

it('devices that overlapped before the rule are kept, and new ones are refused beside them', async () => {
  const rackId = await rack({ units: 10 });
  await run(sql`ALTER TABLE devices DISABLE TRIGGER devices_placement_insert`);
  const ids = ['a', 'b', 'c'].map(() => randomUUID());
  await run(
    sql`INSERT INTO devices (id, name, rack_id, rack_position, device_type_id)
     SELECT * FROM unnest(${ids}::uuid[], '{a,b,beyond}'::text[], array_fill(${rackId}::uuid, '{3}'), '{1,2,10}'::float8[], array_fill(${full}::uuid, '{3}'))`,
  );
  await run(sql`ALTER TABLE devices ENABLE TRIGGER devices_placement_insert`);
  // The migration that introduced the rule left this state: overlapping devices share a cluster.
  await run(
    sql`INSERT INTO rack_placements
     SELECT d.id, d.rack_id, int4range(0, 2), int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int),
       CASE d.name WHEN 'beyond' THEN d.id ELSE d.rack_id END
     FROM devices d JOIN device_types t ON t.id = d.device_type_id WHERE d.rack_id = ${rackId}`,
  );
  const [a, b, beyond] = ids;
  const conflicts = async (): Promise<string[][]> =>
    (await editor.get(`/api/racks/${rackId}/elevation?face=rear`)).body.data.conflicts.map(
      ({ deviceIds }: { deviceIds: string[] }) => deviceIds,
    );
  expect(await conflicts()).toEqual([[a, b].toSorted(), [beyond]]);
  const logged: object[] = [];
  await reportRackConflicts(service.database.db, { warn: (details: object) => void logged.push(details) });
  const rackOf = { rackId, rack: 'R1' };
  expect(logged).toEqual([
    {
      conflicts: [
        { ...rackOf, devices: expect.arrayContaining(['a', 'b']) },
        { ...rackOf, devices: ['beyond'] },
      ],
    },
  ]);
  expect((await place(rackId, 2, front)).status).toBe(409);
  expect((await place(rackId, 3, front)).status).toBe(409);
  await made(rackId, 4, front);
  // Other changes of the device are allowed. A change that takes more space is checked.
  expect((await editor.patch(`/api/devices/${a}`, { name: 'renamed', rackPosition: 1 })).status).toBe(200);
  expect((await editor.patch(`/api/devices/${b}`, { rackPosition: 1 })).status).toBe(409);
  expect((await editor.patch(`/api/devices/${b}`, { rackPosition: 6 })).status).toBe(200);
  expect((await editor.patch(`/api/devices/${b}`, { rackPosition: 2 })).status).toBe(409);
  expect((await editor.patch(`/api/devices/${beyond}`, { rackFace: 'rear' })).status).toBe(400);
  expect(await conflicts()).toEqual([[beyond]]);
});

onServerOnly('many writers', () => {
  it('never place two devices on one unit, and name the one that is there', async () => {
    for (let round = 0; round < 5; round++) {
      const rackId = await rack();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => place(rackId, 10 + (index % 2), full, { name: `d${index}` })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
      const { name } = answers.find(({ status }) => status === 201)!.body.data;
      for (const { status, body } of answers) if (status === 409) expect(body.error).toContain(`'${name}'`);
    }
  });

  it('never outgrow their neighbours while these move in', async () => {
    for (let round = 0; round < 8; round++) {
      const rackId = await rack();
      const deviceTypeId = await type({ uHeight: 1 });
      await made(rackId, 1, deviceTypeId);
      const [grown, placed, shrunk] = await Promise.all([
        editor.patch(`/api/device-types/${deviceTypeId}`, { uHeight: 2 }),
        place(rackId, 2, deviceTypeId),
        editor.patch(`/api/racks/${rackId}`, { units: 1 }),
      ]);
      const [row] = await run(
        sql`SELECT count(*)::int AS devices, max(d.rack_position + t.u_height) AS top, min(r.units) AS units, min(t.u_height) AS height
         FROM devices d JOIN device_types t ON t.id = d.device_type_id JOIN racks r ON r.id = d.rack_id WHERE r.id = ${rackId}`,
      );
      const { devices, top, units, height } = row as Record<string, number>;
      expect([grown.status, placed.status, shrunk.status]).not.toContain(500);
      expect(top! - 1).toBeLessThanOrEqual(units!);
      expect(devices! > 1 && height! > 1).toBe(false);
    }
  });
});
