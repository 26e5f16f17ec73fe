import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/database/sql.js';
import { migrate } from '../../src/schema/migrate.js';
import { Api, startServiceOn, type TestService } from '../support/app.js';
import { createTestDatabase, onServer, patientPool } from '../support/database.js';

/* A made-up next version migrates the database under this one, and works beside it: what a rolling upgrade does (ADR 20). */

const folder = mkdtempSync(join(tmpdir(), 'neighbour-'));
afterAll(() => rmSync(folder, { recursive: true }));

(onServer ? describe : describe.skip)('the next version beside this one', () => {
  let now: TestService;
  let current: Api;
  /** Of the next version. */
  let later: Api;
  let version: string;
  let stop: () => Promise<unknown> = () => Promise.resolve();
  beforeAll(async () => {
    const database = await createTestDatabase();
    now = await startServiceOn(database);
    current = await now.as('admin');
    const source = join(folder, 'source');
    version = execFileSync(process.execPath, ['torture/neighbour.mjs', source], { encoding: 'utf8' });
    const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: source,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        SECRET_KEY: 'a key that only the tests use, 32+',
        PORT: '0',
        LOG_LEVEL: 'error',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const closed = once(child, 'close');
    while (!output.includes('Swagger UI') && child.exitCode === null) await sleep(20);
    stop = async () => {
      child.kill('SIGTERM');
      await closed;
    };
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    if (!url) throw new Error(`Version ${version} did not start beside this version:\n${output}`);
    later = new Api(url, (await now.as('admin')).cookie, undefined, false);
  }, 300_000);
  afterAll(async () => {
    await stop();
    await now.stop();
  });

  const isOfTheNextVersion = async (): Promise<boolean[]> =>
    (
      await now.database.db.query<{ is: boolean }>(
        sql`SELECT prosrc LIKE '%written := ROW_COUNT%' AS is FROM pg_proc WHERE proname = 'sites_insert'`,
      )
    ).map(({ is }) => is);

  it('brings a migration, a trigger and a changed function, which stay when this version starts again', async () => {
    expect(await isOfTheNextVersion()).toEqual([true]);
    const { dataSource, url } = now.database;
    await migrate(dataSource, patientPool(url!), true);
    expect(await isOfTheNextVersion()).toEqual([true]);
    const site = await current.make('/api/sites', { name: 'Hall of this version' });
    const mottos = await dataSource.query('SELECT motto FROM sites WHERE id = $1', [site.id]);
    expect(mottos).toEqual([{ motto: 'At Hall of this version' }]);
    expect((await current.delete(`/api/sites/${site.id}`)).status).toBe(204);
    const { data } = (await current.get(`/api/change-log?recordId=${site.id}`)).body;
    expect(data.map(({ action }: { action: string }) => action).toSorted()).toEqual(['create', 'delete']);
  });

  it('each reads and changes what the other writes', async () => {
    for (const [writer, other] of [
      [later, current],
      [current, later],
    ] as const) {
      const site = await writer.make('/api/sites', {
        name: `Hall of ${writer === later ? 'the next' : 'this'} version`,
      });
      const device = await other.make('/api/devices', { name: 'switch', siteId: site.id });
      const address = await writer.make('/api/ip-addresses', { address: `192.0.2.${writer === later ? 1 : 2}/24` });
      expect((await other.get(`/api/sites/${site.id}`)).body.data.name).toBe(site.name);
      expect((await other.patch(`/api/devices/${device.id}`, { name: 'router' })).status).toBe(200);
      expect((await writer.get(`/api/devices/${device.id}`)).body.data.name).toBe('router');
      const found = (await other.get(`/api/ip-addresses?address=${encodeURIComponent(address.address)}`)).body;
      expect(found.data.map(({ id }: { id: string }) => id)).toEqual([address.id]);
      expect((await other.get(`/api/change-log?recordId=${device.id}`)).body.total).toBe(2);
      expect((await other.delete(`/api/devices/${device.id}`)).status).toBe(204);
      expect((await writer.get(`/api/devices/${device.id}`)).status).toBe(404);
    }
    for (const path of ['/api/sites', '/api/devices', '/api/change-log']) {
      const [one, two] = [await later.get(path), await current.get(path)];
      expect([path, one.body.total]).toEqual([path, two.body.total]);
    }
  });

  it('both receive an order, and one sees the session that the other has ended', async () => {
    const order = await later.make('/api/purchase-orders', {
      orderNumber: 'R-1',
      items: [{ name: 'unit', quantity: 2 }],
    });
    for (const api of [later, current]) {
      const { status } = await api.post(
        `/api/purchase-orders/${order.id}/receive`,
        { items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }] },
        { 'idempotency-key': `neighbour-${api === later}` },
      );
      expect(status).toBe(200);
    }
    expect((await current.get(`/api/purchase-orders/${order.id}`)).body.data.status).toBe('received');
    expect((await current.get('/api/assets?pageSize=1')).body.total).toBe(2);
    const shared = new Api(now.url, later.cookie);
    expect((await shared.get('/api/auth/session')).status).toBe(200);
    expect((await shared.post('/api/auth/logout')).status).toBe(204);
    while ((await later.get('/api/auth/session')).status !== 401) await sleep(50);
  });
});
