import { startService, type Api, type TestService } from '../support/app.js';
import { atOnce } from '../support/at-once.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

jest.setTimeout(120_000);

it('50 callers for 17 seats get 17, and freeing them at once leaves none', async () => {
  const { id } = await admin.make('/api/software-licences', { name: 'IDE', seats: 17 });
  const path = `/api/software-licences/${id}`;
  const people = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => (await admin.make('/api/people', { fullName: `P${i}` })).id as string),
  );
  const callers = await Promise.all(people.map(() => service.as('editor', ['procurement'])));
  for (let round = 0; round < 5; round++) {
    const answers = await atOnce(service, () =>
      Promise.all(people.map((personId, i) => callers[i]!.post(`${path}/seats`, { personId }))),
    );
    const given = answers.filter(({ status }) => status === 201);
    expect(given).toHaveLength(17);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(33);
    expect((await admin.get(path)).body.data.assignedSeats).toBe(17);
    const freed = given.map(({ body }) => body.data.id as string);
    const answered = await atOnce(service, () =>
      Promise.all([
        ...freed.map((seat) => admin.delete(`${path}/seats/${seat}`)),
        // Meanwhile, the customer's number is refused, or the last freed seat sets it to 0.
        ...Array.from({ length: 5 }, () => admin.patch(path, { assignedSeats: 3 })),
      ]),
    );
    expect(answered.slice(0, 17).every(({ status }) => status === 204)).toBe(true);
    expect([0, 3]).toContain((await admin.get(path)).body.data.assignedSeats);
  }
});

it('a person is given one seat of a licence however often it is asked for, and a shrinking licence keeps its seats', async () => {
  const { id } = await admin.make('/api/software-licences', { name: 'IDE', seats: 20 });
  const path = `/api/software-licences/${id}`;
  const { id: personId } = await admin.make('/api/people', { fullName: 'Ada' });
  const same = await atOnce(service, () =>
    Promise.all(Array.from({ length: 20 }, () => admin.post(`${path}/seats`, { personId }))),
  );
  expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
  const people = await Promise.all(
    Array.from({ length: 15 }, async (_, i) => (await admin.make('/api/people', { fullName: `Q${i}` })).id as string),
  );
  await atOnce(service, () =>
    Promise.all([
      ...people.map((holder) => admin.post(`${path}/seats`, { personId: holder })),
      ...Array.from({ length: 15 }, (_, i) => admin.patch(path, { seats: 15 - i })),
    ]),
  );
  const { seats, assignedSeats } = (await admin.get(path)).body.data as { seats: number; assignedSeats: number };
  expect(assignedSeats).toBe((await admin.get(`${path}/seats`)).body.total);
  expect(assignedSeats).toBeLessThanOrEqual(seats);
});
