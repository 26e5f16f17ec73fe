import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/auth/credential/clock.js';
import { CredentialMarks } from '../../src/auth/credential/credential-marks.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { scansDuring } from '../support/scans.js';
import { itDirectly } from '../support/server.js';
import { until } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

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
const forge = async (from: string): Promise<void> =>
  expect(await times(200, () => statusOf(madeUp(), from))).toEqual({ 401: 200 });

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
  await service.database.db.query(sql`UPDATE sessions SET token_hash = ${now} WHERE token_hash = ${old}`);
  return unmarked;
};

it('a thousand forged sessions cost one lookup, also when they are concurrent', async () => {
  const lookUps = await lookUpsDuring(async () => {
    for (let n = 0; n < 10; n++) expect(await times(100, () => statusOf(madeUp(), '192.0.2.1'))).toEqual({ 401: 100 });
  });
  expect(lookUps).toBe(1);
});

itDirectly('an ended session is refused however often it is sent, and is looked up once in five seconds', async () => {
  const script = await service.as('viewer');
  expect((await script.get('/api/sites')).status).toBe(200);
  expect((await script.post('/api/auth/logout')).status).toBe(204);
  // Until the database has told of the end of the session, after which it is looked up once more.
  const lookedUp = (): Promise<number> => lookUpsDuring(() => statusOf(script.cookie!, '192.0.2.11'));
  await until(lookedUp, (lookUps) => lookUps === 0);
  await sleep(100);
  await until(lookedUp, (lookUps) => lookUps === 0);
  const lookUps = await lookUpsDuring(async () =>
    expect(await times(300, () => statusOf(script.cookie!, '192.0.2.11'))).toEqual({ 401: 300 }),
  );
  expect(lookUps).toBe(0);
});

it('are refused without a lookup if they are malformed', async () => {
  const forms = ['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`, "' OR 1=1 --"];
  const lookUps = await lookUpsDuring(async () =>
    expect(await times(150, (n) => statusOf(forms[n % forms.length]!, '192.0.2.2'))).toEqual({ 401: 150 }),
  );
  expect(lookUps).toBe(0);
});

it('are refused without a lookup if they have a wrong mark', async () => {
  const token = await openElsewhere('marked@example.com');
  const wrong = (n: number): string => madeUp() + token.slice(43, -1) + String(n % 10);
  const lookUps = await lookUpsDuring(async () =>
    expect(await times(150, (n) => statusOf(wrong(n), '192.0.2.10'))).toEqual({ 401: 150 }),
  );
  expect(lookUps).toBe(0);
});

describe('next to forged sessions, from the same address', () => {
  it('an existing session continues, also when it must be looked up again', async () => {
    const token = (await service.as('viewer')).cookie!;
    expect(await statusOf(token, '192.0.2.3')).toBe(200);
    await forge('192.0.2.3');
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
    await forge('192.0.2.4');
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
    await forge('192.0.2.9');
    expect(await statusOf(token, '192.0.2.9')).toBe(200);
  });

  it('a session of an earlier version that this process has never seen is accepted', async () => {
    const token = await openUnmarked('elsewhere@example.com');
    service.clock.advance(1);
    await forge('192.0.2.5');
    expect(await statusOf(token, '192.0.2.5')).toBe(200);
  });
});

it('a session that a replica of an earlier version has just opened is accepted within a minute', async () => {
  service.clock.advance(1);
  await forge('192.0.2.6');
  const token = await openUnmarked('rolling@example.com');
  expect(await statusOf(token, '192.0.2.6')).toBe(401);
  service.clock.advance(1);
  expect(await statusOf(token, '192.0.2.6')).toBe(200);
});

it('an ended session of an earlier version is refused', async () => {
  service.clock.advance(1);
  const token = await openUnmarked('ended@example.com');
  expect(await statusOf(token, '192.0.2.7')).toBe(200);
  expect((await new Api(service.url, token).post('/api/auth/logout')).status).toBe(204);
  expect(await statusOf(token, '192.0.2.7')).toBe(401);
});

it('many sessions are looked up at once', async () => {
  const tokens: string[] = [];
  for (let n = 0; n < 120; n++) tokens.push(await openElsewhere('many@example.com'));
  expect(await times(120, (n) => statusOf(tokens[n]!, '192.0.2.8'))).toEqual({ 200: 120 });
});
