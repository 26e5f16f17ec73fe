import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';

let service: TestService;
let api: Api;
beforeAll(async () => {
  service = await startService();
  api = await service.as('admin');
});
afterAll(() => service.stop());

jest.setTimeout(240_000);

const HOUR = 3_600_000;
const START = Date.parse('2031-03-01T00:00:00.000Z');
const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const several = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

itOnServer('64 callers for one unit at one time: one of them has it', async () => {
  const { id: rackId } = await api.make('/api/racks', { name: 'R', units: 42 });
  const answers = await several(64, () => api.post('/api/rack-reservations', { rackId, units: [7] }));
  expect(statuses(answers).toSorted()).toEqual([201, ...Array<number>(63).fill(409)]);
});

itOnServer('reservations at once never overlap, and none is refused without another in its way', async () => {
  const { id: rackId } = await api.make('/api/racks', { name: 'R', units: 8 });
  let state = 5;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const faces = ['front', 'rear', null] as const;
  const asked = Array.from({ length: 96 }, () => {
    const [unit, from] = [1 + random(7), random(20)];
    return { units: [unit, unit + 1], face: faces[random(3)]!, from, to: from + 1 + random(6) };
  });
  const answers = await several(asked.length, (index) => {
    const { units, face, from, to } = asked[index]!;
    return api.post('/api/rack-reservations', { rackId, units, face, startTime: at(from), endTime: at(to) });
  });
  type Asked = (typeof asked)[number];
  const meet = (one: Asked, other: Asked): boolean =>
    one.from < other.to &&
    other.from < one.to &&
    one.units.some((unit) => other.units.includes(unit)) &&
    (one.face === null || other.face === null || one.face === other.face);
  const taken = asked.filter((_, index) => answers[index]!.status === 201);
  const refused = asked.filter((_, index) => answers[index]!.status === 409);
  expect(taken.length + refused.length).toBe(asked.length);
  for (const [index, one] of taken.entries())
    expect(taken.slice(index + 1).filter((other) => meet(one, other))).toEqual([]);
  for (const one of refused) expect(taken.some((other) => meet(one, other))).toBe(true);
});

itOnServer('a reservation and a placement at once: a device stands there before it, or is refused', async () => {
  const { id: deviceTypeId } = await api.make('/api/device-types', { model: 'T', uHeight: 1 });
  for (let round = 0; round < 12; round++) {
    const { id: rackId } = await api.make('/api/racks', { name: 'R', units: 42 });
    const placements = several(8, (index) =>
      api.post('/api/devices', { name: `d${index}`, rackId, rackPosition: 1 + index, deviceTypeId }),
    );
    const reservation = api.post('/api/rack-reservations', { rackId, units: [1, 2, 3, 4, 5, 6, 7, 8] });
    const [devices, reserved] = await Promise.all([placements, reservation]);
    expect(reserved.status).toBe(201);
    expect(statuses(devices).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    // Later requests are refused.
    const later = await several(8, (index) =>
      api.post('/api/devices', { name: `l${index}`, rackId, rackPosition: 1 + index, deviceTypeId }),
    );
    expect(statuses(later)).toEqual(Array<number>(8).fill(409));
  }
});

itOnServer('what ends with a change or a device ends also if it is made at the same time', async () => {
  for (let round = 0; round < 12; round++) {
    const [{ id: rackId }, { id: deviceId }] = await Promise.all([
      api.make('/api/racks', { name: 'R', units: 42 }),
      api.make('/api/devices', { name: 'd' }),
    ]);
    const [made, deleted] = await Promise.all([
      api.post('/api/rack-reservations', { rackId, units: [1], deviceId }),
      api.delete(`/api/devices/${deviceId}`),
    ]);
    expect(deleted.status).toBe(204);
    expect([201, 400]).toContain(made.status);
    if (made.status !== 201) continue;
    const { data } = (await api.get(`/api/rack-reservations/${made.body.data.id}`)).body;
    expect(data).toMatchObject({ deviceId: null, endTime: expect.any(String) });
  }
});
