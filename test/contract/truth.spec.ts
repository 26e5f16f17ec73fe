import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exercised } from '../support/documented.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { rows } from '../resources/contract-rows.js';
import { Maker } from '../resources/make.js';

let service: TestService;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'truth');
});
afterAll(() => service.stop());

const ok = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await answer;
  expect([status < 400, text.slice(0, 300)]).toEqual([true, expect.anything()]);
};

// The client of the tests holds every answer against the document (test/support/documented.ts).
it.each(rows.map((row) => [row.path, row] as const))('the document is true of %s', async (_, row) => {
  const { path } = await maker.record(row.path);
  const base = path.slice(0, path.lastIndexOf('/'));
  await ok(
    admin.patch(
      path,
      await maker.values(Object.fromEntries(Object.entries(row.optional).filter(([name]) => name !== 'profileId'))),
    ),
  );
  await ok(admin.get(base));
  await ok(admin.get(`${base}?pageSize=1&order=desc`));
  await ok(admin.get(path));
  await ok(admin.get(`${path}?asOf=2999-01-01`));
  await ok(admin.get(`${path}/changes`));
  const { headers } = await admin.get(path);
  expect((await admin.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
  expect((await admin.patch(path, {}, { 'if-match': '"stale"' })).status).toBe(row.path === '/api/assets' ? 400 : 412);
  expect((await admin.get(`${base}?nonsense=1`)).status).toBe(400);
  expect((await service.anonymous.get(path)).status).toBe(401);
  expect((await admin.request('POST', base, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  await ok(admin.delete(path));
  expect((await admin.get(path)).status).toBe(404);
  if (!row.path.includes('{') && row.path !== '/api/profiles') await ok(admin.post(`${path}/restore`));
});

it('is true of the operations that carry rules, and of the service itself', async () => {
  const [asset, person, device, incident] = [
    await maker.record('/api/assets'),
    await maker.record('/api/people'),
    await maker.record('/api/devices'),
    await maker.record('/api/incidents'),
  ];
  await ok(admin.post(`${asset.path}/assign`, { personId: person.id }));
  expect((await admin.post(`${asset.path}/assign`, { personId: person.id })).status).toBe(409);
  await ok(admin.get(`${asset.path}/assignments`));
  await ok(admin.post(`${asset.path}/return`));
  await admin.make('/api/ip-addresses', { address: '10.1.0.1/24', deviceId: device.id });
  await ok(admin.get(`${device.path}/ips`));
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'T-R', items: [{ name: 'A', quantity: 1 }] });
  await ok(
    admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
    }),
  );
  await ok(admin.get(`${incident.path}/context`));
  await ok(admin.get('/api/change-log?pageSize=2'));
  await ok(admin.get(`/api/change-log/${(await admin.get('/api/change-log?pageSize=1')).body.data[0].id}`));
  const password = 'a passphrase of the truth 1';
  const profile = await admin.make('/api/profiles', { email: 'truth@example.com', password });
  const login = await service.anonymous.post('/api/auth/login', { email: 'truth@example.com', password });
  expect(login.status).toBe(200);
  await ok(admin.get(`/api/profiles/${profile.id}/sessions`));
  await ok(admin.delete(`/api/profiles/${profile.id}/sessions`));
  const viewer = await service.as('viewer');
  await ok(viewer.get('/api/auth/session'));
  expect((await viewer.post('/api/auth/password', { currentPassword: 'wrong', newPassword: password })).status).toBe(
    400,
  );
  await ok(viewer.post('/api/auth/logout'));
  await ok(admin.get('/health/live'));
  await ok(admin.get('/health/ready'));
});

it('was held against every operation of the document', () => {
  const { paths } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter((operation) => !exercised.has(operation))).toEqual([]);
});

it('is served in OpenAPI 3.1 and in 3.0, with an entity tag', async () => {
  for (const [path, version] of [
    ['/openapi.json', '3.1.0'],
    ['/openapi-3.0.json', '3.0.3'],
  ] as const) {
    const { status, body, headers } = await service.anonymous.get(path);
    expect([status, body.openapi]).toEqual([200, version]);
    expect((await service.anonymous.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
    const plain = await service.anonymous.get(path, { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), plain.body]).toEqual([null, body]);
    expect(plain.headers.get('etag')).not.toBe(headers.get('etag'));
  }
  const { text, body } = await service.anonymous.get('/openapi-3.0.json');
  expect(text).not.toMatch(/"type":\[|"type":"null"|"const":/);
  expect(body.components.schemas.KnownIssue.properties.workaround).toMatchObject({ type: 'string', nullable: true });
});
