import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
let buyer: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  buyer = await service.as('editor', ['procurement']);
  viewer = await service.as('viewer');
});
afterAll(() => service.stop());

const licence = async (more: object = {}): Promise<{ id: string; path: string; seats: string }> => {
  const { id } = await admin.make('/api/software-licences', { name: 'IDE', ...more });
  return { id, path: `/api/software-licences/${id}`, seats: `/api/software-licences/${id}/seats` };
};
const person = async (fullName = 'Ada'): Promise<string> =>
  (await admin.make('/api/people', { fullName })).id as string;
const assigned = async (path: string): Promise<unknown> => (await viewer.get(path)).body.data.assignedSeats;
const refused = ({ status, body }: Answer): [number, string[]] => [
  status,
  body.details.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
];

it('a person, an asset or a device has a seat, with its name, and the number is that of the seats', async () => {
  const { id, path, seats } = await licence({ seats: 5, assignedSeats: 4 });
  const holders = {
    personId: await person(),
    assetId: (await admin.make('/api/assets', { name: 'Laptop' })).id as string,
    deviceId: (await admin.make('/api/devices', { name: 'sw-1' })).id as string,
  };
  const names = { personId: 'Ada', assetId: 'Laptop', deviceId: 'sw-1' };
  for (const [field, holder] of Object.entries(holders)) {
    expect(await buyer.make(seats, { [field]: holder })).toMatchObject({
      softwareLicenceId: id,
      softwareLicenceName: 'IDE',
      personId: null,
      assetId: null,
      deviceId: null,
      [field]: holder,
      name: names[field as keyof typeof names],
    });
    expect(refused(await buyer.post(seats, { [field]: holder }))).toEqual([
      409,
      [expect.stringContaining(`${field} has a seat of the licence already: '${names[field as keyof typeof names]}'`)],
    ]);
  }
  expect(await assigned(path)).toBe(3);
  expect((await viewer.get(seats)).body.total).toBe(3);
  const held = await viewer.get(`/api/people/${holders.personId}/seats`);
  expect(held.body).toMatchObject({ total: 1, data: [{ softwareLicenceId: id, personId: holders.personId }] });
  expect((await viewer.get(`/api/people/${id}/seats`)).status).toBe(404);
  // Deleting the holder deletes the seat. The last one sets the number to 0; then the customer may set it again.
  for (const [at, resource] of ['people', 'assets', 'devices'].entries()) {
    await admin.delete(`/api/${resource}/${Object.values(holders)[at]}`);
    expect(await assigned(path)).toBe(2 - at);
  }
  expect((await buyer.patch(path, { assignedSeats: 9 })).body.data.assignedSeats).toBe(9);
  // A seat is restored with its holder as long as the licence has it.
  await admin.post(`/api/people/${holders.personId}/restore`);
  expect(await assigned(path)).toBe(1);
});

it('has exactly one holder, which exists', async () => {
  const { seats } = await licence();
  const personId = await person();
  const assetId = (await admin.make('/api/assets', { name: 'Laptop' })).id as string;
  const none = 'personId must be given if assetId and deviceId are not: a person, an asset or a device has the seat';
  const several = 'personId must be the only holder: a person, an asset or a device has the seat';
  expect(refused(await buyer.post(seats, {}))).toEqual([400, [none]]);
  expect(refused(await buyer.post(seats, { personId: null }))).toEqual([400, [none]]);
  expect(refused(await buyer.post(seats, { personId, assetId }))).toEqual([400, [several]]);
  expect(refused(await buyer.post(seats, { deviceId: personId }))).toEqual([
    400,
    ['deviceId does not refer to an existing record'],
  ]);
  const { id } = await buyer.make(seats, { personId });
  expect(refused(await buyer.patch(`${seats}/${id}`, { assetId }))).toEqual([400, [several]]);
  expect(refused(await buyer.patch(`${seats}/${id}`, { personId: null }))).toEqual([400, [none]]);
  expect((await buyer.patch(`${seats}/${id}`, { personId: null, assetId })).body.data).toMatchObject({
    assetId,
    personId: null,
  });
});

it('are never more than the licence has, which cannot shrink below them or be told another number', async () => {
  const { path, seats } = await licence({ seats: 2, assignedSeats: 2 });
  await buyer.make(seats, { personId: await person('Ada') });
  await buyer.make(seats, { personId: await person('Grace') });
  const full = [409, ['seats are all in use: the licence has 2']];
  expect(refused(await buyer.post(seats, { personId: await person() }))).toEqual(full);
  const bulk = { operations: [{ op: 'create', data: { personId: await person() } }] };
  expect(refused(await buyer.post(`${seats}/bulk`, bulk))[0]).toBe(409);
  const before = await viewer.get(path);
  const counted = [409, ['assignedSeats is counted while seats are in use: there are 2']];
  for (const assignedSeats of [1, 3, null])
    expect(refused(await buyer.patch(path, { assignedSeats }))).toEqual(counted);
  expect((await buyer.patch(path, { assignedSeats: 2 })).status).toBe(200);
  expect(refused(await buyer.patch(path, { seats: 1 }))).toEqual([
    409,
    ["seats must not be less than the seats in use: 2, of 'Ada', 'Grace'"],
  ]);
  expect((await viewer.get(path)).text).toBe(before.text);
  for (const allowed of [3, null]) expect((await buyer.patch(path, { seats: allowed })).status).toBe(200);
  // Without a number of seats there is no limit.
  await buyer.make(seats, { personId: await person() });
  expect(refused(await buyer.patch(path, { seats: 2 }))[0]).toBe(409);
});

it('are counted by the licence position', async () => {
  const { id: vendorId } = await admin.make('/api/vendors', { name: 'V' });
  const { seats } = await licence({ seats: 10, assignedSeats: 7, vendorId, expiryDate: '2020-01-01' });
  await buyer.make(seats, { personId: await person() });
  const rows = (await viewer.get('/api/software-licences/position?groupBy=vendorId')).body.data as object[];
  expect(rows).toContainEqual(
    expect.objectContaining({ vendorId, seats: 10, assignedSeats: 1, freeSeats: 9, expiringSeats: 10 }),
  );
});
