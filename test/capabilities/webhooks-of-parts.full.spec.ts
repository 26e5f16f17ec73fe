import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/* Webhooks for parts that are read with their owner or have no PATCH, and for their custom fields. */

let service: TestService;
let admin: Api;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService({
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
    PUBLIC_URL: 'https://inventory.example.com',
  });
  service.app.get(WebhookWorker).start();
  admin = await service.as('admin');
  receiver = await Receiver.open();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});
afterEach(async () => {
  for (const { id } of (await admin.get('/api/webhooks')).body.data) await admin.delete(`/api/webhooks/${id}`);
  for (const { id } of (await admin.get('/api/custom-fields')).body.data) {
    await admin.delete(`/api/custom-fields/${id}?dropValues=true`);
  }
  receiver.received.length = 0;
});

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const RESOURCES = ['asset-assignments', 'incident-updates', 'purchase-order-items', 'receipts'];
const NOTE = 'customFields.note';

/** Creates a record of each resource with a note. */
async function makeAll(note: string): Promise<void> {
  const customFields = { note };
  const incident = await admin.make('/api/incidents', { name: note });
  const person = await admin.make('/api/people', { fullName: 'Ada' });
  const asset = await admin.make('/api/assets', { name: note });
  const order = await admin.make('/api/purchase-orders', {
    orderNumber: note,
    items: [{ name: 'Switch', quantity: 1, customFields }],
  });
  await admin.post(`/api/purchase-orders/${order.id}/receive`, {
    items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
    customFields,
  });
  await admin.post(`/api/assets/${asset.id}/assign`, { personId: person.id, customFields });
  await admin.post(`/api/incidents/${incident.id}/updates`, { message: 'm', customFields });
}

const subscribe = (body: object): Promise<Json> =>
  admin.make('/api/webhooks', { name: 'test', url: receiver.url, ...body });

it('are delivered where their values meet the conditions', async () => {
  const field = await admin.make('/api/custom-fields', { key: 'note', type: 'text', resources: RESOURCES });
  for (const resource of RESOURCES) {
    await subscribe({ resources: [resource], actions: ['create'], where: { after: { [NOTE]: ['wanted', 'last'] } } });
  }
  for (const note of ['unwanted', 'wanted', 'last']) await makeAll(note);
  await receiver.until(() => receiver.received.length >= 2 * RESOURCES.length);
  const told = receiver.received.map(({ text }) => JSON.parse(text)).map(({ type, data }) => [type, data.after[NOTE]]);
  expect(told.toSorted()).toEqual(
    RESOURCES.flatMap((resource) => ['last', 'wanted'].map((note) => [`${resource}.create`, note])),
  );
  const refused = await admin.delete(`/api/custom-fields/${field.id}?dropValues=true`);
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining("named by the webhook 'test'")]);
});

it('are delivered where one of the fields was changed, and in words', async () => {
  await admin.make('/api/custom-fields', { key: 'note', label: 'damage', type: 'text', resources: RESOURCES });
  await subscribe({ resources: ['asset-assignments'], actions: ['update'], fields: [NOTE], format: 'text' });
  const person = await admin.make('/api/people', { fullName: 'Ada' });
  const { id } = await admin.make('/api/assets', { name: 'Laptop' });
  await admin.post(`/api/assets/${id}/assign`, { personId: person.id });
  await admin.post(`/api/assets/${id}/return`);
  await admin.post(`/api/assets/${id}/assign`, { personId: person.id });
  await admin.post(`/api/assets/${id}/return`, { customFields: { note: 'dent' } });
  await receiver.until(() => receiver.received.length > 0);
  const sentences = receiver.received.map(({ text }) => JSON.parse(text).text);
  expect(sentences).toEqual([expect.stringMatching(/ changed asset assignment .*damage from nothing to dent\b/)]);
});

it('are among the deliveries of a webhook for everything, and those of operations need their area', async () => {
  await admin.make('/api/custom-fields', { key: 'note', type: 'text', resources: RESOURCES });
  const { id } = await subscribe({ actions: ['create'] });
  await makeAll('everything');
  const deliveries = async (): Promise<Json[]> => (await admin.get(`/api/webhooks/${id}/deliveries`)).body.data;
  const all = await until(deliveries, (found) =>
    RESOURCES.every((name) => found.some(({ resource }) => resource === name)),
  );
  for (const { id: delivery } of all.filter(({ resource }) => RESOURCES.includes(resource))) {
    expect((await admin.post(`/api/webhooks/${id}/deliveries/${delivery}/resend`)).status).toBe(200);
  }
  const outsider = await service.as('admin', ['procurement']);
  const make = async (resource: string): Promise<number> =>
    (await outsider.post('/api/webhooks', { name: 'test', url: receiver.url, resources: [resource] })).status;
  expect([await make('receipts'), await make('incident-updates')]).toEqual([201, 403]);
});
