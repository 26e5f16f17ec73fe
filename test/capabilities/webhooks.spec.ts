import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { Receiver } from '../support/receiver.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { until } from '../support/until.js';
import { itInFull } from '../support/size.js';
import { sql, type Sql } from '../../src/database/sql.js';

const environment = {
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  WEBHOOK_ALLOW_HTTP: 'true',
  PUBLIC_URL: 'https://inventory.example.com',
};

let service: TestService;
let admin: Api;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService(environment);
  service.app.get(WebhookWorker).start();
  admin = await service.as('admin');
});
afterAll(() => service.stop());
beforeEach(async () => void (receiver = await Receiver.open()));
afterEach(async () => {
  for (const { id } of (await admin.get('/api/webhooks')).body.data) await admin.delete(`/api/webhooks/${id}`);
  await receiver.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const run = (statement: Sql): Promise<Json[]> => service.database.db.query(statement);
const subscribe = (body: object = {}): Promise<Json> =>
  admin.make('/api/webhooks', { name: 'test', url: receiver.url, ...body });
const refusal = ({ status, body }: Answer): [number, string] => [status, body.error];
const deliveries = async ({ id }: Json, query = ''): Promise<Json[]> =>
  (await admin.get(`/api/webhooks/${id}/deliveries${query}`)).body.data;

it('is told of every change with a signature, in order, and shows its deliveries', async () => {
  const hook = await subscribe();
  expect(hook).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    resources: [],
    where: null,
    format: 'standard',
    isActive: true,
    lastSuccessAt: null,
    failingSince: null,
    deactivatedReason: null,
  });
  const site = await admin.make('/api/sites', { name: 'AMS1' });
  await admin.patch(`/api/sites/${site.id}`, { status: 'planned' });
  await admin.delete(`/api/sites/${site.id}`);
  await receiver.until(() => receiver.received.length >= 3);
  const events = receiver.events(hook.secret);
  expect(events.map(({ type }) => type)).toEqual(['sites.create', 'sites.update', 'sites.delete']);
  const entry = (await admin.get(`/api/change-log?recordId=${site.id}&action=update`)).body.data[0];
  expect(JSON.parse(receiver.received[1]!.text)).toEqual({
    type: 'sites.update',
    timestamp: entry.createdAt,
    data: entry,
  });
  const listed = await until(
    () => deliveries(hook),
    (found) => found.length === 3 && found.every(({ status }) => status === 'succeeded'),
  );
  expect(Object.keys(listed[0])).toEqual([
    'id',
    'eventId',
    'type',
    'resource',
    'recordId',
    'status',
    'attempts',
    'responseStatus',
    'error',
    'durationMs',
    'nextAttemptAt',
    'createdAt',
    'deliveredAt',
  ]);
  expect(listed[2]).toMatchObject({ type: 'sites.create', attempts: 1, responseStatus: 204, nextAttemptAt: null });
  expect(await deliveries(hook, '?status=failed')).toEqual([]);
  expect((await admin.get(`/api/webhooks/${hook.id}`)).body.data.lastSuccessAt).not.toBeNull();
  // Only the response to the creation has the secret.
  for (const path of [`/api/webhooks/${hook.id}`, '/api/webhooks', `/api/webhooks/${hook.id}/changes`]) {
    expect((await admin.get(path)).text).not.toContain('whsec_');
  }
  expect(JSON.stringify(await run(sql`SELECT * FROM webhooks`))).not.toContain('whsec_');
});

it('is told what it asks for: resources, actions, fields', async () => {
  const hook = await subscribe({
    resources: ['vrfs', 'sites'],
    actions: ['update', 'delete'],
    fields: ['description'],
  });
  const vrf = await admin.make('/api/vrfs', { name: 'blue' });
  await admin.patch(`/api/vrfs/${vrf.id}`, { name: 'navy' });
  await admin.patch(`/api/vrfs/${vrf.id}`, { description: 'one' });
  const rack = await admin.make('/api/racks', { name: 'R1' });
  await admin.patch(`/api/racks/${rack.id}`, { name: 'R2' });
  await admin.delete(`/api/vrfs/${vrf.id}`);
  await receiver.until(() => receiver.received.length >= 2);
  const events = receiver.events(hook.secret);
  expect(events.map(({ type, data }) => [type, data.after])).toEqual([
    ['vrfs.update', { description: 'one' }],
    ['vrfs.delete', null],
  ]);
});

it('is never told of profiles, tokens, calendar feeds and webhooks', async () => {
  const hook = await subscribe();
  await service.as('viewer');
  await admin.make('/api/tokens', { name: 't' });
  await admin.make('/api/calendar-feeds', { name: 'f', kind: 'expirations' });
  await admin.patch(`/api/webhooks/${hook.id}`, { name: 'renamed' });
  await admin.make('/api/sites', { name: 'last' });
  await receiver.until(() => receiver.received.length > 0);
  expect(receiver.events(hook.secret).map(({ type }) => type)).toEqual(['sites.create']);
});

it('fires on a change from planned to active, each time', async () => {
  const where = { before: { status: 'planned' }, after: { status: 'active', name: 'core-1' } };
  const hook = await subscribe({ resources: ['devices'], where });
  expect(hook.where).toEqual(where);
  const device = await admin.make('/api/devices', { name: 'core-1', status: 'planned' });
  for (const status of ['active', 'planned', 'active']) await admin.patch(`/api/devices/${device.id}`, { status });
  await admin.patch(`/api/devices/${device.id}`, { description: 'the end' });
  await admin.delete(`/api/devices/${device.id}`);
  // Changes are queued in order, so all earlier ones are queued when this one arrives. Changes of different records are sent concurrently.
  const last = await admin.make('/api/devices', { name: 'core-1', status: 'planned' });
  await admin.patch(`/api/devices/${last.id}`, { status: 'active' });
  await receiver.until(() => receiver.received.some(({ text }) => text.includes(last.id)));
  const queued = (await deliveries(hook)).map(({ eventId }) => eventId as string);
  await receiver.until(() => receiver.events(hook.secret).length >= queued.length);
  const events = receiver.events(hook.secret);
  expect(events.map(({ id }) => id).toSorted()).toEqual(queued.toSorted());
  const ofRecord = ({ id }: Json): unknown[] =>
    events.filter(({ data }) => data.recordId === id).map(({ data }) => data.after);
  expect([ofRecord(device), ofRecord(last)]).toEqual([
    [{ status: 'active' }, { status: 'active' }],
    [{ status: 'active' }],
  ]);
  expect(events).toHaveLength(3);
});

it('compares decimals, and looks at fields that were not touched', async () => {
  await subscribe({ resources: ['contracts'], where: { after: { cost: ['1200.00'], status: 'active' } } });
  const contract = await admin.make('/api/contracts', { name: 'C', cost: '7' });
  await admin.patch(`/api/contracts/${contract.id}`, { cost: '1200' });
  await receiver.until(() => receiver.received.length > 0);
  expect(JSON.parse(receiver.received[0]!.text).data.after).toEqual({ cost: '1200' });
});

it('compares the values of a field however they are written', async () => {
  const site = await admin.make('/api/sites', { name: 'Written in capitals' });
  const conditions: [resource: string, after: object, body: object][] = [
    ['ip-addresses', { address: '2001:DB8:0:0::7/64' }, { address: '2001:db8::7/64' }],
    ['prefixes', { prefix: '2001:0DB8:7::/48' }, { prefix: '2001:db8:7::/48' }],
    ['devices', { siteId: site.id.toUpperCase() }, { name: 'd', siteId: site.id }],
    [
      'contracts',
      { endDate: '2027-05-01T00:00:00Z', cost: '1200.00' },
      { name: 'C', endDate: '2027-05-01', cost: '1200' },
    ],
    ['assets', { warrantyUntil: '2027-05-01T02:00+02' }, { name: 'A', warrantyUntil: '2027-05-01T00:00:00,0Z' }],
    ['maintenance-windows', { startTime: '2027-05-01T02:00' }, { name: 'W', startTime: '2027-05-01T02:00:00Z' }],
  ];
  for (const [resource, after] of conditions)
    await subscribe({ name: resource, resources: [resource], where: { after } });
  for (const [resource, , body] of conditions) await admin.make(`/api/${resource}`, body);
  await receiver.until(() => receiver.received.length >= conditions.length);
  expect(receiver.received.map(({ text }) => JSON.parse(text).type).toSorted()).toEqual(
    conditions.map(([resource]) => `${resource}.create`).toSorted(),
  );
});

it.each([
  ['contracts', { endDate: '2027-02-30' }],
  ['contracts', { cost: '1,200' }],
  ['contracts', { cost: 1200 }],
  ['assets', { purchasePrice: '1.234' }],
  ['assets', { warrantyUntil: '2027-05-01T25:00' }],
  ['devices', { siteId: 'Amsterdam' }],
  ['devices', { name: 'x'.repeat(256) }],
  ['devices', { rackPosition: 1.3 }],
  ['ip-addresses', { address: '2001:db8::7' }],
  ['ip-addresses', { family: 5 }],
  ['prefixes', { prefix: '10.0.0.1/24' }],
])('refuses a condition on %s that no value can meet: %j', async (resource, after) => {
  const where = { after: Object.fromEntries(Object.entries(after).map(([field, value]) => [field, [null, value]])) };
  const { status, body } = await admin.post('/api/webhooks', {
    name: 'x',
    url: receiver.url,
    resources: [resource],
    where,
  });
  expect([status, body.details]).toEqual([
    400,
    [
      {
        field: `where.after.${Object.keys(after)[0]!}[1]`,
        message: expect.stringMatching(/^must /),
      },
    ],
  ]);
});

it('are listed in a format of lists, or by their own', async () => {
  const [chat, events] = [await subscribe({ name: 'chat', format: 'text' }), await subscribe({ name: 'events' })];
  const list = (query: string): Promise<Answer> => admin.get(`/api/webhooks?${query}`);
  const ids = ({ body }: Answer): string[] => body.data.map(({ id }: Json) => id);
  expect(ids(await list('format=text'))).toEqual([chat.id]);
  expect(ids(await list('format=standard'))).toEqual([events.id]);
  expect(ids(await list('format=text&format=standard'))).toEqual([chat.id, events.id]);
  expect(ids(await list('format__n=text'))).toEqual([events.id]);
  expect(ids(await list('format=json'))).toEqual([chat.id, events.id]);
  const types = ['csv', 'ndjson', 'csv&format=text'].map(async (format) => {
    const { headers, text } = await list(`format=${format}`);
    return [headers.get('content-type'), text.includes(chat.id), text.includes(events.id)];
  });
  expect(await Promise.all(types)).toEqual([
    [expect.stringMatching(/^text\/csv/), true, true],
    [expect.stringMatching(/^application\/x-ndjson/), true, true],
    [expect.stringMatching(/^text\/csv/), true, false],
  ]);
  for (const format of ['xml', 'csv&format=json', 'text&format=xml']) {
    const { status, body } = await list(`format=${format}`);
    expect([status, body.details.map(({ field }: Json) => field)]).toEqual([400, ['format']]);
  }
});

it('refuses what it cannot be told of, and addresses it may not use', async () => {
  const refused = async (body: object): Promise<Json> => {
    const answer = await admin.post('/api/webhooks', { name: 'x', url: receiver.url, ...body });
    return [answer.status, ...(answer.body.details ?? []).map(({ field, message }: Json) => `${field} ${message}`)];
  };
  expect(await refused({ url: undefined })).toEqual([400, 'url is required']);
  expect(await refused({ url: 'ftp://example.com' })).toEqual([
    400,
    expect.stringMatching(/^url must be an absolute URL/),
  ]);
  expect(await refused({ url: 'https://169.254.169.254/' })).toEqual([
    400,
    expect.stringMatching(/^url must not lead to/),
  ]);
  expect(await refused({ resources: ['device'] })).toEqual([400, expect.stringContaining("Did you mean 'devices'?")]);
  expect(await refused({ resources: ['profiles'] })).toEqual([400, expect.stringMatching(/^resources contains/)]);
  expect(await refused({ actions: ['create', 'rename'] })).toEqual([
    400,
    'actions[1] must be one of create, update, delete',
  ]);
  expect(await refused({ resources: ['devices'], fields: ['statsu'] })).toEqual([
    400,
    expect.stringContaining("'status'"),
  ]);
  expect(await refused({ fields: ['anything'] })).toEqual([201]);
  expect(await refused({ where: { after: { status: 'x' } } })).toEqual([
    400,
    'where needs exactly one resource in resources',
  ]);
  const one = { resources: ['devices'] };
  expect(await refused({ ...one, where: { now: {} } })).toEqual([400, expect.stringMatching(/^where\.now /)]);
  expect(await refused({ ...one, where: { after: { statsu: 'x' } } })).toEqual([
    400,
    expect.stringContaining("'status'"),
  ]);
  expect(await refused({ ...one, where: { after: { rackPosition: 'high' } } })).toEqual([
    400,
    expect.stringMatching(/^where\.after\.rackPosition must be/),
  ]);
  expect(await refused({ ...one, where: { after: { status: [] } } })).toEqual([
    400,
    expect.stringContaining('at least one value'),
  ]);
  expect(await refused({ resources: ['software-licences'], where: { after: { licenceKey: 'K' } } })).toEqual([
    400,
    expect.stringContaining('is a secret'),
  ]);
  expect(await refused({ secret: 'whsec_mine' })).toEqual([
    400,
    expect.stringMatching(/^secret is not a known property/),
  ]);
  expect(await refused({ lastSuccessAt: null })).toEqual([201]);
});

it('needs an administrator, and the area of operations for entries of operations', async () => {
  expect((await (await service.as('manager')).get('/api/webhooks')).status).toBe(403);
  const outsider = await service.as('admin', ['network']);
  const body = { name: 'x', url: receiver.url };
  expect(refusal(await outsider.post('/api/webhooks', body))).toEqual([403, expect.stringContaining('operations')]);
  expect((await outsider.post('/api/webhooks', { ...body, resources: ['sites', 'incidents'] })).status).toBe(403);
  const own = await outsider.make('/api/webhooks', { ...body, resources: ['sites'] });
  expect((await outsider.patch(`/api/webhooks/${own.id}`, { resources: [] })).status).toBe(403);
  const hook = await subscribe();
  const path = `/api/webhooks/${hook.id}`;
  expect((await outsider.patch(path, { name: 'y' })).status).toBe(403);
  expect((await outsider.get(`${path}/deliveries`)).status).toBe(403);
  expect((await outsider.post(`${path}/replay`, { since: '2026-01-01' })).status).toBe(403);
});

it('tries again after a failure, and holds up only that record', async () => {
  const hook = await subscribe({ resources: ['vrfs'] });
  receiver.answer = (response, { text }) => response.writeHead(text.includes('"bad"') ? 500 : 204).end();
  const bad = await admin.make('/api/vrfs', { name: 'bad' });
  await admin.patch(`/api/vrfs/${bad.id}`, { description: 'bad too' });
  // The webhook fails until a delivery succeeds, so the failure comes first.
  await until(
    () => deliveries(hook),
    (found) => found.some(({ attempts }) => attempts === 1),
  );
  await admin.make('/api/vrfs', { name: 'good' });
  await receiver.until(() => receiver.received.length >= 2);
  const waiting = await until(
    () => deliveries(hook),
    (found) =>
      found.some(({ status }) => status === 'succeeded') &&
      found.some(({ status, attempts }) => status === 'pending' && attempts === 1),
  );
  const first = waiting.find(({ type, recordId }) => type === 'vrfs.create' && recordId === bad.id);
  expect(first).toMatchObject({
    status: 'pending',
    attempts: 1,
    responseStatus: 500,
    nextAttemptAt: expect.any(String),
  });
  expect(waiting.find(({ type }) => type === 'vrfs.update')).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await admin.get(`/api/webhooks/${hook.id}`)).body.data.failingSince).toBeNull();
  receiver.answer = (response) => response.writeHead(204).end();
  const resent = await admin.post(`/api/webhooks/${hook.id}/deliveries/${first.id}/resend`);
  expect([resent.status, resent.body.data.eventId]).toEqual([200, first.eventId]);
  await until(
    () => deliveries(hook, '?status=succeeded'),
    (found) => found.length === 3,
  );
  const ofBad = receiver.events(hook.secret).filter(({ data }) => data.recordId === bad.id);
  expect(ofBad.map(({ type }) => type)).toEqual(['vrfs.create', 'vrfs.update']);
});

itInFull('honours Retry-After, follows no redirect, and is deactivated by 410', async () => {
  const hook = await subscribe({ resources: ['vrfs'] });
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '1' }).end();
  await admin.make('/api/vrfs', { name: 'later' });
  await receiver.until(() => receiver.received.length >= 2);
  expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
  // No endpoint can shorten the first step of the schedule.
  expect(receiver.received[1]!.at - receiver.received[0]!.at).toBeGreaterThan(4_500);
  receiver.answer = (response) => response.writeHead(302, { location: receiver.url }).end();
  await until(
    () => deliveries(hook),
    ([delivery]) => delivery.responseStatus === 302,
  );
  receiver.answer = (response) => response.writeHead(410).end();
  await admin.make('/api/vrfs', { name: 'gone' });
  const gone = await until(
    async () => (await admin.get(`/api/webhooks/${hook.id}`)).body.data,
    ({ isActive }) => !isActive,
  );
  expect(gone.deactivatedReason).toBe('The endpoint answered 410 Gone');
  expect((await deliveries(hook)).map(({ status }) => status)).toEqual(['failed', 'failed']);
  const [entry] = (await admin.get(`/api/webhooks/${hook.id}/changes?action=update`)).body.data;
  expect([entry.actor, entry.after.isActive]).toEqual(['system', false]);
  const [delivery] = await deliveries(hook);
  expect((await admin.post(`/api/webhooks/${hook.id}/deliveries/${delivery.id}/resend`)).status).toBe(409);
  expect((await admin.post(`/api/webhooks/${hook.id}/replay`, { since: '2026-11-01' })).status).toBe(409);
  receiver.answer = (response) => response.writeHead(204).end();
  const before = receiver.received.length;
  expect((await admin.patch(`/api/webhooks/${hook.id}`, { isActive: true })).body.data.deactivatedReason).toBeNull();
  await admin.make('/api/vrfs', { name: 'back' });
  await receiver.until(() => receiver.received.length > before);
  expect(JSON.parse(receiver.received.at(-1)!.text).data.recordName).toBe('back');
});

it.each([
  ['hangs up', (response: Json) => response.destroy(), { error: 'connection', responseStatus: null }],
  [
    'responds with an endless body',
    (response: Json) => {
      response.writeHead(200);
      const more = (): void =>
        void (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more));
      more();
    },
    { status: 'succeeded', responseStatus: 200 },
  ],
  [
    'responds with 500',
    (response: Json) => response.writeHead(500).end('x'.repeat(100)),
    { status: 'failed', responseStatus: 500 },
  ],
])('tests an endpoint that %s', async (_what, answer, expected) => {
  const hook = await subscribe({ isActive: false });
  receiver.answer = answer;
  const { status, body } = await admin.post(`/api/webhooks/${hook.id}/test`);
  expect([status, body.data]).toEqual([
    200,
    expect.objectContaining({ type: 'webhooks.test', resource: null, recordId: null, attempts: 1, ...expected }),
  ]);
  expect(receiver.events(hook.secret).map(({ type }) => type)).toEqual(['webhooks.test']);
});

it('refuses a certificate that nobody vouches for', async () => {
  const folder = join(__dirname, '../fixtures/webhooks');
  const tls = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'certificate.pem')) };
  const secure = await Receiver.open(tls);
  const hook = await subscribe({ url: secure.url });
  const { body } = await admin.post(`/api/webhooks/${hook.id}/test`);
  expect(body.data).toMatchObject({ status: 'failed', error: 'certificate', responseStatus: null });
  expect(secure.received).toEqual([]);
  await secure.close();
});

it('an endpoint that never responds delays no other, and a deactivated one is sent nothing more', async () => {
  const silent = await Receiver.open();
  silent.answer = () => {};
  const down = await subscribe({ name: 'down', url: silent.url, resources: ['vrfs'] });
  await subscribe({ name: 'up', resources: ['vrfs'] });
  const names = Array.from({ length: 150 }, (_, index) => `v${index}`);
  await admin.post('/api/vrfs/bulk', { operations: names.map((name) => ({ op: 'create', data: { name } })) });
  await receiver.until(() => receiver.received.length === names.length);
  // The number of concurrent requests to one endpoint.
  expect(silent.received).toHaveLength(32);
  await admin.patch(`/api/webhooks/${down.id}`, { isActive: false });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await silent.close();
  const ended = await deliveries(down, '?pageSize=200');
  expect(new Set(ended.map(({ status, error }) => `${status} ${error}`))).toEqual(
    new Set(['failed webhook_deactivated']),
  );
  expect([ended.length, silent.received.length]).toEqual([150, 32]);
});

it('replaces its secret, and signs with both for a day', async () => {
  const hook = await subscribe();
  const path = `/api/webhooks/${hook.id}`;
  const { status, body } = await admin.post(`${path}/rotate-secret`);
  expect([status, body.data.id]).toEqual([200, hook.id]);
  expect(body.data.secret).not.toBe(hook.secret);
  await admin.post(`${path}/test`);
  const [{ text, headers } = { text: '', headers: {} }] = receiver.received;
  for (const secret of [hook.secret, body.data.secret]) {
    expect((new Webhook(secret).verify(text, headers) as Json).type).toBe('webhooks.test');
  }
  const third = (await admin.post(`${path}/rotate-secret`)).body.data.secret;
  await admin.post(`${path}/test`);
  const last = receiver.received.at(-1)!;
  expect(() => new Webhook(hook.secret).verify(last.text, last.headers)).toThrow('No matching signature');
  expect((new Webhook(third).verify(last.text, last.headers) as Json).type).toBe('webhooks.test');
  // To change the address, the client must send the present secret.
  const url = `${receiver.url}/2`;
  expect(refusal(await admin.patch(path, { url }))).toEqual([400, 'secret is required to change url']);
  expect(refusal(await admin.patch(path, { url, secret: hook.secret }))).toEqual([
    400,
    'secret is not the present secret of the webhook',
  ]);
  expect(refusal(await admin.patch(path, { name: 'n', secret: third }))).toEqual([
    400,
    expect.stringMatching(/^secret is not a known property/),
  ]);
  expect((await admin.patch(path, { url, secret: third })).body.data.url).toBe(url);
});

it('delivers a span of time again, with the same ids', async () => {
  const hook = await subscribe({ resources: ['vrfs'], actions: ['create'] });
  const { createdAt: before } = await admin.make('/api/vrfs', { name: 'one' });
  await admin.make('/api/vrfs', { name: 'two' });
  await receiver.until(() => receiver.received.length >= 2);
  const replay = await admin.post(`/api/webhooks/${hook.id}/replay`, { since: before });
  expect([replay.status, replay.body.data]).toEqual([200, { deliveries: 2 }]);
  await receiver.until(() => receiver.received.length >= 4);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  const path = `/api/webhooks/${hook.id}/replay`;
  expect(refusal(await admin.post(path, { since: '2026-03-02', until: '2026-03-01' }))).toEqual([
    400,
    'until must not be before since',
  ]);
  expect((await admin.post(path, {})).status).toBe(400);
});

it('does not deliver a span of time again that begins before the retained entries', async () => {
  const hook = await subscribe({ resources: ['vrfs'], actions: ['create'] });
  const { createdAt: pruned } = await admin.make('/api/vrfs', { name: 'kept' });
  await receiver.until(() => receiver.received.length >= 1);
  const path = `/api/webhooks/${hook.id}/replay`;
  await run(sql`INSERT INTO change_log_pruned (until) VALUES (${pruned})`);
  const answer = await admin.post(path, { since: '2020-01-01' });
  expect([answer.status, answer.body.details[0].field]).toEqual([410, 'since']);
  expect(answer.body.error).toBe(
    `since must be ${pruned} or later: the change log has no entries from before that time`,
  );
  expect((await admin.post(path, { since: pruned })).body.data).toEqual({ deliveries: 1 });
  await run(sql`DELETE FROM change_log_pruned`);
});

it('sends a sentence to chat programs', async () => {
  const hook = await subscribe({ format: 'text', resources: ['devices'] });
  const site = await admin.make('/api/sites', { name: '<!channel> *Amsterdam*' });
  const device = await admin.make('/api/devices', { name: 'core-1', status: 'planned' });
  await admin.patch(`/api/devices/${device.id}`, { status: 'active', siteId: site.id });
  await receiver.until(() => receiver.received.length >= 2);
  const [created, changed] = receiver.received.map(({ text }) => JSON.parse(text).text as string);
  const { email } = (await admin.get('/api/auth/session')).body.data;
  const link = `https://inventory.example.com/api/devices/${device.id}`;
  expect(created).toBe(`${email} created device core-1: status planned. ${link}`);
  expect(changed).toBe(
    `${email} changed device core-1: site from nothing to ‹!channel› ∗Amsterdam∗, status from planned to active. ${link}`,
  );
  const [received] = receiver.received;
  expect(new Webhook(hook.secret).verify(received!.text, received!.headers)).toEqual({ text: created });
});

it('tells racks of one name apart', async () => {
  await subscribe({ format: 'text', resources: ['racks', 'devices'] });
  const hall = await admin.make('/api/sites', { name: 'Rotterdam' });
  const rack = await admin.make('/api/racks', { name: 'A1', siteId: hall.id });
  const device = await admin.make('/api/devices', { name: 'leaf-9' });
  await admin.patch(`/api/devices/${device.id}`, { rackId: rack.id });
  await receiver.until(() => receiver.received.length >= 3);
  const sentences = receiver.received.map(({ text }) => JSON.parse(text).text as string);
  expect(sentences.find((one) => one.includes('created rack'))).toContain(
    'created rack A1 · Rotterdam: status active.',
  );
  expect(sentences.find((one) => one.includes('changed device'))).toContain('rack from nothing to A1 · Rotterdam');
});

it('names a record of operations in a custom field only to webhooks that are told of operations', async () => {
  const field = { key: 'cause', type: 'reference', target: 'incidents', resources: ['sites'] };
  const { id: fieldId } = await admin.make('/api/custom-fields', field);
  const incident = await admin.make('/api/incidents', { name: 'Secret outage' });
  const site = await admin.make('/api/sites', { name: 'AMS9' });
  // A webhook starts at the end of the feed, which a transaction anywhere on the server delays.
  await until(
    async () => (await admin.get('/api/changes?since=start&resource=sites&limit=1000')).body.data,
    (entries: Json[]) => entries.some(({ recordId }) => recordId === site.id),
  );
  // A caller without the area may create the first webhook, but not the second.
  await subscribe({ format: 'text', resources: ['sites'] });
  await subscribe({ format: 'text', resources: ['sites', 'incidents'] });
  await admin.patch(`/api/sites/${site.id}`, { customFields: { cause: incident.id } });
  await receiver.until(() => receiver.received.length >= 2);
  const sentences = receiver.received.map(({ text }) => JSON.parse(text).text as string);
  expect(sentences.map((sentence) => /cause from nothing to (.*)\. https/.exec(sentence)?.[1]).toSorted()).toEqual(
    [incident.id, 'Secret outage'].toSorted(),
  );
  await admin.delete(`/api/custom-fields/${fieldId}?dropValues=true`);
});

it('says what a cable joins', async () => {
  await subscribe({ format: 'text', resources: ['cables'] });
  const ends: string[] = [];
  for (const name of ['leaf-01', 'server-01']) {
    const { id: deviceId } = await admin.make('/api/devices', { name });
    ends.push((await admin.make('/api/device-ports', { deviceId, name: 'eth0' })).id);
  }
  const [aId, bId] = ends;
  const { id } = await admin.make('/api/cables', { aId, bId, label: 'C-1' });
  await admin.patch(`/api/cables/${id}`, { status: 'planned', label: null });
  await admin.delete(`/api/cables/${id}`);
  await receiver.until(() => receiver.received.length >= 3);
  const { email } = (await admin.get('/api/auth/session')).body.data;
  const link = `https://inventory.example.com/api/cables/${id}`;
  const joined = 'between leaf-01 eth0 and server-01 eth0';
  const [created, changed, deleted] = receiver.received.map(({ text }) => JSON.parse(text).text as string);
  expect(created).toBe(`${email} created cable C-1 ${joined}: status connected. ${link}`);
  expect(changed).toContain('status from connected to planned');
  expect(deleted).toBe(`${email} deleted a cable ${joined}.`);
});

it('is one of 100 at most', async () => {
  await run(
    sql`INSERT INTO webhooks (name, url, secret) SELECT 'w' || n, 'https://example.com/', 'x' FROM generate_series(1, 100) n`,
  );
  expect(refusal(await admin.post('/api/webhooks', { name: 'x', url: receiver.url }))).toEqual([
    409,
    expect.stringContaining('100 at most'),
  ]);
});
