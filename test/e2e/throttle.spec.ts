import { randomUUID } from 'node:crypto';
import { Api, startService, startServiceOn, type Answer, type TestService } from '../support/app.js';

const PASSWORD = 'correct horse battery staple';
const WRONG = 'wrong horse battery staple';

let service: TestService;
let admin: Api;
// A proxy that is believed, so that a test can come from any address.
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'true' });
  admin = await service.as('admin');
});
afterAll(() => service.stop());

async function makeProfile(email = `${randomUUID()}@example.com`): Promise<string> {
  await admin.make('/api/profiles', { email, password: PASSWORD });
  return email;
}

const login = (email: string, password: string, from: string, { url } = service): Promise<Answer> =>
  new Api(url).post('/api/auth/login', { email, password }, { 'x-forwarded-for': from });

const statusOf = async (...attempt: Parameters<typeof login>): Promise<number> => (await login(...attempt)).status;

/** Fails as often from an address as it may, for as many accounts. */
async function exhaust(address: string, addressOf = (_attempt: number) => address): Promise<void> {
  const attempts = Array.from({ length: 100 }, (_, attempt) =>
    statusOf(`nobody-${randomUUID()}@example.com`, WRONG, addressOf(attempt)),
  );
  expect(new Set(await Promise.all(attempts))).toEqual(new Set([401]));
}

it('shuts out an address after a hundred attempts, for any account, and no other address', async () => {
  const email = await makeProfile();
  await exhaust('192.0.2.1');
  const refused = await login(email, PASSWORD, '192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statusOf(email, PASSWORD, '192.0.2.2')).toBe(200);
  service.clock.advance(15.1);
  expect(await statusOf(email, PASSWORD, '192.0.2.1')).toBe(200);
  admin = await service.as('admin');
}, 60_000);

it('takes the addresses of one IPv6 network for one, as a customer has all of them', async () => {
  const email = await makeProfile();
  await exhaust('', (attempt) => `2001:db8:0:7::${attempt.toString(16)}:1`);
  expect(await statusOf(email, PASSWORD, '2001:db8:0:7:ffff::')).toBe(429);
  expect(await statusOf(email, PASSWORD, '2001:db8:0:8::1')).toBe(200);
}, 60_000);

it('does not let an address that is shut out shut out accounts', async () => {
  const email = await makeProfile();
  await exhaust('192.0.2.3');
  for (let attempt = 0; attempt < 15; attempt++) expect(await statusOf(email, WRONG, '192.0.2.3')).toBe(429);
  expect(await statusOf(email, PASSWORD, '192.0.2.4')).toBe(200);
}, 60_000);

it.each(['unknown', '', 'x'.repeat(8000), '999.1.1.1', "'; DROP TABLE login_throttles --"])(
  'counts who is forwarded for %.20j as the address that is connected',
  async (forged) => {
    const email = await makeProfile();
    expect(await statusOf(email, WRONG, forged)).toBe(401);
    expect(await statusOf(email, PASSWORD, forged)).toBe(200);
    const [profile] = (await admin.get(`/api/profiles?email=${email}`)).body.data;
    const sessions = await admin.get(`/api/profiles/${profile.id}/sessions`);
    expect(sessions.body.data).toEqual([expect.objectContaining({ remoteAddress: '127.0.0.1' })]);
  },
);

it('shuts out an account after ten attempts from ten addresses, in whatever spelling the database finds it', async () => {
  const email = await makeProfile(`iiiiiiiiii-${randomUUID()}@example.com`);
  for (let attempt = 0; attempt < 10; attempt++) {
    // The database makes an i of it in lower case, JavaScript an i with a combining dot.
    const spelling = `${email.slice(0, attempt)}İ${email.slice(attempt + 1)}`;
    expect(await statusOf(spelling, WRONG, `198.51.100.${attempt}`)).toBe(401);
  }
  expect(await statusOf(email, PASSWORD, '198.51.100.99')).toBe(429);
  expect(await statusOf(email.toUpperCase(), PASSWORD, '198.51.100.99')).toBe(429);
});

it('is the same spelling with which one can log in', async () => {
  const email = await makeProfile(`i-${randomUUID()}@example.com`);
  expect(await statusOf(email.replace('i', 'İ'), PASSWORD, '198.51.100.100')).toBe(200);
});

it('remembers both after a restart', async () => {
  const before = await startService({ TRUST_PROXY: 'true' });
  const email = `${randomUUID()}@example.com`;
  await (await before.as('admin')).make('/api/profiles', { email, password: PASSWORD });
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(await statusOf(email, WRONG, `203.0.113.${attempt}`, before)).toBe(401);
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    // No account has this name, and 429 for it would need eleven attempts: the address alone is counted.
    expect(await statusOf(`nobody-${attempt}@example.com`, WRONG, '203.0.113.200', before)).toBe(401);
  }
  before.app.getHttpServer().closeAllConnections();
  await before.app.close();
  const after = await startServiceOn(before.database, { TRUST_PROXY: 'true' });
  try {
    expect(await statusOf(email, PASSWORD, '203.0.113.201', after)).toBe(429);
    expect(await statusOf('somebody@example.com', WRONG, '203.0.113.200', after)).toBe(429);
    expect(await statusOf('somebody@example.com', WRONG, '203.0.113.201', after)).toBe(401);
  } finally {
    await after.stop();
  }
}, 60_000);

it('holds digests of emails, and no email', async () => {
  const email = await makeProfile();
  await statusOf(email, WRONG, '198.51.100.101');
  const rows = await service.database.db.query<{ key: string }>('SELECT key FROM login_throttles');
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^(?:account:[\w-]{43}|address:[\d.]+|address:[\da-f:]+::\/64)$/);
});
