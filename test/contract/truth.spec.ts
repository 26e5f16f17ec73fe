import { randomUUID } from 'node:crypto';
import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { document, pathLike, type Json } from '../support/document.js';
import { answered } from '../support/documented.js';
import { startService, type Answer, type Api, type HeaderMap, type TestService } from '../support/app.js';
import { rows } from '../resources/contract-rows.js';
import { Maker } from '../resources/make.js';

interface Operation {
  method: string;
  template: string;
  declared: Json;
}
const operations: Operation[] = Object.entries<Record<string, Json>>(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, declared]) => ({ method: method.toUpperCase(), template, declared })),
);
const nameOf = ({ method, template }: Operation): string => `${method} ${template}`;
const statusesOf = ({ declared }: Operation): number[] => Object.keys(declared.responses).map(Number);

jest.setTimeout(120_000);

let service: TestService;
let admin: Api;
/** May see nothing but what everybody may. */
let outsider: Api;
let maker: Maker;
/** Where a session, and an address without one, may send one request in a minute. */
let limited: TestService;
let addresses = 0;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  outsider = await service.as('viewer', []);
  maker = new Maker(admin, 'truth');
  limited = await startService({ RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: 'true' });
});
afterAll(async () => {
  await service.stop();
  await limited.stop();
});

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
  const { headers } = await service.anonymous.post('/api/auth/login', { email: 'truth@example.com', password });
  const cookie = /session=[^;]+/.exec(headers.get('set-cookie')!)![0];
  const newPassword = 'another passphrase of the truth 2';
  await ok(service.anonymous.post('/api/auth/password', { currentPassword: password, newPassword }, { cookie }));
  await ok(viewer.post('/api/auth/logout'));
  await ok(admin.get('/health/live'));
  await ok(admin.get('/health/ready'));
});

/** The path of an operation for records that there are, new ones where it needs any. */
async function pathOf({ template }: Operation): Promise<string> {
  const end = template.lastIndexOf('}') + 1;
  if (end === 0) return template;
  if (template === '/api/change-log/{id}') {
    return `/api/change-log/${(await admin.get('/api/change-log?pageSize=1')).body.data[0].id}`;
  }
  const row = rows.find(({ path }) => pathLike(`${path}/{}`) === pathLike(template.slice(0, end)))!;
  return (await maker.record(row.path)).path + template.slice(end);
}

/** The path of an operation for records that there are not. */
const nowhere = ({ template }: Operation): string => template.replaceAll(/\{\w+\}/g, () => randomUUID());

const bodyOf = ({ declared }: Operation): Json => declared.requestBody?.content['application/json'].example;

/** Sends an operation as its example says. */
const send = (api: Api, operation: Operation, path: string, headers: HeaderMap = {}): Promise<Answer> =>
  api.request(operation.method, path, bodyOf(operation), headers);

/** The body that receives one unit of the first line of an order. */
async function unitOf(order: string): Promise<Json> {
  const { data } = (await admin.get(order)).body;
  return { items: [{ itemId: data.items[0].id, quantity: 1, assets: [{}] }] };
}

/** Values that must be unique, by the path of their collection. */
const TAKEN: [collection: RegExp, body: Json][] = [
  [/\/profiles\b/, { email: 'taken@example.com', password: 'a passphrase of the truth 3' }],
  [/\/people\b/, { email: 'taken@example.com' }],
  [/\/purchase-orders\b/, { orderNumber: 'TAKEN' }],
  [/\/ports\b/, { name: 'taken' }],
];

/** A second request with the key of one that is still running. */
async function whileRunning(operation: Operation): Promise<Answer> {
  const path = await pathOf(operation);
  const { db } = service.database;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => {
    const transaction = db.transaction.bind(db);
    jest.spyOn(db, 'transaction').mockImplementationOnce(async (...work) => {
      resolve();
      await released;
      return transaction(...work) as never;
    });
  });
  const headers = { 'idempotency-key': randomUUID() };
  const first = send(admin, operation, path, headers);
  await begun;
  const second = await send(admin, operation, path, headers);
  release();
  await first;
  return second;
}

let pruned: Promise<void> | undefined;

/** Makes the oldest entry of the change log old enough to be deleted, and deletes it. */
async function loseOldestEntry(): Promise<void> {
  const { db } = service.database;
  await db.query('ALTER TABLE change_log DISABLE TRIGGER change_log_keep');
  await db.query(`UPDATE change_log SET created_at = created_at - interval '100 days'
    WHERE id = (SELECT id FROM change_log ORDER BY id LIMIT 1)`);
  await db.query('ALTER TABLE change_log ENABLE TRIGGER change_log_keep');
  await service.app.get(ChangeLogRetention).prune(90);
}

/** How an operation comes to answer with a status, as which it is written in the document. */
const REFUSED: Record<number, (operation: Operation) => Promise<Answer>> = {
  304: async (operation) => {
    const path = await pathOf(operation);
    const { headers } = await admin.get(path);
    return admin.get(path, { 'if-none-match': headers.get('etag')! });
  },
  400: (operation) => {
    if (operation.template === '/api/auth/login') return service.anonymous.post('/api/auth/login', {});
    return send(admin, operation, `${nowhere(operation)}?nonsense=1`);
  },
  401: (operation) => send(service.anonymous, operation, nowhere(operation)),
  403: (operation) =>
    operation.method === 'GET'
      ? outsider.get(nowhere(operation))
      : send(admin, operation, nowhere(operation), { 'sec-fetch-site': 'cross-site' }),
  404: (operation) => send(admin, operation, nowhere(operation)),
  409: async (operation) => {
    const { template, method } = operation;
    // Of a record that is not deleted, of an asset that is not handed out, of the last administrator.
    if (/\/(?:restore|return)$/.test(template)) return send(admin, operation, await pathOf(operation));
    if (template === '/api/profiles/{id}' && method === 'DELETE') {
      return admin.delete(`/api/profiles/${(await admin.get('/api/auth/session')).body.data.id}`);
    }
    // Of an order of which units were received.
    if (template === '/api/purchase-orders/{id}' && method === 'DELETE') {
      const order = await maker.record('/api/purchase-orders');
      await ok(admin.post(`${order.path}/receive`, await unitOf(order.path)));
      return admin.delete(order.path);
    }
    if (statusesOf(operation).includes(422)) return whileRunning(operation);
    const [, taken] = TAKEN.find(([collection]) => collection.test(template))!;
    const row = rows.find(({ path }) => pathLike(path) === template.replace(/\/\{\w+\}$/, ''))!;
    const body = { ...(await maker.values(row.required)), ...taken };
    if (method === 'POST') {
      await admin.post(template, body);
      return admin.post(template, body);
    }
    const path = await pathOf(operation);
    await admin.post(path.slice(0, path.lastIndexOf('/')), body);
    return admin.patch(path, taken);
  },
  410: async (operation) => {
    await (pruned ??= loseOldestEntry());
    return admin.get(`${await pathOf(operation)}?asOf=2020-01-01`);
  },
  412: async (operation) => send(admin, operation, await pathOf(operation), { 'if-match': '"stale"' }),
  413: (operation) => admin.request(operation.method, nowhere(operation), { name: 'x'.repeat(1024 * 1024) }),
  415: (operation) => admin.request(operation.method, nowhere(operation), 'x', { 'content-type': 'text/plain' }),
  422: async (operation) => {
    const { template } = operation;
    const headers = { 'idempotency-key': randomUUID() };
    let [path, body] = [await pathOf(operation), bodyOf(operation)];
    if (template.endsWith('/restore')) await admin.delete(path.slice(0, -'/restore'.length));
    if (template.endsWith('/assign')) body = { personId: (await maker.record('/api/people')).id };
    if (template.endsWith('/return')) {
      const asset = path.slice(0, -'/return'.length);
      await ok(admin.post(`${asset}/assign`, { personId: (await maker.record('/api/people')).id }));
    }
    if (template.endsWith('/receive')) body = await unitOf(path.slice(0, -'/receive'.length));
    if (operation.method === 'POST' && body && !/\/(?:assign|receive)$/.test(template)) {
      const row = rows.find((one) => pathLike(one.path) === template)!;
      body = {
        ...(await maker.values(row.required)),
        ...(row.required.orderNumber ? { orderNumber: randomUUID() } : {}),
      };
    }
    await ok(admin.request('POST', path, body, headers));
    return admin.request('POST', path, { other: true }, headers);
  },
  429: async (operation) => {
    const from = { 'x-forwarded-for': `192.0.2.${1 + (addresses++ % 254)}` };
    // Without a session an address is limited, and else the session.
    const isLogin = operation.template === '/api/auth/login';
    const api = isLogin ? limited.anonymous : await limited.as('admin');
    await (isLogin ? send(api, operation, operation.template, from) : api.get('/api/sites', from));
    return send(api, operation, nowhere(operation), from);
  },
  503: async (operation) => {
    const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const connect = jest.spyOn(service.database.db.pool, 'connect').mockRejectedValue(down as never);
    try {
      return await send(admin, operation, nowhere(operation));
    } finally {
      connect.mockRestore();
    }
  },
};

const refusalsOf = (operation: Operation): number[] => statusesOf(operation).filter((status) => status >= 300);
const refusing = operations.filter((operation) => refusalsOf(operation).length > 0);

describe('the refusals of the document are those of the service:', () => {
  it.each(refusing.map((operation) => [nameOf(operation), operation] as const))('%s', async (_, operation) => {
    for (const status of refusalsOf(operation)) {
      expect([status, (await REFUSED[status]!(operation)).status]).toEqual([status, status]);
    }
  });
});

it('was held against every status of every operation of the document', () => {
  const documented = operations.flatMap((operation) =>
    statusesOf(operation).map((status) => `${nameOf(operation)} ${status}`),
  );
  expect(operations.length).toBeGreaterThan(200);
  expect(documented.length).toBeGreaterThan(1500);
  expect(documented.filter((one) => !answered.has(one))).toEqual([]);
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
