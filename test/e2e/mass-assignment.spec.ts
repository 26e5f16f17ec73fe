import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';
import { Api, startService, type HeaderMap, type TestService } from '../support/app.js';
import { ofEachKind } from '../support/size.js';

const PASSWORD = 'correct horse battery staple';

let service: TestService;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'mass');
});
afterAll(() => service.stop());

interface Schema {
  properties: Record<string, { readOnly?: boolean; type?: unknown; format?: string }>;
}
const { components } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

const EVIL = '66666666-6666-4666-8666-666666666666';
const LONG_AGO = '2001-01-01T00:00:00.000Z';

/** Fields that no client may set, with values that would be visible if the service stored them. */
const OF_THE_SERVICE = { id: EVIL, createdAt: LONG_AGO, updatedAt: LONG_AGO };

/** Names that are not fields of any resource: columns, relations, and fields of other systems. */
const NO_FIELDS = {
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  password_hash: 'x',
  tokenHash: 'x',
  profileId: EVIL,
  is_active: true,
  isAdmin: true,
  created_at: LONG_AGO,
  permissions: ['*'],
  constructor: { prototype: { role: 'admin' } },
};

describe.each(ofEachKind(rows))('$path', (row) => {
  it('ignores or refuses fields that the service controls', async () => {
    const collection = await maker.collection(row);
    const { path } = await maker.record(row.path);
    // Only in request bodies.
    const password = row.area === 'admin' && { password: PASSWORD };
    const before = (await admin.get(path)).body.data;
    // All shown fields except the writable ones.
    const settable = new Set([...Object.keys(row.required), ...Object.keys(row.optional), 'password']);
    const shown = Object.keys(before).filter((field) => !settable.has(field));
    expect(shown).toEqual(expect.arrayContaining(Object.keys(OF_THE_SERVICE)));

    for (const field of shown) {
      const value = (OF_THE_SERVICE as Record<string, unknown>)[field] ?? EVIL;
      // Sending a value back changes nothing. Another value is refused or changes nothing.
      const answer = await admin.patch(path, { [field]: value });
      expect([200, 400]).toContain(answer.status);
      const { updatedAt: _was, ...rest } = before;
      expect([field, (await admin.get(path)).body.data]).toEqual([field, expect.objectContaining(rest)]);
    }
    const sent = { ...(await maker.values(row.required)), ...OF_THE_SERVICE, ...password };
    const made = await admin.post(collection, sent);
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    expect(made.body.data.id).not.toBe(EVIL);
    expect(made.body.data.createdAt).not.toBe(LONG_AGO);
    expect(made.body.data.updatedAt).not.toBe(LONG_AGO);
    expect((await admin.get(`${collection}/${EVIL}`)).status).toBe(404);

    for (const [field, value] of Object.entries(NO_FIELDS)) {
      if (field in before || settable.has(field)) continue;
      for (const answer of [
        await admin.patch(path, { [field]: value }),
        await admin.post(collection, { ...(await maker.values(row.required)), ...password, [field]: value }),
      ]) {
        expect([field, answer.status, answer.body.details?.[0].field]).toEqual([field, 400, field]);
      }
    }
    for (const body of [
      '{"__proto__":{"role":"admin"}}',
      '{"name":"x","constructor":{"prototype":{"role":"admin"}}}',
    ]) {
      expect((await admin.patch(path, body)).status).toBe(400);
      expect(({} as { role?: string }).role).toBeUndefined();
    }
  });
});

describe('a profile', () => {
  async function enter(role: string): Promise<{ api: Api; id: string; email: string }> {
    const email = `${randomUUID()}@example.com`;
    const { id } = await admin.make('/api/profiles', { email, password: PASSWORD, role, areas: ['network'] });
    const { headers } = await service.anonymous.post('/api/auth/login', { email, password: PASSWORD });
    return { api: new Api(service.url, /^session=([^;]*)/.exec(headers.get('set-cookie')!)![1]!), id, email };
  }
  const more = { role: 'admin', areas: ['people'], isActive: true, id: EVIL };

  it.each(['viewer', 'editor', 'manager'])(
    'of a %s cannot get more permissions from its owner in any way',
    async (role) => {
      const { api, id, email } = await enter(role);
      for (const [name, value] of Object.entries(more)) {
        const passwords = { currentPassword: PASSWORD, newPassword: 'another long password' };
        expect((await api.post('/api/auth/password', { ...passwords, [name]: value })).status).toBe(400);
        const again = await service.anonymous.post('/api/auth/login', { email, password: PASSWORD, [name]: value });
        expect(again.status).toBe(400);
        expect((await api.patch(`/api/profiles/${id}`, { [name]: value })).status).toBe(403);
        expect((await api.request('PATCH', '/api/auth/session', { [name]: value })).status).toBe(405);
      }
      const claims: HeaderMap[] = [
        { 'x-http-method-override': 'PATCH' },
        { 'x-role': 'admin' },
        { 'x-original-url': `/api/profiles/${id}` },
        { 'x-forwarded-user': 'admin@example.com' },
      ];
      for (const headers of claims) {
        expect((await api.post('/api/profiles', { email: 'x@example.com', password: PASSWORD }, headers)).status).toBe(
          403,
        );
      }
      // If there is an Authorization header, the cookie does not count.
      const basic = { authorization: 'Basic YWRtaW46YWRtaW4=' };
      const refused = await api.post('/api/profiles', { email: 'x@example.com', password: PASSWORD }, basic);
      expect(refused.status).toBe(401);
      expect((await api.get('/api/auth/session')).body.data).toMatchObject({ id, role, areas: ['network'] });
    },
  );

  it('cannot be accessed by others than administrators, nor can its sessions', async () => {
    const [mine, other] = [await enter('manager'), await enter('viewer')];
    for (const path of [
      `/api/profiles/${other.id}`,
      `/api/profiles/${other.id}/sessions`,
      `/api/profiles/${mine.id}`,
    ]) {
      for (const method of ['GET', 'HEAD', 'PATCH', 'DELETE']) {
        const { status } = await mine.api.request(method, path, method === 'PATCH' ? {} : undefined);
        expect([method, path, [403, 405].includes(status)]).toEqual([method, path, true]);
      }
    }
    expect((await other.api.get('/api/auth/session')).status).toBe(200);
    // Nor can administrators reach a session through another profile.
    const [session] = (await admin.get(`/api/profiles/${other.id}/sessions`)).body.data;
    expect((await admin.get(`/api/profiles/${mine.id}/sessions?id=${session.id}`)).body.data).toEqual([]);
    expect((await admin.get(`/api/profiles/${mine.id}/sessions?profileId=${other.id}`)).body.data ?? []).toEqual([]);
  });

  it('of an administrator accepts no unknown fields', async () => {
    const { id } = await enter('viewer');
    const schema = components.schemas.UpdateProfile!;
    const writable = Object.keys(schema.properties).filter((name) => !schema.properties[name]!.readOnly);
    expect(writable.toSorted()).toEqual(['areas', 'email', 'isActive', 'password', 'role']);
    const answer = await admin.patch(`/api/profiles/${id}`, { ...NO_FIELDS, role: 'editor' });
    expect(answer.status).toBe(400);
    expect((await admin.get(`/api/profiles/${id}`)).body.data.role).toBe('viewer');
  });
});
