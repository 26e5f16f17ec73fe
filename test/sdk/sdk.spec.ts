import {
  changes,
  createClient,
  InventoryError,
  ok,
  planned,
  records,
  verifyWebhook,
  type InventoryClient,
} from '../../sdk/typescript/index.js';
import { Webhook } from 'standardwebhooks';
import { startService, type TestService } from '../support/app.js';

let service: TestService;
let client: InventoryClient;
const password = 'a passphrase of the client 1';
beforeAll(async () => {
  service = await startService();
  await (await service.as('admin')).make('/api/profiles', { email: 'client@example.com', password, role: 'manager' });
  client = createClient({ baseUrl: service.url });
});
afterAll(() => service.stop());

const refusal = async (request: Promise<unknown>): Promise<InventoryError> => {
  const error: unknown = await request.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(InventoryError);
  return error as InventoryError;
};

it('is refused before login, keeps its session, and is refused again after logout', async () => {
  expect((await refusal(ok(client.GET('/api/sites')))).status).toBe(401);
  expect(
    (await refusal(ok(client.POST('/api/auth/login', { body: { email: 'client@example.com', password: 'wrong' } }))))
      .status,
  ).toBe(401);
  const { data: profile } = await ok(
    client.POST('/api/auth/login', { body: { email: 'client@example.com', password } }),
  );
  expect(profile.role).toBe('manager');
  expect((await ok(client.GET('/api/auth/session'))).data.email).toBe('client@example.com');
  await ok(client.POST('/api/auth/logout'));
  expect((await refusal(ok(client.GET('/api/auth/session')))).status).toBe(401);
  await ok(client.POST('/api/auth/login', { body: { email: 'client@example.com', password } }));
});

it('sends a token, which alone decides', async () => {
  const { data: made } = await ok(client.POST('/api/tokens', { body: { name: 'sdk', readOnly: true } }));
  const script = createClient({ baseUrl: service.url, token: made.token });
  expect((await ok(script.GET('/api/auth/session'))).data.email).toBe('client@example.com');
  const refused = await refusal(ok(script.POST('/api/sites', { body: { name: 'x' } })));
  expect([refused.status, refused.message]).toEqual([403, 'This token is read-only']);
  // Logging in does not change who it is.
  await ok(script.POST('/api/auth/login', { body: { email: 'client@example.com', password } }));
  expect((await refusal(ok(script.POST('/api/sites', { body: { name: 'x' } })))).status).toBe(403);
});

it('racks a switch, orders spares and receives them, puts a person on call, opens an incident, files the change', async () => {
  const { data: site } = await ok(client.POST('/api/sites', { body: { name: 'Amsterdam DC1' } }));
  const { data: rack } = await ok(client.POST('/api/racks', { body: { name: 'A1', siteId: site.id, units: 42 } }));
  const { data: device } = await ok(
    client.POST('/api/devices', {
      body: { name: 'core-sw-01', siteId: site.id, rackId: rack.id, rackPosition: 40, rackFace: 'front' },
    }),
  );
  const { data: port } = await ok(
    client.POST('/api/devices/{deviceId}/ports', {
      params: { path: { deviceId: device.id } },
      body: { name: 'Ethernet1/1' },
    }),
  );
  const { data: address } = await ok(
    client.POST('/api/ip-addresses', { body: { address: '10.0.0.1/24', interfaceId: port.id } }),
  );
  expect([address.deviceId, address.family]).toEqual([device.id, 4]);
  const { data: order } = await ok(
    client.POST('/api/purchase-orders', {
      body: { orderNumber: 'PO-1', siteId: site.id, items: [{ name: 'Optic', quantity: 2, unitPrice: '99.50' }] },
    }),
  );
  const { data: receipt } = await ok(
    client.POST('/api/purchase-orders/{id}/receive', {
      params: { path: { id: order.id }, header: { 'Idempotency-Key': 'delivery-1' } },
      body: {
        items: [
          { itemId: order.items[0]!.id, quantity: 2, assets: [{ serialNumber: 'S-1' }, { serialNumber: 'S-2' }] },
        ],
      },
    }),
  );
  expect(receipt.count).toBe(2);
  const { data: person } = await ok(client.POST('/api/people', { body: { fullName: 'Ada Lovelace' } }));
  await ok(
    client.POST('/api/assets/{id}/assign', {
      params: { path: { id: receipt.assetIds[0]! } },
      body: { personId: person.id },
    }),
  );
  const { data: handover } = await ok(
    client.POST('/api/assets/handover', {
      body: { holders: [{ assetId: receipt.assetIds[1]!, personId: person.id }], replace: false },
    }),
  );
  expect(handover.handedOut).toBe(1);
  const { data: schedule } = await ok(
    client.POST('/api/on-call-schedules', { body: { name: 'Primary', personId: person.id } }),
  );
  const { data: incident } = await ok(
    client.POST('/api/incidents', { body: { name: 'core-sw-01 drops packets', severity: 'sev2' } }),
  );
  await ok(client.POST('/api/change-requests', { body: { name: 'Replace the optics of core-sw-01', risk: 'medium' } }));
  const { data: context } = await ok(
    client.GET('/api/incidents/{id}/context', { params: { path: { id: incident.id } } }),
  );
  expect(context.onCall.map(({ id }) => id)).toEqual([schedule.id]);
  expect(context.changes.some(({ recordId }) => recordId === device.id)).toBe(true);
});

it('throws errors with all faults and the request id', async () => {
  const error = await refusal(ok(client.POST('/api/sites', { body: { name: '', latitude: 91 } })));
  expect(error.status).toBe(400);
  expect(error.details.map(({ field }) => field).toSorted()).toEqual(['latitude', 'name']);
  expect(error.message).toContain('latitude');
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

it('walks through the pages of a list, filtered', async () => {
  for (let i = 0; i < 7; i++) await ok(client.POST('/api/vrfs', { body: { name: i % 2 ? `odd ${i}` : `even ${i}` } }));
  const names: string[] = [];
  for await (const vrf of records(
    client,
    '/api/vrfs',
    { query: { name__isw: ['odd', 'even'], sort: 'name', order: 'desc' } },
    3,
  )) {
    names.push(vrf.name);
  }
  expect(names).toEqual(['odd 5', 'odd 3', 'odd 1', 'even 6', 'even 4', 'even 2', 'even 0']);
  await expect(async () => {
    for await (const _ of records(client, '/api/vrfs', { query: { nmae: 'x' } } as never));
  }).rejects.toThrow(`Did you mean 'name'?`);
});

it('follows the changes, and resumes where it was', async () => {
  const { data: made } = await ok(client.POST('/api/tokens', { body: { name: 'follower' } }));
  let failing = 1;
  const follower = createClient({
    baseUrl: service.url,
    token: made.token,
    // The second request fails before it is sent, as in an outage.
    fetch: (request: Request) => (failing++ === 2 ? Promise.reject(new TypeError('fetch failed')) : fetch(request)),
  });
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  let last = '';
  const following = (async () => {
    for await (const { data, cursor } of changes(follower, { resource: ['vrfs'], signal: stop.signal })) {
      seen.push(...data.map(({ recordName }) => recordName));
      last = cursor;
      if (seen.length >= 2) stop.abort();
    }
  })();
  const hasFailed = (): boolean => failing > 2;
  while (!hasFailed()) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const name of ['red', 'blue']) await ok(client.POST('/api/vrfs', { body: { name } }));
  await following;
  expect(seen).toEqual(['red', 'blue']);
  await ok(client.POST('/api/vrfs', { body: { name: 'green' } }));
  for await (const { data } of changes(follower, { since: last })) {
    expect(data.map(({ recordName }) => recordName)).toEqual(['green']);
    break;
  }
  expect((await refusal(changes(follower, { since: 'nonsense' }).next())).status).toBe(400);
});

it('writes a request down in a change set, whose operations it names', async () => {
  const { data: set } = await ok(client.POST('/api/change-sets', { body: { name: 'New site' } }));
  const query = { changeSet: set.id };
  const ids = await planned(client.POST('/api/sites', { params: { query }, body: { name: 'Planned' } }));
  const { data: operations } = await ok(
    client.GET('/api/change-sets/{changeSetId}/operations', { params: { path: { changeSetId: set.id } } }),
  );
  expect(operations.map(({ id, resource }) => [id, resource])).toEqual([[ids[0], 'sites']]);
  expect((await ok(client.GET('/api/sites', { params: { query: { name: ['Planned'] } } }))).total).toBe(0);
});

it('verifies webhooks', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  const body = JSON.stringify({ type: 'sites.create', timestamp: '2026-03-01T08:30:00.000Z', data: { id: '1' } });
  const sent = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
    'webhook-signature': `v1,bm90IHRoaXMgb25l ${new Webhook(secret).sign('msg_1', sent, body)}`,
  };
  expect((await verifyWebhook(secret, headers, body)).type).toBe('sites.create');
  expect((await verifyWebhook(secret, new Headers(headers), body)).data.id).toBe('1');
  const other = `whsec_${Buffer.from('another').toString('base64')}`;
  await expect(verifyWebhook(other, headers, body)).rejects.toThrow('does not match');
  await expect(verifyWebhook(secret, headers, `${body} `)).rejects.toThrow('does not match');
  await expect(verifyWebhook(secret, { ...headers, 'webhook-id': 'msg_2' }, body)).rejects.toThrow('does not match');
  await expect(verifyWebhook(secret, { ...headers, 'webhook-timestamp': '1' }, body)).rejects.toThrow('too old');
  await expect(verifyWebhook(secret, {}, body)).rejects.toThrow('no header webhook-timestamp');
});
