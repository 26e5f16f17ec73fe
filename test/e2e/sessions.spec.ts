import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Sessions } from '../../src/auth/session/sessions.js';
import { Api, startService, type Answer, type HeaderMap, type TestService } from '../support/app.js';
import { scansDuring } from '../support/scans.js';
import { some } from '../support/size.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const makeProfile = async (): Promise<string> => {
  const email = `${randomUUID()}@example.com`;
  await admin.make('/api/profiles', { email, password: PASSWORD });
  return email;
};
const login = (email: string, headers?: HeaderMap, password = PASSWORD): Promise<Answer> =>
  service.anonymous.post('/api/auth/login', { email, password }, headers);
const tokenOf = (answer: Answer): string => /^session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')![1]!;
const statusOf = async (api: Api): Promise<number> => (await api.get('/api/auth/session')).status;
const withCookie = async (cookie: string): Promise<number> =>
  (await service.anonymous.get('/api/auth/session', { cookie })).status;

describe('a token', () => {
  it('is 32 random bytes, of which only the SHA-256 is stored', async () => {
    const sessions = service.app.get(Sessions);
    const { db } = service.database;
    const [profile] = await db.query<{ id: string }>(sql`SELECT id FROM profiles LIMIT 1`);
    const tokens: string[] = [];
    for (let i = 0; i < 200; i++) tokens.push((await sessions.open(db, profile!.id))!);
    expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
    const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
    expect(bytes.every(({ length }) => length === 32)).toBe(true);
    // Each of the 256 bits is set in about half of the tokens. For a fair bit, 50 of 200 is seven standard deviations away.
    for (let bit = 0; bit < 256; bit++) {
      const set = bytes.filter((token) => token[bit >> 3]! & (1 << (bit & 7))).length;
      expect([bit, set > 50 && set < 150]).toEqual([bit, true]);
    }
    const rows = await db.query<{ row: string; hash: Buffer }>(
      sql`SELECT t::text AS row, token_hash AS hash FROM sessions t`,
    );
    const hashes = new Set(rows.map(({ hash }) => hash.toString('hex')));
    for (const [index, token] of tokens.entries()) {
      expect(hashes).toContain(createHash('sha256').update(token).digest('hex'));
      expect(rows.some(({ row }) => row.includes(token) || row.includes(bytes[index]!.toString('hex')))).toBe(false);
    }
  });

  it('is never the one that the client sent', async () => {
    const email = await makeProfile();
    const chosen = 'A'.repeat(43);
    const token = tokenOf(await login(email, { cookie: `session=${chosen}` }));
    expect(token).not.toBe(chosen);
    expect(await withCookie(`session=${chosen}`)).toBe(401);
    expect(await withCookie(`session=${token}`)).toBe(200);
  });
});

describe('a cookie that somebody else has set', () => {
  it('next to the right one invalidates both, in any order', async () => {
    const [own, foreign] = [admin.cookie!, tokenOf(await login(await makeProfile()))];
    for (const cookie of [
      `session=${foreign}; session=${own}`,
      `session=${own}; session=${foreign}`,
      `session=${own};session=${foreign}`,
      `session=x; session=${own}`,
      `session=; session=${own}`,
      `session=${own}; session=`,
      `session =x; session=${own}`,
      `session=${own}; theme=dark; \tsession=x`,
      `session=${own}; session=${own}`,
      `session=${own}; session =x`,
    ]) {
      expect([cookie, await withCookie(cookie)]).toEqual([cookie, 401]);
    }
  });

  it('with another name is ignored', async () => {
    for (const cookie of [
      `my-session=x; session=${admin.cookie}`,
      `theme=session=x; session=${admin.cookie}`,
      `session; session=${admin.cookie}`,
      `sessions; session=${admin.cookie}`,
      `Session=x; session=${admin.cookie}`,
      `session=${admin.cookie}; sessions=x`,
      `session=${admin.cookie}; __proto__=x; constructor=y`,
    ]) {
      expect([cookie, await withCookie(cookie)]).toEqual([cookie, 200]);
    }
    expect(await withCookie('__proto__=x; constructor=y')).toBe(401);
  });

  it('in two headers invalidates both', async () => {
    const response = await fetch(`${service.url}/api/auth/session`, {
      headers: [
        ['cookie', `session=${admin.cookie}`],
        ['cookie', 'session=x'],
      ],
    });
    expect(response.status).toBe(401);
  });
});

describe('the cookie of a login and of a logout', () => {
  const https = { 'x-forwarded-proto': 'https' };
  const production = { NODE_ENV: 'production' };
  const proxy = { TRUST_PROXY: 'true' };
  const cases: [string, Record<string, string>, HeaderMap, boolean, boolean][] = [
    ['plain', {}, {}, false, false],
    ['production behind a proxy', { ...production, ...proxy }, {}, true, true],
    ['a proxy with a request over https', proxy, https, true, false],
    ['no proxy, a client that claims https', {}, https, false, false],
    ['production without a proxy', production, https, false, false],
    ['a proxy with a request over http', proxy, {}, false, false],
    ['a proxy with another address', { TRUST_PROXY: '192.0.2.1' }, https, false, false],
    ['production behind a proxy with another address', { ...production, TRUST_PROXY: '192.0.2.1' }, {}, true, true],
  ];
  it.each(some(2, cases))('%s', async (_, environment, headers, secure, strict) => {
    const other = await service.beside(environment);
    try {
      const email = `${randomUUID()}@example.com`;
      await (await other.as('admin')).make('/api/profiles', { email, password: PASSWORD });
      const opened = await other.anonymous.post('/api/auth/login', { email, password: PASSWORD }, headers);
      const closed = await new Api(other.url, tokenOf(opened)).post('/api/auth/logout', undefined, headers);
      const expected = ['HttpOnly', 'Path=/', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
      for (const answer of [opened, closed]) expect(answer.headers.getSetCookie()).toHaveLength(1);
      const [, ...ofLogin] = opened.headers.getSetCookie()[0]!.split('; ');
      const [value, ...ofLogout] = closed.headers.getSetCookie()[0]!.split('; ');
      expect(ofLogin.toSorted()).toEqual(expected);
      expect(value).toBe('session=');
      expect(ofLogout.toSorted()).toEqual([...expected, 'Max-Age=0'].toSorted());
      expect(opened.headers.get('strict-transport-security') !== null).toBe(strict);
    } finally {
      await other.stop();
    }
  });
});

describe('the end of a session', () => {
  it('is exact to the millisecond, for the idle and the absolute lifetime', async () => {
    const strict = await service.beside({ SESSION_IDLE_MINUTES: '10', SESSION_ABSOLUTE_HOURS: '1' });
    try {
      strict.clock.stop();
      const MS = 1 / 60_000;
      const idle = await strict.as('viewer');
      strict.clock.advance(10 - MS);
      expect(await statusOf(idle)).toBe(200);
      strict.clock.advance(10);
      expect(await statusOf(idle)).toBe(401);

      const used = await strict.as('viewer');
      for (let minute = 5; minute < 60; minute += 5) {
        strict.clock.advance(5);
        expect(await statusOf(used)).toBe(200);
      }
      strict.clock.advance(5 - MS);
      expect(await statusOf(used)).toBe(200);
      strict.clock.advance(MS);
      expect(await statusOf(used)).toBe(401);

      await strict.app.get(Sessions).prune();
      expect(await strict.database.db.query(sql`SELECT 1 FROM sessions`)).toEqual([]);
    } finally {
      await strict.stop();
    }
  });

  it('does not come while the session is used, also with an idle timeout of one minute', async () => {
    const brief = await service.beside({ SESSION_IDLE_MINUTES: '1' });
    try {
      brief.clock.stop();
      const api = await brief.as('viewer');
      for (let second = 0; second < 180; second += 20) {
        brief.clock.advance(20 / 60);
        expect(await statusOf(api)).toBe(200);
      }
      brief.clock.advance(1);
      expect(await statusOf(api)).toBe(401);
    } finally {
      await brief.stop();
    }
  });
});

describe('a session that nobody has opened', () => {
  const madeUp = (): string => randomBytes(32).toString('base64url');
  /** Sends requests with all cookies at once. Returns their statuses and the number of session look-ups. */
  async function send(cookies: readonly string[]): Promise<{ statuses: Set<number>; lookUps: number }> {
    let statuses: number[] = [];
    const lookUps = await scansDuring(service.database, ['sessions'], async () => {
      statuses = await Promise.all(
        cookies.map(async (cookie) => (await new Api(service.url, cookie).get('/api/sites')).status),
      );
    });
    return { statuses: new Set(statuses), lookUps };
  }

  it('is refused, and costs one query by an index', async () => {
    const { statuses, lookUps } = await send(Array.from({ length: 200 }, madeUp));
    expect([statuses, lookUps]).toEqual([new Set([401]), 200]);
  });

  it('of another form is refused without a query', async () => {
    const forms = ['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`, "' OR 1=1 --"];
    expect(await send(forms)).toEqual({ statuses: new Set([401]), lookUps: 0 });
  });
});
