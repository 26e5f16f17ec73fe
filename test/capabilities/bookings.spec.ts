import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { raw } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let buyer: Api;
let viewer: Api;
let ada: string;
let bob: string;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  buyer = await service.as('editor', ['procurement']);
  viewer = await service.as('viewer', []);
  [ada, bob] = [await person('Ada'), await person('Bob')];
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records have any shape
type Json = any;

const make = async (path: string, body: object): Promise<string> =>
  (await admin.make(`/api/${path}`, body)).id as string;
const person = (fullName: string): Promise<string> => make('people', { fullName });
const asset = (more: object = {}): Promise<string> => make('assets', { name: 'Projector', ...more });

const NOW = Math.floor(Date.now() / 1000) * 1000;
/** A time in some hours. */
const inHours = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();
const span = (from: number, to: number): object => ({ startTime: inHours(from), endTime: inHours(to) });
const book = (body: object): Promise<Answer> => buyer.post('/api/bookings', body);
const booked = async (body: object): Promise<Json> => {
  const { status, body: answer } = await book(body);
  expect([status, answer]).toEqual([201, { data: expect.anything() }]);
  return answer.data;
};
const act = (id: string, action: string, body?: object): Promise<Answer> =>
  buyer.post(`/api/bookings/${id}/${action}`, body);
const statusOf = async (id: string): Promise<string> => (await viewer.get(`/api/bookings/${id}`)).body.data.status;
const assetNow = async (id: string): Promise<Json> => (await viewer.get(`/api/assets/${id}`)).body.data;
const refused = ({ status, body }: Answer): [number, string | undefined] => [status, body.details?.[0]?.field];

describe('booking', () => {
  it('is of an asset, a device, or any asset of a category, which is chosen at once', async () => {
    const categoryId = await make('asset-categories', { name: 'Projectors' });
    const assetId = await asset({ categoryId });
    const deviceId = await make('devices', { name: 'sw-1' });
    const common = { ...span(100, 101), personId: ada, purpose: 'Talk', noShowMinutes: 15 };
    const shown = { ...common, status: 'booked', changeRequestId: null };
    expect(await booked({ ...common, categoryId })).toMatchObject({
      ...shown,
      assetId,
      categoryId,
      assetName: 'Projector',
      deviceId: null,
      deviceName: null,
    });
    expect(await booked({ ...common, deviceId })).toMatchObject({
      ...shown,
      deviceId,
      deviceName: 'sw-1',
      assetId: null,
      assetName: null,
      categoryId: null,
    });
    const own = await booked({ ...common, ...span(101, 102), assetId });
    expect(Object.keys(own).toSorted()).toEqual([
      'assetId',
      'assetName',
      'categoryId',
      'changeRequestId',
      'createdAt',
      'deviceId',
      'deviceName',
      'endTime',
      'id',
      'noShowMinutes',
      'personId',
      'purpose',
      'startTime',
      'status',
      'updatedAt',
    ]);
    expect((await viewer.get('/api/bookings?status=booked&assetId=' + assetId)).body.total).toBe(2);
    expect((await viewer.post('/api/bookings', { ...common, assetId })).status).toBe(403);
  });

  it.each<[string, () => Promise<object>, number, string]>([
    ['nothing', async () => span(1, 2), 400, 'assetId'],
    [
      'two records',
      async () => ({ ...span(1, 2), assetId: await asset(), categoryId: randomUUID() }),
      400,
      'categoryId',
    ],
    ['an unknown asset', async () => ({ ...span(1, 2), assetId: randomUUID() }), 400, 'assetId'],
    ['an unknown device', async () => ({ ...span(1, 2), deviceId: randomUUID() }), 400, 'deviceId'],
    ['an unknown category', async () => ({ ...span(1, 2), categoryId: randomUUID() }), 400, 'categoryId'],
    [
      'a category without assets',
      async () => ({ ...span(1, 2), categoryId: await make('asset-categories', { name: 'E' }) }),
      409,
      'categoryId',
    ],
    ['no time', async () => ({ ...span(2, 2), assetId: await asset() }), 400, 'endTime'],
    ['an end before the start', async () => ({ ...span(2, 1), assetId: await asset() }), 400, 'endTime'],
    ['no minutes', async () => ({ ...span(1, 2), assetId: await asset(), noShowMinutes: 0 }), 400, 'noShowMinutes'],
    ['no start', async () => ({ endTime: inHours(1), assetId: await asset() }), 400, 'startTime'],
  ])('of %s is refused', async (_what, body, status, field) => {
    expect(refused(await book(await body()))).toEqual([status, field]);
  });

  it('never overlaps another of the record, and the answer names that', async () => {
    const assetId = await asset();
    const first = await booked({ assetId, ...span(10, 12), personId: ada });
    const answer = await book({ assetId, ...span(11, 13) });
    expect(answer.status).toBe(409);
    for (const part of [first.id, first.startTime, first.endTime, 'Projector', 'Ada'])
      expect(answer.body.error).toContain(part);
    await booked({ assetId, ...span(8, 10) });
    const next = await booked({ assetId, ...span(12, 14) });
    const patch = (body: object): Promise<Answer> => buyer.patch(`/api/bookings/${next.id}`, body);
    expect(refused(await patch({ startTime: inHours(11) }))).toEqual([409, 'startTime']);
    expect(refused(await patch({ endTime: inHours(12) }))).toEqual([400, 'endTime']);
    expect((await patch({ startTime: inHours(13), assetId })).status).toBe(200);
    for (const body of [
      { assetId: await asset() },
      { assetId: null },
      { deviceId: randomUUID() },
      { categoryId: randomUUID() },
    ]) {
      expect(refused(await patch(body))).toEqual([400, Object.keys(body)[0]]);
    }
    // A device and its asset count as one record.
    const deviceId = await make('devices', { name: 'made', assetId });
    expect((await book({ deviceId, ...span(10, 11) })).status).toBe(409);
    const other = await make('devices', { name: 'other' });
    const of = await booked({ deviceId: other, ...span(10, 11) });
    expect(refused(await admin.patch(`/api/devices/${other}`, { assetId }))).toEqual([409, 'assetId']);
    expect((await act(of.id, 'cancel')).status).toBe(200);
    expect((await admin.patch(`/api/devices/${other}`, { assetId })).status).toBe(200);
  });

  it('of a category is refused with the next free span only if nothing is free', async () => {
    const categoryId = await make('asset-categories', { name: 'Cars' });
    const [one, two] = [await asset({ categoryId }), await asset({ categoryId, status: 'reserved' })];
    for (const status of ['in_repair', 'lost', 'retired', 'disposed']) await asset({ categoryId, status });
    await booked({ categoryId, ...span(10, 12) });
    const second = await booked({ categoryId, ...span(11, 14) });
    const answer = await book({ categoryId, ...span(11, 13) });
    expect(refused(answer)).toEqual([409, 'categoryId']);
    expect(answer.body.error).toContain(`from ${inHours(12)} to ${inHours(14)}`);
    await act(second.id, 'cancel');
    // An asset that is out without a due time is not free. With a due time it is free from then on.
    await buyer.post(`/api/assets/${two}/assign`, { personId: bob, dueAt: inHours(20) });
    await booked({ assetId: one, ...span(14, 30) });
    const busy = await book({ categoryId, ...span(15, 17) });
    expect(busy.body.error).toContain(`from ${inHours(20)} to ${inHours(22)}`);
    expect((await booked({ categoryId, ...span(20, 22) })).assetId).toBe(two);
    const bulk = await buyer.post('/api/bookings/bulk', {
      operations: [1, 2].map(() => ({ op: 'create', data: { categoryId, ...span(40, 41) } })),
    });
    expect(bulk.status).toBe(200);
    expect((await book({ categoryId, ...span(40, 41) })).status).toBe(409);
  });
});

describe('what becomes of a booking', () => {
  it('is picked up, which hands the asset out, and returned', async () => {
    const assetId = await asset();
    const { id, endTime } = await booked({ assetId, ...span(-1, 2) });
    expect(refused(await act(id, 'pick-up'))).toEqual([400, 'personId']);
    expect(refused(await act(id, 'return'))).toEqual([409, 'status']);
    await buyer.patch(`/api/bookings/${id}`, { personId: ada });
    const out = await act(id, 'pick-up');
    expect([out.status, out.body.data]).toMatchObject([200, { id, status: 'out' }]);
    expect(await assetNow(assetId)).toMatchObject({ status: 'in_use', currentAssignee: { personId: ada } });
    const { data } = (await viewer.get(`/api/assets/${assetId}/assignments`)).body;
    expect(data).toMatchObject([{ personId: ada, personName: 'Ada', dueAt: endTime }]);
    expect(refused(await act(id, 'pick-up'))).toEqual([409, 'status']);
    expect(refused(await act(id, 'cancel'))).toEqual([409, 'status']);
    const back = await act(id, 'return');
    expect([back.status, back.body.data.status]).toEqual([200, 'ended']);
    expect(await assetNow(assetId)).toMatchObject({ status: 'in_stock', currentAssignee: null });
    expect(refused(await act(id, 'return'))).toEqual([409, 'status']);
    expect(refused(await buyer.patch(`/api/bookings/${id}`, { purpose: 'x' }))).toEqual([409, 'status']);
    expect((await act(randomUUID(), 'cancel')).status).toBe(404);
    expect((await viewer.post(`/api/bookings/${id}/cancel`)).status).toBe(403);
  });

  it('is picked up early if nothing stands in the way', async () => {
    const assetId = await asset();
    const { id } = await booked({ assetId, ...span(5, 6), personId: ada });
    const first = await booked({ assetId, ...span(2, 3), personId: ada });
    expect(refused(await act(id, 'pick-up'))).toEqual([409, 'startTime']);
    await act(first.id, 'cancel');
    expect((await act(id, 'pick-up')).body.data.status).toBe('out');
    const later = await booked({ assetId, ...span(6, 7), personId: bob });
    expect((await act(later.id, 'pick-up')).status).toBe(409);
  });

  it('is marked only, of a device', async () => {
    const deviceId = await make('devices', { name: 'd' });
    const { id } = await booked({ deviceId, ...span(-1, 2) });
    expect((await act(id, 'pick-up')).body.data.status).toBe('out');
    expect((await act(id, 'return')).body.data.status).toBe('ended');
  });

  it('respects what is handed out, and is respected', async () => {
    const assetId = await asset();
    const assign = (personId: string, more: object = {}): Promise<Answer> =>
      buyer.post(`/api/assets/${assetId}/assign`, { personId, ...more });
    const handover = (personId: string | null, more: object = {}): Promise<Answer> =>
      buyer.post(`/api/assets/handover`, { holders: [{ assetId, personId }], ...more });
    const later = await booked({ assetId, ...span(10, 12), personId: ada });
    expect(refused(await assign(bob, { dueAt: inHours(11) }))).toEqual([409, 'dueAt']);
    expect((await assign(ada, { dueAt: inHours(11) })).status).toBe(200);
    await buyer.post(`/api/assets/${assetId}/return`);
    expect((await assign(bob)).status).toBe(200);
    await buyer.post(`/api/assets/${assetId}/return`);
    const running = await booked({ assetId, ...span(-1, 2), personId: ada });
    expect(refused(await assign(bob))).toEqual([409, 'personId']);
    expect((await handover(bob)).status).toBe(409);
    const skipped = await buyer.post('/api/assets/handover?onError=skip', { holders: [{ assetId, personId: bob }] });
    expect([skipped.status, skipped.body.data]).toMatchObject([
      200,
      { failed: 1, faults: [{ row: 1, field: 'personId' }] },
    ]);
    // For the person of the booking, this is the pick-up.
    expect((await assign(ada)).status).toBe(200);
    expect(await statusOf(running.id)).toBe('out');
    expect((await handover(bob, { replace: true })).status).toBe(409);
    expect((await handover(null)).status).toBe(200);
    expect(await statusOf(running.id)).toBe('ended');
    expect(await statusOf(later.id)).toBe('booked');
  });

  it('is cancelled if nobody comes, or when its change is over', async () => {
    const changeRequestId = await make('change-requests', { name: 'C', status: 'approved' });
    const assetId = await asset();
    const late = await booked({ assetId, ...span(-2, 2), noShowMinutes: 60 });
    const waits = await booked({ assetId: await asset(), ...span(-2, 2) });
    const inTime = await booked({ assetId: await asset(), ...span(-2, 2), noShowMinutes: 180 });
    await service.database.db.query(raw('SELECT cancel_no_shows()'));
    expect(await Promise.all([late, waits, inTime].map(({ id }) => statusOf(id)))).toEqual([
      'cancelled',
      'booked',
      'booked',
    ]);
    const [entry] = (await viewer.get(`/api/bookings/${late.id}/changes?action=update`)).body.data;
    expect(entry).toMatchObject({ actor: 'system', action: 'update' });
    const forIt = await booked({ assetId, ...span(4, 5), changeRequestId });
    const out = await booked({ assetId: await asset(), ...span(-1, 5), changeRequestId, personId: ada });
    await act(out.id, 'pick-up');
    await admin.patch(`/api/change-requests/${changeRequestId}`, { status: 'in_progress' });
    expect(await statusOf(forIt.id)).toBe('booked');
    await admin.patch(`/api/change-requests/${changeRequestId}`, { status: 'completed' });
    expect([await statusOf(forIt.id), await statusOf(out.id)]).toEqual(['cancelled', 'out']);
  });

  it('ends with its record, and loses its person', async () => {
    const assetId = await asset();
    const { id } = await booked({ assetId, ...span(1, 2), personId: await person('Eve') });
    const { personId } = (await viewer.get(`/api/bookings/${id}`)).body.data;
    await admin.delete(`/api/people/${personId}`);
    expect((await viewer.get(`/api/bookings/${id}`)).body.data.personId).toBeNull();
    await admin.delete(`/api/assets/${assetId}`);
    expect((await viewer.get(`/api/bookings/${id}`)).status).toBe(404);
    const entries = (await admin.get(`/api/change-log?recordId=${id}&action=delete`)).body.data;
    expect(entries).toMatchObject([{ resource: 'bookings' }]);
    await admin.post(`/api/assets/${assetId}/restore`);
    expect(await statusOf(id)).toBe('booked');
  });
});

describe('what is free', () => {
  const free = async (query: string): Promise<string[]> => {
    const { status, body } = await viewer.get(`/api/bookings/available?${query}&sort=name&pageSize=100`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ total: body.data?.length, page: 1, hasMore: false }),
    ]);
    return body.data.map(({ name }: Json) => name);
  };
  const within = (from: number, to: number): string => `from=${inHours(from)}&to=${inHours(to)}`;

  it('is what nobody has or has booked for the whole span', async () => {
    const categoryId = await make('asset-categories', { name: 'Cameras' });
    const siteId = await make('sites', { name: 'Studio' });
    const locationId = await make('locations', { name: 'Store', siteId });
    const of = `categoryId=${categoryId}`;
    const camera = (name: string, more: object = {}): Promise<string> => asset({ name, categoryId, ...more });
    const one = await camera('c1', { siteId, locationId });
    const two = await camera('c2', { status: 'reserved', siteId });
    const three = await camera('c3', { status: 'pending' });
    for (const status of ['in_repair', 'lost', 'retired', 'disposed']) await camera(status, { status });
    await buyer.post(`/api/assets/${three}/assign`, { personId: bob, dueAt: inHours(10) });
    const out = await camera('c4');
    await buyer.post(`/api/assets/${out}/assign`, { personId: bob });
    const booking = await booked({ assetId: one, ...span(10, 12), personId: ada });
    const deviceId = await make('devices', { name: 'made of c2', assetId: two });
    await booked({ deviceId, ...span(20, 22) });
    expect(await free(`${of}&${within(1, 2)}`)).toEqual(['c1', 'c2']);
    expect(await free(`${of}&${within(9, 11)}`)).toEqual(['c2']);
    expect(await free(`${of}&${within(12, 20)}`)).toEqual(['c1', 'c2', 'c3']);
    expect(await free(`${of}&${within(10, 21)}`)).toEqual(['c3']);
    await act(booking.id, 'cancel');
    expect(await free(`${of}&${within(10, 21)}`)).toEqual(['c1', 'c3']);
    expect(await free(`siteId=${siteId}&${within(1, 2)}`)).toEqual(['c1', 'c2']);
    expect(await free(`locationId=${locationId}&${within(1, 2)}`)).toEqual(['c1']);
    // Every asset that the list returns can be booked; no other asset of the category can.
    for (const name of ['c1', 'c2']) {
      expect(await free(`${of}&${within(1, 2)}`)).toContain(name);
      expect((await booked({ categoryId, ...span(1, 2) })).assetName).toMatch(/^c[12]$/);
    }
    expect(await free(`${of}&${within(1, 2)}`)).toEqual([]);
    expect((await book({ categoryId, ...span(1, 2) })).status).toBe(409);
    const shown = (await viewer.get(`/api/bookings/available?${of}&${within(30, 31)}&search=c1`)).body.data;
    expect(shown).toEqual([await assetNow(one)]);
    const csv = await viewer.get(`/api/bookings/available?${of}&${within(30, 31)}&format=csv`);
    expect(csv.text.split('\n', 1)[0]).toContain('assetTag');
  });

  it.each([
    ['', 'from'],
    [`from=${inHours(1)}`, 'to'],
    [`from=${inHours(1)}&to=${inHours(1)}`, 'to'],
    [`from=${inHours(2)}&to=${inHours(1)}`, 'to'],
    ['from=soon&to=later', 'from'],
    [`${within(1, 2)}&colour=red`, 'colour'],
  ])('is refused for %s', async (query, field) => {
    expect(refused(await viewer.get(`/api/bookings/available?${query}`))).toEqual([400, field]);
  });
});

describe('the bookings of a record', () => {
  it('are those of an asset and of the devices made of it', async () => {
    const assetId = await asset();
    const deviceId = await make('devices', { name: 'free-standing' });
    const of = async (path: string, query = ''): Promise<string[]> =>
      (await viewer.get(`/api/${path}/bookings?sort=startTime${query}`)).body.data.map(({ id }: Json) => id);
    const first = await booked({ assetId, ...span(1, 2) });
    await act(first.id, 'cancel');
    const second = await booked({ deviceId, ...span(2, 3) });
    const third = await booked({ assetId, ...span(3, 4) });
    await booked({ assetId: await asset(), ...span(1, 2) });
    expect(await of(`assets/${assetId}`)).toEqual([first.id, third.id]);
    expect(await of(`devices/${deviceId}`)).toEqual([second.id]);
    expect((await admin.patch(`/api/devices/${deviceId}`, { assetId })).status).toBe(200);
    for (const path of [`assets/${assetId}`, `devices/${deviceId}`]) {
      expect(await of(path)).toEqual([first.id, second.id, third.id]);
      expect(await of(path, '&status=booked')).toEqual([second.id, third.id]);
    }
    for (const path of ['assets', 'devices']) {
      expect((await viewer.get(`/api/${path}/${randomUUID()}/bookings`)).status).toBe(404);
      expect((await viewer.get(`/api/${path}/x/bookings`)).status).toBe(400);
    }
  });
});

describe('the picture of bookings', () => {
  const at = (day: number, hour = 0): string => new Date(Date.UTC(2033, 2, day, hour)).toISOString();
  const window = `from=${at(7)}&to=${at(14)}`;
  const draw = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
    viewer.get(`/api/bookings?${query}`, headers);

  it('has a row for each record that is booked within the window, told apart, and a bar for each booking', async () => {
    const [one, other] = [await asset({ assetTag: 'AT-1' }), await asset({ assetTag: 'AT-2' })];
    const device = await make('devices', { name: '<sw> & "1"' });
    const from = (startTime: string, endTime: string, more: object): Promise<Json> =>
      booked({ startTime, endTime, ...more });
    await from(at(6), at(8), { assetId: one, personId: ada, purpose: 'Fair' });
    const cancelled = await from(at(9), at(10), { assetId: one, purpose: 'Never' });
    await act(cancelled.id, 'cancel');
    await from(at(13, 12), at(20), { assetId: other, personId: bob });
    await from(at(10), at(11), { deviceId: device, purpose: 'Lab' });
    await from(at(14), at(15), { assetId: one, purpose: 'After' });
    const { status, headers, text } = await draw(`format=svg&${window}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const names = [...text.matchAll(/<text class="name" x="16"[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['&#60;sw&#62; &#38; &#34;1&#34;', 'Projector (AT-1)', 'Projector (AT-2)']);
    const bars = [...text.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(bars).toEqual([
      'Lab: booked, Thu 2033-03-10 00:00 to Fri 2033-03-11 00:00 UTC',
      'Ada: booked, Fair, Mon 2033-03-07 00:00 to Tue 2033-03-08 00:00 UTC',
      'Bob: booked, Sun 2033-03-13 12:00 to Mon 2033-03-14 00:00 UTC',
    ]);
    expect(text).toContain('<title>Bookings from Mon 2033-03-07 00:00 to Mon 2033-03-14 00:00 UTC</title>');
    // The filters of the list apply. A client may also select the format by its media type.
    const his = await draw(`${window}&personId=${bob}`, { accept: 'image/svg+xml' });
    expect(his.text.match(/<g><title>/g)).toHaveLength(1);
    expect((await draw(`format=svg&${window}&search=nothing`)).text).toContain('Nothing is booked in this window');
  });

  it.each([
    ['format=svg&from=2033-03-07&to=2033-03-07', 'to'],
    ['format=svg&from=2033-03-07&to=2035-03-07', 'to'],
    ['format=svg&page=1', 'page'],
    ['format=svg&pageSize=5', 'pageSize'],
    ['format=pdf', 'format'],
    ['from=2033-03-07', 'from'],
    ['to=2033-03-07&format=csv', 'to'],
  ])('is refused: %s', async (query, field) => expect(refused(await draw(query))).toEqual([400, field]));

  it('is the list otherwise', async () => {
    expect((await draw('pageSize=1')).body.data).toHaveLength(1);
    expect((await draw('format=csv&pageSize=1')).text).toMatch(/^id,/);
  });
});
