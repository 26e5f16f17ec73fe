import { randomUUID } from 'node:crypto';
import { openSession } from '../../src/auth/open-session.js';
import type { Caller } from '../../src/access/access.js';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { RequestContext } from '../../src/lists/request-context.js';
import { ProfilesService } from '../../src/auth/profile/profiles.service.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';

let service: TestService;
let admin: Api;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Made {
  id: string;
  email: string;
}

const newEmail = (): string => `Ada-${randomUUID()}@example.com`;
const makeProfile = (more: object = {}, by = admin): Promise<Made> =>
  by.make('/api/profiles', { email: newEmail(), password: PASSWORD, ...more });
const login = (email: string, password = PASSWORD, url = service.url): Promise<Answer> =>
  new Api(url).post('/api/auth/login', { email, password });
const enter = async (email: string, password = PASSWORD, url = service.url): Promise<Api> => {
  const answer = await login(email, password, url);
  expect(answer.status).toBe(200);
  return new Api(url, /^session=([^;]*)/.exec(answer.headers.get('set-cookie')!)![1]!);
};
const statusOf = async (api: Api): Promise<number> => (await api.get('/api/auth/session')).status;
const fieldsOf = (answer: Answer): string[] => answer.body.details.map(({ field }: { field: string }) => field);

describe('a profile', () => {
  it('is created, read, changed and deleted', async () => {
    const email = newEmail();
    const made = await admin.post('/api/profiles', { email, password: PASSWORD });
    expect(made.status).toBe(201);
    const { data } = made.body;
    expect(made.headers.get('location')).toBe(`/api/profiles/${data.id}`);
    expect(data).toMatchObject({
      email,
      role: 'viewer',
      areas: ['operations', 'network', 'procurement', 'people'],
      isActive: true,
    });
    expect(Object.keys(data).toSorted()).toEqual(
      ['areas', 'createdAt', 'email', 'id', 'isActive', 'role', 'updatedAt'].toSorted(),
    );
    expect((await admin.get(`/api/profiles/${data.id}`)).body.data).toEqual(data);
    const listed = await admin.get(`/api/profiles?email__ie=${email.toLowerCase()}`);
    expect(listed.body.data).toEqual([data]);
    const patched = await admin.patch(`/api/profiles/${data.id}`, { role: 'editor', areas: [] });
    expect(patched.body.data).toMatchObject({ role: 'editor', areas: [], email });
    expect((await admin.delete(`/api/profiles/${data.id}`)).status).toBe(204);
    expect((await admin.get(`/api/profiles/${data.id}`)).status).toBe(404);
    expect((await login(email)).status).toBe(401);
  });

  it('has a unique email address, ignoring case', async () => {
    const { email } = await makeProfile();
    const second = await makeProfile();
    for (const same of [email, email.toUpperCase()]) {
      for (const answer of [
        await admin.post('/api/profiles', { email: same, password: PASSWORD }),
        await admin.patch(`/api/profiles/${second.id}`, { email: same }),
      ]) {
        expect(answer.status).toBe(409);
        expect(fieldsOf(answer)).toEqual(['email']);
      }
    }
  });

  it.each([
    [{}, ['email', 'password']],
    [{ password: PASSWORD }, ['email']],
    [{ email: 'ada@example.com' }, ['password']],
    [{ email: 'ada', password: PASSWORD }, ['email']],
    [{ email: 'ada@example.com', password: 'eleven char' }, ['password']],
    [{ email: 'ada@example.com', password: PASSWORD, role: 'root' }, ['role']],
    [{ email: 'ada@example.com', password: PASSWORD, areas: ['space'] }, ['areas[0]']],
    [{ email: 'ada@example.com', password: PASSWORD, areas: null }, ['areas']],
    [{ email: 'ada@example.com', password: PASSWORD, isActive: 'yes' }, ['isActive']],
    [{ email: 'ada@example.com', password: PASSWORD, passwordHash: 'x' }, ['passwordHash']],
  ])('cannot be created from %j', async (body, fields) => {
    const answer = await admin.post('/api/profiles', body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).toSorted()).toEqual(fields.toSorted());
  });

  it('never shows its password, and cannot be filtered by it', async () => {
    const { id } = await makeProfile();
    for (const path of [`/api/profiles/${id}`, '/api/profiles', `/api/profiles/${id}/sessions`]) {
      expect((await admin.get(path)).text).not.toMatch(/argon2|password|token/i);
    }
    for (const name of ['password', 'passwordHash', 'password_hash']) {
      expect((await admin.get(`/api/profiles?${name}=x`)).status).toBe(400);
      expect((await admin.get(`/api/profiles?sort=${name}`)).status).toBe(400);
    }
  });

  it('ignores Idempotency-Key: a second request is a second request', async () => {
    const body = { email: newEmail(), password: PASSWORD };
    const headers = { 'idempotency-key': randomUUID() };
    expect((await admin.post('/api/profiles', body, headers)).status).toBe(201);
    expect((await admin.post('/api/profiles', body, headers)).status).toBe(409);
  });

  it.each(['viewer', 'editor', 'manager'] as const)('is not accessible to a %s', async (role) => {
    const { id } = await makeProfile();
    const api = await service.as(role);
    for (const answer of [
      await api.get('/api/profiles'),
      await api.get(`/api/profiles/${id}`),
      await api.post('/api/profiles', {}),
      await api.patch(`/api/profiles/${id}`, { role: 'admin' }),
      await api.delete(`/api/profiles/${id}`),
      await api.get(`/api/profiles/${id}/sessions`),
      await api.delete(`/api/profiles/${id}/sessions`),
    ]) {
      expect(answer.status).toBe(403);
    }
  });

  it('needs no area to be managed', async () => {
    const api = await service.as('admin', []);
    expect((await api.get('/api/profiles')).status).toBe(200);
  });
});

describe('the sessions of a profile', () => {
  it('end at once when it is deactivated, and it cannot log in until it is active again', async () => {
    const { id, email } = await makeProfile();
    const sessions = [await enter(email), await enter(email)];
    expect((await admin.patch(`/api/profiles/${id}`, { isActive: false })).status).toBe(200);
    for (const api of sessions) expect(await statusOf(api)).toBe(401);
    expect((await login(email)).status).toBe(401);
    expect((await admin.patch(`/api/profiles/${id}`, { isActive: true })).status).toBe(200);
    for (const api of sessions) expect(await statusOf(api)).toBe(401);
    await enter(email);
  });

  it('end at once when its password is changed', async () => {
    const { id, email } = await makeProfile();
    const api = await enter(email);
    expect((await admin.patch(`/api/profiles/${id}`, { password: 'another long password' })).status).toBe(200);
    expect(await statusOf(api)).toBe(401);
    expect((await login(email)).status).toBe(401);
    await enter(email, 'another long password');
  });

  it('end at once when it is deleted', async () => {
    const { id, email } = await makeProfile();
    const api = await enter(email);
    expect((await admin.delete(`/api/profiles/${id}`)).status).toBe(204);
    expect(await statusOf(api)).toBe(401);
  });

  it('get the new role and areas with the next request', async () => {
    const { id, email } = await makeProfile({ role: 'viewer' });
    const api = await enter(email);
    const write = async (): Promise<number> => (await api.post('/api/runbooks', { name: 'Restart' })).status;
    const read = async (): Promise<number> => (await api.get('/api/runbooks')).status;
    expect([await read(), await write()]).toEqual([200, 403]);
    await admin.patch(`/api/profiles/${id}`, { role: 'editor' });
    expect([await read(), await write()]).toEqual([200, 201]);
    await admin.patch(`/api/profiles/${id}`, { areas: ['network'] });
    expect([await read(), await write()]).toEqual([403, 403]);
    await admin.patch(`/api/profiles/${id}`, { areas: ['operations'], role: 'viewer' });
    expect([await read(), await write()]).toEqual([200, 403]);
    expect((await api.get('/api/auth/session')).body.data).toMatchObject({ role: 'viewer', areas: ['operations'] });
  });

  it('are listed and ended by an administrator', async () => {
    const { id, email } = await makeProfile();
    const sessions = [await enter(email), await enter(email)];
    const other = await makeProfile();
    const bystander = await enter(other.email);
    const listed = await admin.get(`/api/profiles/${id}/sessions`);
    expect(listed.status).toBe(200);
    expect(listed.body).toMatchObject({ total: 2, page: 1, pageSize: 10_000, hasMore: false });
    for (const session of listed.body.data) {
      expect(session).toMatchObject({ profileId: id, remoteAddress: '127.0.0.1' });
      expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.now());
    }
    for (const { cookie } of sessions) expect(listed.text).not.toContain(cookie);
    const ended = await admin.delete(`/api/profiles/${id}/sessions`);
    expect(ended.status).toBe(204);
    expect(ended.text).toBe('');
    for (const api of sessions) expect(await statusOf(api)).toBe(401);
    expect(await statusOf(bystander)).toBe(200);
    expect((await admin.get(`/api/profiles/${id}/sessions`)).body).toMatchObject({ data: [], total: 0 });
  });

  it('are not found for an unknown profile', async () => {
    for (const answer of [
      await admin.get(`/api/profiles/${randomUUID()}/sessions`),
      await admin.delete(`/api/profiles/${randomUUID()}/sessions`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await admin.get('/api/profiles/x/sessions')).status).toBe(400);
  });
});

describe('a session from the command line', () => {
  const open = (email: string, role?: 'viewer'): Promise<string> =>
    openSession(service.database.db, service.app.get(Sessions), { email, role });

  it('creates no profile with an address that the API would refuse', async () => {
    for (const email of ['scripts@localhost', 'scripts', ' ']) {
      await expect(open(email, 'viewer')).rejects.toThrow(
        `--email must be an email address, such as ada@example.com, not '${email}'`,
      );
    }
    expect((await admin.get('/api/profiles?email__isw=scripts')).body.total).toBe(0);
  });

  it('is opened for a profile that already has such an address', async () => {
    const { id } = await makeProfile();
    await service.database.db.query(sql`UPDATE profiles SET email = 'old@localhost' WHERE id = ${id}`);
    const cookie = `session=${await open('old@localhost', 'viewer')}`;
    // Uses `fetch`, because the document does not allow such an address.
    const answer = await fetch(`${service.url}/api/auth/session`, { headers: { cookie } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { data: { id, email: 'old@localhost' } }]);
    expect((await admin.patch(`/api/profiles/${id}`, { email: newEmail() })).status).toBe(200);
  });
});

describe('the last administrator', () => {
  let own: TestService;
  let last: Api;
  let id: string;

  beforeAll(async () => {
    own = await startService();
    last = await own.as('admin');
    id = (await last.get('/api/auth/session')).body.data.id;
  });
  afterAll(() => own.stop());

  it('cannot be demoted, deactivated or deleted, also next to an inactive one', async () => {
    await makeProfile({ role: 'manager' }, last);
    await makeProfile({ role: 'admin', isActive: false }, last);
    for (const answer of [
      await last.patch(`/api/profiles/${id}`, { role: 'manager' }),
      await last.patch(`/api/profiles/${id}`, { isActive: false }),
      await last.patch(`/api/profiles/${id}`, { role: 'viewer', isActive: false }),
      await last.delete(`/api/profiles/${id}`),
    ]) {
      expect(answer.status).toBe(409);
      expect(typeof answer.body.error).toBe('string');
    }
    expect((await last.get('/api/auth/session')).body.data).toMatchObject({ role: 'admin', isActive: true });
  });

  it('remains also when all are changed at once', async () => {
    const other = await makeProfile({ role: 'admin' }, last);
    const { data } = (await last.get('/api/auth/session')).body;
    const caller: Caller = {
      profileId: id,
      email: data.email,
      role: 'admin',
      areas: [],
      credential: { kind: 'session', id },
    };
    const demote = (...ids: string[]): Promise<boolean[]> =>
      new RequestContext(caller, 'demote', own.database.db, NO_FIELDS).transaction((tx) =>
        own.app.get(ProfilesService, { strict: false }).updateMany(
          tx,
          ids.map((one) => ({ id: one, body: { role: 'viewer' } })),
        ),
      );
    await expect(demote(id, other.id)).rejects.toThrow('this is the last active administrator');
    expect(await demote(other.id)).toEqual([true]);
  });

  it('can be changed otherwise', async () => {
    const answer = await last.patch(`/api/profiles/${id}`, { role: 'admin', isActive: true, areas: ['people'] });
    expect(answer.status).toBe(200);
  });

  it('can be demoted once there is another', async () => {
    const other = await makeProfile({ role: 'admin' }, last);
    const next = await enter(other.email, PASSWORD, own.url);
    expect((await last.patch(`/api/profiles/${id}`, { role: 'viewer' })).status).toBe(200);
    expect((await last.get('/api/profiles')).status).toBe(403);
    expect((await next.patch(`/api/profiles/${id}`, { role: 'admin' })).status).toBe(200);
    expect((await next.delete(`/api/profiles/${other.id}`)).status).toBe(204);
  });

  itOnServer('remains when two of them demote each other at once', async () => {
    for (const [role, isActive] of [
      ['viewer', true],
      ['admin', false],
    ] as const) {
      const other = await makeProfile({ role: 'admin' }, last);
      const next = await enter(other.email, PASSWORD, own.url);
      const answers = await Promise.all([
        last.patch(`/api/profiles/${other.id}`, { role, isActive }),
        next.patch(`/api/profiles/${id}`, { role, isActive }),
      ]);
      // For the second request, either the caller is no longer an administrator, or the profile is the last one.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [row] = await own.database.db.query<{ count: string }>(
        sql`SELECT count(*) FROM profiles WHERE role = 'admin' AND is_active`,
      );
      expect(row!.count).toBe('1');
      if (answers[1]!.status === 200) {
        last = next;
        id = other.id;
      }
    }
  });
});
