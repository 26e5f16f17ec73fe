import { startService, type Api, type TestService } from '../support/app.js';
import { document, pathLike, resolveRef, type Json } from '../support/document.js';
import { approving } from '../support/moves.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';

/* Every example in the document works when sent unchanged, except for ids, which are replaced by those of existing records. */

const withBodies = Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Json>)
    .filter(([, operation]) => operation.requestBody)
    .map(([method, operation]) => ({ path, method, operation, id: operation.operationId as string })),
);
const exampleOf = (operation: Json): Json => operation.requestBody.content['application/json']?.example;

let service: TestService;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  service = await startService({ ADMIN_PASSWORD: 'correct horse battery staple' });
  admin = await service.as('admin');
  maker = new Maker(admin, 'example');
  for (const path of NAMED) await makeExample(path);
});
afterAll(() => service.stop());

/** Collections with a record that examples name by its id. */
const NAMED = [
  ...['/api/devices', '/api/ip-addresses', '/api/device-types', '/api/virtual-machines', '/api/circuits', '/api/vlans'],
  ...['/api/device-ports', '/api/assets', '/api/people', '/api/racks'],
];

/** The record of a collection that examples name, a new one: an import creates records with a given id. */
async function makeExample(path: string): Promise<void> {
  const { aId, bId } = document.components.schemas.CreateCable.properties;
  for (const id of path === '/api/device-ports' ? [aId.example, bId.example] : [aId.example])
    await makeWithId(path, id);
}

async function makeWithId(path: string, id: string): Promise<void> {
  const row = rows.find((candidate) => candidate.path === path)!;
  await admin.delete(`${path}/${id}`);
  const more = path === '/api/device-ports' ? { mode: 'tagged' } : {};
  const record = JSON.stringify({ ...(await maker.values(row.required)), ...more, id });
  const { status } = await admin.request('POST', `${path}/import?mode=upsert`, record, {
    'content-type': 'application/x-ndjson',
  });
  expect(status).toBe(200);
}

/** A booking of a person. @param isOut whether the person has the asset */
async function bookingOf(isOut: boolean): Promise<string> {
  const { path } = await maker.record('/api/bookings', { personId: (await maker.record('/api/people')).id });
  if (isOut) expect((await admin.post(`${path}/pick-up`)).status).toBe(200);
  return path;
}

const changeSet = async (): Promise<string> =>
  `/api/change-sets/${(await admin.make('/api/change-sets', { name: 'x' })).id}`;

/** Operations that need more than a record in the path, with the client, path and body for their example. */
const SPECIAL: Record<string, (example: Json) => Promise<[client: Api, path: string, body: Json]>> = {
  async assignAsset(example) {
    const [asset, person] = [await maker.record('/api/assets'), await maker.record('/api/people')];
    return [admin, `${asset.path}/assign`, { ...example, personId: person.id }];
  },
  async returnAsset(example) {
    const [asset, person] = [await maker.record('/api/assets'), await maker.record('/api/people')];
    expect((await admin.post(`${asset.path}/assign`, { personId: person.id })).status).toBe(200);
    return [admin, `${asset.path}/return`, example];
  },
  async handOverAssets(example) {
    const [asset, person] = [await maker.record('/api/assets'), await maker.record('/api/people')];
    return [admin, '/api/assets/handover', { ...example, holders: [{ assetId: asset.id, personId: person.id }] }];
  },
  async receivePurchaseOrder(example) {
    const order = await maker.record('/api/purchase-orders');
    const { data } = (await admin.get(order.path)).body;
    return [admin, `${order.path}/receive`, { items: [{ ...example.items[0], itemId: data.items[0].id }] }];
  },
  async receivePurchaseOrderStock(example) {
    const item = await maker.record('/api/stock-items');
    const line = { name: 'Cables', quantity: 1000, stockItemId: item.id };
    const site = await maker.record('/api/sites');
    const order = await admin.make('/api/purchase-orders', {
      ...{ orderNumber: 'PO-STOCK', status: 'ordered', siteId: site.id },
      items: [line],
    });
    const body = { items: [{ ...example.items[0], itemId: order.items[0].id }] };
    return [admin, `/api/purchase-orders/${order.id}/receive-stock`, body];
  },
  async reverseStockMovement(example) {
    const [item, site] = [await maker.record('/api/stock-items'), await maker.record('/api/sites')];
    const movements = `${item.path}/movements`;
    const { id } = await admin.make(movements, { kind: 'receipt', quantity: 5, siteId: site.id });
    return [admin, `${movements}/${id}/reverse`, example];
  },
  async undoRequest() {
    const { status, headers } = await admin.post('/api/vendors', { name: 'taken back' });
    expect(status).toBe(201);
    return [admin, '/api/change-log/undo', { requestId: headers.get('x-request-id') }];
  },
  createChangeSet: (example) => Promise.resolve([admin, '/api/change-sets', example]),
  async updateChangeSet(example) {
    return [{ post: (at: string, body: Json) => admin.patch(at, body) } as Api, await changeSet(), example];
  },
  createChangeSetOperation: async (example) => [admin, `${await changeSet()}/operations`, example],
  bulkChangeSetOperations: async (example) => [admin, `${await changeSet()}/operations/bulk`, example],
  async createChangeSetApproval(example) {
    const set = await changeSet();
    return [admin, `${set}/approvals`, { ...example, ...(await approving(admin, set)) }];
  },
  pickUpBooking: async (example) => [admin, `${await bookingOf(false)}/pick-up`, example],
  returnBooking: async (example) => [admin, `${await bookingOf(true)}/return`, example],
  async coverOnCallSchedule(example) {
    const { startTime, endTime } = example;
    const schedule = await admin.make('/api/on-call-schedules', { name: 'Primary', startTime, endTime });
    const { id } = await maker.record('/api/people');
    return [admin, `/api/on-call-schedules/${schedule.id}/cover`, { ...example, personId: id }];
  },
  async rotateOnCallSchedules(example) {
    const { id } = await maker.record('/api/people');
    return [admin, '/api/on-call-schedules/rotation', { ...example, personIds: [id] }];
  },
  findConflicts: (example) => Promise.resolve([admin, '/api/conflicts', example]),
  async createToken(example) {
    return [admin, '/api/tokens', example];
  },
  async updateToken(example) {
    const { id } = await admin.make('/api/tokens', { name: 'x' });
    return [{ post: (at: string, body: Json) => admin.patch(at, body) } as Api, `/api/tokens/${id}`, example];
  },
  async createCalendarFeed(example) {
    return [admin, '/api/calendar-feeds', example];
  },
  async updateCalendarFeed(example) {
    const { id } = await admin.make('/api/calendar-feeds', { name: 'x', kind: 'changes' });
    return [{ post: (at: string, body: Json) => admin.patch(at, body) } as Api, `/api/calendar-feeds/${id}`, example];
  },
  async createWebhook(example) {
    return [admin, '/api/webhooks', example];
  },
  async updateWebhook(example) {
    const { id, secret } = await admin.make('/api/webhooks', { name: 'x', url: 'https://example.com/x' });
    const body = 'url' in example ? { ...example, secret } : example;
    return [{ post: (at: string) => admin.patch(at, body) } as Api, `/api/webhooks/${id}`, example];
  },
  async createCustomField(example) {
    return [admin, '/api/custom-fields', example];
  },
  async updateCustomField(example) {
    const { id } = await admin.make('/api/custom-fields', { key: 'x', type: 'text', resources: ['slas'] });
    return [{ post: (at: string, body: Json) => admin.patch(at, body) } as Api, `/api/custom-fields/${id}`, example];
  },
  async createTransition(example) {
    return [admin, '/api/transitions', example];
  },
  async updateTransition(example) {
    const { id } = await admin.make('/api/transitions', {
      resource: 'change-requests',
      from: 'submitted',
      to: 'approved',
    });
    return [{ post: (at: string, body: Json) => admin.patch(at, body) } as Api, `/api/transitions/${id}`, example];
  },
  async replayWebhook(example) {
    const { id } = await admin.make('/api/webhooks', { name: 'x', url: 'https://example.com/x' });
    return [admin, `/api/webhooks/${id}/replay`, example];
  },
  async login(example) {
    await admin.make('/api/profiles', { ...example, role: 'viewer' });
    return [service.anonymous, '/api/auth/login', example];
  },
  async changePassword(example) {
    const email = 'change@example.com';
    await admin.make('/api/profiles', { email, password: example.currentPassword });
    const login = await service.anonymous.post('/api/auth/login', { email, password: example.currentPassword });
    const cookie = /session=([^;]+)/.exec(login.headers.get('set-cookie')!)![1];
    return [
      { post: (at: string, body: Json) => service.anonymous.post(at, body, { cookie: `session=${cookie}` }) } as Api,
      '/api/auth/password',
      example,
    ];
  },
};

/** Path of a row's collection, without the record of another example, which has the same unique values. */
async function emptied(path: string): Promise<string> {
  const collection = await maker.collection(rows.find((candidate) => pathLike(candidate.path) === pathLike(path))!);
  for (const { id } of (await admin.get(collection)).body.data as Json[]) await admin.delete(`${collection}/${id}`);
  // What other examples have made of them is gone with them.
  for (const named of NAMED) await makeExample(named);
  return collection;
}

it.each(withBodies.map((operation) => [operation.id, operation] as const))(
  'the example of %s works',
  async (id, { path, method, operation }) => {
    if (path.endsWith('/import')) {
      const collection = await emptied(path.slice(0, -'/import'.length));
      const files = Object.entries<Json>(operation.requestBody.content);
      expect(files.map(([type]) => type).slice(0, 2)).toEqual(['text/csv', 'application/x-ndjson']);
      for (const [type, { example }] of files) {
        const answer = await admin.request('POST', `${collection}/import?dryRun=true`, example, {
          'content-type': type,
        });
        expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.stringContaining('"created":1')]);
      }
      return;
    }
    const example = exampleOf(operation);
    expect(example).toEqual(expect.any(Object));
    // They close a field of the examples after them.
    for (const { id: defined } of (await admin.get('/api/transitions')).body.data as Json[])
      await admin.delete(`/api/transitions/${defined}`);
    const special = await SPECIAL[id]?.(example);
    if (special) {
      const [client, at, body] = special;
      const { status, text } = await client.post(at, body);
      expect([Math.floor(status / 100), text.slice(0, 300)]).toEqual([2, expect.anything()]);
      return;
    }
    const [, collection, action] = /^(.*)\/(bulk)$/.exec(path) ?? [];
    if (collection !== undefined) {
      const { status, text } = await admin.post(`${await emptied(collection)}/${action}`, example);
      expect([status, text.slice(-100)]).toEqual([200, expect.stringContaining('"created":1')]);
      return;
    }
    const row = rows.find((candidate) => [pathLike(candidate.path), pathLike(`${candidate.path}/{}`)].includes(path));
    if (!row) {
      const [, element, last] = /^(.*)\/([\w-]+)$/.exec(path)!;
      const owner = rows.find((candidate) => pathLike(`${candidate.path}/{}`) === pathLike(element!))!;
      const { path: at } = await maker.record(owner.path);
      // The digest of an approval is that of the record.
      const body = last === 'approvals' ? { ...example, ...(await approving(admin, at)) } : example;
      const { status, text } = await admin.post(`${at}/${last}`, body);
      expect([Math.floor(status / 100), text.slice(0, 300)]).toEqual([2, expect.anything()]);
      return;
    }
    const answer =
      method === 'patch'
        ? await admin.patch((await maker.record(row.path)).path, example)
        : await admin.post(await maker.collection(row), example);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([method === 'patch' ? 200 : 201, expect.anything()]);
    const { password: _never, ...shown } = example;
    expect(answer.body.data).toMatchObject(shown);
  },
);

it('every operation with a body has an example of it, and every path an id', () => {
  expect(withBodies.length).toBeGreaterThan(65);
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>))
    for (const operation of Object.values(methods))
      for (const [, name] of path.matchAll(/\{(\w+)\}/g))
        expect(operation.parameters.map(resolveRef).find((parameter: Json) => parameter.name === name).example).toMatch(
          name === 'secret' ? /^[0-9A-Za-z]{43}$/ : /^[0-9a-f-]{36}$/,
        );
});

it('no example of a record ends before it starts, or when it does', () => {
  const schemas = Object.entries(document.components.schemas as Record<string, Json>);
  const spans = [
    ['startTime', 'endTime'],
    ['startDate', 'endDate'],
    ['installDate', 'terminationDate'],
    ['detectedAt', 'resolvedAt'],
    ['from', 'to'],
  ] as const;
  // The start and the end of a move are words.
  const isSpan = ([name]: [string, Json]): boolean => !name.includes('Transition');
  const impossible = schemas
    .filter(isSpan)
    .flatMap(([name, { properties = {} }]) =>
      spans
        .filter(([start, end]) => properties[start]?.example >= properties[end]?.example)
        .map(([start, end]) => `${name}: ${start}, ${end}`),
    );
  expect(impossible).toEqual([]);
});
