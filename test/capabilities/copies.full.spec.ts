import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { raw, sql } from '../../src/database/sql.js';
import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { startServiceOn, type Api, type TestService } from '../support/app.js';
import { administer, connectTo, createTestDatabase, onServer, urlOf, type TestDatabase } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'copies-'));
const directory = join(folder, 'data');
let receiver: Receiver;
let original: TestDatabase;
let database: TestDatabase;
let service: TestService | undefined;
/** Databases of the server to drop. */
const made: string[] = [];
const log: { msg: string; level: number }[] = [];

beforeEach(async () => {
  receiver = await Receiver.open();
  original = await createTestDatabase();
  database = original;
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  if (database !== original) await database.drop();
  await original.drop();
  if (made.length > 0)
    await administer(...made.splice(0).map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await receiver.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Stops the running service, and starts one on the current database as a normal start does. */
async function start(environment: Record<string, string> = {}): Promise<Api> {
  await service?.stop();
  log.length = 0;
  service = await startServiceOn(
    { ...database, drop: () => Promise.resolve() },
    { WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true', DATA_DIR: directory, ...environment },
    [],
    pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  );
  service.app.get(WebhookWorker).start();
  return service.as('admin');
}

/** Continues with a copy: `CREATE DATABASE … TEMPLATE` on a server, otherwise another directory. */
async function copy(): Promise<Record<string, string>> {
  await service?.stop();
  service = undefined;
  if (!onServer) return { DATA_DIR: join(folder, 'copy') };
  await database.dataSource.destroy();
  const name = `${process.env.TEST_DATABASE_TEMPLATE}_copy_${randomBytes(3).toString('hex')}`;
  made.push(name);
  await administer(`CREATE DATABASE ${name} TEMPLATE ${new URL(database.url!).pathname.slice(1)}`);
  database = await connectTo(urlOf(name));
  return {};
}

const subscribe = (api: Api): Promise<{ id: string }> =>
  api.make('/api/webhooks', { name: 'real', url: receiver.url, resources: ['vrfs'] });

/** The outcome of the delivery of a change, as soon as there is one. */
async function outcomeOf(api: Api, { id }: { id: string }, name: string): Promise<string> {
  const vrf = await api.make('/api/vrfs', { name });
  const [delivery] = await until(
    async () =>
      (await api.get(`/api/webhooks/${id}/deliveries?pageSize=200`)).body.data.filter(
        (found: { recordId: string; status: string }) => found.recordId === vrf.id && found.status !== 'pending',
      ),
    (found) => found.length === 1,
  );
  return `${delivery.status} ${delivery.error}`;
}

const OFF = 'failed outbound_off';
const SENT = 'succeeded null';

it('a copy sends nothing until it is told that it is no copy, and says so', async () => {
  const first = await start();
  const hook = await subscribe(first);
  const { url: calendar } = await first.make('/api/calendar-feeds', { name: 'Feed', kind: 'expirations' });
  expect(await outcomeOf(first, hook, 'of the original')).toBe(SENT);
  expect(log).toEqual([]);
  // A restart is not a copy.
  expect(await outcomeOf(await start(), hook, 'after a restart')).toBe(SENT);
  expect(receiver.received).toHaveLength(2);

  const elsewhere = await copy();
  const copied = await start(elsewhere);
  expect(await outcomeOf(copied, hook, 'of the copy')).toBe(OFF);
  expect(receiver.received).toHaveLength(2);
  expect(log.map(({ msg }) => msg)).toEqual([
    'Nothing is sent to webhooks, and no calendar is served: this database was restored, copied or moved, and another one may be in use. If this is the one that is in use, start the service once with OUTBOUND=true. Deliveries end as failed, with the error outbound_off',
  ]);
  const test = (await copied.post(`/api/webhooks/${hook.id}/test`)).body.data;
  expect([test.status, test.error]).toEqual(['failed', 'outbound_off']);
  const served = await service!.anonymous.get(calendar);
  expect([served.status, served.body.error]).toEqual([503, expect.stringContaining('the copy of another one')]);
  // A restart of the copy is still a copy, and OUTBOUND=false does not change that.
  await start({ ...elsewhere, OUTBOUND: 'false' });
  expect(await outcomeOf(await start(elsewhere), hook, 'of the copy again')).toBe(OFF);
  expect(receiver.received).toHaveLength(2);

  const told = await start({ ...elsewhere, OUTBOUND: 'true' });
  expect(await outcomeOf(told, hook, 'of what goes on')).toBe(SENT);
  const last = await start(elsewhere);
  expect(await outcomeOf(last, hook, 'and stays on')).toBe(SENT);
  expect((await service!.anonymous.get(calendar)).status).toBe(200);
  expect(log).toEqual([]);
  expect(receiver.received).toHaveLength(4);
}, 60_000);

it('a replica goes on as soon as another one was told that the database is no copy', async () => {
  const hook = await subscribe(await start());
  const elsewhere = await copy();
  const copied = await start(elsewhere);
  expect(await outcomeOf(copied, hook, 'before')).toBe(OFF);
  const environment = { DATA_DIR: directory, ...elsewhere, OUTBOUND: 'true' };
  const told = await startServiceOn({ ...database, drop: () => Promise.resolve() }, environment);
  // The first message of any kind stores the identity.
  await (await told.as('admin')).post(`/api/webhooks/${hook.id}/test`);
  await told.stop();
  expect(await outcomeOf(copied, hook, 'after')).toBe(SENT);
});

it('a database of a version that stored nothing is no copy', async () => {
  const hook = await subscribe(await start());
  const elsewhere = await copy();
  await database.db.query(sql`DELETE FROM settings WHERE name = 'database_identity'`);
  expect(await outcomeOf(await start(elsewhere), hook, 'taken over')).toBe(SENT);
});

it('an embedded database has another identity in another directory, and the same by another name of its own', async () => {
  const { identityOf } = await import('../../src/database/identity.js');
  const real = mkdtempSync(join(folder, 'real-'));
  const at = (dataDir: string) => identityOf(database.db, { dataDir });
  const before = await at(real);
  expect(await at(`${real}/../${real.split('/').at(-1)!}`)).toEqual(before);
  renameSync(real, join(folder, 'renamed'));
  expect((await at(join(folder, 'renamed'))).directory).not.toBe(before.directory);
  expect((await identityOf(database.db, { dataDir: real, databaseUrl: 'postgres://db/inventory' })).directory).toBe(
    undefined,
  );
});

const itOnServer: jest.It = onServer ? it : it.skip;
itOnServer('a role that may not ask for the server is told by the number of the database', async () => {
  const { identityOf, isOwn } = await import('../../src/database/identity.js');
  const at = { databaseUrl: original.url, dataDir: directory };
  const whole = await identityOf(original.db, at);
  const role = `copies_${randomBytes(3).toString('hex')}`;
  try {
    const partial = await original.db.transaction(async (tx) => {
      // The changes affect only this database and are rolled back with this transaction.
      const run = (text: string) => tx.query(raw(text));
      await run('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
      await run(`CREATE ROLE ${role}`);
      await run(`SET LOCAL ROLE ${role}`);
      const found = await identityOf(tx, at);
      await run('RESET ROLE');
      return found;
    });
    expect(partial).toEqual({ database: whole.database });
    expect(await isOwn(original.db, whole)).toBe(true);
    expect(await isOwn(original.db, partial)).toBe(true);
    expect(await isOwn(original.db, { ...partial, database: '1' })).toBe(false);
    expect(await isOwn(original.db, { ...whole, server: '1' })).toBe(false);
  } finally {
    await administer(`DROP ROLE IF EXISTS ${role}`);
  }
});
