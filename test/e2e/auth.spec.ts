import { randomUUID } from 'node:crypto';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';
const WRONG = 'wrong horse battery staple';

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

const makeProfile = (more: object = {}): Promise<Made> =>
  admin.make('/api/profiles', { email: `Ada-${randomUUID()}@example.com`, password: PASSWORD, ...more });

const login = (email: string, password = PASSWORD): Promise<Answer> =>
  service.anonymous.post('/api/auth/login', { email, password });

const tokenOf = (answer: Answer): string => /^session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')![1]!;

async function enter(email: string, password = PASSWORD): Promise<Api> {
  const answer = await login(email, password);
  expect(answer.status).toBe(200);
  return new Api(service.url, tokenOf(answer));
}

const statusOf = async (api: Api): Promise<number> => (await api.get('/api/auth/session')).status;

/** Logs the administrator in again after the clock was advanced. */
const refresh = async (): Promise<void> => void (admin = await service.as('admin'));

it('a profile and a token have each area once', async () => {
  const { id } = await makeProfile({ areas: ['people', 'network', 'people'] });
  const { body } = await admin.get(`/api/profiles/${id}`);
  expect(body.data.areas).toEqual(['people', 'network']);
  const changed = await admin.patch(`/api/profiles/${id}`, { areas: ['network', 'network'] });
  expect(changed.body.data.areas).toEqual(['network']);
  const token = await admin.make('/api/tokens', { name: 'Twice', areas: ['people', 'people'] });
  expect(token.areas).toEqual(['people']);
});

describe('login', () => {
  it('returns the profile and sets the cookie', async () => {
    const profile = await makeProfile({ role: 'editor', areas: ['network'] });
    const answer = await login(profile.email);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(answer.body.data).toMatchObject({
      id: profile.id,
      email: profile.email,
      role: 'editor',
      areas: ['network'],
      isActive: true,
    });
    expect(answer.text).not.toMatch(/password|argon2|hash/i);
    const [pair, ...attributes] = answer.headers.get('set-cookie')!.split('; ');
    expect(pair).toMatch(/^session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('opens a working session, with a different token each time', async () => {
    const { email, id } = await makeProfile();
    const [first, second] = [await enter(email), await enter(email)];
    expect(first.cookie).not.toBe(second.cookie);
    for (const api of [first, second]) {
      const answer = await api.get('/api/auth/session');
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ id, email });
    }
  });

  it('compares the email case-insensitively, the password exactly', async () => {
    const { email } = await makeProfile();
    expect((await login(email.toUpperCase())).status).toBe(200);
    expect((await login(email.toLowerCase())).status).toBe(200);
    expect((await login(email, PASSWORD.toUpperCase())).status).toBe(401);
    expect((await login(email, `${PASSWORD} `)).status).toBe(401);
  });

  it('gives the same response for an unknown email, a wrong password and an inactive profile', async () => {
    const active = await makeProfile();
    const inactive = await makeProfile({ isActive: false });
    const answers = [
      await login(active.email, WRONG),
      await login(`nobody-${randomUUID()}@example.com`),
      await login('not an email'),
      await login(inactive.email),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.text).toBe(answers[0]!.text);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect([...answer.headers.keys()].toSorted()).toEqual([...answers[0]!.headers.keys()].toSorted());
    }
    expect(Object.keys(answers[0]!.body)).toEqual(['error']);
  });

  it.each([
    ['nothing', undefined, ['body']],
    ['no properties', {}, ['email', 'password']],
    ['an unknown property', { email: 'a@example.com', password: PASSWORD, remember: true }, ['remember']],
    ['a password that is not a string', { email: 'a@example.com', password: 5 }, ['password']],
  ])('refuses a body with %s', async (_, body, fields) => {
    const answer = await service.anonymous.post('/api/auth/login', body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  it('shows no secret in a refusal', async () => {
    const answer = await service.anonymous.post('/api/auth/login', { email: 5, password: 'hunter2-hunter2' });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('hunter2');
  });
});

describe('logout', () => {
  it('ends this session only, and clears the cookie', async () => {
    const { email } = await makeProfile();
    const [first, second] = [await enter(email), await enter(email)];
    const answer = await first.post('/api/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^session=;/);
    expect(cookie).toMatch(/; Max-Age=0/);
    expect(cookie).toMatch(/; Path=\//);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(second)).toBe(200);
    expect((await first.post('/api/auth/logout')).status).toBe(401);
  });
});

describe('a cookie', () => {
  it.each([
    ['none', undefined],
    ['an empty value', 'session='],
    ['an unknown value', `session=${'A'.repeat(43)}`],
    ['a very long value', `session=${'A'.repeat(4000)}`],
    ['one with SQL', `session=' OR 1=1 --`],
    ['a value that is not text', 'session=%00%ff'],
    ['a cookie of another name', 'sid=x'],
  ])('%s is not a session', async (_, cookie) => {
    const answer = await service.anonymous.get('/api/auth/session', cookie === undefined ? {} : { cookie });
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.body)).toEqual(['error']);
  });

  it('is found among other cookies', async () => {
    const cookie = `theme=dark; session=${admin.cookie}; x=y`;
    expect((await service.anonymous.get('/api/auth/session', { cookie })).status).toBe(200);
  });

  it('is not stored in the database', async () => {
    const { email } = await makeProfile();
    const api = await enter(email);
    const rows = await service.database.db.query<{ row: string }>(sql`SELECT t::text AS row FROM sessions t`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(api.cookie!))).toBe(false);
    expect(rows.some(({ row }) => row.includes(Buffer.from(api.cookie!).toString('hex')))).toBe(false);
  });
});

describe('a session', () => {
  it('ends after half an hour without use, and each use extends it', async () => {
    const { email } = await makeProfile();
    const [used, idle] = [await enter(email), await enter(email)];
    service.clock.advance(29);
    expect(await statusOf(used)).toBe(200);
    service.clock.advance(2);
    expect(await statusOf(used)).toBe(200);
    expect(await statusOf(idle)).toBe(401);
    service.clock.advance(29);
    expect(await statusOf(used)).toBe(200);
    service.clock.advance(31);
    expect(await statusOf(used)).toBe(401);
    await refresh();
  });

  it('ends after twelve hours, however often it is used', async () => {
    const { email } = await makeProfile();
    const api = await enter(email);
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      service.clock.advance(20);
      expect(await statusOf(api)).toBe(200);
    }
    service.clock.advance(19);
    expect(await statusOf(api)).toBe(200);
    service.clock.advance(2);
    expect(await statusOf(api)).toBe(401);
    await refresh();
  });
});

describe('failed logins', () => {
  it('lock the account, even for the correct password, until the window ends', async () => {
    const { email } = await makeProfile();
    const other = await makeProfile();
    for (let attempt = 1; attempt <= 10; attempt++) expect((await login(email, WRONG)).status).toBe(401);
    for (const attempt of [await login(email, WRONG), await login(email), await login(email.toUpperCase())]) {
      expect(attempt.status).toBe(429);
      expect(Object.keys(attempt.body)).toEqual(['error']);
      const seconds = Number(attempt.headers.get('retry-after'));
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(15 * 60);
    }
    expect((await login(other.email)).status).toBe(200);
    service.clock.advance(14);
    const late = await login(email);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    service.clock.advance(1.1);
    expect((await login(email)).status).toBe(200);
    await refresh();
  });

  it('are counted alike for an unknown email', async () => {
    const email = `nobody-${randomUUID()}@example.com`;
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt++) statuses.push((await login(email)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    service.clock.advance(16);
    await refresh();
  });

  itOnServer('are counted exactly when they are concurrent', async () => {
    const { email } = await makeProfile();
    const answers = await Promise.all(Array.from({ length: 15 }, () => login(email, WRONG)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    service.clock.advance(16);
    await refresh();
  });

  it('are forgotten after a successful login', async () => {
    const { email } = await makeProfile();
    for (let round = 0; round < 2; round++) {
      for (let attempt = 1; attempt <= 9; attempt++) expect((await login(email, WRONG)).status).toBe(401);
      expect((await login(email)).status).toBe(200);
    }
    service.clock.advance(16);
    await refresh();
  });
});

describe("changing one's own password", () => {
  it('ends the other sessions', async () => {
    const { email } = await makeProfile();
    const [own, other] = [await enter(email), await enter(email)];
    const answer = await own.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'a new one, long' });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(await statusOf(own)).toBe(200);
    expect(await statusOf(other)).toBe(401);
    expect((await login(email)).status).toBe(401);
    await enter(email, 'a new one, long');
  });

  it('requires the current password', async () => {
    const { email } = await makeProfile();
    const [own, other] = [await enter(email), await enter(email)];
    const answer = await own.post('/api/auth/password', { currentPassword: WRONG, newPassword: 'a new one, long' });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([{ field: 'currentPassword', message: expect.any(String) }]);
    expect(await statusOf(other)).toBe(200);
    await enter(email);
  });

  it.each([
    ['eleven characters', 'eleven char'],
    ['1025 characters', 'x'.repeat(1025)],
    ['a NUL', 'twelve chars\0'],
    ['a number', 123_456_789_012],
    ['null', null],
  ])('cannot be %s', async (_, newPassword) => {
    const { email } = await makeProfile();
    const own = await enter(email);
    const answer = await own.post('/api/auth/password', { currentPassword: PASSWORD, newPassword });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([{ field: 'newPassword', message: expect.any(String) }]);
    await enter(email);
  });

  it('accepts up to 1024 characters, all of which count', async () => {
    const long = 'x'.repeat(1024);
    const { email } = await makeProfile({ password: long });
    expect((await login(email, long)).status).toBe(200);
    expect((await login(email, `${long.slice(0, -1)}y`)).status).toBe(401);
  });

  it('limits guesses with a session too', async () => {
    const { email } = await makeProfile();
    const own = await enter(email);
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt++) {
      const body = { currentPassword: WRONG, newPassword: 'a new one, long' };
      statuses.push((await own.post('/api/auth/password', body)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    service.clock.advance(16);
    await refresh();
  });
});
