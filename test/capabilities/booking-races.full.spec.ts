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

interface Span {
  from: number;
  to: number;
}
const meet = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

const book = (body: object, { from, to }: Span): Promise<Answer> =>
  api.post('/api/bookings', { ...body, startTime: at(from), endTime: at(to) });

// oxlint-disable-next-line typescript/no-explicit-any -- bookings have any shape
const spanOf = ({ startTime, endTime }: any): Span => ({
  from: (Date.parse(startTime) - START) / HOUR,
  to: (Date.parse(endTime) - START) / HOUR,
});

itOnServer('64 callers for one asset at one time: one of them has it', async () => {
  const { id: assetId } = await api.make('/api/assets', { name: 'A' });
  const answers = await Promise.all(Array.from({ length: 64 }, () => book({ assetId }, { from: 0, to: 8 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(63).fill(409)]);
});

itOnServer('callers for any asset of a category are refused only if none is free for their whole span', async () => {
  for (const [assets, seed] of [
    [1, 3],
    [3, 7],
    [8, 11],
  ] as const) {
    const { id: categoryId } = await api.make('/api/asset-categories', { name: `C${assets}` });
    const ids: string[] = [];
    for (let index = 0; index < assets; index++) {
      ids.push((await api.make('/api/assets', { name: `A${index}`, categoryId })).id);
    }
    let state = seed;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const spans = Array.from({ length: 64 }, (): Span => {
      const from = random(40);
      return { from, to: from + 1 + random(12) };
    });
    // Some requests ask for a specific asset.
    const answers = await Promise.all(
      spans.map((span, index) => book(index % 8 === 0 ? { assetId: ids[index % assets] } : { categoryId }, span)),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const { data } = (await api.get(`/api/bookings?status=booked&assetId=${ids.join('&assetId=')}`)).body;
    const taken = new Map(ids.map((id) => [id, [] as Span[]]));
    for (const booking of data) {
      const span = spanOf(booking);
      expect(taken.get(booking.assetId)!.some((other) => meet(other, span))).toBe(false);
      taken.get(booking.assetId)!.push(span);
    }
    expect(data).toHaveLength(answers.filter(({ status }) => status === 201).length);
    for (const [index, { status, body }] of answers.entries()) {
      if (status === 201 || index % 8 === 0) continue;
      const free = ids.filter((id) => !taken.get(id)!.some((other) => meet(other, spans[index]!)));
      expect(free).toEqual([]);
      expect(body.error).toContain('the next free span is from ');
    }
    // At any time, at most all assets are booked.
    const more = await Promise.all(Array.from({ length: 40 }, () => book({ categoryId }, { from: 100, to: 101 })));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(assets);
  }
});

itOnServer(
  'a hand-out and a booking at once never contradict each other, and a booking is picked up once',
  async () => {
    const [ada, bob] = await Promise.all(
      ['Ada', 'Bob'].map(async (fullName) => (await api.make('/api/people', { fullName })).id),
    );
    const now = Date.now();
    const times = { startTime: new Date(now - HOUR).toISOString(), endTime: new Date(now + HOUR).toISOString() };
    for (let round = 0; round < 8; round++) {
      const { id: assetId } = await api.make('/api/assets', { name: 'A' });
      const [booking] = await Promise.all([
        api.post('/api/bookings', { assetId, personId: ada, ...times }),
        api.post(`/api/assets/${assetId}/assign`, { personId: bob }),
      ]);
      expect(booking.status).toBe(201);
      const { id } = booking.body.data;
      const picked = await Promise.all(Array.from({ length: 8 }, () => api.post(`/api/bookings/${id}/pick-up`)));
      const { currentAssignee } = (await api.get(`/api/assets/${assetId}`)).body.data;
      const isOut = currentAssignee.personId === ada;
      expect(picked.filter(({ status }) => status === 200)).toHaveLength(isOut ? 1 : 0);
      expect((await api.get(`/api/bookings/${id}`)).body.data.status).toBe(isOut ? 'out' : 'booked');
    }
  },
);
