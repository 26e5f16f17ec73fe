import { createHash, randomBytes } from 'node:crypto';
import { Clock } from '../../src/auth/credential/clock.js';
import { CredentialMarks } from '../../src/auth/credential/credential-marks.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { scansDuring } from '../support/scans.js';

const PASSWORD = 'correct horse battery staple';

let service: TestService;
// A trusted proxy, so that a test can use any address.
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'true' });
  service.clock.stop();
});
afterAll(() => service.stop());

/** Number of tokens that are looked up in the database during `work`. Nothing else may read the sessions meanwhile. */
const lookUpsDuring = (work: () => Promise<unknown>): Promise<number> =>
  scansDuring(service.database, ['sessions'], work);

const madeUp = (): string => randomBytes(32).toString('base64url');
const ask = (token: string, from: string, path = '/api/sites'): Promise<Answer> =>
  new Api(service.url, token).get(path, { 'x-forwarded-for': from });
const statusOf = async (...given: Parameters<typeof ask>): Promise<number> => (await ask(...given)).status;

type Tally = Record<number, number>;
const times = async (count: number, work: (n: number) => Promise<number>): Promise<Tally> => {
  const statuses = await Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  return statuses.reduce<Tally>((sum, status) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }), {});
};
const exhaust = async (from: string): Promise<void> =>
  expect(await times(100, () => statusOf(madeUp(), from))).toEqual({ 401: 100 });

/** A session that this process has never seen. */
const openElsewhere = (email: string): Promise<string> => {
  const { database, app } = service;
  const limits = { idleMinutes: 30, absoluteHours: 12 };
  const sessions = new Sessions(database.db, new Clock(), limits, app.get(CredentialMarks));
  return openSession(database.db, sessions, { email, role: 'viewer' });
};
/** A session as earlier versions have opened it, without a mark. */
const openUnmarked = async (email: string): Promise<string> => {
  const [marked, unmarked] = [await openElsewhere(email), madeUp()];
  const [old, now] = [marked, unmarked].map((text) => createHash('sha256').update(text).digest());
  await service.database.db.query('UPDATE sessions SET token_hash = $2 WHERE token_hash = $1', [old, now]);
  return unmarked;
};

it('a thousand forged sessions cost a hundred lookups, also when they are concurrent', async () => {
  const lookUps = await lookUpsDuring(async () => {
    expect(await times(200, () => statusOf(madeUp(), '192.0.2.1'))).toEqual({ 401: 100, 429: 100 });
    for (let n = 0; n < 8; n++) expect(await times(100, () => statusOf(madeUp(), '192.0.2.1'))).toEqual({ 429: 100 });
  });
  expect(lookUps).toBe(100);
  const refused = await ask(madeUp(), '192.0.2.1');
  expect([refused.status, refused.body]).toEqual([
    429,
    {
      error:
        'Too many requests with a session, token or calendar address that does not exist or has ended. Log in at POST /api/auth/login, or try again in 60 seconds',
    },
  ]);
  expect(refused.headers.get('retry-after')).toBe('60');
}, 60_000);

it('an expired session is refused a hundred times, then with the time to try again', async () => {
  const script = await service.as('viewer');
  expect((await script.post('/api/auth/logout')).status).toBe(204);
  const statuses: number[] = [];
  for (let n = 0; n < 102; n++) statuses.push((await script.get('/api/sites')).status);
  expect(statuses).toEqual([...Array<number>(100).fill(401), 429, 429]);
  service.clock.advance(1);
  expect((await script.get('/api/sites')).status).toBe(401);
});

it('are limited by network and minute', async () => {
  await exhaust('2001:db8:0:7::1');
  expect(await statusOf(madeUp(), '2001:db8:0:7:ffff::')).toBe(429);
  expect(await statusOf(madeUp(), '2001:db8:0:8::1')).toBe(401);
  service.clock.advance(59 / 60);
  const late = await ask(madeUp(), '2001:db8:0:7::1');
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
  service.clock.advance(1 / 60);
  await exhaust('2001:db8:0:7::1');
});

it('are refused without a lookup if they are malformed, and do not count', async () => {
  const forms = ['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`, "' OR 1=1 --"];
  const lookUps = await lookUpsDuring(async () =>
    expect(await times(150, (n) => statusOf(forms[n % forms.length]!, '192.0.2.2'))).toEqual({ 401: 150 }),
  );
  expect(lookUps).toBe(0);
  expect(await statusOf(madeUp(), '192.0.2.2')).toBe(401);
});

describe('next to forged sessions, from the same address', () => {
  it('an existing session continues, also when it must be looked up again', async () => {
    const token = (await service.as('viewer')).cookie!;
    expect(await statusOf(token, '192.0.2.3')).toBe(200);
    await exhaust('192.0.2.3');
    expect(await statusOf(madeUp(), '192.0.2.3')).toBe(429);
    for (let n = 0; n < 3; n++) {
      service.clock.advance(6 / 60);
      const lookUps = await lookUpsDuring(async () => expect(await statusOf(token, '192.0.2.3')).toBe(200));
      expect(lookUps).toBe(1);
    }
  });

  it('users can log in and work', async () => {
    const admin = await service.as('admin');
    const email = 'beside@example.com';
    await admin.make('/api/profiles', { email, password: PASSWORD });
    await exhaust('192.0.2.4');
    const answer = await service.anonymous.post(
      '/api/auth/login',
      { email, password: PASSWORD },
      { 'x-forwarded-for': '192.0.2.4' },
    );
    expect(answer.status).toBe(200);
    const token = /^session=([^;]+)/.exec(answer.headers.get('set-cookie')!)![1]!;
    expect(await statusOf(token, '192.0.2.4')).toBe(200);
  });

  it('a session that this process has never seen is accepted, as after a restart and on another replica', async () => {
    const token = await openElsewhere('replica@example.com');
    await exhaust('192.0.2.9');
    expect(await statusOf(madeUp(), '192.0.2.9')).toBe(429);
    expect(await statusOf(token, '192.0.2.9')).toBe(200);
  });

  it('a session of an earlier version that this process has never seen waits for the minute to end', async () => {
    const token = await openUnmarked('elsewhere@example.com');
    await exhaust('192.0.2.5');
    expect(await statusOf(token, '192.0.2.5')).toBe(429);
    expect(await statusOf(token, '192.0.2.6')).toBe(200);
    // Now the session is known.
    service.clock.advance(6 / 60);
    expect(await statusOf(token, '192.0.2.5')).toBe(200);
  });

  it('an ended session is no longer known', async () => {
    const token = await openUnmarked('ended@example.com');
    expect(await statusOf(token, '192.0.2.7')).toBe(200);
    await exhaust('192.0.2.7');
    expect((await new Api(service.url, token).post('/api/auth/logout')).status).toBe(204);
    // Looked up once, as it was valid. Then it counts as invalid.
    expect(await statusOf(token, '192.0.2.7')).toBe(401);
    expect(await statusOf(token, '192.0.2.7')).toBe(429);
  });

  it('a session with a wrong mark is refused without a lookup, and does not count', async () => {
    const token = await openElsewhere('marked@example.com');
    const wrong = (n: number): string => madeUp() + token.slice(43, -1) + String(n % 10);
    const lookUps = await lookUpsDuring(async () =>
      expect(await times(150, (n) => statusOf(wrong(n), '192.0.2.10'))).toEqual({ 401: 150 }),
    );
    expect(lookUps).toBe(0);
  });

  it('an ended session counts by itself, and not against the others of its address', async () => {
    const [ended, other] = [await service.as('viewer'), await openElsewhere('other@example.com')];
    await ended.post('/api/auth/logout');
    expect(await times(110, () => statusOf(ended.cookie!, '192.0.2.11'))).toEqual({ 401: 100, 429: 10 });
    expect(await statusOf(other, '192.0.2.11')).toBe(200);
    expect(await statusOf(madeUp(), '192.0.2.11')).toBe(401);
  });
});

it('more sessions than the limit are looked up at once if they are valid', async () => {
  const tokens: string[] = [];
  for (let n = 0; n < 120; n++) tokens.push(await openElsewhere('many@example.com'));
  expect(await times(120, (n) => statusOf(tokens[n]!, '192.0.2.8'))).toEqual({ 200: 120 });
}, 60_000);
