import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LAPSE_MS, LoginThrottling } from '../../src/auth/password/login-throttle.js';
import { hashesWithoutCost } from '../support/hashes.js';
import { Api, startService, startServiceOn, type Answer, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

/** The number of password verifications. */
let verified = 0;
hashesWithoutCost(() => verified++);

const PASSWORD = 'correct horse battery staple';
const WRONG = 'wrong horse battery staple';

let service: TestService;
let admin: Api;
// A trusted proxy, so that a test can use any address.
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

const accountKeyOf = (email: string): string => `account:${createHash('sha256').update(email).digest('base64url')}`;

const statusOf = async (...attempt: Parameters<typeof login>): Promise<number> => (await login(...attempt)).status;

/** Uses up the failures that an address may have, with a different account each time. */
async function exhaust(address: string, addressOf = (_attempt: number) => address): Promise<void> {
  const attempts = Array.from({ length: 100 }, (_, attempt) =>
    statusOf(`nobody-${randomUUID()}@example.com`, WRONG, addressOf(attempt)),
  );
  expect(new Set(await Promise.all(attempts))).toEqual(new Set([401]));
}

it('blocks an address after a hundred attempts for any accounts, and no other address', async () => {
  const email = await makeProfile();
  await exhaust('192.0.2.1');
  const refused = await login(email, PASSWORD, '192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statusOf(email, PASSWORD, '192.0.2.2')).toBe(200);
  service.clock.advance(15.1);
  expect(await statusOf(email, PASSWORD, '192.0.2.1')).toBe(200);
  admin = await service.as('admin');
});

it('treats an IPv6 network as one address, because a customer controls all of it', async () => {
  const email = await makeProfile();
  await exhaust('', (attempt) => `2001:db8:0:7::${attempt.toString(16)}:1`);
  expect(await statusOf(email, PASSWORD, '2001:db8:0:7:ffff::')).toBe(429);
  expect(await statusOf(email, PASSWORD, '2001:db8:0:8::1')).toBe(200);
});

it('does not let a blocked address block accounts', async () => {
  const email = await makeProfile();
  await exhaust('192.0.2.3');
  for (let attempt = 0; attempt < 15; attempt++) expect(await statusOf(email, WRONG, '192.0.2.3')).toBe(429);
  expect(await statusOf(email, PASSWORD, '192.0.2.4')).toBe(200);
});

it.each(['unknown', '', 'x'.repeat(8000), '999.1.1.1', "'; DROP TABLE login_throttles --"])(
  'uses the address of the connection if %.20j is forwarded',
  async (forged) => {
    const email = await makeProfile();
    expect(await statusOf(email, WRONG, forged)).toBe(401);
    expect(await statusOf(email, PASSWORD, forged)).toBe(200);
    const [profile] = (await admin.get(`/api/profiles?email=${email}`)).body.data;
    const sessions = await admin.get(`/api/profiles/${profile.id}/sessions`);
    expect(sessions.body.data).toEqual([expect.objectContaining({ remoteAddress: '127.0.0.1' })]);
  },
);

it('blocks an account after ten attempts from ten addresses, in any spelling that the database matches', async () => {
  const email = await makeProfile(`iiiiiiiiii-${randomUUID()}@example.com`);
  for (let attempt = 0; attempt < 10; attempt++) {
    const spelling = `${email.slice(0, attempt)}I${email.slice(attempt + 1)}`;
    expect(await statusOf(spelling, WRONG, `198.51.100.${attempt}`)).toBe(401);
  }
  expect(await statusOf(email, PASSWORD, '198.51.100.99')).toBe(429);
  expect(await statusOf(email.toUpperCase(), PASSWORD, '198.51.100.99')).toBe(429);
});

it('accepts the same spelling at login, and no letter that only some locales fold', async () => {
  const email = await makeProfile(`i-${randomUUID()}@example.com`);
  expect(await statusOf(email.replace('i', 'I'), PASSWORD, '198.51.100.100')).toBe(200);
  expect(await statusOf(email.replace('i', 'İ'), PASSWORD, '198.51.100.101')).toBe(401);
});

it('keeps both across a restart', async () => {
  const before = await startService({ TRUST_PROXY: 'true' });
  const email = `${randomUUID()}@example.com`;
  await (await before.as('admin')).make('/api/profiles', { email, password: PASSWORD });
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(await statusOf(email, WRONG, `203.0.113.${attempt}`, before)).toBe(401);
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    // No such account exists, and the limit of an account is higher. So only the limit of the address counts.
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
});

it('stores digests of email addresses, and no addresses', async () => {
  const email = await makeProfile();
  await statusOf(email, WRONG, '198.51.100.101');
  const rows = await service.database.db.query<{ key: string }>(sql`SELECT key FROM login_throttles`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^(?:account:[\w-]{43}|address:[\d.]+|address:[\da-f:]+::\/64)$/);
});

describe('concurrently', () => {
  type Tally = Record<number, number>;
  const tally = (statuses: number[]): Tally =>
    statuses.reduce<Tally>((sum, status) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }), {});
  const times = async (count: number, work: (n: number) => Promise<number>): Promise<Tally> =>
    tally(await Promise.all(Array.from({ length: count }, (_, n) => work(n))));
  beforeEach(() => (verified = 0));

  it.each([
    ['one address', () => '192.0.2.50'],
    ['many addresses', (n: number) => `192.0.2.${n + 50}`],
  ])('thirty successful logins from %s are all admitted', async (_, from) => {
    const email = await makeProfile();
    expect(await times(30, (n) => statusOf(email, PASSWORD, from(n)))).toEqual({ 200: 30 });
  });

  it('two hundred guesses at an account cost ten hashes', async () => {
    const email = await makeProfile();
    expect(await times(200, (n) => statusOf(email, WRONG, `203.0.113.${n}`))).toEqual({ 401: 10, 429: 190 });
    expect(verified).toBe(10);
    expect(await statusOf(email, PASSWORD, '203.0.113.250')).toBe(429);
  });

  it('two hundred guesses from an address cost a hundred hashes', async () => {
    const guess = (): Promise<number> => statusOf(`nobody-${randomUUID()}@example.com`, WRONG, '192.0.2.60');
    expect(await times(200, guess)).toEqual({ 401: 100, 429: 100 });
    expect(verified).toBe(100);
  });

  it('fewer guesses than the limit do not block successful logins', async () => {
    const email = await makeProfile();
    const [wrong, right] = await Promise.all([
      times(9, (n) => statusOf(email, WRONG, `198.51.100.${n}`)),
      times(30, (n) => statusOf(email, PASSWORD, `198.51.100.${n + 10}`)),
    ]);
    expect([wrong, right]).toEqual([{ 401: 9 }, { 200: 30 }]);
  });

  it('more guesses block the account until the window ends, as sequential ones do', async () => {
    const email = await makeProfile();
    const [wrong] = await Promise.all([
      times(100, (n) => statusOf(email, WRONG, `198.51.100.${n}`)),
      times(2, (n) => statusOf(email, PASSWORD, `198.51.100.${n + 100}`)),
    ]);
    // A successful login resets the failures, so each login allows at most ten more guesses.
    expect(wrong[401]).toBeLessThanOrEqual(30);
    expect(wrong[401]! + wrong[429]!).toBe(100);
    service.clock.advance(15.1);
    expect(await statusOf(email, PASSWORD, '198.51.100.200')).toBe(200);
    admin = await service.as('admin');
  });

  describe('slots of a process that died', () => {
    /** The state that a process leaves if it is killed during ten logins. */
    async function leaveTen(email: string): Promise<void> {
      await statusOf(email, PASSWORD, '192.0.2.70');
      const lapses = new Date(service.clock.now().getTime() + LAPSE_MS);
      const rows = await service.database.db.query(
        sql`UPDATE login_throttles SET in_flight = array_fill(${lapses}::timestamptz, ARRAY[10])
         WHERE key LIKE 'account:%' AND attempts = 0 AND window_ends_at > ${service.clock.now()} AND key = ${accountKeyOf(email)} RETURNING key`,
      );
      expect(rows).toHaveLength(1);
    }

    it('expire, and logins wait for that', async () => {
      const email = await makeProfile();
      await leaveTen(email);
      let answered = false;
      const answering = statusOf(email, PASSWORD, '192.0.2.71').finally(() => (answered = true));
      await sleep(300);
      expect(answered).toBe(false);
      service.clock.advance(LAPSE_MS / 60_000);
      expect(await answering).toBe(200);
      admin = await service.as('admin');
    });

    it('refuse a login that has waited for ten seconds, and say when to try again', async () => {
      const email = await makeProfile();
      await leaveTen(email);
      const answer = await login(email, PASSWORD, '192.0.2.72');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
      expect(verified).toBe(1);
    });

    it('are kept by housekeeping until they expire', async () => {
      const email = await makeProfile();
      await leaveTen(email);
      const { db } = service.database;
      const key = accountKeyOf(email);
      const places = (): Promise<object[]> => db.query(sql`SELECT 1 FROM login_throttles WHERE key = ${key}`);
      await db.query(sql`UPDATE login_throttles SET window_ends_at = ${service.clock.now()} WHERE key = ${key}`);
      await service.app.get(LoginThrottling).prune();
      expect(await places()).toHaveLength(1);
      service.clock.advance(LAPSE_MS / 60_000);
      await service.app.get(LoginThrottling).prune();
      expect(await places()).toHaveLength(0);
    });
  });
});
