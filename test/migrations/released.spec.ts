import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, startServiceOn, type TestService } from '../support/app.js';
import { createTestDatabase, onServer } from '../support/database.js';

/* The last release on the tables of this version, beside this version: what a rolling upgrade does (ADR 20). */

const folder = mkdtempSync(join(tmpdir(), 'released-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Release {
  commit?: string;
  version?: string;
  missing?: string;
}

const release: Release = onServer
  ? (JSON.parse(
      execFileSync(process.execPath, ['torture/released.mjs', join(folder, 'source')], { encoding: 'utf8' }),
    ) as Release)
  : {};
if (release.missing) console.warn(`SKIPPED: there is no release to run beside this version: ${release.missing}`);

(release.commit ? describe : describe.skip)(`version ${release.version} beside this version`, () => {
  let now: TestService;
  let current: Api;
  /** Of the released version. */
  let former: Api;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    // The first start of the released version uses the key of this one.
    now = await startServiceOn(database);
    current = await now.as('admin');
    const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: join(folder, 'source'),
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
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    stop = async () => {
      child.kill('SIGTERM');
      await closed;
    };
    if (!url) throw new Error(`Version ${release.version} did not start on the tables of this version:\n${output}`);
    former = new Api(url, (await now.as('admin')).cookie, undefined, false);
  }, 300_000);
  afterAll(async () => {
    await stop();
    await now.stop();
  });

  it('each reads and changes what the other writes', async () => {
    for (const [writer, other] of [
      [former, current],
      [current, former],
    ] as const) {
      const site = await writer.make('/api/sites', { name: `Hall of ${writer === former ? 'the release' : 'today'}` });
      const device = await other.make('/api/devices', { name: 'switch', siteId: site.id });
      const address = await writer.make('/api/ip-addresses', { address: `192.0.2.${writer === former ? 1 : 2}/24` });
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
      const [one, two] = [await former.get(path), await current.get(path)];
      expect([path, one.body.total]).toEqual([path, two.body.total]);
    }
  });

  it('both receive an order, and one sees the session that the other has ended', async () => {
    const order = await former.make('/api/purchase-orders', {
      orderNumber: 'R-1',
      items: [{ name: 'unit', quantity: 2 }],
    });
    for (const api of [former, current]) {
      const { status } = await api.post(
        `/api/purchase-orders/${order.id}/receive`,
        { items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }] },
        { 'idempotency-key': `release-${api === former}` },
      );
      expect(status).toBe(200);
    }
    expect((await current.get(`/api/purchase-orders/${order.id}`)).body.data.status).toBe('received');
    expect((await current.get('/api/assets?pageSize=1')).body.total).toBe(2);
    const shared = new Api(now.url, former.cookie);
    expect((await shared.get('/api/auth/session')).status).toBe(200);
    expect((await shared.post('/api/auth/logout')).status).toBe(204);
    while ((await former.get('/api/auth/session')).status !== 401) await sleep(50);
  });
});
