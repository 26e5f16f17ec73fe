import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { Receiver } from '../support/receiver.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { until } from '../support/until.js';

let service: TestService;
let admin: Api;
/** An administrator who may not read operations. */
let outsider: Api;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true' });
  service.app.get(WebhookWorker).start();
  admin = await service.as('admin');
  outsider = await service.as('admin', ['network']);
});
afterAll(() => service.stop());
beforeEach(async () => void (receiver = await Receiver.open()));
afterEach(async () => {
  for (const { id } of (await admin.get('/api/webhooks')).body.data) await admin.delete(`/api/webhooks/${id}`);
  await receiver.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const subscribe = (body: object = {}): Promise<Json> =>
  admin.make('/api/webhooks', { name: 'test', url: receiver.url, ...body });
const patch = async ({ id }: Json, body: object): Promise<void> =>
  expect((await admin.patch(`/api/webhooks/${id}`, body)).status).toBe(200) as void;
const listed = async (api: Api, { id }: Json): Promise<Json[]> =>
  (await api.get(`/api/webhooks/${id}/deliveries?pageSize=200`)).body.data;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The deliveries of a webhook, once there are this many. */
const queued = (webhook: Json, size: number): Promise<Json[]> =>
  until(
    () => listed(admin, webhook),
    (found) => found.length === size && found.every(({ attempts }) => attempts > 0),
  );

const outcomes = (found: Json[]): string[] => found.map(({ type, status, error }) => `${type} ${status} ${error}`);

it('an incident stays with those who may read it when the webhook is no longer for incidents', async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  const hook = await subscribe({ resources: ['incidents', 'vrfs'] });
  const incident = await admin.make('/api/incidents', { name: 'secret', severity: 'sev2' });
  const vrf = await admin.make('/api/vrfs', { name: 'blue' });
  const [delivery] = (await queued(hook, 2)).filter(({ resource }) => resource === 'incidents');
  await patch(hook, { resources: ['vrfs'] });
  expect(outcomes(await listed(admin, hook))).toEqual([
    'vrfs.create pending null',
    'incidents.create failed no_longer_wanted',
  ]);
  // The area of each delivery is that of its own resource.
  expect((await listed(outsider, hook)).map(({ recordId }) => recordId)).toEqual([vrf.id]);
  const sorted = await outsider.get(`/api/webhooks/${hook.id}/deliveries?sort=type&order=desc`);
  const types = sorted.body.data.map(({ type }: { type: string }) => type);
  expect([sorted.status, types]).toEqual([200, types.toSorted().toReversed()]);
  const csv = (await outsider.get(`/api/webhooks/${hook.id}/deliveries?format=csv`)).text;
  expect([csv.includes(vrf.id), csv.includes(incident.id)]).toEqual([true, false]);
  const moved = { url: `${receiver.url}/elsewhere`, secret: hook.secret };
  expect((await outsider.patch(`/api/webhooks/${hook.id}`, moved)).status).toBe(200);
  const path = `/api/webhooks/${hook.id}/deliveries/${delivery.id}/resend`;
  expect((await outsider.post(path)).status).toBe(404);
  const refused = await admin.post(path);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    'id belongs to a change that no longer matches the webhook',
  ]);
  receiver.answer = (response) => response.writeHead(204).end();
  await pause(600);
  expect(receiver.received.filter(({ path: at }) => at.endsWith('elsewhere')).map(({ text }) => text)).toEqual([]);
});

it.each([
  ['actions', { actions: ['delete'] }],
  ['fields', { fields: ['name'] }],
  ['where', { where: { after: { status: 'retired' } } }],
])('a change of %s ends the deliveries that are no longer wanted, and no others', async (_what, change) => {
  receiver.answer = (response) => response.writeHead(503).end();
  const hook = await subscribe({ resources: ['sites'], actions: ['update', 'delete'] });
  const site = await admin.make('/api/sites', { name: 'AMS1' });
  await admin.patch(`/api/sites/${site.id}`, { description: 'unwanted' });
  const other = await admin.make('/api/sites', { name: 'AMS2', status: 'retired' });
  await admin.patch(`/api/sites/${other.id}`, { name: 'AMS3' });
  const third = await admin.make('/api/sites', { name: 'AMS4', status: 'retired' });
  await queued(hook, 2);
  await admin.delete(`/api/sites/${third.id}`);
  await queued(hook, 3);
  await patch(hook, { name: 'renamed' });
  expect((await listed(admin, hook)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  await patch(hook, change);
  const kept = 'pending null';
  const ended = 'failed no_longer_wanted';
  const ofUpdate = 'actions' in change ? ended : kept;
  const ofDelete = 'where' in change ? ended : kept;
  expect(outcomes(await listed(admin, hook))).toEqual([
    `sites.delete ${ofDelete}`,
    `sites.update ${ofUpdate}`,
    `sites.update ${ended}`,
  ]);
});

it('deleting a webhook for operations needs their area, as changing it does', async () => {
  const hook = await subscribe({ resources: ['incidents'] });
  expect((await outsider.delete(`/api/webhooks/${hook.id}`)).status).toBe(403);
  expect((await admin.get(`/api/webhooks/${hook.id}`)).status).toBe(200);
  const own = await subscribe({ resources: ['sites'] });
  expect((await outsider.delete(`/api/webhooks/${own.id}`)).status).toBe(204);
  expect((await outsider.delete(`/api/webhooks/${own.id}`)).status).toBe(404);
});

it('nothing that has ended is sent when the webhook is switched off and on at once', async () => {
  const held: (() => void)[] = [];
  receiver.answer = (response) => void held.push(() => response.writeHead(204).end());
  const hook = await subscribe({ resources: ['vrfs'] });
  const vrf = await admin.make('/api/vrfs', { name: 'v0' });
  const names = Array.from({ length: 12 }, (_, index) => `v${index + 1}`);
  await receiver.until(() => held.length === 1);
  // The first delivery is in progress. The next ones are read together, and sent one after the other.
  await admin.post('/api/vrfs/bulk', {
    operations: [
      { op: 'update', id: vrf.id, data: { description: 'first' } },
      ...names.map((name) => ({ op: 'create', data: { name } })),
    ],
  });
  for (const name of names) await admin.patch(`/api/vrfs/${vrf.id}`, { name: `${name}-renamed` });
  held.shift()!();
  await receiver.until(() => held.length === names.length + 1);
  // Changes that are not queued yet would be sent later: a transaction anywhere on the server delays the feed.
  await until(
    () => listed(admin, hook),
    ({ length }) => length === 2 + 2 * names.length,
  );
  const sent = receiver.received.length;
  await patch(hook, { isActive: false });
  await patch(hook, { isActive: true });
  for (const answer of held) answer();
  receiver.answer = (response) => response.writeHead(204).end();
  await pause(800);
  expect(receiver.received).toHaveLength(sent);
  const last = await admin.make('/api/vrfs', { name: 'last' });
  await receiver.until(() => receiver.received.length > sent);
  expect(receiver.received.at(-1)!.text).toContain(last.id);
});

it('what arrived before the webhook was switched off, or while it was, has succeeded', async () => {
  const held: (() => void)[] = [];
  receiver.answer = (response) => void held.push(() => response.writeHead(204).end());
  const hook = await subscribe({ resources: ['vrfs'] });
  const vrf = await admin.make('/api/vrfs', { name: 'v0' });
  await receiver.until(() => held.length === 1);
  for (const name of ['v1', 'v2', 'v3']) await admin.patch(`/api/vrfs/${vrf.id}`, { name });
  await until(
    () => listed(admin, hook),
    ({ length }) => length === 4,
  );
  // The first delivery ends. The others are read together, and are still being sent when the webhook is switched off.
  held.shift()!();
  await receiver.until(() => held.length === 1);
  held.shift()!();
  await receiver.until(() => held.length === 1);
  const stored = (found: Json[]): string[] => found.map(({ status }) => status).toSorted();
  await until(
    () => listed(admin, hook),
    (found) => stored(found).join() === 'pending,pending,succeeded,succeeded',
  );
  await patch(hook, { isActive: false });
  held.shift()!();
  const ended = await until(
    () => listed(admin, hook),
    (found) => stored(found).join() === 'failed,succeeded,succeeded,succeeded',
  );
  expect(
    ended
      .filter(({ status }) => status === 'succeeded')
      .every(({ error, deliveredAt }) => error === null && deliveredAt),
  ).toBe(true);
});

describe('OUTBOUND=false', () => {
  it('sends nothing, says so of each delivery, and leaves the webhook as it is', async () => {
    const copy = await startService({ WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true', OUTBOUND: 'false' });
    try {
      const api = await copy.as('admin');
      const hook = await api.make('/api/webhooks', { name: 'copied', url: receiver.url, resources: ['vrfs'] });
      await api.make('/api/vrfs', { name: 'before' });
      copy.app.get(WebhookWorker).start();
      await api.make('/api/vrfs', { name: 'after' });
      const ended = await until(
        () => listed(api, hook),
        (found) => found.length === 2 && found.every(({ status }) => status !== 'pending'),
      );
      expect(outcomes(ended)).toEqual(['vrfs.create failed outbound_off', 'vrfs.create failed outbound_off']);
      expect(ended.map(({ attempts }) => attempts)).toEqual([0, 0]);
      const test = (await api.post(`/api/webhooks/${hook.id}/test`)).body.data;
      expect([test.status, test.error]).toEqual(['failed', 'outbound_off']);
      expect((await api.get(`/api/webhooks/${hook.id}`)).body.data).toMatchObject({
        isActive: true,
        failingSince: null,
      });
      const { url } = await api.make('/api/calendar-feeds', { name: 'Feed', kind: 'expirations' });
      const calendar = await copy.anonymous.get(url);
      expect([calendar.status, calendar.headers.get('retry-after')]).toEqual([503, '3600']);
      expect(receiver.received).toEqual([]);
    } finally {
      await copy.stop();
    }
  });
});
