import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

it('of records that are read at the same moment each request gets its own', async () => {
  const made: { id: string; name: string }[] = [];
  for (let n = 0; n < 20; n++) made.push(await admin.make('/api/sites', { name: `Site ${n}` }));
  const viewer = await service.as('viewer');
  const answers = await Promise.all([
    ...made.map(({ id }) => admin.get(`/api/sites/${id}`)),
    ...made.map(({ id }) => viewer.get(`/api/sites/${id.toUpperCase()}`)),
    admin.get(`/api/sites/${randomUUID()}`),
  ]);
  expect(answers.slice(0, 40).map(({ body }) => body.data?.name)).toEqual([...made, ...made].map(({ name }) => name));
  expect(answers.at(-1)!.status).toBe(404);
});
