import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { sql } from '../../src/database/sql.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/* Custom fields that are defined while the worker runs. */

// The lock that delays the worker needs a separate connection.
const describeOnServer = onServer ? describe : describe.skip;

describeOnServer('a webhook for a custom field that is defined while the queue is filled', () => {
  let service: TestService;
  let admin: Api;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startService({ WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true' });
    admin = await service.as('admin');
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it('gets every change that meets its conditions', async () => {
    const { db } = service.database;
    const hook = { name: 'test', url: receiver.url };
    await admin.make('/api/webhooks', { ...hook, resources: ['vrfs'] });
    await db.transaction(async (tx) => {
      await tx.query(sql`LOCK TABLE settings IN ACCESS EXCLUSIVE MODE`);
      service.app.get(WebhookWorker).start();
      await until(
        () => db.query(sql`SELECT FROM pg_locks WHERE relation = 'settings'::regclass AND NOT granted`),
        (waiting) => waiting.length > 0,
      );
      await admin.make('/api/custom-fields', { key: 'tags', type: 'tags', resources: ['sites'] });
      await admin.make('/api/webhooks', {
        ...hook,
        resources: ['sites'],
        where: { after: { 'customFields.tags': 'core' } },
      });
      await admin.make('/api/sites', { name: 'first', customFields: { tags: ['core', 'edge'] } });
    });
    // A later delivery does not prove that the first change was not skipped, so the test checks the first delivery.
    await receiver.until(() => receiver.received.length > 0);
    expect(JSON.parse(receiver.received[0]!.text).data.after.name).toBe('first');
  });
});
