import { randomBytes } from 'node:crypto';
import { Api, startService, type TestService } from '../support/app.js';
import { scansDuring } from '../support/scans.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const madeUp = (): string => randomBytes(32).toString('base64url');
/** Statuses of requests with the cookies, all at once, and the number of sessions that were looked up meanwhile. */
async function send(cookies: readonly string[]): Promise<{ statuses: Set<number>; lookUps: number }> {
  let statuses: number[] = [];
  const lookUps = await scansDuring(service.database, ['sessions'], async () => {
    statuses = await Promise.all(
      cookies.map(async (cookie) => (await new Api(service.url, cookie).get('/api/sites')).status),
    );
  });
  return { statuses: new Set(statuses), lookUps };
}

it('a made-up session is refused, and costs one query by an index', async () => {
  const { statuses, lookUps } = await send(Array.from({ length: 200 }, madeUp));
  expect([statuses, lookUps]).toEqual([new Set([401]), 200]);
});

it('a text of another form is refused without a query', async () => {
  const forms = ['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`, "' OR 1=1 --"];
  expect(await send(forms)).toEqual({ statuses: new Set([401]), lookUps: 0 });
});
