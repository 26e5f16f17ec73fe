import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Area, Role } from '../../src/access/access.js';
import { makeToken } from '../../src/auth/token/token-text.js';
import { openToken, parseTokenRequest } from '../../src/auth/token/token-request.js';
import { createLogger } from '../../src/http/server/logger.js';
import { Api, startService, type HeaderMap, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { scansDuring } from '../support/scans.js';
import { itDirectly, itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';
const DAY = 86_400_000;

let service: TestService;
let admin: Api;
// Trusts a proxy, so that a test can use any client address.
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'true' });
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Member {
  id: string;
  email: string;
  /** Uses the session. */
  api: Api;
}

/** Creates a profile and logs it in. */
async function member(role: Role = 'editor', areas?: Area[]): Promise<Member> {
  const api = await service.as(role, areas);
  const { id, email } = (await api.get(own)).body.data;
  return { id, email, api };
}

interface Issued {
  id: string;
  text: string;
  data: Json;
  /** Uses the token in the header. */
  api: Api;
}

async function issue(api: Api, body: object = {}): Promise<Issued> {
  const data = await api.make('/api/tokens', { name: 'script', ...body });
  return { id: data.id, text: data.token, data, api: new Api(service.url, undefined, data.token) };
}

const own = '/api/auth/session';
const statusOf = async (api: Api, path = own, headers?: HeaderMap): Promise<number> =>
  (await api.get(path, headers)).status;
/** A well-formed token of another service. */
const guess = (): string => makeToken().text;
const inCookie = ({ text }: Pick<Issued, 'text'>): Api => new Api(service.url, text);

describe('creating a token', () => {
  it('shows it once, with the defaults of the profile and 90 days to live', async () => {
    const { api, id, email } = await member('editor', ['network', 'people']);
    const before = Date.now();
    const answer = await api.post('/api/tokens', { name: 'nightly import' });
    expect(answer.status).toBe(201);
    const { token, ...record } = answer.body.data;
    expect(record).toEqual({
      id: expect.any(String),
      name: 'nightly import',
      profileId: id,
      profileEmail: email,
      prefix: expect.stringMatching(/^iio_[0-9A-Za-z]{12}$/),
      role: 'editor',
      areas: ['network', 'people'],
      readOnly: false,
      allowedNetworks: [],
      expiresAt: expect.any(String),
      lastUsedAt: null,
      lastUsedAddress: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(record.expiresAt) - before - 90 * DAY)).toBeLessThan(60_000);
    expect(token).toMatch(/^iio_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(token.startsWith(record.prefix)).toBe(true);
    expect(answer.headers.get('location')).toBe(`/api/tokens/${record.id}`);
    const read = await api.get(`/api/tokens/${record.id}`);
    expect(read.body).toEqual({ data: record });
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
    expect((await api.get('/api/tokens')).body.data).toEqual([record]);
  });

  it('takes every field, and keeps what it was given', async () => {
    const { api } = await member('manager');
    const body = {
      name: 'all of it',
      expiresAt: new Date(Date.now() + 365 * DAY).toISOString(),
      role: 'viewer',
      areas: ['network'],
      readOnly: true,
      allowedNetworks: ['10.0.0.0/8', '2001:db8::/32'],
    };
    expect(await api.make('/api/tokens', body)).toMatchObject(body);
    const nothing = { name: 'no area', areas: [] };
    expect(await api.make('/api/tokens', nothing)).toMatchObject(nothing);
  });

  it.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['an end that is null', { expiresAt: null }, ['expiresAt']],
    ['an end in the past', { expiresAt: '2020-01-01' }, ['expiresAt']],
    ['an end beyond 366 days', { expiresAt: new Date(Date.now() + 367 * DAY).toISOString() }, ['expiresAt']],
    ['a role above that of the profile', { role: 'manager' }, ['role']],
    ['an area that the profile lacks', { areas: ['network', 'people'] }, ['areas']],
    ['both of these', { role: 'admin', areas: ['people'] }, ['areas', 'role']],
    ['an unknown role', { role: 'root' }, ['role']],
    ['a role that is null', { role: null }, ['role']],
    ['areas that are null', { areas: null }, ['areas']],
    ['an unknown area', { areas: ['moon'] }, ['areas[0]']],
    ['host bits', { allowedNetworks: ['10.0.0.1/8'] }, ['allowedNetworks[0]']],
    ['host bits of IPv6', { allowedNetworks: ['2001:db8::1/64'] }, ['allowedNetworks[0]']],
    ['an address', { allowedNetworks: ['10.0.0.1'] }, ['allowedNetworks[0]']],
    ['a text', { readOnly: 'yes' }, ['readOnly']],
    ['a profile that is no id', { profileId: 'me' }, ['profileId']],
    ['a property that nobody knows', { scope: '*' }, ['scope']],
    [
      'several faults',
      { name: '', expiresAt: '1999-01-01', allowedNetworks: ['x'] },
      ['allowedNetworks[0]', 'expiresAt', 'name'],
    ],
  ])('refuses %s', async (_, body, fields) => {
    const { api } = await member('editor', ['network', 'operations']);
    const answer = await api.post('/api/tokens', { name: 'x', ...body });
    expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
    expect(answer.body.details.map(({ field }: Json) => field).toSorted()).toEqual(fields);
    expect((await api.get('/api/tokens')).body.total).toBe(0);
  });

  it('takes no Idempotency-Key: the same key makes two, and no response is stored', async () => {
    const { api } = await member();
    const headers = { 'idempotency-key': randomUUID() };
    const [one, two] = [
      await api.post('/api/tokens', { name: 'x' }, headers),
      await api.post('/api/tokens', { name: 'x' }, headers),
    ];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.data.token).not.toBe(two.body.data.token);
    const stored = await service.database.db.query(sql`SELECT answer FROM idempotency_keys`);
    expect(JSON.stringify(stored)).not.toContain('iio_');
  });

  it('of a 101st is refused, at one moment too; expired ones do not count', async () => {
    const { api, id } = await member('viewer');
    await service.database.db.query(
      sql`INSERT INTO tokens (name, profile_id, prefix, secret_hash, role, areas, expires_at)
        SELECT 'n', ${id}::uuid, 'p' || ${id}::text || n, '', 'viewer', '{}', now() + CASE WHEN n <= 97 THEN 1 ELSE -1 END * interval '1 day'
        FROM generate_series(1, 120) n`,
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/api/tokens', { name: 'x' })));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(3).fill(201), ...Array<number>(5).fill(409)]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.error).toContain('100 tokens');
  });

  it('keeps only the SHA-256 of the secret', async () => {
    const { text } = await issue((await member()).api);
    const rows = await service.database.db.query<{ row: string }>(sql`SELECT t::text AS row FROM tokens t`);
    const log = await service.database.db.query<{ row: string }>(sql`SELECT c::text AS row FROM change_log c`);
    const secret = text.slice(17, 60);
    expect(rows.length).toBeGreaterThan(0);
    expect([...rows, ...log].filter(({ row }) => row.includes(secret))).toEqual([]);
  });
});

describe('tokens of others', () => {
  it('do not exist for who is no administrator', async () => {
    const [one, two] = [await member('manager'), await member('manager')];
    const { id } = await issue(two.api);
    for (const answer of [
      await one.api.get(`/api/tokens/${id}`),
      await one.api.get(`/api/tokens/${id}?asOf=2999-01-01`),
      await one.api.get(`/api/tokens/${id}/changes`),
      await one.api.patch(`/api/tokens/${id}`, { name: 'mine' }),
      await one.api.patch(`/api/tokens/${id}`, { name: 'mine' }, { 'if-match': '*' }),
      await one.api.delete(`/api/tokens/${id}`),
    ]) {
      expect([answer.status, answer.text]).toEqual([404, expect.any(String)]);
    }
    expect((await one.api.get('/api/tokens')).body).toMatchObject({ data: [], total: 0 });
    expect((await one.api.get(`/api/tokens?id=${id}`)).body.total).toBe(0);
    expect((await two.api.get(`/api/tokens/${id}`)).body.data.name).toBe('script');
  });

  it('are seen, renamed, created and deleted by administrators', async () => {
    const owner = await member('editor', ['network']);
    const { id, data, api } = await issue(admin, { profileId: owner.id });
    expect(data).toMatchObject({ profileId: owner.id, profileEmail: owner.email, role: 'editor', areas: ['network'] });
    expect((await api.get(own)).body.data.email).toBe(owner.email);
    expect((await admin.get(`/api/tokens?id=${id}`)).body.total).toBe(1);
    expect((await admin.get(`/api/tokens?profileId=${owner.id}&search=SCRI`)).body.data).toHaveLength(1);
    expect((await admin.get('/api/tokens?pageSize=1')).body.total).toBeGreaterThan(1);
    expect((await admin.patch(`/api/tokens/${id}`, { name: 'renamed' })).body.data.name).toBe('renamed');
    expect((await admin.delete(`/api/tokens/${id}`)).status).toBe(204);
    expect(await statusOf(api)).toBe(401);
  });

  it('are bounded by their owner, whoever creates them', async () => {
    const owner = await member('editor', ['network']);
    for (const more of [{ role: 'manager' }, { areas: ['people'] }]) {
      const answer = await admin.post('/api/tokens', { name: 'x', profileId: owner.id, ...more });
      expect([answer.status, answer.body.details[0].field]).toEqual([400, Object.keys(more)[0]]);
    }
    const nobody = await admin.post('/api/tokens', { name: 'x', profileId: randomUUID() });
    expect([nobody.status, nobody.body.details[0].field]).toEqual([400, 'profileId']);
  });

  it('are created by administrators only; the own id may be given by everybody', async () => {
    const [one, two] = [await member('manager'), await member('viewer')];
    expect((await one.api.post('/api/tokens', { name: 'x', profileId: two.id })).status).toBe(403);
    expect((await one.api.post('/api/tokens', { name: 'x', profileId: randomUUID() })).status).toBe(403);
    expect((await one.api.post('/api/tokens', { name: 'x', profileId: one.id.toUpperCase() })).status).toBe(201);
    expect((await two.api.post('/api/tokens', { name: 'x' })).status).toBe(201);
  });
});

describe('who has a token', () => {
  it('can be renamed, and nothing else of it changed', async () => {
    const { api } = await member('manager');
    const { id, data } = await issue(api);
    const { token: _token, ...record } = data;
    const changed = {
      ...record,
      role: 'admin',
      areas: [],
      readOnly: true,
      expiresAt: '2999-01-01T00:00:00.000Z',
      allowedNetworks: ['10.0.0.0/8'],
      profileId: randomUUID(),
      prefix: 'iio_x',
      lastUsedAt: '2020-01-01T00:00:00.000Z',
      name: 'renamed',
    };
    const answer = await api.patch(`/api/tokens/${id}`, changed);
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { ...record, name: 'renamed', updatedAt: expect.any(String) } },
    ]);
    expect((await api.patch(`/api/tokens/${id}`, { name: null })).status).toBe(400);
    expect((await api.patch(`/api/tokens/${id}`, { colour: 'red' })).status).toBe(400);
    expect((await api.patch(`/api/tokens/${id}`, { name: 'x' }, { 'if-match': '"stale"' })).status).toBe(412);
    const changes = (await api.get(`/api/tokens/${id}/changes`)).body.data;
    expect(changes.map(({ action }: Json) => action)).toEqual(['create', 'update']);
    expect(changes[1]).toMatchObject({ before: { name: 'script' }, after: { name: 'renamed' } });
    expect(changes[0].after.secretHash).toBe('(withheld)');
  });

  it('ends when it is deleted, alone or with all of the profile; those of others go on', async () => {
    const [one, two] = [await member(), await member('admin')];
    const [a, b, c] = [await issue(one.api), await issue(one.api), await issue(one.api)];
    const other = await issue(two.api);
    expect(await statusOf(a.api)).toBe(200);
    expect((await one.api.delete(`/api/tokens/${a.id}`)).status).toBe(204);
    expect(await Promise.all([a, b, c].map(({ api }) => statusOf(api)))).toEqual([401, 200, 200]);
    expect((await one.api.delete('/api/tokens')).status).toBe(204);
    expect(await Promise.all([a, b, c, other].map(({ api }) => statusOf(api)))).toEqual([401, 401, 401, 200]);
    // An administrator sees all tokens, but `DELETE /api/tokens` ends only the caller's own.
    const kept = await issue(one.api);
    expect((await two.api.delete('/api/tokens')).status).toBe(204);
    expect([await statusOf(kept.api), await statusOf(other.api)]).toEqual([200, 401]);
    const { data } = (await admin.get(`/api/change-log?resource=tokens&recordId=${b.id}&action=delete`)).body;
    expect(data).toMatchObject([{ actorId: one.id, actor: one.email, tokenId: null }]);
  });
});

describe('sending a token', () => {
  it('works in the header and as the cookie', async () => {
    const { api, email } = await member();
    const token = await issue(api);
    for (const way of [token.api, inCookie(token)]) expect((await way.get(own)).body.data.email).toBe(email);
    expect(await statusOf(service.anonymous, own, { authorization: `bearer ${token.text}` })).toBe(200);
    expect((await token.api.post('/api/racks', { name: 'A1' })).status).toBe(201);
  });

  it('in the header alone decides, whatever cookie comes with it', async () => {
    const [one, two] = [await member(), await member()];
    const token = await issue(one.api);
    const both = new Api(service.url, two.api.cookie, token.text);
    expect((await both.get(own)).body.data.email).toBe(one.email);
    for (const authorization of [
      'Bearer x',
      'Bearer',
      '',
      'Basic YWRtaW46YWRtaW4=',
      `Token ${token.text}`,
      token.text,
      `Bearer ${token.text} x`,
      `Bearer ${token.text},Bearer ${token.text}`,
      // A session is not a token.
      `Bearer ${two.api.cookie}`,
    ]) {
      const refused = await two.api.get(own, { authorization });
      expect([authorization, refused.status, refused.headers.get('www-authenticate'), refused.body.error]).toEqual([
        authorization,
        401,
        'Bearer',
        'Not authenticated. The Authorization header must be Bearer followed by a valid token',
      ]);
    }
  });

  it('in two headers is refused', async () => {
    const token = await issue((await member()).api);
    for (const second of [`Bearer ${token.text}`, 'Bearer x']) {
      const headers = [
        'host',
        new URL(service.url).host,
        'authorization',
        `Bearer ${token.text}`,
        'authorization',
        second,
      ];
      const sent = request(`${service.url}${own}`, { headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(401);
    }
  });

  it('in the header needs no check of the origin; as the cookie it does', async () => {
    const token = await issue((await member()).api);
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await token.api.post('/api/racks', { name: 'x' }, evil)).status).toBe(201);
    expect((await inCookie(token).post('/api/racks', { name: 'x' }, evil)).status).toBe(403);
    const { cookie } = (await member()).api;
    const both = new Api(service.url, cookie, 'iio_nonsense');
    expect((await both.post('/api/racks', { name: 'x' }, evil)).status).toBe(401);
    // A login has no caller yet, whatever header the request has.
    expect((await token.api.post('/api/auth/login', { email: 'a@example.com', password: 'x' }, evil)).status).toBe(403);
  });
});

describe('a token is refused', () => {
  it('without a query where its form or its checksum is wrong', async () => {
    const { text } = await issue((await member()).api);
    const body = text.slice(0, -6);
    const queries = jest.spyOn(service.database.db, 'query');
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const wrong = [
      body,
      `${text}0`,
      text.slice(0, -1),
      `${body}000000`,
      `iio_${'0'.repeat(12)}_${'0'.repeat(49)}`,
      text.replace('iio_', 'IIO_'),
      `iio_${'x'.repeat(4000)}`,
      `${text.slice(0, 20)}%00${text.slice(21)}`,
      "iio_' OR '1'='1",
    ];
    for (let round = 0; round < 20; round++) {
      for (const token of wrong) {
        const inHeader = new Api(service.url, undefined, token);
        expect([token, await statusOf(inHeader, own, from)]).toEqual([token, 401]);
        if (token.startsWith('iio_')) expect(await statusOf(new Api(service.url, token), own, from)).toBe(401);
      }
    }
    expect(queries).not.toHaveBeenCalled();
    queries.mockRestore();
  });

  it('where it is unknown, or has the secret of another', async () => {
    const owner = await member();
    const [one, two] = [await issue(owner.api), await issue(owner.api)];
    const mixed = `${one.text.slice(0, 17)}${two.text.slice(17, 60)}`;
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let rest = crc32(mixed);
    let sum = '';
    for (let n = 0; n < 6; n++, rest = Math.floor(rest / 62)) sum = alphabet[rest % 62]! + sum;
    for (const text of [guess(), mixed + sum]) {
      const answer = await new Api(service.url, undefined, text).get(own);
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'Not authenticated. The Authorization header must be Bearer followed by a valid token' },
      ]);
    }
    expect(await statusOf(one.api)).toBe(200);
  });

  it('without a query, if its checksum is wrong', async () => {
    const mistyped = (): Api =>
      new Api(
        service.url,
        undefined,
        guess().replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      );
    const lookUps = await scansDuring(service.database, ['tokens'], async () => {
      const statuses = await Promise.all(Array.from({ length: 80 }, () => statusOf(mistyped())));
      expect(new Set(statuses)).toEqual(new Set([401]));
    });
    expect(lookUps).toBe(0);
  });

  it('when it has expired, and says so', async () => {
    const other = await service.beside({});
    try {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const { token } = await (await other.as('viewer')).make('/api/tokens', { name: 'x', expiresAt });
      const api = new Api(other.url, undefined, token);
      expect(await statusOf(api)).toBe(200);
      other.clock.advance(61);
      for (const way of [api, new Api(other.url, token)]) {
        const answer = await way.get(own);
        expect([answer.status, answer.body]).toEqual([401, { error: `The token expired at ${expiresAt}` }]);
      }
    } finally {
      await other.stop();
    }
  });

  it('for what may change something, where it is read-only', async () => {
    const owner = await member('admin');
    const { api, text } = await issue(owner.api, { readOnly: true });
    const { id } = await admin.make('/api/racks', { name: 'A1' });
    for (const way of [api, new Api(service.url, text)]) {
      for (const answer of [
        await way.post('/api/racks', { name: 'x' }),
        await way.post('/api/racks', '{'),
        await way.patch(`/api/racks/${id}`, { name: 'x' }),
        await way.delete(`/api/racks/${id}`),
        await way.post('/api/nothing', {}),
      ]) {
        expect([answer.status, answer.body]).toEqual([403, { error: 'This token is read-only' }]);
      }
      expect(await statusOf(way, `/api/racks/${id}`)).toBe(200);
      expect((await way.request('HEAD', '/api/racks')).status).toBe(200);
    }
  });

  it('from an address outside its networks, and from what is no address', async () => {
    const owner = await member();
    const { api } = await issue(owner.api, { allowedNetworks: ['10.0.0.0/8', '2001:db8::/32'] });
    for (const [address, status] of [
      ['10.1.2.3', 200],
      ['::ffff:10.1.2.3', 200],
      ['2001:db8:1::5', 200],
      ['11.0.0.1', 403],
      ['2001:db9::1', 403],
      ['unknown', 403],
    ] as const) {
      expect([address, await statusOf(api, own, { 'x-forwarded-for': address })]).toEqual([address, status]);
      // The token is cached by now.
      expect([address, await statusOf(api, '/api/racks', { 'x-forwarded-for': address })]).toEqual([address, status]);
    }
    expect((await api.post('/api/racks', '{', { 'x-forwarded-for': '11.0.0.1' })).status).toBe(403);
    expect((await api.get('/api/nothing', { 'x-forwarded-for': '11.0.0.1' })).status).toBe(403);
  });

  it('for tokens, profiles, sessions and passwords, and to log out', async () => {
    const owner = await member('admin');
    const token = await issue(owner.api);
    const victim = await member();
    for (const way of [token.api, inCookie(token)]) {
      for (const answer of [
        await way.post('/api/tokens', { name: 'x' }),
        await way.patch(`/api/tokens/${token.id}`, { name: 'x' }),
        await way.delete(`/api/tokens/${token.id}`),
        await way.delete('/api/tokens'),
        await way.post('/api/profiles', { email: 'x@example.com', password: PASSWORD }),
        await way.patch(`/api/profiles/${victim.id}`, { role: 'admin' }),
        await way.delete(`/api/profiles/${victim.id}`),
        await way.delete(`/api/profiles/${victim.id}/sessions`),
        await way.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another long passphrase' }),
        await way.post('/api/auth/logout'),
      ]) {
        expect([answer.status, answer.body]).toEqual([
          403,
          { error: 'This needs a session, not a token. Log in at POST /api/auth/login' },
        ]);
      }
      for (const path of [
        '/api/tokens',
        `/api/tokens/${token.id}`,
        '/api/profiles',
        `/api/profiles/${victim.id}/sessions`,
      ])
        expect([path, await statusOf(way, path)]).toEqual([path, 200]);
    }
    expect(await statusOf(victim.api)).toBe(200);
  });
});

describe('the rights of a token', () => {
  it('are those of its profile at the moment, and no more than its own', async () => {
    const owner = await member('manager', ['network', 'operations']);
    const { api } = await issue(owner.api, { role: 'editor', areas: ['network', 'operations'] });
    const may = async (): Promise<number[]> => [
      (await api.post('/api/racks', {})).status,
      (await api.get('/api/runbooks')).status,
      (await api.get('/api/profiles')).status,
    ];
    expect(await may()).toEqual([400, 200, 403]);
    await admin.patch(`/api/profiles/${owner.id}`, { role: 'viewer' });
    expect(await may()).toEqual([403, 200, 403]);
    await admin.patch(`/api/profiles/${owner.id}`, { role: 'admin', areas: ['network'] });
    expect(await may()).toEqual([400, 403, 403]);
    await admin.patch(`/api/profiles/${owner.id}`, { areas: ['network', 'operations', 'procurement', 'people'] });
    expect(await may()).toEqual([400, 200, 403]);
    expect((await api.post('/api/people', {})).status).toBe(403);
  });

  it('of an administrator are fewer where its role is less: it sees the own tokens, and no secrets', async () => {
    const owner = await member('admin');
    const { api } = await issue(owner.api, { role: 'editor' });
    await issue((await member()).api);
    const { data } = (await api.get('/api/tokens')).body;
    expect(new Set(data.map(({ profileId }: Json) => profileId))).toEqual(new Set([owner.id]));
    const licence = await admin.make('/api/software-licences', { name: 'L', licenceKey: 'KEY-1' });
    const path = `/api/software-licences/${licence.id}`;
    expect((await owner.api.get(path)).body.data.licenceKey).toBe('KEY-1');
    expect((await api.get(path)).body.data.licenceKey).toBeNull();
  });

  it('end and begin again with its profile', async () => {
    const owner = await member();
    const { api } = await issue(owner.api);
    expect(await statusOf(api)).toBe(200);
    await admin.patch(`/api/profiles/${owner.id}`, { isActive: false });
    expect(await statusOf(api)).toBe(401);
    await admin.patch(`/api/profiles/${owner.id}`, { isActive: true });
    expect(await statusOf(api)).toBe(200);
    await admin.delete(`/api/profiles/${owner.id}`);
    expect(await statusOf(api)).toBe(401);
  });

  it('end with a password that an administrator sets, and not when the profile changes its own', async () => {
    const owner = await member();
    await admin.patch(`/api/profiles/${owner.id}`, { password: PASSWORD });
    const { headers } = await service.anonymous.post('/api/auth/login', { email: owner.email, password: PASSWORD });
    const session = new Api(service.url, /^session=([^;]*)/.exec(headers.get('set-cookie')!)![1]!);
    const { api, id } = await issue(session);
    const newPassword = 'another horse battery staple';
    expect((await session.post('/api/auth/password', { currentPassword: PASSWORD, newPassword })).status).toBe(204);
    expect(await statusOf(api)).toBe(200);
    await admin.patch(`/api/profiles/${owner.id}`, { email: `${randomUUID()}@example.com` });
    expect(await statusOf(api)).toBe(200);
    await admin.patch(`/api/profiles/${owner.id}`, { password: PASSWORD });
    expect(await statusOf(api)).toBe(401);
    expect(await statusOf(admin, `/api/tokens/${id}`)).toBe(404);
  });
});

itOnServer('a token that is being made when an administrator sets a password does not outlive it', async () => {
  const { db } = service.database;
  for (let round = 0; round < 10; round++) {
    const owner = await member();
    const made: Promise<{ status: number }>[] = [];
    // The administrator's transaction has begun. Requests that create tokens wait for it.
    await db.transaction(async (tx) => {
      await tx.query(sql`UPDATE profiles SET updated_at = now() WHERE id = ${owner.id}`);
      made.push(owner.api.post('/api/tokens', { name: 'late' }));
      await sleep(30);
      await tx.query(sql`DELETE FROM sessions WHERE profile_id = ${owner.id}`);
      await tx.query(sql`DELETE FROM tokens WHERE profile_id = ${owner.id}`);
    });
    expect((await Promise.all(made)).map(({ status }) => status)).toEqual([401]);
    expect(await db.query(sql`SELECT 1 FROM tokens WHERE profile_id = ${owner.id}`)).toEqual([]);
  }
});

describe('the last use of a token', () => {
  it('is noted at most once a minute, and is no change of it', async () => {
    const other = await service.beside({ TRUST_PROXY: 'true' });
    try {
      other.clock.stop();
      const session = await other.as('viewer');
      const { id, token, updatedAt } = await session.make('/api/tokens', { name: 'x' });
      const api = new Api(other.url, undefined, token);
      const used = async (): Promise<Json> => (await session.get(`/api/tokens/${id}`)).body.data;
      // The transaction that last wrote the row. It differs after each update.
      const written = async (): Promise<unknown> =>
        (await other.database.db.query<{ xmin: string }>(sql`SELECT xmin::text FROM tokens WHERE id = ${id}`))[0]!.xmin;
      const made = await written();
      await api.get('/api/racks', { 'x-forwarded-for': '192.0.2.1' });
      const noted = await written();
      expect(noted).not.toBe(made);
      const again = (): Promise<unknown> => api.get('/api/racks', { 'x-forwarded-for': '192.0.2.2' });
      // Within this time the token is cached, and the service does not check the database for its last use.
      expect(await scansDuring(other.database, ['tokens'], again)).toBe(0);
      const first = other.clock.now().toISOString();
      expect(await used()).toMatchObject({ lastUsedAt: first, lastUsedAddress: '192.0.2.1' });
      other.clock.advance(59 / 60);
      await again();
      expect([await written(), (await used()).lastUsedAt]).toEqual([noted, first]);
      other.clock.advance(1 / 60);
      await api.get('/api/racks', { 'x-forwarded-for': '192.0.2.3' });
      expect(await used()).toMatchObject({
        lastUsedAt: other.clock.now().toISOString(),
        lastUsedAddress: '192.0.2.3',
        updatedAt,
      });
      const changes = (await session.get(`/api/tokens/${id}/changes`)).body.data;
      expect(changes.map(({ action }: Json) => action)).toEqual(['create']);
      expect((await session.get('/api/tokens?lastUsedAddress=192.0.2.3&sort=lastUsedAt')).body.total).toBe(1);
    } finally {
      await other.stop();
    }
  });
});

describe('what is written down', () => {
  it('names the token beside the profile: in the change log', async () => {
    const owner = await member();
    const token = await issue(owner.api, { name: 'importer' });
    const { id } = await token.api.make('/api/racks', { name: 'A1' });
    await owner.api.patch(`/api/tokens/${token.id}`, { name: 'renamed' });
    await token.api.patch(`/api/racks/${id}`, { name: 'A2' });
    await owner.api.delete(`/api/racks/${id}`);
    const entries = (await admin.get(`/api/racks/${id}/changes`)).body.data;
    const who = { actorId: owner.id, actor: owner.email };
    expect(entries).toMatchObject([
      { ...who, tokenId: token.id, tokenName: 'importer' },
      { ...who, tokenId: token.id, tokenName: 'renamed' },
      { ...who, tokenId: null, tokenName: null },
    ]);
    expect((await admin.get(`/api/change-log?tokenId=${token.id}`)).body.total).toBe(2);
    // Several statements in one transaction.
    const asset = await token.api.make('/api/assets', { name: 'x' });
    const person = await token.api.make('/api/people', { fullName: 'Ada' });
    await token.api.post(
      `/api/assets/${asset.id}/assign`,
      { personId: person.id },
      { 'idempotency-key': randomUUID() },
    );
    expect((await admin.get(`/api/change-log?tokenId=${token.id}&resource=asset-assignments`)).body.total).toBe(1);
  });

  it('names the token beside the profile: in the log, without its secret', async () => {
    const lines: string[] = [];
    const to = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
    const other = await service.beside({}, [], createLogger('trace', to));
    try {
      const session = await other.as('viewer');
      const { id, token, profileId } = await session.make('/api/tokens', { name: 'reporter' });
      await new Api(other.url, undefined, token).get('/api/racks');
      await new Api(other.url, token).get('/api/racks');
      await session.get('/api/racks');
      const requests = lines.map((line) => JSON.parse(line) as Json).filter(({ url }) => url === '/api/racks');
      expect(requests).toMatchObject([
        { profile: profileId, tokenId: id, tokenName: 'reporter' },
        { profile: profileId, tokenId: id, tokenName: 'reporter' },
        { profile: profileId },
      ]);
      expect(Object.keys(requests[2]!)).not.toContain('tokenId');
      expect(lines.join('')).not.toContain(token.slice(17, 60));
    } finally {
      await other.stop();
    }
  });
});

describe('a token from the command line', () => {
  const wanted = { email: 'a@example.com', name: 'x' };

  it('has the bounds of one from the API', async () => {
    const owner = await member('editor', ['network']);
    const open = (more: object): Promise<string> =>
      openToken(service.database.db, parseTokenRequest({ email: owner.email, name: 'from the shell', ...more }));
    const text = await open({ role: 'viewer', days: '3', 'read-only': true });
    const api = new Api(service.url, undefined, text);
    expect((await api.get(own)).body.data.email).toBe(owner.email);
    const [made] = (await owner.api.get('/api/tokens')).body.data;
    expect(made).toMatchObject({ name: 'from the shell', role: 'viewer', areas: ['network'], readOnly: true });
    expect(Math.abs(Date.parse(made.expiresAt) - Date.now() - 3 * DAY)).toBeLessThan(60_000);
    await expect(open({ role: 'admin' })).rejects.toThrow('role must not be above editor, the role of the profile');
    await expect(open({ areas: 'people' })).rejects.toThrow('areas must not have people, which the profile lacks');
    await admin.patch(`/api/profiles/${owner.id}`, { isActive: false });
    await expect(open({})).rejects.toThrow(`The profile ${owner.email} is not active`);
    const nobody = openToken(service.database.db, parseTokenRequest({ ...wanted, email: 'nobody@example.com' }));
    await expect(nobody).rejects.toThrow('There is no profile nobody@example.com');
  });

  it.each<[object, RegExp]>([
    [{ email: undefined }, /--email/],
    [{ name: undefined }, /--name/],
    [{ name: ' ' }, /^--name must not be blank/],
    [{ role: 'root' }, /^--role must be one of viewer, .*'root'/],
    [{ areas: 'network,moon' }, /^--areas .*'moon'/],
    [{ days: '0' }, /^--days must be an integer between 1 and 366, not '0'/],
    [{ days: '367' }, /^--days/],
    [{ days: '1.5' }, /^--days/],
  ])('refuses %j in a sentence', (options, sentence) =>
    expect(() => parseTokenRequest({ ...wanted, ...options })).toThrow(sentence),
  );
});

it('has a rate limit of its own', async () => {
  const other = await service.beside({ RATE_LIMIT_PER_MINUTE: '3' });
  try {
    const session = await other.as('viewer');
    const tokens = [
      await session.make('/api/tokens', { name: 'a' }),
      await session.make('/api/tokens', { name: 'b' }),
    ].map(({ token }) => new Api(other.url, undefined, token));
    for (const api of tokens) {
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++) statuses.push(await statusOf(api, '/api/racks'));
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    expect(await statusOf(session, '/api/racks')).toBe(200);
  } finally {
    await other.stop();
  }
});

itDirectly('costs no query for its caller: reading one record is one statement, as with a session', async () => {
  const { api } = await issue((await member()).api);
  const { id } = await admin.make('/api/racks', { name: 'A1' });
  const reads = 20;
  for (const caller of [api, admin]) {
    await caller.get(`/api/racks/${id}`);
    const queries = jest.spyOn(service.database.db, 'query');
    try {
      for (let n = 0; n < reads; n++) expect((await caller.get(`/api/racks/${id}`)).status).toBe(200);
      // The service itself may add a few queries. One query for each caller would double the number.
      expect(queries.mock.calls.length).toBeGreaterThanOrEqual(reads);
      expect(queries.mock.calls.length).toBeLessThan(1.5 * reads);
    } finally {
      queries.mockRestore();
    }
  }
});
