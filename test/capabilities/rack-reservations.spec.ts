import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

/** Reservations of rack units, and the placements that they prevent. */
let service: TestService;
let admin: Api;
let engineer: Api;
let viewer: Api;
let low: string;
let half: string;
let deep: string;

beforeAll(async () => {
  service = await startService();
  [admin, engineer, viewer] = await Promise.all([
    service.as('admin'),
    service.as('editor', ['network']),
    service.as('viewer', []),
  ]);
  [low, half, deep] = await Promise.all([
    type({ uHeight: 1, isFullDepth: false }),
    type({ uHeight: 0.5, isFullDepth: false }),
    type({ uHeight: 2, isFullDepth: true }),
  ]);
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records have any shape
type Json = any;

const make = async (path: string, body: object): Promise<string> =>
  (await admin.make(`/api/${path}`, body)).id as string;
const type = (fields: object): Promise<string> => make('device-types', { model: randomUUID(), ...fields });
const rack = (fields: object = {}): Promise<string> => make('racks', { name: 'R1', units: 42, ...fields });
const NOW = Date.now();
const inHours = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();
const reserve = (rackId: string, units: number[], more: object = {}): Promise<Answer> =>
  engineer.post('/api/rack-reservations', { rackId, units, ...more });
const reserved = async (...given: Parameters<typeof reserve>): Promise<Json> => {
  const { status, body } = await reserve(...given);
  expect([status, body]).toEqual([201, { data: expect.anything() }]);
  return body.data;
};
const place = (rackId: string, rackPosition: number, deviceTypeId: string, more: object = {}): Promise<Answer> =>
  engineer.post('/api/devices', { name: `at-${rackPosition}`, rackId, rackPosition, deviceTypeId, ...more });
const placed = async (...given: Parameters<typeof place>): Promise<string> => {
  const { status, body } = await place(...given);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.id;
};
const change = (id: string, body: object): Promise<Answer> => engineer.patch(`/api/devices/${id}`, body);
const refused = ({ status, body }: Answer): [number, string | undefined] => [status, body?.details?.[0]?.field];
const read = async (id: string): Promise<Json> => (await viewer.get(`/api/rack-reservations/${id}`)).body?.data;

describe('a reservation', () => {
  it('is of whole units of a rack', async () => {
    const rackId = await rack();
    const shown = await reserved(rackId, [40, 41, 7], { description: 'For the move' });
    expect(shown).toEqual({
      id: expect.any(String),
      rackId,
      units: [40, 41, 7],
      face: null,
      startTime: null,
      endTime: null,
      deviceId: null,
      personId: null,
      changeRequestId: null,
      description: 'For the move',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await read(shown.id)).toEqual(shown);
    expect((await viewer.get(`/api/rack-reservations?rackId=${rackId}&units=41&search=move`)).body.total).toBe(1);
    expect((await viewer.get(`/api/rack-reservations?rackId=${rackId}&units=42`)).body.total).toBe(0);
    for (const caller of [viewer, await service.as('editor', ['procurement'])])
      expect((await caller.post('/api/rack-reservations', { rackId, units: [1] })).status).toBe(403);
  });

  it.each<[string, object, string]>([
    ['no unit', { units: [] }, 'units'],
    ['half a unit', { units: [1.5] }, 'units[0]'],
    ['a unit below the first', { units: [3, 0] }, 'units[1]'],
    ['a unit twice', { units: [3, 4, 3] }, 'units'],
    ['a unit above the rack', { units: [42, 43] }, 'units'],
    ['one unit', { units: 3 }, 'units'],
    ['no list', { units: null }, 'units'],
    ['no rack', { rackId: null }, 'rackId'],
    ['an unknown rack', { rackId: randomUUID() }, 'rackId'],
    ['a third face', { face: 'top' }, 'face'],
    ['no time', { startTime: inHours(1), endTime: inHours(1) }, 'endTime'],
    ['an end before the start', { startTime: inHours(2), endTime: inHours(1) }, 'endTime'],
    ['an unknown device', { deviceId: randomUUID() }, 'deviceId'],
  ])('of %s is refused', async (_what, body, field) => {
    const rackId = await rack();
    expect(refused(await engineer.post('/api/rack-reservations', { rackId, units: [1], ...body }))).toEqual([
      400,
      field,
    ]);
    const { id } = await reserved(rackId, [1], { startTime: inHours(0), endTime: inHours(3) });
    expect(refused(await engineer.patch(`/api/rack-reservations/${id}`, body))).toEqual([400, field]);
  });

  it('needs a rack and units, and a rack of unknown height has any unit', async () => {
    const rackId = await rack({ units: null });
    expect(refused(await engineer.post('/api/rack-reservations', { units: [1] }))).toEqual([400, 'rackId']);
    expect(refused(await engineer.post('/api/rack-reservations', { rackId }))).toEqual([400, 'units']);
    await reserved(rackId, [900, 2_147_483_646]);
    expect((await viewer.get(`/api/racks/${rackId}/available-units`)).status).toBe(200);
    expect((await viewer.get(`/api/racks/${rackId}/elevation`)).status).toBe(200);
    expect(refused(await reserve(rackId, [900, 2_147_483_647]))).toEqual([400, 'units[1]']);
  });

  it('never overlaps another in units, face and time, and the answer names that', async () => {
    const rackId = await rack();
    const first = await reserved(rackId, [10, 12], { face: 'front', startTime: inHours(1), endTime: inHours(2) });
    const answer = await reserve(rackId, [11, 12], { startTime: inHours(1.5) });
    expect(refused(answer)).toEqual([409, 'units']);
    expect(answer.body.error).toBe(
      `units overlap the reservation of units 10, 12 of the front from ${first.startTime} to ${first.endTime} (rack-reservations ${first.id})`,
    );
    await reserved(rackId, [11]);
    await reserved(rackId, [12], { face: 'rear' });
    await reserved(rackId, [12], { face: 'front', endTime: inHours(1) });
    const next = await reserved(rackId, [12], { face: 'front', startTime: inHours(2) });
    await reserved(await rack(), [12]);
    const patch = (body: object): Promise<Answer> => engineer.patch(`/api/rack-reservations/${next.id}`, body);
    for (const body of [{ face: null }, { startTime: inHours(1.5) }, { startTime: null }, { units: [11, 12] }])
      expect(refused(await patch(body))).toEqual([409, 'units']);
    expect((await patch({ units: [13], face: null })).status).toBe(200);
    expect((await patch({ description: 'x' })).status).toBe(200);
    const bulk = await engineer.post('/api/rack-reservations/bulk', {
      operations: [[20], [21, 20]].map((units) => ({ op: 'create', data: { rackId, units } })),
    });
    expect(refused(bulk)).toEqual([409, 'operations[1].data.units']);
    // Units that the same request frees are free.
    const swap = await engineer.post('/api/rack-reservations/bulk', {
      operations: [
        { op: 'delete', id: next.id },
        { op: 'create', data: { rackId, units: [13] } },
      ],
    });
    expect(swap.status).toBe(200);
    const csv = await engineer.request(
      'POST',
      '/api/rack-reservations/import',
      `rack.name,units\n${(await admin.make('/api/racks', { name: 'imported', units: 5 })).name},"1,2"\n`,
      { 'content-type': 'text/csv' },
    );
    expect([csv.status, csv.body.data?.created]).toEqual([200, 1]);
  });
});

describe('a reservation keeps devices out', () => {
  it('while it runs, unless it names the device', async () => {
    const rackId = await rack();
    const deviceId = await make('devices', { name: 'expected' });
    const { id } = await reserved(rackId, [10, 11], { face: 'front', deviceId });
    const answer = await place(rackId, 10, low);
    expect(refused(answer)).toEqual([409, 'rackPosition']);
    expect(answer.body.error).toBe(
      `rackPosition overlaps the reservation of units 10, 11 of the front (rack-reservations ${id})`,
    );
    // Half a unit conflicts with the whole one, and a full-depth device with both faces.
    for (const [position, deviceTypeId] of [
      [10.5, half],
      [9, deep],
      [11, deep],
    ] as const)
      expect(refused(await place(rackId, position, deviceTypeId))).toEqual([409, 'rackPosition']);
    await placed(rackId, 9.5, half);
    await placed(rackId, 10, low, { rackFace: 'rear' });
    expect((await change(deviceId, { rackId, rackPosition: 11, deviceTypeId: low })).status).toBe(200);
    // The reservation has begun, or is over.
    const other = await rack();
    await reserved(other, [10], { startTime: inHours(1) });
    await reserved(other, [11], { endTime: inHours(-1) });
    await placed(other, 10, deep);
    const moved = await make('devices', { name: 'moved', deviceTypeId: low });
    await reserved(other, [20]);
    expect(refused(await change(moved, { rackId: other, rackPosition: 20 }))).toEqual([409, 'rackPosition']);
    expect((await change(moved, { rackId: other, rackPosition: 21 })).status).toBe(200);
    expect(refused(await change(moved, { rackPosition: 20 }))).toEqual([409, 'rackPosition']);
    const bulk = await engineer.post('/api/devices/bulk', {
      operations: [19, 20].map((rackPosition) => ({
        op: 'create',
        data: { name: 'b', rackId: other, rackPosition, deviceTypeId: low },
      })),
    });
    expect(refused(bulk)).toEqual([409, 'operations[1].data.rackPosition']);
  });

  it('unless the write comes from the change set of its change', async () => {
    const rackId = await rack();
    const status = 'approved';
    const [own, other] = [
      await make('change-requests', { name: 'Move', status }),
      await make('change-requests', { name: 'Else', status }),
    ];
    await reserved(rackId, [10], { changeRequestId: own });
    await reserved(rackId, [11]);
    const preview = async (changeRequestId: string | null, rackPosition: number): Promise<number> => {
      const set = await make('change-sets', { name: 'S', changeRequestId });
      const data = { name: 'planned', rackId, rackPosition, deviceTypeId: low };
      expect((await admin.post(`/api/devices?changeSet=${set}`, data)).status).toBe(202);
      const { status: answered, body } = await admin.post(`/api/change-sets/${set}/preview`);
      expect(answered).toBe(200);
      return body.data.conflicts.length;
    };
    expect([await preview(own, 10), await preview(own, 11)]).toEqual([0, 1]);
    expect([await preview(other, 10), await preview(null, 11)]).toEqual([1, 1]);
  });

  it('but not those that stand there already', async () => {
    const rackId = await rack();
    const deviceTypeId = await type({ uHeight: 1, isFullDepth: false });
    const standing = await placed(rackId, 10, deviceTypeId);
    await reserved(rackId, [9, 10, 11]);
    for (const body of [{ name: 'renamed' }, { status: 'failed' }, { rackPosition: 10 }, { deviceTypeId: half }])
      expect([body, (await change(standing, body)).status]).toEqual([body, 200]);
    expect((await change(standing, { deviceTypeId })).status).toBe(200);
    for (const body of [{ rackPosition: 11 }, { rackFace: 'rear' }, { deviceTypeId: deep }])
      expect([body, ...refused(await change(standing, body))]).toEqual([body, 409, 'rackPosition']);
    // A type with more height would overlap reserved units.
    for (const [body, field] of [
      [{ uHeight: 2 }, 'uHeight'],
      [{ isFullDepth: true }, 'isFullDepth'],
    ] as const) {
      const answer = await engineer.patch(`/api/device-types/${deviceTypeId}`, body);
      expect(refused(answer)).toEqual([409, field]);
      expect(answer.body.error).toContain(`'renamed' overlap the reservation of units 9, 10, 11`);
    }
    // A device that has left may not return.
    expect((await change(standing, { rackPosition: 20 })).status).toBe(200);
    expect(refused(await change(standing, { rackPosition: 10 }))).toEqual([409, 'rackPosition']);
  });
});

describe('a reservation ends', () => {
  it.each(['racks', 'devices', 'change-requests'])('when its record is deleted, of %s', async (resource) => {
    const [rackId, deviceId, changeRequestId] = [
      await rack(),
      await make('devices', { name: 'd' }),
      await make('change-requests', { name: 'C', status: 'approved' }),
    ];
    const ids = { racks: rackId, devices: deviceId, 'change-requests': changeRequestId } as Json;
    const more = { deviceId, changeRequestId };
    const running = await reserved(rackId, [1], more);
    const bounded = await reserved(rackId, [2], { ...more, startTime: inHours(-1), endTime: inHours(1) });
    const past = await reserved(rackId, [3], { ...more, endTime: inHours(-1) });
    const future = await reserved(rackId, [4], { ...more, startTime: inHours(1) });
    const other = await reserved(resource === 'racks' ? await rack() : rackId, [5]);
    expect((await admin.delete(`/api/${resource}/${ids[resource]}`)).status).toBe(204);
    const property = { racks: 'rackId', devices: 'deviceId', 'change-requests': 'changeRequestId' }[resource]!;
    for (const { id } of [running, bounded]) {
      const ended = await read(id);
      expect([ended[property], ended.units]).toEqual([null, expect.any(Array)]);
      expect(Math.abs(Date.parse(ended.endTime) - Date.now())).toBeLessThan(60_000);
      const entries = (await admin.get(`/api/rack-reservations/${id}/changes?action=update`)).body.data;
      expect(entries.some(({ after }: Json) => after.endTime === ended.endTime)).toBe(true);
    }
    expect(await read(past.id)).toMatchObject({ [property]: null, endTime: past.endTime });
    expect(await read(future.id)).toBeUndefined();
    expect((await admin.get(`/api/change-log?recordId=${future.id}&action=delete`)).body.total).toBe(1);
    expect(await read(other.id)).toEqual(other);
    if (resource !== 'racks') await placed(rackId, 1, low);
  });

  it('when its change is finished or cancelled, and loses its person', async () => {
    for (const status of ['completed', 'failed', 'cancelled', 'rejected']) {
      const rackId = await rack();
      const changeRequestId = await make('change-requests', { name: 'C', status: 'approved' });
      const running = await reserved(rackId, [1], { changeRequestId });
      const future = await reserved(rackId, [1], { changeRequestId, startTime: inHours(1) }).catch(() => undefined);
      expect(future).toBeUndefined();
      const later = await reserved(rackId, [2], { changeRequestId, startTime: inHours(1) });
      await admin.patch(`/api/change-requests/${changeRequestId}`, { status: 'in_progress' });
      expect((await read(running.id)).endTime).toBeNull();
      await admin.patch(`/api/change-requests/${changeRequestId}`, { status });
      expect(await read(running.id)).toMatchObject({ changeRequestId, endTime: expect.any(String) });
      expect(await read(later.id)).toBeUndefined();
      await placed(rackId, 1, low);
    }
    const personId = await make('people', { fullName: 'Eve' });
    const kept = await reserved(await rack(), [1], { personId });
    await admin.delete(`/api/people/${personId}`);
    expect(await read(kept.id)).toMatchObject({ personId: null, endTime: null });
  });
});

describe('a rack', () => {
  it('shows its reservations, and leaves their units out, at any time', async () => {
    const rackId = await rack({ units: 6 });
    await placed(rackId, 1, low);
    const now = await reserved(rackId, [5, 3], { face: 'front', description: 'Shelf', endTime: inHours(1) });
    const then = await reserved(rackId, [4], { startTime: inHours(2), endTime: inHours(3) });
    const elevation = async (query = ''): Promise<Json> =>
      (await viewer.get(`/api/racks/${rackId}/elevation${query}`)).body.data.reservations;
    const of = ({ rackId: _rackId, createdAt: _createdAt, updatedAt: _updatedAt, ...shown }: Json): Json => shown;
    expect(await elevation()).toEqual([of(now)]);
    expect(await elevation('?face=rear')).toEqual([of(now)]);
    expect(await elevation(`?at=${inHours(1)}`)).toEqual([]);
    expect(await elevation(`?at=${inHours(2)}`)).toEqual([of(then)]);
    const units = async (query: string): Promise<Json> =>
      (await viewer.get(`/api/racks/${rackId}/available-units?${query}`)).body.data;
    expect(await units('')).toEqual([2, 4, 6]);
    expect(await units('face=rear')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await units('face=front&uHeight=2')).toEqual([]);
    expect(await units(`at=${inHours(2)}`)).toEqual([2, 3, 5, 6]);
    expect(await units(`uHeight=0.5&face=front&at=${inHours(2)}`)).toEqual([2, 2.5, 3, 3.5, 5, 5.5, 6, 6.5]);
    // A reserved unit does not count as used.
    expect((await viewer.get(`/api/racks/${rackId}/utilisation`)).body.data.usedUnits).toBe(1);
    for (const what of ['elevation', 'available-units'])
      expect(refused(await viewer.get(`/api/racks/${rackId}/${what}?at=soon`))).toEqual([400, 'at']);
    const { text: front } = await viewer.get(`/api/racks/${rackId}/elevation?format=svg`);
    expect(front).toContain('Reserved: Shelf');
    expect(front.match(/class="r"/g)).toHaveLength(2);
    const { text: rear } = await viewer.get(`/api/racks/${rackId}/elevation?format=svg&face=rear`);
    expect(rear).not.toContain('class="r"');
  });
});
