import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { hashesWithoutCost } from '../support/hashes.js';
import { sql } from '../../src/database/sql.js';

/** Runs during the verification of a password, before the request uses the result. */
let duringVerification: () => Promise<unknown> = async () => {};
hashesWithoutCost(() => duringVerification());

const ROUNDS = 200;
const [OLD, NEW, OTHER] = ['the old password of the tests', 'the new password of the tests', 'yet another password'];

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'true' });
  admin = await service.as('admin');
});
afterAll(() => service.stop());
beforeEach(() => (duringVerification = async () => {}));

/** Runs `work` once, during the next request that verifies a password. */
function meanwhile(work: () => Promise<unknown>): void {
  duringVerification = async () => {
    duringVerification = async () => {};
    await work();
  };
}

interface Made {
  id: string;
  email: string;
}
const makeProfile = (): Promise<Made> =>
  admin.make('/api/profiles', { email: `${randomUUID()}@example.com`, password: OLD });

let address = 0;
/** A unique address, so that other failures do not count. */
const elsewhere = (): { 'x-forwarded-for': string } => {
  address++;
  return { 'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}` };
};
const login = (email: string, password: string): Promise<Answer> =>
  service.anonymous.post('/api/auth/login', { email, password }, elsewhere());
const sessionOf = (answer: Answer): Api =>
  new Api(service.url, /^session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')![1]!);
const enter = async ({ email }: Made, password = OLD): Promise<Api> => {
  const answer = await login(email, password);
  expect(answer.status).toBe(200);
  return sessionOf(answer);
};
const change = (api: Api, newPassword = NEW): Promise<Answer> =>
  api.post('/api/auth/password', { currentPassword: OLD, newPassword }, elsewhere());
const patch = ({ id }: Made, body: object): Promise<Answer> => admin.patch(`/api/profiles/${id}`, body);
const statusOf = async (api: Api): Promise<number> => (await api.get('/api/auth/session', elsewhere())).status;
const openSessionsOf = async ({ id }: Made): Promise<number> =>
  (await admin.get(`/api/profiles/${id}/sessions`)).body.total;

async function must(answer: Promise<Answer>): Promise<void> {
  expect((await answer).status).toBeLessThan(300);
}

describe('a login whose password was correct when it was verified', () => {
  it.each<[string, (profile: Made, own: Api) => Promise<unknown>]>([
    ['its owner changes the password', (_, own) => must(change(own))],
    ['an administrator changes the password', (profile) => must(patch(profile, { password: NEW }))],
    ['an administrator sets the same password', (profile) => must(patch(profile, { password: OLD }))],
    ['the profile is deactivated', (profile) => must(patch(profile, { isActive: false }))],
    ['the profile is deleted', ({ id }) => must(admin.delete(`/api/profiles/${id}`))],
  ])('is refused when %s meanwhile', async (_, happens) => {
    const profile = await makeProfile();
    const own = await enter(profile);
    meanwhile(() => happens(profile, own));
    const answer = await login(profile.email, OLD);
    expect([answer.status, answer.body]).toEqual([401, { error: 'Wrong email or password' }]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('leaves no session that works again after a reactivation', async () => {
    const profile = await makeProfile();
    meanwhile(() => must(patch(profile, { isActive: false })));
    await login(profile.email, OLD);
    await must(patch(profile, { isActive: true }));
    expect(await openSessionsOf(profile)).toBe(0);
  });
});

describe('a change of password whose current password was correct when it was verified', () => {
  const changed = { error: 'currentPassword is not the current password', details: expect.any(Array) };
  it.each<[string, number, (profile: Made) => Promise<unknown>]>([
    ['the password is changed in another session', 400, async (profile) => must(change(await enter(profile), OTHER))],
    ['an administrator changes the password', 400, (profile) => must(patch(profile, { password: OTHER }))],
    ['an administrator sets the same password', 400, (profile) => must(patch(profile, { password: OLD }))],
    ['the profile is deactivated', 401, (profile) => must(patch(profile, { isActive: false }))],
    [
      'the profile is deactivated and activated again',
      401,
      async (profile) => {
        await must(patch(profile, { isActive: false }));
        await must(patch(profile, { isActive: true }));
      },
    ],
    ['its session is ended', 401, ({ id }) => must(admin.delete(`/api/profiles/${id}/sessions`))],
    ['the profile is deleted', 401, ({ id }) => must(admin.delete(`/api/profiles/${id}`))],
  ])('is refused when %s meanwhile', async (_, status, happens) => {
    const profile = await makeProfile();
    const own = await enter(profile);
    meanwhile(() => happens(profile));
    const answer = await change(own);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual(changed);
    expect((await login(profile.email, NEW)).status).toBe(401);
  });
});

// On the embedded database, transactions run one after the other.
(onServer ? describe : describe.skip)('concurrently', () => {
  const waiting = async (): Promise<void> => {
    const [row] = await service.database.db.query<{ count: number }>(
      sql`SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (row!.count === 0) await sleep(10).then(waiting);
  };

  it.each([sql`password_hash = password_hash || 'x'`, sql`is_active = false`])(
    'a login waits for an uncommitted change: %s',
    async (assignment) => {
      const profile = await makeProfile();
      const answer = await service.database.db.transaction(async (tx) => {
        await tx.query(sql`UPDATE profiles SET ${assignment} WHERE id = ${profile.id}`);
        const answering = login(profile.email, OLD);
        await waiting();
        return { answering };
      });
      expect((await answer.answering).status).toBe(401);
      expect(await openSessionsOf(profile)).toBe(0);
    },
  );

  it.each([{ password: NEW }, { isActive: false }])(
    'a change ends a session that is open and not committed yet: %j',
    async (body) => {
      const profile = await makeProfile();
      const { token, answering } = await service.database.db.transaction(async (tx) => {
        const opened = await service.app.get(Sessions).open(tx, profile.id);
        const patching = patch(profile, body);
        await waiting();
        return { token: opened!, answering: patching };
      });
      expect((await answering).status).toBe(200);
      expect(await openSessionsOf(profile)).toBe(0);
      expect(await statusOf(new Api(service.url, token))).toBe(401);
    },
  );
});

it('a session from the command line is refused if the profile is deactivated meanwhile', async () => {
  const profile = await makeProfile();
  const { db } = service.database;
  const sessions = service.app.get(Sessions);
  // The service has found the profile, and is about to open the session.
  const interrupted = Object.assign(Object.create(sessions) as Sessions, {
    open: async (...given: Parameters<Sessions['open']>) => {
      await must(patch(profile, { isActive: false }));
      return sessions.open(...given);
    },
  });
  const opening = openSession(db, interrupted, { email: profile.email });
  await expect(opening).rejects.toThrow(`The profile ${profile.email} is not active`);
  await must(patch(profile, { isActive: true }));
  expect(await openSessionsOf(profile)).toBe(0);
});

it('a change of password is final, in many random interleavings', async () => {
  const pause = async (): Promise<void> => void (await sleep(Math.random() * 8));
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    await pause();
    return work();
  };
  const changes: Record<string, number> = {};
  const logins: Record<string, number> = {};
  const interleave = async (round: number): Promise<void> => {
    const profile = await makeProfile();
    const [owner, thief] = [await enter(profile), await enter(profile)];
    const intervention = [
      undefined,
      () => must(patch(profile, { password: 'what the administrator says' })),
      async () => {
        await must(patch(profile, { isActive: false }));
        await must(patch(profile, { isActive: true }));
      },
    ][round % 3];
    const [byOwner, byThief, ...entered] = await Promise.all([
      later(() => change(owner, NEW)),
      later(() => change(thief, OTHER)),
      ...Array.from({ length: 4 }, () => later(() => login(profile.email, OLD))),
      ...(intervention ? [later(intervention)] : []),
    ]);
    const answers = entered.slice(0, 4) as Answer[];
    for (const { status } of [byOwner!, byThief!] as Answer[]) changes[status] = (changes[status] ?? 0) + 1;
    for (const { status } of answers) logins[status] = (logins[status] ?? 0) + 1;

    const won = [byOwner, byThief].map((answer) => (answer as Answer).status === 204);
    expect(won.filter(Boolean).length).toBeLessThanOrEqual(1);
    if (!intervention) expect(won.filter(Boolean)).toHaveLength(1);
    const current = round % 3 === 1 ? 'what the administrator says' : won[0] ? NEW : won[1] ? OTHER : OLD;
    for (const password of [OLD, NEW, OTHER, 'what the administrator says']) {
      const { status } = await login(profile.email, password);
      expect([round, password, status]).toEqual([round, password, password === current ? 200 : 401]);
    }
    // If the password has changed, only the session that changed it remains of those with the old password.
    if (current !== OLD) {
      for (const answer of answers) if (answer.status === 200) expect(await statusOf(sessionOf(answer))).toBe(401);
      for (const [index, api] of [owner, thief].entries()) {
        const status = await statusOf(api);
        if (!won[index]) expect([round, status]).toEqual([round, 401]);
        else if (!intervention) expect([round, status]).toEqual([round, 200]);
      }
    }
  };
  duringVerification = pause;
  for (let round = 0; round < ROUNDS; round += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => interleave(round + index)));
  }
  expect(Object.keys(changes).toSorted()).toEqual(['204', '400', '401']);
  expect(Object.keys(logins).toSorted()).toEqual(['200', '401']);
  console.info(`Changes ${JSON.stringify(changes)}, logins with the old password ${JSON.stringify(logins)}`);
}, 120_000);
