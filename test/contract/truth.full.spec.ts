import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { document, pathLike, resolveRef, type Json } from '../support/document.js';
import { answered, assertDocumented } from '../support/documented.js';
import { Api, startService, type Answer, type HeaderMap, type TestService } from '../support/app.js';
import { uniqueFields, type Row } from '../resources/row.js';
import { rows } from '../resources/rows.js';
import { startWithoutDatabase } from '../support/proxied-service.js';
import { begin, comeBack, HostileProvider, trusting } from '../support/single-sign-on.js';
import { approvalOf, approving, lateWithdrawal, refusedMove } from '../support/moves.js';
import { Maker } from '../resources/make.js';
import { sql } from '../../src/database/sql.js';

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

// Not what other files have provoked.
answered.clear();

let service: TestService;
let admin: Api;
/** With a token that is allowed on another network only. */
let elsewhere: Api;
let maker: Maker;
/** A service that allows one request per minute and session, or address without a session. */
let limited: TestService;
let addresses = 0;
/** A service whose database is not available. */
let cutOff: Awaited<ReturnType<typeof startWithoutDatabase>>;
/** A service with single sign-on, and its provider. */
let withSignOn: TestService;
let provider: HostileProvider;
beforeAll(async () => {
  provider = await new HostileProvider().start();
  withSignOn = await startService(trusting(provider.issuer));
  service = await startService({ WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true' });
  admin = await service.as('admin');
  const { token } = await admin.make('/api/tokens', { name: 'elsewhere', allowedNetworks: ['192.0.2.0/24'] });
  elsewhere = new Api(service.url, undefined, token);
  maker = new Maker(admin, 'truth');
  cutOff = await startWithoutDatabase();
  limited = await startService({ RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: 'true' });
});
afterAll(async () => {
  await service.stop();
  await limited.stop();
  await cutOff.stop();
  await withSignOn.stop();
  provider.stop();
});

const ok = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await answer;
  if (status >= 400) throw new Error(`${status}: ${text.slice(0, 300)}`);
};

// The test client validates every response against the document (test/support/documented.ts).
it.each(rows.map((row) => [row.path, row] as const))('the document describes %s correctly', async (_, row) => {
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
  await ok(admin.get(`${path}/references`));
  if (!row.path.includes('{')) await ok(admin.get(`${base}/summary?groupBy=id,createdAt:month`));
  const { headers } = await admin.get(path);
  expect((await admin.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
  expect((await admin.patch(path, {}, { 'if-match': '"stale"' })).status).toBe(row.path === '/api/assets' ? 400 : 412);
  expect((await admin.get(`${base}?nonsense=1`)).status).toBe(400);
  expect((await service.anonymous.get(path)).status).toBe(401);
  expect((await admin.request('POST', base, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  if (row.area !== 'admin') await isWrittenDown(row, path);
  await ok(admin.delete(path));
  expect((await admin.get(path)).status).toBe(404);
  const isRestored = `${row.path}/{id}/restore` in document.paths;
  if (isRestored) await ok(admin.post(`${path}/restore`));
});

/** Has each write of a record written down. */
async function isWrittenDown(row: Row, path: string): Promise<void> {
  const base = path.slice(0, path.lastIndexOf('/'));
  const at = await planned(true);
  const optional = Object.entries(row.optional).filter(([name]) => name !== 'profileId');
  const answers = [
    await admin.post(`${base}?${at}`, await maker.required(row)),
    await admin.patch(`${path}?${at}`, await maker.values(Object.fromEntries(optional))),
    await admin.post(`${base}/bulk?${at}`, { operations: [{ op: 'delete', id: path.slice(base.length + 1) }] }),
    await admin.delete(`${path}?${await planned(true)}`),
    await admin.request(
      'POST',
      `${base}/import?mode=update&${await planned(true)}`,
      JSON.stringify({ id: path.slice(base.length + 1) }),
      {
        'content-type': 'application/x-ndjson',
      },
    ),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
}

it('describes moves and approvals correctly', async () => {
  const transition = await newTransition();
  await ok(admin.get('/api/transitions'));
  for (const tail of ['', '/changes', '/references', '?asOf=2999-01-01']) await ok(admin.get(transition + tail));
  await ok(admin.patch(transition, { role: 'admin' }));
  await ok(admin.delete(transition));
  await ok(admin.get('/api/transitions/summary?groupBy=resource'));
  const places = operations.filter(({ template, method }) => method === 'POST' && template.endsWith('/approvals'));
  expect(places.length).toBeGreaterThan(20);
  for (const { template } of places) {
    const at = await approved(template);
    // The digest of a change set is that of its preview.
    if (!template.startsWith('/api/change-sets/')) await ok(admin.get(`${at}/transitions`));
    const approval = await approvalOf(admin, at);
    await ok(admin.get(`${at}/approvals`));
    await ok(admin.get(approval));
    await ok(admin.delete(approval));
  }
});

it('describes change sets and undo correctly', async () => {
  const set = await newChangeSet();
  for (const tail of ['', '/changes', '/references', '/operations', '?asOf=2999-01-01'])
    await ok(admin.get(set + tail));
  for (const tail of ['', '/summary?groupBy=status']) await ok(admin.get(`/api/change-sets${tail}`));
  await ok(admin.patch(set, { description: 'truth' }));
  const operation = await newOperation(set);
  await ok(admin.get(operation));
  await ok(admin.delete(operation));
  await newOperation(set);
  await ok(admin.post(`${set}/operations/bulk`, { operations: [{ op: 'create', data: PLANNED }] }));
  await ok(admin.post(`${set}/preview`));
  await ok(admin.get(`${set}/diff`));
  const merged = await admin.post(`${set}/merge`);
  await ok(admin.post(`${set}/revert`));
  await ok(admin.post('/api/change-log/undo', { requestId: merged.headers.get('x-request-id') }));
  const other = await newChangeSet();
  expect((await admin.post(`${other}/discard`)).status).toBe(200);
  await ok(admin.delete(other));
});

it('describes the operations with rules, and the service itself, correctly', async () => {
  const [asset, person, device, incident] = [
    await maker.record('/api/assets'),
    await maker.record('/api/people'),
    await maker.record('/api/devices'),
    await maker.record('/api/incidents'),
  ];
  await ok(admin.post(`${asset.path}/assign`, { personId: person.id }));
  expect((await admin.post(`${asset.path}/assign`, { personId: person.id })).status).toBe(409);
  await ok(admin.get(`${asset.path}/assignments`));
  await ok(admin.get(`${person.path}/assets`));
  await ok(admin.get(`${person.path}/seats`));
  for (const { path } of [asset, device]) await ok(admin.get(`${path}/bookings`));
  await ok(admin.get('/api/bookings/available?from=2031-03-01&to=2031-03-02'));
  const stock = await maker.record('/api/stock-items');
  for (const tail of ['movements', 'levels']) await ok(admin.get(`${stock.path}/${tail}`));
  await ok(admin.get(`/api/assets?assigneeId=${person.id}`));
  await ok(admin.post(`${asset.path}/return`));
  const holders = [...(await newHolders()), { assetId: asset.id, personId: randomUUID() }];
  for (const query of ['?onError=skip', '?onError=skip&dryRun=true'])
    await ok(admin.post(`/api/assets/handover${query}`, { holders }));
  await admin.make('/api/ip-addresses', { address: '10.1.0.1/24', deviceId: device.id });
  await ok(admin.get(`${device.path}/ips`));
  const port = await maker.record('/api/device-ports');
  await ok(admin.get(`${port.path}/trace`));
  const ofDevice = await maker.record('/api/devices/{/api/devices}/ports');
  await ok(admin.get(`${ofDevice.path}/trace`));
  await ok(admin.get(`${device.path}/neighbours`));
  await ok(admin.get(`${(await maker.record('/api/racks')).path}/power`));
  await ok(admin.get(`${(await maker.record('/api/virtual-machines')).path}/ips`));
  const receipt = await newReceipt();
  await ok(admin.get(receipt.slice(0, receipt.lastIndexOf('/'))));
  await ok(admin.get(receipt));
  await ok(admin.post(`${receipt}/reverse?dryRun=true`));
  await ok(admin.post(`${receipt}/reverse`));
  const prefix = await maker.record('/api/prefixes');
  await ok(admin.get(`${prefix.path}/children`));
  for (const what of ['available-ips', 'available-prefixes']) await ok(admin.get(`${prefix.path}/${what}`));
  await ok(admin.post(`${prefix.path}/available-ips`, { addresses: [{ dnsName: 'a.example.com' }] }));
  await ok(admin.post(`${prefix.path}/available-prefixes`, { prefixLength: 26, count: 2 }));
  const group = await maker.record('/api/vlan-groups');
  await ok(admin.get(`${group.path}/available-vlans`));
  await ok(admin.post(`${group.path}/available-vlans`, { name: 'A' }));
  await ok(admin.get(`${incident.path}/context`));
  const update = await admin.make(`${incident.path}/updates`, { message: 'Looking into it' });
  await ok(admin.get(`${incident.path}/updates`));
  const updatePath = `${incident.path}/updates/${update.id}`;
  const { headers: ofUpdate } = await admin.get(updatePath);
  expect((await admin.get(updatePath, { 'if-none-match': ofUpdate.get('etag')! })).status).toBe(304);
  const target = { resource: 'devices', recordId: device.id };
  await ok(admin.post('/api/conflicts', { targets: [target], rosters: ['nobody'] }));
  for (const kind of ['maintenance-windows', 'change-requests']) {
    const { path } = await maker.record(`/api/${kind}`);
    await ok(admin.get(`${path}/conflicts`));
  }
  for (const kind of [
    ...[
      'sites',
      'locations',
      'racks',
      'devices',
      'clusters',
      'virtual-machines',
      'assets',
      'regions',
      'circuits',
      'power-feeds',
    ],
  ]) {
    const { path } = await maker.record(`/api/${kind}`);
    await ok(admin.get(`${path}/impact`));
    if (kind !== 'power-feeds') {
      await ok(admin.post(`${path}/responsibilities`, { roster: 'Truth' }));
      await ok(admin.get(`${path}/responsible`));
      await ok(admin.get(`${path}/call`));
    }
  }
  for (const kind of [
    ...['sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets', 'software-licences'],
  ]) {
    const { path } = await maker.record(`/api/${kind}`);
    await ok(admin.get(`${path}/coverage`));
  }
  for (const owner of ['change-requests', 'maintenance-windows', 'incidents']) {
    const { path } = await maker.record(`/api/${owner}`);
    await ok(admin.get(`${path}/card`));
  }
  await ok(admin.get('/api/exposure'));
  await ok(admin.get('/api/exposure/summary?groupBy=lastCoveredOn:quarter,siteId&sum=amount'));
  const rack = await maker.record('/api/racks');
  await ok(admin.get(`${rack.path}/elevation`));
  await ok(admin.get(`${rack.path}/elevation?format=svg`));
  await ok(admin.get(`${rack.path}/available-units?uHeight=2&face=rear`));
  await ok(admin.get(`${rack.path}/utilisation`));
  const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'Truth', uHeight: 1 });
  const typePort = await admin.make(`/api/device-types/${deviceTypeId}/ports`, { name: 'eth0' });
  expect((await admin.post(`/api/device-types/${deviceTypeId}/ports`, { name: typePort.name })).status).toBe(409);
  const placed = { name: 'placed', rackId: rack.id, rackPosition: 2, deviceTypeId };
  const below = await admin.make('/api/devices?withPorts=true', { ...placed, rackPosition: 1 });
  const above = await admin.make('/api/devices', placed);
  await ok(admin.post(`/api/devices/${above.id}/ports/sync`));
  expect((await admin.post('/api/devices', placed)).status).toBe(409);
  expect((await admin.patch(`/api/devices/${below.id}`, { rackPosition: 2 })).status).toBe(409);
  expect((await admin.patch(`/api/device-types/${deviceTypeId}`, { uHeight: 2 })).status).toBe(409);
  expect((await admin.patch(rack.path, { units: 1 })).status).toBe(409);
  const library = 'manufacturer: Truth\nmodel: Of the library\n';
  await ok(admin.request('POST', '/api/device-types/import', library, { 'content-type': 'application/yaml' }));
  await ok(admin.get('/api/change-log?pageSize=2'));
  await ok(admin.get('/api/search?q=truth'));
  for (const output of ['prometheus', 'ansible']) {
    // Other tests have devices of one name, which are no inventory.
    await ok(admin.get(`/api/outputs/${output}?id=${device.id}`));
    await ok(admin.get(`/api/outputs/${output}?problems=true`));
  }
  for (const query of ['', '&format=json', '&problems=true']) {
    await ok(admin.get(`/api/outputs/dns?zone=example.com${query}`));
  }
  await ok(admin.get('/api/changes?since=start&limit=1'));
  await ok(admin.get('/api/changes/stream'));
  const hook = await newWebhook();
  await ok(admin.get('/api/webhooks'));
  for (const tail of ['', '/changes', '/references', '/deliveries']) await ok(admin.get(hook.path + tail));
  await ok(admin.patch(hook.path, { name: 'true' }));
  await ok(admin.post(`${hook.path}/test`));
  await ok(admin.post(`${hook.path}/rotate-secret`));
  const { data: since } = (await admin.get(hook.path)).body;
  await ok(admin.post(`${hook.path}/replay`, { since: since.createdAt }));
  await ok(admin.delete(hook.path));
  await ok(admin.post(`${await newDelivery()}/resend`));
  const field = await newCustomField();
  await ok(admin.get('/api/custom-fields'));
  for (const tail of ['', '/changes', '/references', '?asOf=2999-01-01']) await ok(admin.get(field + tail));
  await ok(admin.patch(field, { label: 'Truth' }));
  await ok(admin.delete(field));
  const turn = { personIds: [person.id], timeZone: 'UTC', startTime: '2026-06-01', until: '2026-06-02', unit: 'day' };
  const rotation = await admin.post('/api/on-call-schedules/rotation', { name: 'T', rotation: 'T', ...turn });
  expect(rotation.status).toBe(201);
  await ok(admin.post(`/api/on-call-schedules/${rotation.body.data.shifts[0].id}/cover`, { personId: null }));
  for (const path of ['', '/shifts', '/gaps', '/overlaps', '/load']) await ok(admin.get(`/api/on-call${path}`));
  await ok(admin.get('/api/expirations'));
  await ok(admin.get('/api/utilisation?atLeast=0'));
  await ok(admin.get('/api/software-licences/position'));
  await ok(admin.get(`${asset.path}/label.svg`));
  await ok(admin.get(`/api/assets/labels.svg?id=${asset.id}`));
  const room = await admin.make('/api/locations', { name: 'truth' });
  await admin.make('/api/assets', { name: 'truth', locationId: room.id });
  const count = await admin.make('/api/stocktakes', { name: 'truth', locationId: room.id });
  for (const tail of ['result', 'labels.svg']) await ok(admin.get(`/api/stocktakes/${count.id}/${tail}`));
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
  const token = await viewer.make('/api/tokens', { name: 'truth' });
  await ok(viewer.get('/api/tokens'));
  for (const kind of ['tokens', 'calendar-feeds', 'webhooks']) await ok(admin.get(`/api/${kind}/summary?groupBy=name`));
  await ok(admin.get('/api/custom-fields/summary?groupBy=type'));
  await ok(viewer.get(`/api/tokens/${token.id}?asOf=2999-01-01`));
  await ok(viewer.get(`/api/tokens/${token.id}/changes`));
  await ok(viewer.get(`/api/tokens/${token.id}/references`));
  await ok(viewer.patch(`/api/tokens/${token.id}`, { name: 'true' }));
  await ok(new Api(service.url, undefined, token.token).get('/api/sites'));
  await ok(viewer.delete(`/api/tokens/${token.id}`));
  await ok(viewer.delete('/api/tokens'));
  const feed = await admin.make('/api/calendar-feeds', { name: 'truth', kind: 'on-call' });
  await ok(admin.get('/api/calendar-feeds'));
  const feedPath = `/api/calendar-feeds/${feed.id}`;
  for (const tail of ['', '/changes', '/references', '?asOf=2999-01-01']) await ok(admin.get(feedPath + tail));
  await ok(admin.patch(feedPath, { name: 'true' }));
  await ok(service.anonymous.get(feed.url));
  await ok(admin.delete(feedPath));
  await ok(viewer.post('/api/auth/logout'));
  await ok(admin.get('/health/live'));
  await ok(admin.get('/health/ready'));
});

/** A new webhook to which nothing can be delivered. */
async function newWebhook(): Promise<{ id: string; path: string }> {
  const { db } = service.database;
  // There are at most 100.
  await db.query(sql`DELETE FROM webhooks`);
  const { id } = await admin.make('/api/webhooks', { name: 'truth', url: 'http://127.0.0.1:1/' });
  return { id, path: `/api/webhooks/${id}` };
}

/** The path of a new custom field, of which there are at most 100 for a resource. */
async function newCustomField(): Promise<string> {
  await service.database.db.query(sql`DELETE FROM custom_fields`);
  return `/api/custom-fields/${(await admin.make('/api/custom-fields', { key: 'truth', type: 'text', resources: ['slas'] })).id}`;
}

/** A custom field that a record has a value of. */
async function usedCustomField(): Promise<string> {
  const path = await newCustomField();
  await admin.make('/api/slas', { name: 'x', customFields: { truth: 'x' } });
  return path;
}

/** The path of a new transition. */
async function newTransition(): Promise<string> {
  await service.database.db.query(sql`DELETE FROM transitions`);
  return `/api/transitions/${(await admin.make('/api/transitions', { resource: 'cables', to: 'truth' })).id}`;
}

/** The path of a new record whose approvals an operation is about. */
const approved = async (template: string): Promise<string> =>
  template.startsWith('/api/change-sets/')
    ? newChangeSet()
    : (await maker.record(template.slice(0, template.indexOf('/', '/api/'.length)))).path;

/** The path of a new change set. */
const newChangeSet = async (): Promise<string> =>
  `/api/change-sets/${(await admin.make('/api/change-sets', { name: 'truth' })).id}`;

/** The query that has a request written down in a new change set, which can be closed already. */
async function planned(isOpen: boolean): Promise<string> {
  const path = await newChangeSet();
  if (!isOpen) await ok(admin.post(`${path}/discard`));
  return `changeSet=${path.slice(path.lastIndexOf('/') + 1)}`;
}

const isPlanned = (operation: Operation): boolean => statusesOf(operation).includes(202);

/** An operation of a change set that is good at any time. */
const PLANNED = { op: 'create', resource: 'sites', data: { name: 'planned' } };

/** The path of a new operation of a change set. */
const newOperation = async (set: string): Promise<string> =>
  `${set}/operations/${(await admin.make(`${set}/operations`, PLANNED)).id}`;

/** The path of an operation about a change set, and what it is about. */
async function changeSetPath(template: string): Promise<string> {
  const set = await newChangeSet();
  if (template.includes('/operations/{')) return newOperation(set);
  if (template.endsWith('/revert')) await ok(admin.post(`${set}/merge`));
  return set + template.slice(template.indexOf('}') + 1);
}

/** A refusal of what is closed. */
async function closedSet({ template, method }: Operation): Promise<Answer> {
  const path = await changeSetPath(template);
  const set = path.split('/').slice(0, 4).join('/');
  await ok(admin.post(`${set}/${template === '/api/change-sets/{id}' ? 'merge' : 'discard'}`));
  return admin.request(method, path, method === 'PATCH' ? { name: 'late' } : undefined);
}

/** The path of a delivery of a new webhook. */
async function newDelivery(): Promise<string> {
  const { id, path } = await newWebhook();
  const site = await admin.make('/api/sites', { name: 'delivered' });
  await ok(admin.post(`${path}/replay`, { since: site.createdAt }));
  const [delivery] = (await admin.get(`${path}/deliveries`)).body.data;
  return `/api/webhooks/${id}/deliveries/${delivery.id}`;
}

/** The path of an operation with ids of existing records, which are created if needed. */
async function pathOf(operation: Operation): Promise<string> {
  const { template } = operation;
  const end = template.lastIndexOf('}') + 1;
  // Other tests have devices of one name, which are no inventory.
  if (template === '/api/outputs/ansible') return `${template}?name=nobody`;
  if (end === 0) return nowhere(operation);
  if (template === '/api/change-log/{id}') {
    return `/api/change-log/${(await admin.get('/api/change-log?pageSize=1')).body.data[0].id}`;
  }
  if (template.startsWith('/api/tokens/')) {
    return `/api/tokens/${(await admin.make('/api/tokens', { name: 'x' })).id}${template.slice(end)}`;
  }
  if (template.startsWith('/api/calendar-feeds/')) {
    const { id } = await admin.make('/api/calendar-feeds', { name: 'x', kind: 'changes' });
    return `/api/calendar-feeds/${id}${template.slice(end)}`;
  }
  if (template.startsWith('/calendar/')) {
    return (await admin.make('/api/calendar-feeds', { name: 'x', kind: 'changes' })).url;
  }
  // Only a port whose mode is tagged has them.
  if (template.endsWith('{devicePortId}/tagged-vlans'))
    return (await maker.record('/api/device-ports', { mode: 'tagged' })).path + template.slice(end);
  if (template.startsWith('/api/transitions/')) return (await newTransition()) + template.slice(end);
  if (template.includes('/approvals/')) return approvalOf(admin, await approved(template));
  if (template.startsWith('/api/change-sets/')) return changeSetPath(template);
  if (template.includes('/deliveries/')) return (await newDelivery()) + template.slice(end);
  if (template.startsWith('/api/custom-fields/')) return (await newCustomField()) + template.slice(end);
  if (template.startsWith('/api/webhooks/')) return (await newWebhook()).path + template.slice(end);
  if (template.includes('/movements/')) {
    const { path } = await maker.record('/api/stock-items');
    const { data } = (await admin.post(`${path}/movements`, MOVEMENT)).body;
    return `${path}/movements/${data.id}${template.slice(end)}`;
  }
  if (template.includes('/receipts/')) return (await newReceipt()) + template.slice(end);
  if (template.includes('/updates/')) {
    const incident = (await maker.record('/api/incidents')).path;
    return `${incident}/updates/${(await admin.make(`${incident}/updates`, { message: 'x' })).id}`;
  }
  const row = rows.find(({ path }) => pathLike(`${path}/{}`) === pathLike(template.slice(0, end)))!;
  return (await maker.record(row.path)).path + template.slice(end);
}

/** The path of an operation with ids of records that do not exist. */
const nowhere = ({ template, declared }: Operation): string => {
  const required = declared.parameters.map(resolveRef).filter((one: Json) => one.in === 'query' && one.required);
  const SPAN: Json = { from: '2031-03-01', to: '2031-03-02' };
  const nothing = ({ name, schema }: Json): string =>
    SPAN[name] ?? (schema.items?.format === 'uuid' ? randomUUID() : (resolveRef(schema.items)?.enum?.[0] ?? 'nothing'));
  const query = required.map((one: Json) => `${one.name}=${nothing(one)}`).join('&');
  return (
    template.replaceAll(/\{\w+\}/g, (name) => (name === '{secret}' ? 'A'.repeat(43) : randomUUID())) +
    (query && `?${query}`)
  );
};

const contentOf = ({ declared }: Operation): Json => declared.requestBody?.content ?? {};
const bodyOf = (operation: Operation): Json => Object.values<Json>(contentOf(operation))[0]?.example;
const isImport = (operation: Operation): boolean => 'text/csv' in contentOf(operation);

/** Sends an operation with its example. */
const send = (api: Api, operation: Operation, path: string, headers: HeaderMap = {}): Promise<Answer> =>
  api.request(operation.method, path, bodyOf(operation), {
    ...(isImport(operation) && { 'content-type': 'text/csv' }),
    ...headers,
  });

/** The body that receives one unit of the first line of an order. */
/** What is counted of a stock item. */
const MOVEMENT = { quantity: 1, kind: 'count' };

/** An order of a stock item, and what receives it. */
async function stockOrder(): Promise<{ path: string; body: Json }> {
  const { id: stockItemId } = await maker.record('/api/stock-items');
  const items = [{ name: 'Cable', quantity: 5, stockItemId }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: randomUUID(), items });
  return {
    path: `/api/purchase-orders/${order.id}/receive-stock`,
    body: { items: [{ itemId: order.items[0].id, quantity: 1 }] },
  };
}

/** A booking whose asset can be picked up, or is out. */
async function bookingOf(isOut: boolean): Promise<string> {
  const { path } = await maker.record('/api/bookings', { personId: (await maker.record('/api/people')).id });
  if (isOut) await ok(admin.post(`${path}/pick-up`));
  return path;
}

async function unitOf(order: string): Promise<Json> {
  const { data } = (await admin.get(order)).body;
  return { items: [{ itemId: data.items[0].id, quantity: 1, assets: [{}] }] };
}

/** An asset and who is to have it. */
async function newHolders(): Promise<Json[]> {
  const [asset, person] = [await maker.record('/api/assets'), await maker.record('/api/people')];
  return [{ assetId: asset.id, personId: person.id }];
}

/** Addresses of a VRF that allows each host once, and their id. */
async function uniqueAddresses(): Promise<{ vrfId: string; id: string }> {
  const { id: vrfId } = await admin.make('/api/vrfs', { name: 'unique', enforceUnique: true });
  const { id } = await admin.make('/api/ip-addresses', { address: '192.0.2.1/24', vrfId });
  return { vrfId, id };
}

/** Changes that contradict other records, by the path of the changed one. */
const CONFLICTING: Record<string, () => Promise<Answer>> = {
  '/api/locations/{id}': async () => {
    const { id: siteId } = await admin.make('/api/sites', { name: 'taken' });
    const { id: other } = await admin.make('/api/sites', { name: 'other' });
    const { id } = await admin.make('/api/locations', { name: 'room' });
    await admin.make('/api/racks', { name: 'A1', locationId: id, siteId });
    return admin.patch(`/api/locations/${id}`, { siteId: other });
  },
  '/api/vrfs/{id}': async () => {
    const { id: vrfId } = await admin.make('/api/vrfs', { name: 'taken' });
    for (const address of ['192.0.2.1/24', '192.0.2.1/32']) await admin.make('/api/ip-addresses', { address, vrfId });
    return admin.patch(`/api/vrfs/${vrfId}`, { enforceUnique: true });
  },
  '/api/ip-addresses/{id}': async () => {
    const { vrfId } = await uniqueAddresses();
    const { id } = await admin.make('/api/ip-addresses', { address: '192.0.2.2/24', vrfId });
    return admin.patch(`/api/ip-addresses/${id}`, { address: '192.0.2.1/24' });
  },
  '/api/bookings/{id}': async () => {
    const { path } = await maker.record('/api/bookings');
    await ok(admin.post(`${path}/cancel`));
    return admin.patch(path, { purpose: 'late' });
  },
  '/api/rack-reservations/{id}': async () => {
    const { id: rackId } = await admin.make('/api/racks', { name: 'taken' });
    await admin.make('/api/rack-reservations', { rackId, units: [1] });
    const { id } = await admin.make('/api/rack-reservations', { rackId, units: [2] });
    return admin.patch(`/api/rack-reservations/${id}`, { units: [1] });
  },
  '/api/software-licences/{id}': async () => {
    const { path } = await maker.record('/api/software-licences/{/api/software-licences}/seats');
    return admin.patch(path.slice(0, path.indexOf('/seats')), { seats: 0 });
  },
  '/api/vlan-groups/{id}': async () => {
    const { id } = await admin.make('/api/vlan-groups', { name: 'taken' });
    await admin.make('/api/vlans', { vid: 10, name: 'taken', vlanGroupId: id });
    return admin.patch(`/api/vlan-groups/${id}`, { minVid: 11 });
  },
  '/api/vlans/{id}': async () => {
    const { id: vlanGroupId } = await admin.make('/api/vlan-groups', { name: 'taken' });
    await admin.make('/api/vlans', { vid: 10, name: 'taken', vlanGroupId });
    const { id } = await admin.make('/api/vlans', { vid: 11, name: 'taken', vlanGroupId });
    return admin.patch(`/api/vlans/${id}`, { vid: 10 });
  },
  '/api/device-type-ports/{id}': async () =>
    renamedToTaken('/api/device-type-ports', 'deviceTypeId', '/api/device-types'),
  '/api/device-ports/{id}': async () => renamedToTaken('/api/device-ports', 'deviceId', '/api/devices'),
  '/api/virtual-machine-interfaces/{id}': async () =>
    renamedToTaken('/api/virtual-machine-interfaces', 'virtualMachineId', '/api/virtual-machines'),
  '/api/device-ports/{devicePortId}/tagged-vlans/{taggedVlanId}': async () => {
    const { links, vlans, portId } = await twoTaggedVlans();
    return admin.patch(`/api/device-ports/${portId}/tagged-vlans/${links[1]!.id}`, { vlanId: vlans[0]!.id });
  },
  '/api/device-port-vlans/{id}': async () => {
    const { links, vlans } = await twoTaggedVlans();
    return admin.patch(`/api/device-port-vlans/${links[1]!.id}`, { vlanId: vlans[0]!.id });
  },
  '/api/contracts/{id}': async () => {
    const { id } = await admin.make('/api/contracts', { name: 'covering' });
    const { id: recordId } = await admin.make('/api/devices', { name: 'covered' });
    await admin.make(`/api/contracts/${id}/coverage`, { resource: 'devices', recordId, startDate: '2026-03-01' });
    return admin.patch(`/api/contracts/${id}`, { startDate: '2026-03-02' });
  },
  '/api/circuits/{id}': async () => {
    const { id: vendorId } = await admin.make('/api/vendors', { name: 'taken' });
    await admin.make('/api/circuits', { circuitNumber: 'taken', vendorId });
    const { id } = await admin.make('/api/circuits', { circuitNumber: 'other', vendorId });
    return admin.patch(`/api/circuits/${id}`, { circuitNumber: 'taken' });
  },
};

/** A part is given the name of another one of its owner. */
async function renamedToTaken(path: string, owner: string, owners: string): Promise<Answer> {
  const { id: ownerId } = await maker.record(owners);
  await admin.make(path, { [owner]: ownerId, name: 'taken' });
  const { id } = await admin.make(path, { [owner]: ownerId, name: 'other' });
  return admin.patch(`${path}/${id}`, { name: 'taken' });
}

/** A port with two VLANs. */
async function twoTaggedVlans(): Promise<{ portId: string; vlans: Json[]; links: Json[] }> {
  const { id: deviceId } = await admin.make('/api/devices', { name: 'tagged' });
  const { id: portId } = await admin.make('/api/device-ports', { deviceId, name: 'eth1', mode: 'tagged' });
  const vlans: Json[] = [];
  for (const vid of [21, 22]) vlans.push(await admin.make('/api/vlans', { vid, name: 'tagged' }));
  const links: Json[] = [];
  for (const { id: vlanId } of vlans)
    links.push(await admin.make(`/api/device-ports/${portId}/tagged-vlans`, { vlanId }));
  return { portId, vlans, links };
}

/** The path of a receipt of a new order. */
async function newReceipt(): Promise<string> {
  const order = await maker.record('/api/purchase-orders');
  await ok(admin.post(`${order.path}/receive`, await unitOf(order.path)));
  return `${order.path}/receipts/${(await admin.get(`${order.path}/receipts`)).body.data[0].id}`;
}

/** A second request with the key of one that is still running. */
async function whileRunning(operation: Operation): Promise<Answer> {
  const path = await pathOf(operation);
  const { db } = service.database;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => {
    const transaction = db.runTransaction.bind(db);
    jest.spyOn(db, 'runTransaction').mockImplementationOnce(async (...work) => {
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

/** The webhook after the last. */
async function oneWebhookTooMany(): Promise<Answer> {
  await service.database.db.query(
    sql`INSERT INTO webhooks (name, url, secret) SELECT 'n', 'http://127.0.0.1:1/', 'x' FROM generate_series(1, 100) n`,
  );
  const refused = await admin.post('/api/webhooks', { name: 'x', url: 'http://127.0.0.1:1/' });
  await service.database.db.query(sql`DELETE FROM webhooks`);
  return refused;
}

/** The calendar feed after the last that a profile may have. */
async function oneFeedTooMany(): Promise<Answer> {
  const owner = await service.as('viewer');
  for (let made = 0; made < 100; made++) await owner.make('/api/calendar-feeds', { name: 'x', kind: 'changes' });
  return owner.post('/api/calendar-feeds', { name: 'x', kind: 'changes' });
}

/** The token after the last that a profile may have. */
async function oneTokenTooMany(): Promise<Answer> {
  const owner = await service.as('viewer');
  await service.database.db.query(
    sql`INSERT INTO tokens (name, profile_id, prefix, secret_hash, role, areas, expires_at)
     SELECT 'n', ${(await owner.get('/api/auth/session')).body.data.id}::uuid, 'many' || n, '', 'viewer', '{}', now() + interval '1 day' FROM generate_series(1, 100) n`,
  );
  return owner.post('/api/tokens', { name: 'x' });
}

const isBulk = ({ template }: Operation): boolean => template.endsWith('/bulk');

/** The row of the collection that an operation is below, for example of `/api/sites/bulk`. */
const rowBelow = (template: string): Row =>
  rows.find(({ path }) => pathLike(path) === pathLike(template.slice(0, template.lastIndexOf('/'))))!;

const rowOf = (template: string): Row | undefined => rows.find(({ path }) => pathLike(path) === template);

/** A new record of the collection that an operation is below, and the path of the operation. */
async function besideRecord({ template }: Operation): Promise<{ id: string; path: string }> {
  const { id, path } = await maker.record(rowBelow(template).path);
  return { id, path: path.replace(id, template.slice(template.lastIndexOf('/') + 1)) };
}

/** The answer to a file of which only the length is sent. */
async function announced(path: string, length: number): Promise<Answer> {
  const headers = { cookie: `session=${admin.cookie}`, 'content-type': 'text/csv', 'content-length': length };
  const [status, fields, text] = await new Promise<[number, Headers, string]>((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { method: 'POST', headers }, (response) => {
      let received = '';
      response.on('data', (chunk) => (received += String(chunk)));
      response.on('end', () => {
        sent.destroy();
        resolve([response.statusCode!, new Headers(response.headers as HeaderMap), received]);
      });
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
  const body = JSON.parse(text) as Json;
  assertDocumented('POST', path, status, fields, body);
  return { status, headers: fields, text, body };
}

/** What breaks the placement of two devices above each other. */
const BREAKS: Record<string, object> = {
  '/api/racks/{id}': { units: 1 },
  '/api/device-types/{id}': { uHeight: 2 },
  '/api/devices/{id}': { rackPosition: 2 },
};

async function breakPlacement(template: string): Promise<Answer> {
  const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'One unit', uHeight: 1 });
  const { id: rackId } = await admin.make('/api/racks', { name: 'Two units', units: 2 });
  const place = (rackPosition: number) =>
    admin.make('/api/devices', { name: `at ${rackPosition}`, rackId, rackPosition, deviceTypeId });
  const { id } = await place(1);
  await place(2);
  const ids: Record<string, string> = { racks: rackId, 'device-types': deviceTypeId, devices: id };
  const resource = template.split('/')[2]!;
  return admin.patch(`/api/${resource}/${ids[resource]}`, BREAKS[template]);
}

let pruned: Promise<void> | undefined;

/** Makes the oldest entry of the change log old enough to be deleted, and deletes it. */
async function loseOldestEntry(): Promise<void> {
  const { db } = service.database;
  await db.query(sql`ALTER TABLE change_log DISABLE TRIGGER change_log_keep`);
  await db.query(sql`UPDATE change_log SET created_at = created_at - interval '130 days'
    WHERE id = (SELECT id FROM change_log ORDER BY id LIMIT 1)`);
  await db.query(sql`ALTER TABLE change_log ENABLE TRIGGER change_log_keep`);
  await service.app.get(ChangeLogRetention).prune(90);
}

const isSignOn = ({ template }: Operation): boolean => template.startsWith('/api/auth/oidc/');

/** A person with these claims comes back from the provider. */
async function signIn(claims: Json): Promise<Answer> {
  const { cookie, state, nonce } = await begin(withSignOn);
  provider.claims = { nonce, sub: 'truth', email_verified: true, groups: [], ...claims };
  return comeBack(withSignOn, cookie, { code: 'x', state });
}

/** How to provoke each documented status of the operations of single sign-on. */
const SIGN_ON_REFUSED: Record<number, (operation: Operation) => Promise<Answer>> = {
  302: async ({ template }) => {
    if (template.endsWith('/login')) return withSignOn.anonymous.get(template);
    const { email } = (await (await withSignOn.as('viewer')).get('/api/auth/session')).body.data;
    return signIn({ email });
  },
  400: ({ template }) => withSignOn.anonymous.get(`${template}?nonsense=1`),
  401: () => signIn({ nonce: 'another' }),
  403: () => signIn({ sub: 'nobody', email: 'nobody@example.com' }),
  404: ({ template }) => service.anonymous.get(template),
  503: async ({ template }) => {
    const { cookie, state } = await begin(withSignOn);
    Object.assign(provider, { metadata: { issuer: 'https://login.example.com' }, refusal: { status: 500, body: {} } });
    try {
      if (template.endsWith('/callback')) return await comeBack(withSignOn, cookie, { code: 'x', state });
      // The metadata that the service has read is too old.
      withSignOn.clock.advance(120);
      return await withSignOn.anonymous.get(template);
    } finally {
      Object.assign(provider, { metadata: {}, refusal: undefined });
    }
  },
};

/** Bodies above the limits; made once, because that takes longer than to refuse them. */
const TOO_LONG = { single: 'x'.repeat(1024 * 1024 + 1), bulk: 'x'.repeat(16 * 1024 * 1024 + 1) };

/** How to provoke each documented status of an operation. */
const REFUSED: Record<number, (operation: Operation) => Promise<Answer>> = {
  304: async (operation) => {
    const path = await pathOf(operation);
    const { headers } = await admin.get(path);
    return admin.get(path, { 'if-none-match': headers.get('etag')! });
  },
  400: (operation) => {
    if (operation.template === '/api/auth/login') return service.anonymous.post('/api/auth/login', {});
    // A path that cannot be decoded.
    if (operation.template.startsWith('/calendar/')) return service.anonymous.get('/calendar/%zz.ics');
    const path = nowhere(operation);
    return send(admin, operation, `${path}${path.includes('?') ? '&' : '?'}nonsense=1`);
  },
  401: (operation) => send(service.anonymous, operation, nowhere(operation)),
  403: (operation) =>
    operation.template !== '/api/auth/login'
      ? send(elsewhere, operation, nowhere(operation))
      : send(admin, operation, nowhere(operation), { 'sec-fetch-site': 'cross-site' }),
  404: async (operation) => {
    const path = nowhere(operation);
    if (path.endsWith('/operations') && operation.method === 'POST') return admin.post(path, PLANNED);
    const into = isPlanned(operation) && operation.method === 'POST' ? `${path}?changeSet=${randomUUID()}` : path;
    if (isBulk(operation)) return admin.post(into, { operations: [{ op: 'delete', id: randomUUID() }] });
    const row = into === path || isImport(operation) ? undefined : rowOf(operation.template);
    return row ? admin.post(into, await maker.required(row)) : send(admin, operation, into);
  },
  406: async (operation) => {
    // It is a list if one is named.
    const isResult = operation.template.endsWith('/result');
    const path = isResult ? `${await pathOf(operation)}?list=found` : nowhere(operation);
    return admin.get(path, { accept: 'text/html' });
  },
  409: async (operation) => {
    const { template, method } = operation;
    // A record that is not deleted, an asset that is not assigned, the last administrator.
    if (/\/(?:restore|return)$/.test(template)) return send(admin, operation, await pathOf(operation));
    if (template === '/api/profiles/{id}' && method === 'DELETE') {
      return admin.delete(`/api/profiles/${(await admin.get('/api/auth/session')).body.data.id}`);
    }
    // An order with received units.
    if (template === '/api/purchase-orders/{id}' && method === 'DELETE') {
      const order = await maker.record('/api/purchase-orders');
      await ok(admin.post(`${order.path}/receive`, await unitOf(order.path)));
      return admin.delete(order.path);
    }
    // An item with movements, and a place with stock.
    if (method === 'DELETE' && /^\/api\/(?:stock-items|sites|locations)\/{id}$/.test(template)) {
      const at = await pathOf(operation);
      const { path } = template.startsWith('/api/stock') ? { path: at } : await maker.record('/api/stock-items');
      const [id, places] = [at.slice(at.lastIndexOf('/') + 1), { sites: 'siteId', locations: 'locationId' }];
      const place = places[template.split('/')[2] as keyof typeof places];
      await ok(admin.post(`${path}/movements`, { ...MOVEMENT, ...(place && { [place]: id }) }));
      return admin.delete(at);
    }
    // A power port without which an outlet would feed itself.
    if (method === 'DELETE' && /device-ports\/{id}$|\/devices\/{deviceId}\/ports\/{portId}$/.test(template)) {
      const { id: deviceId } = await admin.make('/api/devices', { name: 'ups' });
      const port = (body: object): Promise<{ id: string }> => admin.make('/api/device-ports', { deviceId, ...body });
      const [own, other] = [await port({ kind: 'power', name: 'in1' }), await port({ kind: 'power', name: 'in2' })];
      const outlet = await port({ kind: 'outlet', name: 'out', powerPortId: own.id });
      await admin.make('/api/cables', { aId: outlet.id, bId: other.id });
      return admin.delete(
        template.includes('portId') ? `/api/devices/${deviceId}/ports/${own.id}` : `/api/device-ports/${own.id}`,
      );
    }
    // A stocktake that is closed, and a category that an open one counts.
    if (template.startsWith('/api/stocktakes/{id}') && method !== 'PATCH') {
      const path = await pathOf(operation);
      await ok(admin.post(`${path.split('/').slice(0, 4).join('/')}/close`));
      return method === 'DELETE' ? admin.delete(path) : send(admin, operation, path);
    }
    if (template === '/api/asset-categories/{id}' && method === 'DELETE') {
      const { path, id: categoryId } = await maker.record('/api/asset-categories');
      await admin.make('/api/stocktakes', { name: 'count', categoryId });
      return admin.delete(path);
    }
    // Two hosts of one name.
    if (template === '/api/outputs/ansible') {
      for (const address of ['192.0.2.1/32', '192.0.2.2/32']) {
        const { id: deviceId } = await admin.make('/api/devices', { name: 'twin' });
        await admin.make('/api/ip-addresses', { address, deviceId });
      }
      return admin.get(template);
    }
    // A VRF whose prefix also stands without a VRF.
    if (template === '/api/vrfs/{id}' && method === 'DELETE') {
      const { id: vrfId } = await admin.make('/api/vrfs', { name: 'taken' });
      for (const vrf of [vrfId, null]) await admin.make('/api/prefixes', { prefix: '192.0.2.0/28', vrfId: vrf });
      return admin.delete(`/api/vrfs/${vrfId}`);
    }
    if (template.endsWith('/reverse')) {
      const path = await pathOf(operation);
      await ok(admin.post(path));
      return admin.post(path);
    }
    if (template === '/api/tokens') return oneTokenTooMany();
    if (template === '/api/calendar-feeds') return oneFeedTooMany();
    if (template === '/api/webhooks') return oneWebhookTooMany();
    if (template === '/api/custom-fields') {
      await newCustomField();
      return admin.post(template, { key: 'truth', type: 'text', resources: ['slas'] });
    }
    if (template === '/api/custom-fields/{id}' && method === 'DELETE') return admin.delete(await usedCustomField());
    if (template === '/api/custom-fields/{id}') return admin.patch(await usedCustomField(), { resources: ['sites'] });
    if (method === 'PATCH' && template in BREAKS) return breakPlacement(template);
    if (template === '/api/transitions') {
      await newTransition();
      return admin.post(template, { resource: 'cables', to: 'truth' });
    }
    if (template.includes('/approvals/')) return lateWithdrawal(admin, await approved(template));
    if (template.startsWith('/api/change-sets/') && !statusesOf(operation).includes(422)) return closedSet(operation);
    if (isPlanned(operation) && method === 'DELETE')
      return admin.delete(`${await pathOf(operation)}?${await planned(false)}`);
    if (statusesOf(operation).includes(422)) return whileRunning(operation);
    if (method === 'PATCH' && template in CONFLICTING) return CONFLICTING[template]!();
    const row = rows.find(({ path }) => [pathLike(path), pathLike(`${path}/{}`)].includes(template))!;
    const isMovable = operations.some((one) => one.template === `${template}/transitions`);
    if (isMovable && uniqueFields(row).length === 0) return refusedMove(admin, await pathOf(operation));
    const written = Object.entries({ ...row.required, ...row.optional });
    const isTarget = /\/(?:targets|coverage|seats)$/.test(row.path);
    const taken = {
      ...(await maker.values(
        Object.fromEntries(written.filter(([name]) => isTarget || uniqueFields(row).includes(name))),
      )),
      ...row.another,
    };
    const body = {
      ...(await maker.values(row.required)),
      ...taken,
      ...(row.area === 'admin' && { password: 'a passphrase of the truth 3' }),
    };
    if (method === 'POST') {
      await admin.post(template, body);
      return admin.post(template, body);
    }
    const path = await pathOf(operation);
    if (Object.keys(taken).length === 0) return send(admin, operation, `${path}?${await planned(false)}`);
    await admin.post(path.slice(0, path.lastIndexOf('/')), body);
    const answer = await admin.patch(path, taken);
    // Nothing but the change set refuses some.
    return answer.status === 409 ? answer : send(admin, operation, `${path}?${await planned(false)}`);
  },
  410: async (operation) => {
    await (pruned ??= loseOldestEntry());
    const { template } = operation;
    // The cursor after an entry of 1970.
    if (template.startsWith('/api/changes')) return admin.get(`${template}?since=${'A'.repeat(32)}`);
    if (template.endsWith('/replay')) {
      return admin.post(await pathOf(operation), { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' });
    }
    if (template === '/api/on-call') return admin.get('/api/on-call?asOf=2020-01-01');
    return admin.get(`${await pathOf(operation)}?asOf=2020-01-01`);
  },
  412: async (operation) => {
    if (!isBulk(operation)) return send(admin, operation, await pathOf(operation), { 'if-match': '"stale"' });
    if (operation.template.includes('/operations/')) {
      const one = await newOperation(await newChangeSet());
      const [at, id] = [one.slice(0, one.lastIndexOf('/')), one.slice(one.lastIndexOf('/') + 1)];
      return admin.post(`${at}/bulk`, { operations: [{ op: 'delete', id, ifMatch: '"stale"' }] });
    }
    const { id, path } = await besideRecord(operation);
    return admin.post(path, { operations: [{ op: 'delete', id, ifMatch: '"stale"' }] });
  },
  413: (operation) =>
    isImport(operation)
      ? announced(nowhere(operation), 64 * 1024 * 1024 + 1)
      : admin.request(operation.method, nowhere(operation), isBulk(operation) ? TOO_LONG.bulk : TOO_LONG.single),
  415: (operation) => admin.request(operation.method, nowhere(operation), 'x', { 'content-type': 'text/plain' }),
  422: async (operation) => {
    const { template } = operation;
    const headers: HeaderMap = { 'idempotency-key': randomUUID() };
    if (isImport(operation)) {
      const at = await pathOf(operation);
      await ok(send(admin, operation, `${at}?dryRun=false&onError=skip`, headers));
      return admin.request('POST', at, 'name\nx\n', { ...headers, 'content-type': 'text/csv' });
    }
    let [path, body] = [await pathOf(operation), bodyOf(operation)];
    if (template.endsWith('/restore')) await admin.delete(path.slice(0, -'/restore'.length));
    if (template.endsWith('/sync')) {
      const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'Synced' });
      await ok(admin.patch(path.slice(0, -'/ports/sync'.length), { deviceTypeId }));
    }
    if (template.endsWith('/assign')) body = { personId: (await maker.record('/api/people')).id };
    if (/^\/api\/bookings\/.*\/(?:pick-up|return)$/.test(template)) {
      path = `${await bookingOf(template.endsWith('/return'))}${template.slice(template.lastIndexOf('/'))}`;
      body = {};
    } else if (template.endsWith('/return')) {
      const asset = path.slice(0, -'/return'.length);
      await ok(admin.post(`${asset}/assign`, { personId: (await maker.record('/api/people')).id }));
    }
    if (template.endsWith('/receive-stock')) ({ path, body } = await stockOrder());
    if (template.endsWith('/movements')) body = MOVEMENT;
    if (template.endsWith('/receive')) body = await unitOf(path.slice(0, -'/receive'.length));
    if (template.endsWith('/cover')) body = { personId: (await maker.record('/api/people')).id };
    if (template.endsWith('/replay'))
      body = { since: (await admin.get(path.slice(0, -'/replay'.length))).body.data.createdAt };
    if (template.endsWith('/undo')) {
      const { headers: of } = await admin.post('/api/sites', { name: 'undone' });
      body = { requestId: of.get('x-request-id') };
    }
    if (template.endsWith('/handover')) body = { holders: await newHolders() };
    if (template.endsWith('/rotation')) body.personIds = [(await maker.record('/api/people')).id];
    if (template === '/api/change-sets') body = { name: 'once' };
    else if (template.endsWith('/operations')) body = PLANNED;
    else if (template.endsWith('/operations/bulk')) body = { operations: [{ op: 'create', data: PLANNED }] };
    else if (isBulk(operation)) {
      const { id, path: at } = await besideRecord(operation);
      [path, body] = [at, { operations: [{ op: 'delete', id }] }];
    } else if (template === '/api/custom-fields') {
      await newCustomField();
      body = { key: 'once', type: 'text', resources: ['slas'] };
    } else if (template === '/api/transitions') {
      await newTransition();
      body = { resource: 'cables', from: 'truth', to: 'once' };
    } else if (template.endsWith('/approvals')) {
      body = await approving(admin, path.slice(0, -'/approvals'.length));
    } else if (template === '/api/conflicts') {
      body = { targets: [] };
    } else if (
      operation.method === 'POST' &&
      body &&
      !/\/(?:assign|return|receive|receive-stock|movements|pick-up|reverse|updates|available-\w+|close|cover|handover|offboard|rotation|replay|scans|undo)$/.test(
        template,
      )
    ) {
      const row = rows.find((one) => pathLike(one.path) === template)!;
      body = await maker.values(row.required);
    }
    await ok(admin.request('POST', path, body, headers));
    return admin.request('POST', path, { other: true }, headers);
  },
  429: async (operation) => {
    const from = { 'x-forwarded-for': `192.0.2.${1 + (addresses++ % 254)}` };
    if (operation.template.startsWith('/calendar/')) {
      const guess = `/calendar/${'A'.repeat(43)}.ics`;
      for (let n = 0; n < 100; n++) await limited.anonymous.get(guess, from);
      return limited.anonymous.get(guess, from);
    }
    // Without a session the address is limited, otherwise the session.
    const isLogin = operation.template === '/api/auth/login' || isSignOn(operation);
    const api = isLogin ? limited.anonymous : await limited.as('admin');
    await (isLogin ? send(api, operation, operation.template, from) : api.get('/api/sites', from));
    return send(api, operation, nowhere(operation), from);
  },
  503: (operation) => send(cutOff.admin, operation, nowhere(operation)),
};

// A redirect is no refusal, but is provoked with them.
const refusalsOf = (operation: Operation): number[] => statusesOf(operation).filter((status) => status >= 300);
const refusing = operations.filter((operation) => refusalsOf(operation).length > 0);

describe('the service gives the documented refusals:', () => {
  it.each(refusing.map((operation) => [nameOf(operation), operation] as const))('%s', async (_, operation) => {
    for (const status of refusalsOf(operation)) {
      const provoke = (isSignOn(operation) && SIGN_ON_REFUSED[status]) || REFUSED[status]!;
      expect([status, (await provoke(operation)).status]).toEqual([status, status]);
    }
  });
});

it('every documented status of every operation was provoked', () => {
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
