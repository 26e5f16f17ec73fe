import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, startService, startServiceOn, type Answer, type TestService } from '../support/app.js';
import { connectTo, onServer } from '../support/database.js';
import { hashesOfLittleCost } from '../support/hashes.js';
import { itDirectly } from '../support/server.js';
import { buildService, spawnService, type SpawnedService } from '../support/spawned-service.js';
import { PATIENCE_MS } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

// Two services cannot share an embedded database.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Two replicas: skipped, as they need a server (TEST_DATABASE_URL)');

const PASSWORD = 'correct horse battery staple';
const OTHER = 'another horse battery staple';

const login = (url: string, email: string, password = PASSWORD): Promise<Answer> =>
  new Api(url).post('/api/auth/login', { email, password });

async function enter(url: string, email: string, password = PASSWORD): Promise<Api> {
  const answer = await login(url, email, password);
  expect(answer.status).toBe(200);
  return new Api(url, /^session=([^;]*)/.exec(answer.headers.get('set-cookie')!)![1]!);
}

const statusOf = async (api: Api, path = '/api/sites'): Promise<number> => (await api.get(path)).status;

/** Milliseconds until a response has this status. */
async function until(status: number, ask: () => Promise<number>): Promise<number> {
  const started = performance.now();
  for (;;) {
    const got = await ask();
    if (got === status) return performance.now() - started;
    if (performance.now() - started > PATIENCE_MS) throw new Error(`Still ${got}, not ${status}`);
    await sleep(1);
  }
}

describeOnServer('two replicas on one database', () => {
  // Logins of one account wait for each other, for at most ten seconds.
  hashesOfLittleCost();
  let one: TestService;
  let two: TestService;
  let admin: Api;

  beforeAll(async () => {
    one = await startService();
    // One connection, so that a test can stop its notifications.
    two = await startServiceOn(await connectTo(one.database.url!, 1));
    // On the second replica only a notification can end a session, because time stands still.
    two.clock.stop();
    admin = await one.as('admin');
  });
  afterAll(async () => {
    await two?.stop();
    await one?.stop();
  });

  interface Known {
    id: string;
    /** The session on the first replica, and the same one cached on the second. */
    here: Api;
    there: Api;
  }

  async function known(): Promise<Known> {
    const email = `${randomUUID()}@example.com`;
    const { id } = await admin.make('/api/profiles', { email, password: PASSWORD, role: 'admin' });
    const here = await enter(one.url, email);
    const there = new Api(two.url, here.cookie);
    expect(await statusOf(there)).toBe(200);
    return { id, here, there };
  }

  const endings: [string, (known: Known) => Promise<Answer>][] = [
    ['logging out', ({ here }) => here.post('/api/auth/logout')],
    ['deactivating the profile', ({ id }) => admin.patch(`/api/profiles/${id}`, { isActive: false })],
    ['a new password from an administrator', ({ id }) => admin.patch(`/api/profiles/${id}`, { password: OTHER })],
    ['deleting the profile', ({ id }) => admin.delete(`/api/profiles/${id}`)],
    ['an administrator who ends the sessions', ({ id }) => admin.delete(`/api/profiles/${id}/sessions`)],
    [
      "changing one's own password in another session",
      async ({ here }) => {
        const { email } = (await here.get('/api/auth/session')).body.data;
        const second = await enter(one.url, email);
        return second.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: OTHER });
      },
    ],
  ];

  interface KnownToken {
    id: string;
    profileId: string;
    /** The session that created the token, on the first replica. */
    session: Api;
    /** The token on the first replica, and on the second, where it is cached. */
    here: Api;
    there: Api;
  }

  async function knownToken(): Promise<KnownToken> {
    const { id: profileId, here: session } = await known();
    const { id, token } = await session.make('/api/tokens', { name: 'replicated' });
    const [here, there] = [new Api(one.url, undefined, token), new Api(two.url, undefined, token)];
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200]);
    return { id, profileId, session, here, there };
  }

  const tokenEndings: [string, (token: KnownToken) => Promise<Answer>][] = [
    ['deleting it', ({ session, id }) => session.delete(`/api/tokens/${id}`)],
    ['an administrator who deletes it', ({ id }) => admin.delete(`/api/tokens/${id}`)],
    ['deleting all of the profile', ({ session }) => session.delete('/api/tokens')],
    ['deactivating the profile', ({ profileId }) => admin.patch(`/api/profiles/${profileId}`, { isActive: false })],
    [
      'a new password from an administrator',
      ({ profileId }) => admin.patch(`/api/profiles/${profileId}`, { password: OTHER }),
    ],
    ['deleting the profile', ({ profileId }) => admin.delete(`/api/profiles/${profileId}`)],
  ];

  it.each(tokenEndings)('a token: %s on one ends it on the other at once', async (_, end) => {
    const token = await knownToken();
    expect((await end(token)).status).toBeLessThan(300);
    await until(401, () => statusOf(token.there));
    expect(await statusOf(token.here)).toBe(401);
  });

  it('a token: works again on both when its profile is active again', async () => {
    const { profileId, here, there } = await knownToken();
    await admin.patch(`/api/profiles/${profileId}`, { isActive: false });
    await until(401, () => statusOf(there));
    await admin.patch(`/api/profiles/${profileId}`, { isActive: true });
    await until(200, () => statusOf(there));
    expect(await statusOf(here)).toBe(200);
  });

  it('a token: a role that its profile loses on one is gone on the other at once', async () => {
    const { profileId, there } = await knownToken();
    expect(await statusOf(there, '/api/profiles')).toBe(200);
    await admin.patch(`/api/profiles/${profileId}`, { role: 'viewer' });
    await until(403, () => statusOf(there, '/api/profiles'));
  });

  it('a token: tells within milliseconds, also of its deletion', async () => {
    const took: number[] = [];
    for (let round = 0; round < 20; round++) {
      const { id, session, there } = await knownToken();
      await session.delete(`/api/tokens/${id}`);
      took.push(await until(401, () => statusOf(there)));
    }
    const sorted = took.toSorted((a, b) => a - b);
    console.info(
      `Token revoked elsewhere after ${sorted[10]!.toFixed(1)} ms in the middle, ${sorted[19]!.toFixed(1)} at most`,
    );
    expect(took).toHaveLength(20);
  });

  it.each(endings)('%s on one ends the session on the other at once', async (_, end) => {
    const session = await known();
    expect((await end(session)).status).toBeLessThan(300);
    await until(401, () => statusOf(session.there));
    expect(await statusOf(session.here)).toBe(401);
  });

  it('a revoked role or area on one is gone on the other at once', async () => {
    const { id, there } = await known();
    expect(await statusOf(there, '/api/profiles')).toBe(200);
    await admin.patch(`/api/profiles/${id}`, { role: 'viewer' });
    await until(403, () => statusOf(there, '/api/profiles'));
    expect(await statusOf(there, '/api/runbooks')).toBe(200);
    await admin.patch(`/api/profiles/${id}`, { areas: ['network'] });
    await until(403, () => statusOf(there, '/api/runbooks'));
  });

  it('notify each other within milliseconds', async () => {
    const took: number[] = [];
    for (let round = 0; round < 20; round++) {
      const { here, there } = await known();
      await here.post('/api/auth/logout');
      took.push(await until(401, () => statusOf(there)));
    }
    const sorted = took.toSorted((a, b) => a - b);
    console.info(
      `Revoked elsewhere after a median of ${sorted[10]!.toFixed(1)} ms, at most ${sorted[19]!.toFixed(1)} ms`,
    );
    expect(took).toHaveLength(20);
  });

  describe('without notifications', () => {
    const LIFETIME_MINUTES = 5 / 60;

    itDirectly.each(endings)('%s takes effect after five seconds', async (_, end) => {
      const session = await known();
      await two.database.db.query(sql`UNLISTEN *`);
      try {
        await end(session);
        // This replica got no notification, and its cache still has the session. The limit of five seconds is for this case.
        expect(await statusOf(session.there)).toBe(200);
        two.clock.advance(LIFETIME_MINUTES);
        expect(await statusOf(session.there)).toBe(401);
      } finally {
        await two.database.db.query(sql`LISTEN session_changes`);
      }
    });

    itDirectly('a broken connection shows that notifications were lost', async () => {
      const session = await known();
      await two.database.db.query(sql`UNLISTEN *`);
      const [backend] = await two.database.db.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await session.here.post('/api/auth/logout');
      expect(await statusOf(session.there)).toBe(200);
      await one.database.db.query(sql`SELECT pg_terminate_backend(${backend!.pid})`);
      await until(401, () => statusOf(session.there));
    });
  });

  it('count the failed logins of an account together', async () => {
    const email = `${randomUUID()}@example.com`;
    await admin.make('/api/profiles', { email, password: PASSWORD });
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await login(one.url, email, OTHER)).status).toBe(401);
      expect((await login(two.url, email, OTHER)).status).toBe(401);
    }
    for (const { url } of [one, two]) expect((await login(url, email)).status).toBe(429);
  });

  it('admit concurrent successful logins, and as many guesses as one of them would', async () => {
    const tally = async (password: string, count: number, email: string): Promise<Record<number, number>> => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) => login([one, two][n % 2]!.url, email, password)),
      );
      return Object.fromEntries(
        [200, 401, 429].map((wanted) => [wanted, answers.filter(({ status }) => status === wanted).length]),
      );
    };
    const email = `${randomUUID()}@example.com`;
    await admin.make('/api/profiles', { email, password: PASSWORD });
    expect(await tally(PASSWORD, 30, email)).toEqual({ 200: 30, 401: 0, 429: 0 });
    expect(await tally(OTHER, 60, email)).toEqual({ 200: 0, 401: 10, 429: 50 });
  });
});

describeOnServer('two processes on one database', () => {
  let service: TestService;
  let admin: Api;
  const processes: SpawnedService[] = [];

  beforeAll(async () => {
    buildService();
    service = await startService();
    admin = await service.as('admin');
  }, 180_000);
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await service?.stop();
  });

  async function startProcess(): Promise<SpawnedService> {
    const spawned = await spawnService({ DATABASE_URL: service.database.url });
    processes.push(spawned);
    return spawned;
  }

  it('end a session together, and count failed logins together, also after a restart', async () => {
    const [one, two] = await Promise.all([startProcess(), startProcess()]);
    const email = `${randomUUID()}@example.com`;
    await admin.make('/api/profiles', { email, password: PASSWORD });

    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const here = await enter(one.url, email);
      const there = new Api(two.url, here.cookie);
      expect(await statusOf(there)).toBe(200);
      expect((await here.post('/api/auth/logout')).status).toBe(204);
      took.push(await until(401, () => statusOf(there)));
    }
    console.info(`Revoked in the other process after ${took.map((ms) => ms.toFixed(1)).join(', ')} ms`);

    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await login(one.url, email, OTHER)).status).toBe(401);
      expect((await login(two.url, email, OTHER)).status).toBe(401);
    }
    for (const { url } of [one, two]) expect((await login(url, email)).status).toBe(429);
    await one.kill();
    const again = await startProcess();
    expect((await login(again.url, email)).status).toBe(429);
  }, 120_000);
});
