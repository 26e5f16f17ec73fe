import argon2 from '@node-rs/argon2';
import { createHash, randomUUID } from 'node:crypto';
import { Secrets } from '../../src/access/secrets.js';
import { UsedSignIns } from '../../src/auth/oidc/used-sign-ins.js';
import { Database } from '../../src/database/database.js';
import { Api, startService, startServiceOn, type Answer, type TestService } from '../support/app.js';
import {
  begin,
  comeBack,
  cookieOf,
  HostileProvider,
  SIGNATURES,
  startCertifiedProvider,
  trusting,
  type Begun,
  type CertifiedProvider,
  type Claims,
} from '../support/single-sign-on.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'a passphrase of single sign-on 1';
const MAPS = { OIDC_ROLE_MAP: 'admin=admins,editor=netops', OIDC_AREA_MAP: 'network=netops,people=hr' };

let hostile: HostileProvider;
let certified: CertifiedProvider;
/** Trusts the hostile provider and creates no profiles. */
let service: TestService;
/** Both trust the certified provider and use one database. The second creates profiles and maps groups. */
let strict: TestService;
let open: TestService;
let admin: Api;

beforeAll(async () => {
  hostile = await new HostileProvider().start();
  certified = await startCertifiedProvider();
  service = await startService(trusting(hostile.issuer));
  strict = await startServiceOn(service.database, trusting(certified.issuer));
  open = await startServiceOn(
    service.database,
    trusting(certified.issuer, { OIDC_CREATE_PROFILES: 'true', OIDC_DEFAULT_AREAS: 'procurement', ...MAPS }),
  );
  admin = await service.as('admin');
});
afterAll(async () => {
  certified.stop();
  hostile.stop();
  await open.app.close();
  await strict.app.close();
  await service.stop();
});
beforeEach(() => {
  Object.assign(hostile, { claims: {}, userInfo: undefined, signature: 'right', refusal: undefined, isSilent: false });
});

interface Made {
  id: string;
  email: string;
}
const makeProfile = (more: object = {}): Promise<Made> =>
  admin.make('/api/profiles', { email: `Ada-${randomUUID()}@example.com`, password: PASSWORD, ...more });

/** The person of a session cookie. */
async function whoIs({ url }: TestService, answer: Answer): Promise<Record<string, unknown>> {
  expect([answer.status, answer.text]).toEqual([302, '']);
  const session = cookieOf(answer, 'session')!.slice('session='.length);
  return (await new Api(url, session).get('/api/auth/session')).body.data as Record<string, unknown>;
}

/** Signs a person in at the certified provider. */
async function signIn(at: TestService, who: string): Promise<Answer> {
  const begun = await begin(at);
  return comeBack(at, begun.cookie, await certified.logIn(begun.url, who));
}

/** A person returns from the hostile provider with these claims in the id token. */
async function comeWith(claims: Claims, begun?: Begun): Promise<Answer> {
  const { nonce, state, cookie } = begun ?? (await begin(service));
  hostile.claims = { nonce, sub: 'ada', email_verified: true, groups: [], ...claims };
  return comeBack(service, cookie, { code: 'x', state });
}

function expectRefused(answer: Answer, status: number): void {
  expect([answer.status, cookieOf(answer, 'session'), answer.headers.get('location')]).toEqual([
    status,
    undefined,
    null,
  ]);
}

describe('without OIDC_ISSUER', () => {
  let plain: TestService;
  beforeAll(async () => (plain = await startServiceOn(service.database)));
  afterAll(() => plain.app.close());

  it('has no routes of single sign-on, and no link to it', async () => {
    for (const path of ['login', 'callback', 'login?returnTo=/docs', 'callback?code=x']) {
      expect((await plain.anonymous.get(`/api/auth/oidc/${path}`)).status).toBe(404);
    }
    expect((await plain.anonymous.get('/docs')).text).not.toMatch(/oidc|data-if|\{label\}/);
    expect((await plain.anonymous.get('/docs')).text).toContain('id="login"');
  });
});

describe('beginning', () => {
  it('redirects to the provider with PKCE, a state and a nonce that are new each time', async () => {
    const [one, two] = [await begin(strict), await begin(strict)];
    const parameters = Object.fromEntries(one.url.searchParams);
    expect(one.url.origin).toBe(certified.issuer);
    expect(parameters).toEqual({
      client_id: 'inventory',
      response_type: 'code',
      redirect_uri: `${strict.url}/api/auth/oidc/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect([two.state, two.nonce]).not.toEqual([one.state, one.nonce]);
  });

  it('redirects back to the address that clients reach the service at, if it is known', async () => {
    const known = await startServiceOn(
      service.database,
      trusting(certified.issuer, { PUBLIC_URL: 'https://inventory.example.com/at' }),
    );
    const { url } = await begin(known);
    await known.app.close();
    expect(url.searchParams.get('redirect_uri')).toBe('https://inventory.example.com/at/api/auth/oidc/callback');
  });

  it('keeps the state in an encrypted cookie of ten minutes', async () => {
    const answer = await strict.anonymous.get('/api/auth/oidc/login');
    const [cookie] = answer.headers.getSetCookie();
    const [pair, ...attributes] = cookie!.split('; ');
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/api/auth/oidc', 'SameSite=Lax']);
    const { state, nonce } = Object.fromEntries(new URL(answer.headers.get('location')!).searchParams);
    const readable = Buffer.from(decodeURIComponent(pair!.split('=')[1]!).slice('v1:'.length), 'base64url').toString(
      'latin1',
    );
    for (const secret of [state!, nonce!, 'codeVerifier']) expect(readable).not.toContain(secret);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '%2f%2fevil.example',
    '/docs/..//evil.example',
    'https://evil.example',
    '/\t/evil.example',
  ])('refuses to return to %j', async (returnTo) => {
    const { status, body } = await strict.anonymous.get(
      `/api/auth/oidc/login?returnTo=${encodeURIComponent(returnTo)}`,
    );
    expect([status, body.details[0].field]).toEqual([400, 'returnTo']);
  });

  it('refuses other parameters, and returnTo twice', async () => {
    for (const query of ['return=/docs', 'returnTo=/docs&returnTo=/docs']) {
      expect((await strict.anonymous.get(`/api/auth/oidc/login?${query}`)).status).toBe(400);
    }
  });
});

describe('with the certified provider', () => {
  it('links the profile of a verified email address and opens an ordinary session', async () => {
    const { id, email } = await makeProfile({ role: 'editor', areas: ['network'] });
    const begun = await begin(strict, '/docs#/Devices');
    const answer = await comeBack(strict, begun.cookie, await certified.logIn(begun.url, `s-${id};${email};verified`));
    expect(answer.headers.get('location')).toBe('/docs#/Devices');
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
      expect.stringMatching(/^sign_in_/),
      'session',
    ]);
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect(await whoIs(strict, answer)).toMatchObject({ id, role: 'editor', areas: ['network'] });
    expect((await admin.get(`/api/profiles/${id}/sessions`)).body.total).toBe(1);
  });

  it('finds the profile again by its subject, whatever its email address is now', async () => {
    const { id, email } = await makeProfile();
    const victim = await makeProfile({ role: 'admin' });
    const who = `s-${id};${email};verified`;
    expect(await whoIs(strict, await signIn(strict, who))).toMatchObject({ id });
    await admin.patch(`/api/profiles/${id}`, { email: `renamed-${email}` });
    expect(await whoIs(strict, await signIn(strict, who))).toMatchObject({ id });
    expect((await admin.get(`/api/profiles/${victim.id}/sessions`)).body.total).toBe(0);
  });

  it('refuses a code that was used before', async () => {
    const { id, email } = await makeProfile();
    const begun = await begin(strict);
    const parameters = await certified.logIn(begun.url, `s-${id};${email};verified`);
    expect((await comeBack(strict, begun.cookie, parameters)).status).toBe(302);
    // For the same sign-in, the service itself refuses. For another one, the provider does.
    expectRefused(await comeBack(strict, begun.cookie, parameters), 400);
    const another = await begin(strict);
    expectRefused(await comeBack(strict, another.cookie, { ...parameters, state: another.state }), 401);
  });

  it('refuses a code that was issued to another client', async () => {
    const { id, email } = await makeProfile();
    const begun = await begin(strict);
    begun.url.searchParams.set('client_id', 'other');
    const parameters = await certified.logIn(begun.url, `s-${id};${email};verified`);
    expect(parameters.code).toBeDefined();
    expectRefused(await comeBack(strict, begun.cookie, parameters), 401);
  });

  it('refuses a code of another sign-in, whose PKCE secret differs', async () => {
    const { id, email } = await makeProfile();
    const [mine, theirs] = [await begin(strict), await begin(strict)];
    const { code } = await certified.logIn(theirs.url, `s-${id};${email};verified`);
    expectRefused(await comeBack(strict, mine.cookie, { code: code!, state: mine.state, iss: certified.issuer }), 401);
  });

  it('refuses a person without a profile, and an inactive profile', async () => {
    expectRefused(await signIn(strict, `n;nobody-${randomUUID()}@example.com;verified`), 403);
    const { id, email } = await makeProfile();
    const who = `s-${id};${email};verified`;
    await signIn(strict, who);
    await admin.patch(`/api/profiles/${id}`, { isActive: false });
    expectRefused(await signIn(strict, who), 403);
    expectRefused(await signIn(strict, `another-${who}`), 403);
  });

  it("says the provider's reason when it refuses", async () => {
    const { cookie, state } = await begin(strict);
    const parameters = { error: 'access_denied', error_description: '<b>no</b>', state, iss: certified.issuer };
    const answer = await comeBack(strict, cookie, parameters);
    expectRefused(answer, 401);
    expect(answer.body.error).toBe('The provider refused the sign-in: access_denied');
  });
});

describe('profiles that are created', () => {
  it('have no password, the default areas, and the role of their groups', async () => {
    const email = `new-${randomUUID()}@example.com`;
    const { id, ...profile } = await whoIs(open, await signIn(open, `${email};${email};verified;netops unknown`));
    expect(profile).toMatchObject({ email, role: 'editor', areas: ['network'], isActive: true });
    const [unknown, none] = [
      await open.anonymous.post('/api/auth/login', { email: `x${email}`, password: PASSWORD }),
      await open.anonymous.post('/api/auth/login', { email, password: PASSWORD }),
    ];
    expect([none.status, none.body]).toEqual([unknown.status, unknown.body]);
    expect(none.status).toBe(401);
    expect((await admin.patch(`/api/profiles/${id as string}`, { password: PASSWORD })).status).toBe(200);
    expect((await open.anonymous.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200);
  });

  it('are as slow to refuse a password as others: the hash of a decoy is computed', async () => {
    const email = `slow-${randomUUID()}@example.com`;
    await whoIs(open, await signIn(open, `${email};${email};verified`));
    const { email: ordinary } = await makeProfile();
    const verify = jest.spyOn(argon2, 'verify');
    try {
      for (const login of [ordinary, email])
        await open.anonymous.post('/api/auth/login', { email: login, password: 'not the password' });
      const hashes = verify.mock.calls.map(([hash]) => String(hash));
      expect(hashes).toEqual([expect.stringMatching(/^\$argon2id\$/), expect.stringMatching(/^\$argon2id\$/)]);
      expect(hashes[1]).not.toBe(hashes[0]);
    } finally {
      verify.mockRestore();
    }
  });

  it('cannot change a password that they do not have', async () => {
    const email = `change-${randomUUID()}@example.com`;
    const answer = await signIn(open, `${email};${email};verified`);
    const api = new Api(open.url, cookieOf(answer, 'session')!.slice('session='.length));
    const changed = await api.post('/api/auth/password', { currentPassword: 'x', newPassword: PASSWORD });
    expect([changed.status, changed.body.details[0].field]).toEqual([400, 'currentPassword']);
  });

  it('are created once if the same person signs in twice at the same time', async () => {
    const email = `twice-${randomUUID()}@example.com`;
    const answers = await Promise.all([1, 2, 3].map(() => signIn(open, `${email};${email};verified`)));
    const ids = await Promise.all(answers.map(async (answer) => (await whoIs(open, answer)).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('need an email address', async () =>
    expectRefused(await signIn(open, `no-address-${randomUUID()};nothing;verified`), 403));

  it('of an unverified address are not shared with whoever verifies it later', async () => {
    const email = `squatted-${randomUUID()}@example.com`;
    const squatter = await whoIs(open, await signIn(open, `squatter-${email};${email};unverified`));
    expect(squatter.email).toBe(email);
    expectRefused(await signIn(open, `owner-${email};${email};verified`), 403);
  });
});

describe('groups', () => {
  it('set role and areas at every sign-in', async () => {
    const { id, email } = await makeProfile({ role: 'manager' });
    const at = (groups: string): Promise<Answer> => signIn(open, `g-${id} ${groups};${email};verified;${groups}`);
    expect(await whoIs(open, await at('admins netops'))).toMatchObject({ id, role: 'admin', areas: ['network'] });
    expect(await whoIs(open, await at('hr netops'))).toMatchObject({ role: 'editor', areas: ['network', 'people'] });
    const demoted = await at('');
    expect(await whoIs(open, demoted)).toMatchObject({ role: 'viewer', areas: ['procurement'] });
    const { body } = await admin.get(`/api/profiles/${id}/changes?order=desc`);
    expect(body.data[0]).toMatchObject({ actor: 'system', requestId: demoted.headers.get('x-request-id') });
    const { updatedAt } = (await admin.get(`/api/profiles/${id}`)).body.data;
    expect(await whoIs(open, await at(''))).toMatchObject({ updatedAt });
  });

  it('never demote the last active administrator', async () => {
    const alone = await startService(trusting(certified.issuer, MAPS));
    try {
      const { id, email } = (await (await alone.as('admin')).get('/api/auth/session')).body.data as Made;
      expect(await whoIs(alone, await signIn(alone, `l-${id};${email};verified;hr`))).toMatchObject({
        role: 'admin',
        areas: ['people'],
      });
      await alone.as('admin');
      expect(await whoIs(alone, await signIn(alone, `l-${id};${email};verified;hr`))).toMatchObject({ role: 'viewer' });
    } finally {
      await alone.stop();
    }
  });
});

describe('with a hostile provider or browser', () => {
  let profile: Made;
  beforeAll(async () => (profile = await makeProfile()));

  it('accepts what is right', async () =>
    expect(await whoIs(service, await comeWith({ sub: 'right', email: profile.email }))).toMatchObject({
      id: profile.id,
    }));

  it('refuses a browser that did not begin the sign-in, without asking the provider', async () => {
    const [mine, theirs] = [await begin(service), await begin(service)];
    hostile.claims = { nonce: theirs.nonce, sub: 'right' };
    const before = hostile.requests;
    for (const cookie of [
      undefined,
      mine.cookie,
      `${theirs.cookie}x`,
      ...['v1:AAAA', 'x', mine.cookie.split('=')[1]].map((value) => `${theirs.cookie.split('=')[0]}=${value}`),
    ]) {
      expectRefused(await comeBack(service, cookie, { code: 'x', state: theirs.state }), 400);
    }
    expectRefused(await comeBack(service, theirs.cookie, { code: 'x' }), 400);
    expectRefused(await comeBack(service, theirs.cookie, { code: 'x', state: `${theirs.state}x` }), 400);
    expect(hostile.requests).toBe(before);
  });

  it('refuses a sign-in that has ended, without asking the provider, which would take the code again', async () => {
    const begun = await begin(service);
    expect((await comeWith({ sub: 'right' }, begun)).status).toBe(302);
    const before = hostile.requests;
    const again = await comeWith({ sub: 'right' }, begun);
    expectRefused(again, 400);
    expect(again.body.error).toBe('state belongs to a sign-in that is already complete. Start again');
    expect(hostile.requests).toBe(before);
  });

  it('refuses a sign-in that failed at the provider when it comes again', async () => {
    const begun = await begin(service);
    expectRefused(await comeWith({ email: profile.email, nonce: 'another' }, begun), 401);
    expectRefused(await comeWith({ sub: 'right' }, begun), 400);
  });

  it('accepts one of many callbacks that come with one state at once, and forgets the state when it has expired', async () => {
    const kept = (): Promise<{ total: number }[]> =>
      service.app.get(Database).query(sql`SELECT count(*)::int AS total FROM used_sign_ins`);
    for (let round = 0; round < 5; round++) {
      const begun = await begin(service);
      const before = hostile.requests;
      const answers = await Promise.all(Array.from({ length: 8 }, () => comeWith({ sub: 'right' }, begun)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([302, ...Array<number>(7).fill(400)]);
      // Only one of them requests the token and the user info.
      expect(hostile.requests - before).toBeLessThanOrEqual(2);
    }
    const signIns = service.app.get(UsedSignIns);
    await signIns.prune();
    expect((await kept())[0]!.total).toBeGreaterThanOrEqual(5);
    service.clock.advance(11);
    await signIns.prune();
    service.clock.advance(-11);
    expect(await kept()).toEqual([{ total: 0 }]);
  });

  it('refuses a cookie that was encrypted for another purpose, or has expired', async () => {
    const begun = await begin(service);
    service.clock.advance(11);
    expectRefused(await comeBack(service, begun.cookie, { code: 'x', state: begun.state }), 400);
    service.clock.advance(-11);
    const kept = { state: 'chosen', expiresAt: Date.now() + 60_000 };
    const sealed = service.app.get(Secrets).seal(JSON.stringify(kept));
    const name = `sign_in_${createHash('sha256').update('chosen').digest('base64url').slice(0, 16)}`;
    expectRefused(
      await comeBack(service, `${name}=${encodeURIComponent(sealed)}`, { code: 'x', state: 'chosen' }),
      400,
    );
  });

  it('lets several sign-ins of one browser be under way, and ends the oldest of too many', async () => {
    const begun: Begun[] = [];
    const cookies = (): string => begun.map(({ cookie }) => cookie).join('; ');
    for (let tab = 0; tab < 5; tab++) {
      service.clock.advance(tab === 0 ? 0 : 1);
      const answer = await service.anonymous.get('/api/auth/oidc/login', { cookie: cookies() });
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      const { state, nonce } = Object.fromEntries(new URL(answer.headers.get('location')!).searchParams);
      begun.push({ cookie: cookieOf(answer, 'sign_in_')!, state: state!, nonce: nonce! } as Begun);
    }
    const sixth = await service.anonymous.get('/api/auth/oidc/login', { cookie: cookies() });
    const [, ended] = sixth.headers.getSetCookie();
    expect(ended).toMatch(`${begun[0]!.cookie.split('=')[0]}=; Max-Age=0`);
    // The order does not matter.
    for (const at of [3, 1, 2]) {
      const { nonce, state } = begun[at]!;
      hostile.claims = { nonce, sub: 'right', email_verified: true, groups: [] };
      expect((await comeBack(service, cookies(), { code: 'x', state })).status).toBe(302);
    }
    service.clock.advance(-4);
  });

  it('explains a refusal to a person, with its status, and a way to try again', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const [lost, cancelled] = [{ state: 'x' }, await begin(service, '/docs?a="b')].map((one) => one as Begun);
    const answers = [
      await service.anonymous.get(`/api/auth/oidc/callback?code=x&state=${lost!.state}`, { accept }),
      await service.anonymous.get(`/api/auth/oidc/callback?error=access_denied&state=${cancelled!.state}`, {
        accept,
        cookie: cancelled!.cookie,
      }),
      await service.anonymous.get('/api/auth/oidc/login?returnTo=//elsewhere.example', { accept }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(
      [400, 401, 400].map((status) => [status, 'text/html; charset=utf-8']),
    );
    expect(answers[1]!.text).toContain('The provider refused the sign-in: access_denied.');
    expect(answers[1]!.text).toContain(`href="/api/auth/oidc/login?returnTo=${encodeURIComponent('/docs?a="b')}"`);
    expect(answers.map(({ text }) => text).join('')).not.toMatch(/"b"|elsewhere|<script/);
    expect(answers.map(({ headers }) => headers.get('content-security-policy'))).toEqual(
      Array(3).fill(expect.stringContaining("default-src 'none'")),
    );
  });

  it('refuses a wrong nonce, or none', async () => {
    for (const nonce of ['another', undefined]) expectRefused(await comeWith({ email: profile.email, nonce }), 401);
  });

  it.each(Object.keys(SIGNATURES).slice(1))('refuses an id token with a signature: %s', async (signature) => {
    hostile.signature = signature;
    expectRefused(await comeWith({ email: profile.email }), 401);
  });

  const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

  it.each([
    ['has expired', () => ({ exp: seconds(-60) })],
    ['is not valid yet', () => ({ nbf: seconds(60) })],
    ['has no expiry', () => ({ exp: undefined })],
    ['is for another client', () => ({ aud: 'other' })],
    ['has another issuer', () => ({ iss: 'https://login.example.com' })],
    ['has no subject', () => ({ sub: undefined })],
    ['has a subject that is too long', () => ({ sub: 'x'.repeat(256) })],
    ['has a subject with NUL', () => ({ sub: 'x\0' })],
  ])('refuses an id token that %s', async (_, claims) =>
    expectRefused(await comeWith({ email: profile.email, ...claims() }), 401),
  );

  it('tolerates clocks that differ by less than 30 seconds', async () => {
    for (const claims of [{ exp: seconds(-20) }, { nbf: seconds(20), iat: seconds(20) }]) {
      expect(await whoIs(service, await comeWith({ sub: 'right', email: profile.email, ...claims }))).toMatchObject({
        id: profile.id,
      });
    }
  });

  it('refuses a response of another issuer', async () => {
    const { cookie, state } = await begin(service);
    expectRefused(await comeBack(service, cookie, { code: 'x', state, iss: 'https://login.example.com' }), 401);
  });

  it.each([false, undefined, 'true', 1])('links no profile if email_verified is %p', async (verified) => {
    const { email } = await makeProfile({ role: 'admin' });
    expectRefused(await comeWith({ sub: randomUUID(), email, email_verified: verified }), 403);
  });

  it('does not take the verification of one email address for that of another', async () => {
    const { email } = await makeProfile({ role: 'admin' });
    hostile.userInfo = { email: 'mallory@example.com', email_verified: true };
    expectRefused(await comeWith({ sub: randomUUID(), email, email_verified: undefined }), 403);
  });

  it('takes a subject with another email address for the same person', async () => {
    await comeWith({ sub: 'right', email: profile.email });
    const victim = await makeProfile({ role: 'admin' });
    expect(await whoIs(service, await comeWith({ sub: 'right', email: victim.email }))).toMatchObject({
      id: profile.id,
    });
    expect((await admin.get(`/api/profiles/${victim.id}/sessions`)).body.total).toBe(0);
  });

  it('refuses the user info of somebody else', async () => {
    hostile.userInfo = { sub: 'somebody else', email: profile.email, email_verified: true };
    expectRefused(await comeWith({ sub: 'right', email: undefined }), 401);
  });

  it('reports a provider that refuses the code, and one that refuses the service', async () => {
    hostile.refusal = { status: 400, body: { error: 'invalid_grant' } };
    expectRefused(await comeWith({}), 401);
    for (const refusal of [
      { status: 401, body: { error: 'invalid_client' } },
      { status: 500, body: 'oh' },
    ]) {
      hostile.refusal = refusal;
      expectRefused(await comeWith({}), 503);
    }
  });
});

describe('a provider that is down', () => {
  it.each(['closed', 'silent'])('(%s) is reported, and passwords still work', async (how) => {
    const away = await new HostileProvider().start();
    if (how === 'closed') away.stop();
    else away.isSilent = true;
    const lonely = await startServiceOn(service.database, trusting(away.issuer));
    try {
      const { email } = await makeProfile();
      const answer = await lonely.anonymous.get('/api/auth/oidc/login');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await lonely.anonymous.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200);
      expect((await lonely.anonymous.get('/health/ready')).status).toBe(200);
      if (how === 'silent') {
        away.isSilent = false;
        expect((await lonely.anonymous.get('/api/auth/oidc/login')).status).toBe(302);
      }
    } finally {
      if (how === 'silent') away.stop();
      await lonely.app.close();
    }
  });

  it('goes down between the two steps', async () => {
    const { cookie, state } = await begin(service);
    hostile.isSilent = true;
    expectRefused(await comeBack(service, cookie, { code: 'x', state }), 503);
  });

  it('has an issuer in its metadata that is not the configured one', async () => {
    const liar = await new HostileProvider().start();
    liar.metadata = { issuer: 'https://login.example.com' };
    const lonely = await startServiceOn(service.database, trusting(liar.issuer));
    expect((await lonely.anonymous.get('/api/auth/oidc/login')).status).toBe(503);
    await lonely.app.close();
    liar.stop();
  });
});

describe('PASSWORD_LOGIN=false', () => {
  it('refuses right and wrong passwords alike, and leaves single sign-on', async () => {
    const only = await startServiceOn(
      service.database,
      trusting(certified.issuer, { PASSWORD_LOGIN: 'false', OIDC_LABEL: 'Sign in with <Acme> & Co' }),
    );
    try {
      const { id, email } = await makeProfile();
      for (const password of [PASSWORD, 'wrong']) {
        const { status, body } = await only.anonymous.post('/api/auth/login', { email, password });
        expect([status, body.error]).toEqual([403, expect.stringContaining('GET /api/auth/oidc/login')]);
      }
      expect(await whoIs(only, await signIn(only, `p-${id};${email};verified`))).toMatchObject({ id });
      const { text } = await only.anonymous.get('/docs');
      expect(text).not.toContain('id="login"');
      expect(text).toContain('>Sign in with &lt;Acme&gt; &amp; Co</a>');
    } finally {
      await only.app.close();
    }
  });
});
