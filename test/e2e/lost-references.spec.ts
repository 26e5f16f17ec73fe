import { Client } from 'pg';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { until } from '../support/until.js';

// Two concurrent transactions need a server.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('References that are lost: skipped, as they need a server (TEST_DATABASE_URL)');

describeOnServer('a record that is deleted while a request refers to it is named with its place', () => {
  let service: TestService;
  let admin: Api;
  let client: Client;
  beforeAll(async () => {
    service = await startService();
    admin = await service.as('admin');
    client = new Client({ connectionString: service.database.url! });
    await client.connect();
    const place = { type: 'reference', target: 'sites', resources: ['assets', 'asset-assignments', 'ip-addresses'] };
    await admin.make('/api/custom-fields', { key: 'place', ...place });
  });
  afterAll(async () => {
    await client?.end();
    await service?.stop();
  });

  /** The faulty fields in the refusal, if the referenced record is deleted after the request has read it. */
  async function refusedFor(table: string, id: string, request: () => Promise<Answer>): Promise<unknown> {
    await client.query('BEGIN');
    await client.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    const pending = request();
    await until(async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await client.query('COMMIT');
    const { status, body } = await pending;
    return [status, body.details.map(({ field }: { field: string }) => field)];
  }
  const site = async (): Promise<string> => (await admin.make('/api/sites', { name: 'S' })).id;

  it('by a receive', async () => {
    const items = [{ name: 'Switch', quantity: 2 }];
    const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-1', items });
    const place = await site();
    const received = { itemId: order.items[0].id, quantity: 2, assets: [{}, { customFields: { place } }] };
    const receive = () => admin.post(`/api/purchase-orders/${order.id}/receive`, { items: [received] });
    expect(await refusedFor('sites', place, receive)).toEqual([400, ['items[0].assets[1].customFields.place']]);
  });

  it('by a handover', async () => {
    const personId = (await admin.make('/api/people', { fullName: 'Ada' })).id;
    const [one, two] = [await admin.make('/api/assets', { name: 'A' }), await admin.make('/api/assets', { name: 'B' })];
    const place = await site();
    const holders = [
      { assetId: one.id, personId },
      { assetId: two.id, personId, customFields: { place } },
    ];
    const handOver = () => admin.post('/api/assets/handover', { holders });
    expect(await refusedFor('sites', place, handOver)).toEqual([400, ['holders[1].customFields.place']]);
  });

  it('by an allocation of addresses', async () => {
    const prefix = await admin.make('/api/prefixes', { prefix: '10.0.0.0/24' });
    const allocate = (entry: object) => () =>
      admin.post(`/api/prefixes/${prefix.id}/available-ips`, { addresses: [{}, entry] });
    const place = await site();
    const custom = allocate({ customFields: { place } });
    expect(await refusedFor('sites', place, custom)).toEqual([400, ['addresses[1].customFields.place']]);
    const deviceId = (await admin.make('/api/devices', { name: 'D' })).id;
    expect(await refusedFor('devices', deviceId, allocate({ deviceId }))).toEqual([400, ['addresses[1].deviceId']]);
  });
});
