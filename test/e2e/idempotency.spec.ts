import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.setup.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { SecretBox } from '../../src/kernel/secret-box.js';
import { Api, startService, TestClock, type Answer, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';

let service: TestService;
let admin: Api;
let editor: Api;

beforeAll(async () => {
  service = await startService();
  [admin, editor] = await Promise.all([service.as('admin'), service.as('editor')]);
});
afterAll(() => service.stop());

const withKey = (key: string) => ({ 'idempotency-key': key });
const profileOf = async (api: Api): Promise<string> => (await api.get('/api/auth/session')).body.data.id;
const count = async (path: string): Promise<number> => (await admin.get(path)).body.total;
const stored = () => service.database.db.query('SELECT * FROM idempotency_keys');

describe('a key used again', () => {
  it('with the same body gives the first answer again, and makes nothing', async () => {
    const key = randomUUID();
    const name = `once ${key}`;
    const first = await editor.post('/api/runbooks', { name }, withKey(key));
    expect(first.status).toBe(201);
    // The record goes on living: the answer is the one that was given.
    await editor.patch(`/api/runbooks/${first.body.data.id}`, { name: `${name}, renamed` });
    const again = await editor.post('/api/runbooks', { name }, withKey(key));
    expect([again.status, again.body]).toEqual([201, first.body]);
    for (const header of ['location', 'etag', 'content-type']) {
      expect([header, again.headers.get(header)]).toEqual([header, first.headers.get(header)]);
    }
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await count(`/api/runbooks?name__isw=${encodeURIComponent(name)}`)).toBe(1);
  });

  it('with another body is a 422, and makes nothing', async () => {
    const key = randomUUID();
    const first = await editor.post('/api/runbooks', { name: `a ${key}` }, withKey(key));
    for (const body of [{ name: `b ${key}` }, { name: `a ${key}`, description: 'more' }, {}]) {
      const answer = await editor.post('/api/runbooks', body, withKey(key));
      expect(answer.status).toBe(422);
      expect(answer.body.error).toContain('Idempotency-Key');
    }
    expect(await count(`/api/runbooks?name__ic=${key}`)).toBe(1);
    expect((await editor.post('/api/runbooks', { name: `a ${key}` }, withKey(key))).body).toEqual(first.body);
  });

  it('after a refusal does its work: refusals are not stored', async () => {
    const key = randomUUID();
    const po = await admin.make('/api/purchase-orders', { orderNumber: key, items: [{ name: 'x', quantity: 1 }] });
    const item = { name: 'x', quantity: 1 };
    const siteId = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
    // By shape, by a conflict and by a reference: the last two within the transaction.
    for (const [status, body] of [
      [400, { orderNumber: `${key}-2` }],
      [409, { orderNumber: key, items: [item] }],
      [400, { orderNumber: `${key}-2`, siteId, items: [item] }],
    ] as const) {
      expect((await editor.post('/api/purchase-orders', body, withKey(key))).status).toBe(status);
    }
    const made = await editor.post('/api/purchase-orders', { orderNumber: `${key}-2`, items: [item] }, withKey(key));
    expect(made.status).toBe(201);
    expect(made.body.data.id).not.toBe(po.id);
    // A 404 likewise.
    const missing = `/api/assets/${siteId}/return`;
    for (let n = 0; n < 2; n++) expect((await editor.post(missing, undefined, withKey(key))).status).toBe(404);
    expect(JSON.stringify(await stored())).not.toContain(missing);
  });

  it('on another path, or by another caller, is another key', async () => {
    const key = randomUUID();
    const other = await service.as('editor');
    const answers = [
      await editor.post('/api/vendors', { name: 'x' }, withKey(key)),
      await editor.post('/api/slas', { name: 'y' }, withKey(key)),
      await other.post('/api/vendors', { name: 'z' }, withKey(key)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers.map(({ body }) => body.data.name)).toEqual(['x', 'y', 'z']);
    // The same action of two records is two paths.
    const person = await editor.make('/api/people', { fullName: 'P' });
    const assets = [await editor.make('/api/assets', { name: '1' }), await editor.make('/api/assets', { name: '2' })];
    for (const { id } of assets) {
      const answer = await editor.post(`/api/assets/${id}/assign`, { personId: person.id }, withKey(key));
      expect([answer.status, answer.body.data.id]).toEqual([200, id]);
    }
  });

  it('after a day is a new one', async () => {
    const key = randomUUID();
    const age = (hours: number) =>
      service.database.db.query(
        `UPDATE idempotency_keys SET created_at = now() - make_interval(hours => $2) WHERE key = $1`,
        [key, hours],
      );
    const first = await editor.post('/api/vendors', { name: key }, withKey(key));
    await age(23);
    expect((await editor.post('/api/vendors', { name: key }, withKey(key))).body).toEqual(first.body);
    await age(25);
    const later = await editor.post('/api/vendors', { name: key }, withKey(key));
    expect(later.status).toBe(201);
    expect(later.body.data.id).not.toBe(first.body.data.id);
  });

  it('of a receive, assign or return answers as at first and happens once', async () => {
    const manager = await service.as('manager');
    const key = randomUUID();
    const po = await admin.make('/api/purchase-orders', { orderNumber: key, items: [{ name: 'x', quantity: 2 }] });
    const body = { items: [{ itemId: po.items[0].id, quantity: 1, assets: [{}] }] };
    const path = `/api/purchase-orders/${po.id}/receive`;
    const received = [await manager.post(path, body, withKey(key)), await manager.post(path, body, withKey(key))];
    expect(received.map(({ status }) => status)).toEqual([200, 200]);
    expect(received[1]!.body).toEqual(received[0]!.body);
    expect(await count(`/api/assets?purchaseOrderId=${po.id}`)).toBe(1);
    const [assetId] = received[0]!.body.data.assetIds;
    const person = await editor.make('/api/people', { fullName: 'P' });
    for (const [action, sent] of [
      ['assign', { personId: person.id }],
      ['return', undefined],
    ] as const) {
      const first = await editor.post(`/api/assets/${assetId}/${action}`, sent, withKey(key));
      const again = await editor.post(`/api/assets/${assetId}/${action}`, sent, withKey(key));
      expect([action, first.status, again.status]).toEqual([action, 200, 200]);
      expect(again.body).toEqual(first.body);
    }
    expect(await count(`/api/assets/${assetId}/assignments`)).toBe(1);
  });
});

describe("the caller's rights", () => {
  it('are checked anew before an answer is given again', async () => {
    const api = await service.as('editor');
    const id = await profileOf(api);
    const key = randomUUID();
    const send = () => api.post('/api/vendors', { name: key }, withKey(key));
    const first = await send();
    for (const [change, status] of [
      [{ role: 'viewer' }, 403],
      [{ role: 'editor', areas: ['people'] }, 403],
      [{ areas: ['procurement'] }, 201],
      [{ isActive: false }, 401],
    ] as const) {
      expect((await admin.patch(`/api/profiles/${id}`, change)).status).toBe(200);
      const answer = await send();
      expect([change, answer.status]).toEqual([change, status]);
      if (status === 201) expect(answer.body).toEqual(first.body);
      else expect(Object.keys(answer.body)).toEqual(['error']);
    }
  });

  it('decide what of an answer is shown when it is given again', async () => {
    const api = await service.as('manager');
    const id = await profileOf(api);
    const key = randomUUID();
    const send = async () => (await api.post('/api/software-licences', { name: key, licenceKey: 'K-1' }, withKey(key))).body;
    expect((await send()).data.licenceKey).toBe('K-1');
    expect((await send()).data.licenceKey).toBe('K-1');
    await admin.patch(`/api/profiles/${id}`, { role: 'editor' });
    expect((await send()).data).toMatchObject({ name: key, licenceKey: null });
  });
});

describe('what is stored', () => {
  it('holds no secret of a body or an answer', async () => {
    const canary = `CANARY-${randomUUID()}`;
    const manager = await service.as('manager');
    const body = { name: 'NetWatch', licenceKey: canary };
    expect((await manager.post('/api/software-licences', body, withKey(canary.slice(7)))).body.data.licenceKey).toBe(
      canary,
    );
    const rows = await stored();
    expect(rows.some(({ key }) => key === canary.slice(7))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(canary);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(canary).toString('base64url').slice(0, -2));
  });

  it('is in the same transaction as the work: an answer that cannot be stored undoes the work', async () => {
    const { db } = service.database;
    const key = randomUUID();
    await db.query(
      `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped'; END $$`,
    );
    await db.query('CREATE TRIGGER stop BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION stop()');
    try {
      expect((await editor.post('/api/vendors', { name: key }, withKey(key))).status).toBe(500);
      expect(await count(`/api/vendors?name=${key}`)).toBe(0);
    } finally {
      await db.query('DROP TRIGGER stop ON idempotency_keys');
      await db.query('DROP FUNCTION stop()');
    }
    expect((await editor.post('/api/vendors', { name: key }, withKey(key))).status).toBe(201);
  });

  it('is nothing of profiles and sessions, whose POSTs take no keys', async () => {
    const key = randomUUID();
    const before = (await stored()).length;
    const password = `${randomUUID()}-long enough`;
    const body = { email: `${key}@example.com`, role: 'viewer', password };
    expect((await admin.post('/api/profiles', body, withKey(key))).status).toBe(201);
    // Not the first answer again, but the conflict of a second try; nor a 422 for another body.
    expect((await admin.post('/api/profiles', body, withKey(key))).status).toBe(409);
    expect((await admin.post('/api/profiles', { ...body, role: 'nobody' }, withKey(key))).status).toBe(400);
    const login = () =>
      service.anonymous.post('/api/auth/login', { email: body.email, password }, withKey(key));
    const [first, second] = [await login(), await login()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers.get('set-cookie')).not.toBe(second.headers.get('set-cookie'));
    const cookie = /session=([^;]+)/.exec(second.headers.get('set-cookie')!)![1]!;
    const caller = new Api(service.url, cookie);
    const change = { currentPassword: password, newPassword: `${password}, changed` };
    expect((await caller.post('/api/auth/password', change, withKey(key))).status).toBe(204);
    expect((await caller.post('/api/auth/password', change, withKey(key))).status).not.toBe(204);
    expect((await stored()).length).toBe(before);
  });
});

it.each([
  ['empty', ''],
  ['longer than 255', 'x'.repeat(256)],
])('refuses a key that is %s with 400, and does nothing', async (_, key) => {
  const name = randomUUID();
  const answer = await editor.post('/api/vendors', { name }, withKey(key));
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('Idempotency-Key');
  expect(await count(`/api/vendors?name=${name}`)).toBe(0);
});

it('takes the longest key', async () => {
  const key = `${randomUUID()}${'x'.repeat(219)}`;
  const first = await editor.post('/api/vendors', { name: key.slice(0, 36) }, withKey(key));
  expect(first.status).toBe(201);
  expect((await editor.post('/api/vendors', { name: key.slice(0, 36) }, withKey(key))).body).toEqual(first.body);
});

/** Of requests with one key at the same moment: one did the work, the others tell so or give its answer. */
async function expectOnce(answers: readonly Answer[], path: string): Promise<void> {
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThanOrEqual(1);
  expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
  expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  expect(await count(path)).toBe(1);
}

it('does the work of two requests at the same moment once', async () => {
  for (let round = 0; round < 10; round++) {
    const key = randomUUID();
    const send = () => editor.post('/api/vendors', { name: key }, withKey(key));
    await expectOnce(await Promise.all([send(), send()]), `/api/vendors?name=${key}`);
  }
});

(onServer ? describe : describe.skip)('at the same moment, on two replicas', () => {
  it('the work is done once', async () => {
    const replica = await createApp({
      configuration: loadConfiguration({ LOG_LEVEL: 'silent' }),
      db: service.database.db,
      secrets: new SecretBox('a key that only the tests use, 32+'),
      clock: new TestClock(),
      extra: [],
    });
    await replica.listen(0, '127.0.0.1');
    try {
      const { port } = replica.getHttpServer().address() as AddressInfo;
      const there = new Api(`http://127.0.0.1:${port}`, editor.cookie);
      for (let round = 0; round < 20; round++) {
        const key = randomUUID();
        const path = `/api/vendors?name=${key}`;
        const send = (api: Api) => api.post('/api/vendors', { name: key }, withKey(key));
        await expectOnce(await Promise.all([editor, there, editor, there].map(send)), path);
        const [first, second] = [await send(editor), await send(there)];
        expect([first.status, second.status]).toEqual([201, 201]);
        expect(second.body).toEqual(first.body);
      }
    } finally {
      replica.getHttpServer().closeAllConnections();
      await replica.close();
    }
  }, 60_000);

  it('50 receives with one key receive once', async () => {
    const manager = await service.as('manager');
    const key = randomUUID();
    const po = await admin.make('/api/purchase-orders', { orderNumber: key, items: [{ name: 'x', quantity: 50 }] });
    const body = { items: [{ itemId: po.items[0].id, quantity: 1, assets: [{}] }] };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => manager.post(`/api/purchase-orders/${po.id}/receive`, body, withKey(key))),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const ids = answers.filter(({ status }) => status === 200).map((answer) => answer.body.data.assetIds[0]);
    expect(new Set(ids).size).toBe(1);
    expect(await count(`/api/assets?purchaseOrderId=${po.id}`)).toBe(1);
  }, 60_000);
});
