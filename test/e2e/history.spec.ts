import { randomUUID } from 'node:crypto';
import { AREAS, type Area, type Role } from '../../src/access/access.js';
import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { sql, type Sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor');
});
afterAll(() => service.stop());

type Row = Record<string, unknown>;
const run = (statement: Sql): Promise<Row[]> => service.database.db.query(statement);
// oxlint-disable-next-line typescript/no-explicit-any -- entries hold values of any shape
type Entry = any;
const entriesOf = async (path: string, api = admin): Promise<Entry[]> => {
  const { status, body, text } = await api.get(`${path}/changes`);
  if (status !== 200) throw new Error(text);
  return body.data;
};
const pause = (): Promise<unknown> => run(sql`SELECT pg_sleep(0.005)`);
/** The record as of a time, or the status if there is none. */
const at = async (path: string, time: string): Promise<Entry> => {
  const { status, body } = await admin.get(`${path}?asOf=${encodeURIComponent(time)}`);
  return status === 200 ? body.data : status;
};
const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('history has the permissions of the record', () => {
  const records: Record<string, { path: string; body: object; area: Area | null }> = {
    runbooks: { path: '/api/runbooks', body: { name: 'R' }, area: 'operations' },
    incidents: { path: '/api/incidents', body: { name: 'I' }, area: 'operations' },
    sites: { path: '/api/sites', body: { name: 'S' }, area: 'network' },
    vendors: { path: '/api/vendors', body: { name: 'V' }, area: 'procurement' },
    people: { path: '/api/people', body: { fullName: 'P' }, area: 'people' },
    profiles: {
      path: '/api/profiles',
      body: { email: 'seen@example.com', password: 'correct horse battery staple' },
      area: null,
    },
  };
  const callers: [Role, Area[]][] = [
    ['viewer', []],
    ['viewer', ['people']],
    ['viewer', ['operations']],
    ['editor', ['network', 'procurement', 'people']],
    ['manager', [...AREAS]],
    ['admin', ['network']],
    ['admin', []],
    ['admin', [...AREAS]],
  ];
  const ids = new Map<string, string>();

  beforeAll(async () => {
    for (const [resource, { path, body }] of Object.entries(records)) {
      const { id } = await admin.make(path, body);
      ids.set(resource, id as string);
      await admin.delete(`${path}/${id}`);
    }
  });

  it.each(callers)(
    'shows a %s of %p the entries of the records that they may read, and no others',
    async (role, areas) => {
      const api = await service.as(role, areas);
      const readable = new Set<string>();
      for (const [resource, { path }] of Object.entries(records)) {
        const id = ids.get(resource)!;
        const may = (await api.get(path)).status === 200;
        if (may) readable.add(resource);
        const seen = await api.get(`/api/change-log?recordId=${id}`);
        expect([resource, seen.status, seen.body.total, seen.body.data.length]).toEqual([
          resource,
          200,
          may ? 2 : 0,
          may ? 2 : 0,
        ]);
        const [entry] = (await run(sql`SELECT id FROM change_log WHERE record_id = ${id} LIMIT 1`)) as [{ id: string }];
        expect([resource, (await api.get(`/api/change-log/${entry.id}`)).status]).toEqual([resource, may ? 200 : 404]);
        const changes = await api.get(`${path}/${id}/changes`);
        expect([resource, changes.status]).toEqual([resource, may ? 200 : 403]);
        expect((await api.get(`${path}/${id}?asOf=2999-01-01`)).status).toBe(may ? 404 : 403);
      }
      const hidden = Object.values(records).flatMap(({ area }, index) =>
        readable.has(Object.keys(records)[index]!) ? [] : [area ?? 'none'],
      );
      const [counted] = await run(
        sql`SELECT count(*)::int AS n FROM change_log WHERE coalesce(area, 'none') <> ALL(${hidden}::text[])`,
      );
      const { total } = (await api.get('/api/change-log?pageSize=1')).body;
      expect(total).toBe(counted!.n);
    },
  );

  it('shows in the context of an incident only what the caller may read', async () => {
    const incident = await admin.make('/api/incidents', { name: 'Now' });
    const operator = await service.as('viewer', ['operations']);
    const { data } = (await operator.get(`/api/incidents/${incident.id}/context`)).body;
    const [counted] = await run(
      sql`SELECT count(*)::int AS n FROM change_log WHERE area IS NOT NULL AND record_id <> ${incident.id} AND created_at <= ${data.to}`,
    );
    expect(data.changeCount).toBe(counted!.n);
    expect(new Set(data.changes.map(({ area }: Entry) => area)).size).toBeGreaterThan(1);
    expect(data.changes.some(({ area }: Entry) => area === null)).toBe(false);
  });
});

describe('the changes of a part', () => {
  it.each([
    ['devices', 'ports', { name: 'sw' }, { name: 'Ethernet1' }],
    ['device-types', 'modules', { model: 'C9300' }, { name: 'PSU', sku: 'PWR-C1' }],
  ])(
    'of %s are reached through its own owner only, also after one or both were deleted',
    async (owners, parts, ...bodies) => {
      const make = async () => {
        const owner = await editor.make(`/api/${owners}`, bodies[0]);
        const part = await editor.make(`/api/${owners}/${owner.id}/${parts}`, bodies[1]);
        return { owner: owner.id as string, part: part.id as string };
      };
      const mine = await make();
      const other = await make();
      const total = async (owner: string, part: string): Promise<number> => {
        const { status, body } = await editor.get(`/api/${owners}/${owner}/${parts}/${part}/changes`);
        return status === 200 ? body.total : status;
      };
      const reached = async () =>
        Promise.all([mine.owner, other.owner, NOWHERE].map((owner) => total(owner, mine.part)));
      expect(await reached()).toEqual([1, 404, 404]);
      expect(await total(mine.owner, NOWHERE)).toBe(404);
      await editor.delete(`/api/${owners}/${mine.owner}/${parts}/${mine.part}`);
      expect(await reached()).toEqual([2, 404, 404]);
      await editor.delete(`/api/${owners}/${mine.owner}`);
      expect(await reached()).toEqual([2, 404, 404]);
      await editor.delete(`/api/${owners}/${other.owner}`);
      expect(await total(other.owner, other.part)).toBe(2);
      expect(await total(mine.owner, other.part)).toBe(404);
    },
  );

  it('of a record are an empty list if none match, and not found if it never existed', async () => {
    const { id } = await editor.make('/api/vrfs', { name: 'V' });
    await editor.delete(`/api/vrfs/${id}`);
    const { status, body } = await editor.get(`/api/vrfs/${id}/changes?action=update`);
    expect([status, body]).toEqual([200, { data: [], total: 0, page: 1, pageSize: 10_000, hasMore: false }]);
    expect((await editor.get(`/api/vrfs/${NOWHERE}/changes?action=update`)).status).toBe(404);
    expect((await editor.get(`/api/sites/${id}/changes`)).status).toBe(404);
  });
});

describe('a change', () => {
  it('is every difference of stored values, also between decimals of one value', async () => {
    const licence = await editor.make('/api/software-licences', { name: 'L', cost: '1200' });
    const path = `/api/software-licences/${licence.id}`;
    await pause();
    const { data: changed } = (await editor.patch(path, { cost: '1200.00' })).body;
    expect((await entriesOf(path))[1]).toMatchObject({ before: { cost: '1200' }, after: { cost: '1200.00' } });
    expect(changed.updatedAt > licence.updatedAt).toBe(true);
    expect(await at(path, licence.createdAt)).toEqual(licence);
    expect(await at(path, changed.updatedAt)).toEqual(changed);
  });

  it('is a different order or case of a list', async () => {
    const path = `/api/profiles/${(await admin.make('/api/profiles', { email: 'l@example.com', password: 'correct horse battery staple', areas: ['network', 'people'] })).id}`;
    await admin.patch(path, { areas: ['people', 'network'] });
    expect((await entriesOf(path)).at(-1).after).toEqual({ areas: ['people', 'network'] });
  });

  it('is not an update that leaves every value as it was: updatedAt and the ETag stay, and there is no entry', async () => {
    const device = await editor.make('/api/devices', { name: 'sw', rackPosition: 1 });
    const address = await editor.make('/api/ip-addresses', { address: '2001:db8::1/64', deviceId: device.id });
    const manager = await service.as('manager');
    const licence = await manager.make('/api/software-licences', { name: 'L', cost: '7.10', licenceKey: 'KEY-1' });
    const order = await editor.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'A', quantity: 1, unitPrice: '1.5' }],
    });
    const asset = await editor.make('/api/assets', { name: 'A', purchasePrice: '10.50', purchasedAt: '2026-01-01' });
    const unchanged: [string, Row, object][] = [
      [`/api/devices/${device.id}`, device, { rackPosition: 1.0, name: 'sw' }],
      [`/api/ip-addresses/${address.id}`, address, { address: '2001:DB8:0::1/64', family: 6 }],
      [`/api/software-licences/${licence.id}`, licence, licence],
      [`/api/software-licences/${licence.id}`, licence, { licenceKey: 'KEY-1' }],
      [`/api/purchase-orders/${order.id}`, order, order],
      [`/api/assets/${asset.id}`, asset, { purchasePrice: '10.5', purchasedAt: '2026-01-01T01:00:00+01:00' }],
    ];
    await pause();
    for (const [path, record, body] of unchanged) {
      const before = await manager.get(path);
      const answer = await manager.patch(path, body);
      expect([path, answer.status, answer.body.data]).toEqual([path, 200, record]);
      expect(answer.headers.get('etag')).toBe(before.headers.get('etag'));
      expect(await entriesOf(path)).toHaveLength(1);
    }
    const rekeyed = await manager.patch(`/api/software-licences/${licence.id}`, { licenceKey: 'KEY-2' });
    expect(rekeyed.body.data.updatedAt > licence.updatedAt).toBe(true);
    expect(await entriesOf(`/api/software-licences/${licence.id}`)).toHaveLength(2);
  });

  it('updates updatedAt, whoever makes it: manual SQL, a cleared reference, other items of an order', async () => {
    const site = await editor.make('/api/sites', { name: 'S' });
    const rack = await editor.make('/api/racks', { name: 'A', siteId: site.id });
    const order = await editor.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'A', quantity: 1 }],
    });
    await pause();
    await run(sql`UPDATE sites SET name = 'T' WHERE id = ${site.id}`);
    const renamed = (await editor.get(`/api/sites/${site.id}`)).body.data;
    expect(renamed.updatedAt > site.updatedAt).toBe(true);
    expect((await entriesOf(`/api/sites/${site.id}`))[1].createdAt).toBe(renamed.updatedAt);
    await editor.delete(`/api/sites/${site.id}`);
    const cleared = (await editor.get(`/api/racks/${rack.id}`)).body.data;
    expect(cleared.updatedAt > rack.updatedAt).toBe(true);
    const replaced = await editor.patch(`/api/purchase-orders/${order.id}`, { items: [{ name: 'B', quantity: 1 }] });
    expect(replaced.body.data.updatedAt > order.updatedAt).toBe(true);
  });

  it('is never another id, which is refused', async () => {
    const { id } = await editor.make('/api/vrfs', { name: 'V' });
    await expect(run(sql`UPDATE vrfs SET id = ${randomUUID()} WHERE id = ${id}`)).rejects.toThrow(
      'The id of a record never changes',
    );
    expect((await editor.get(`/api/vrfs/${id}`)).status).toBe(200);
  });
});

describe('the times of history', () => {
  it('show a record at its createdAt as created, at its updatedAt as updated', async () => {
    for (let round = 0; round < 10; round++) {
      const created = await editor.make('/api/sites', { name: 'First' });
      const path = `/api/sites/${created.id}`;
      await pause();
      const updated = (await editor.patch(path, { name: 'Second' }, { 'if-match': '*' })).body.data;
      await pause();
      const last = (await editor.patch(path, { name: 'Third' })).body.data;
      expect(await at(path, created.createdAt)).toEqual(created);
      expect(await at(path, updated.updatedAt)).toEqual(updated);
      expect(await at(path, last.updatedAt)).toEqual(last);
      expect(await at(path, new Date(Date.parse(created.createdAt) - 1).toISOString())).toBe(404);
      expect(await at(path, new Date(Date.parse(updated.updatedAt) - 1).toISOString())).toEqual(created);
      const entries = await entriesOf(path);
      expect(entries.map(({ createdAt }) => createdAt)).toEqual([created.createdAt, updated.updatedAt, last.updatedAt]);
    }
  });

  it('are the same for all changes of a transaction, however long it takes', async () => {
    const { id } = await editor.make('/api/sites', { name: 'A' });
    await service.database.db.transaction(async (tx) => {
      for (const name of ['B', 'C', 'D']) {
        await tx.query(sql`UPDATE sites SET name = ${name} WHERE id = ${id}`);
        await tx.query(sql`SELECT pg_sleep(0.003)`);
      }
    });
    const path = `/api/sites/${id}`;
    const entries = await entriesOf(path);
    expect(entries.map(({ after }) => after.name)).toEqual(['A', 'B', 'C', 'D']);
    expect(new Set(entries.slice(1).map(({ createdAt }) => createdAt)).size).toBe(1);
    const record = (await admin.get(path)).body.data;
    expect(entries.at(-1).createdAt).toBe(record.updatedAt);
    expect(await at(path, record.updatedAt)).toEqual(record);
    expect((await at(path, new Date(Date.parse(record.updatedAt) - 1).toISOString())).name).toBe('A');
    const ids = entries.map((entry) => entry.id as string);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('of a receive are those of the order, its lines and its assets', async () => {
    const order = await editor.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'Optic', quantity: 2 }],
    });
    await pause();
    const received = await admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
    });
    const now = (await admin.get(`/api/purchase-orders/${order.id}`)).body.data;
    const { body } = await admin.get(`/api/change-log?requestId=${received.headers.get('x-request-id')}`);
    expect(new Set(body.data.map(({ createdAt }: Entry) => createdAt))).toEqual(new Set([now.updatedAt]));
    const [asset] = (await admin.get(`/api/assets?purchaseOrderId=${order.id}`)).body.data;
    expect(await at(`/api/assets/${asset.id}`, asset.createdAt)).toEqual(asset);
    // The next received unit changes no column of the order, but it changes the order that the API shows.
    const more = await editor.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'Optic', quantity: 3 }],
    });
    const times: string[] = [];
    for (let round = 0; round < 2; round++) {
      await pause();
      await admin.post(`/api/purchase-orders/${more.id}/receive`, {
        items: [{ itemId: more.items[0].id, quantity: 1, assets: [{}] }],
      });
      times.push((await admin.get(`/api/purchase-orders/${more.id}`)).body.data.updatedAt);
    }
    expect(times[1]! > times[0]!).toBe(true);
  });

  it('of a restored record start anew', async () => {
    const site = await editor.make('/api/sites', { name: 'S' });
    const path = `/api/sites/${site.id}`;
    await pause();
    await editor.delete(path);
    const deletedAt = (await entriesOf(path)).at(-1).createdAt;
    await pause();
    const restored = (await admin.post(`${path}/restore`)).body.data;
    expect(await at(path, site.createdAt)).toEqual(site);
    expect(await at(path, deletedAt)).toBe(404);
    expect(await at(path, restored.updatedAt)).toEqual(restored);
  });

  it('match the filters of lists as they are shown', async () => {
    const site = await editor.make('/api/sites', { name: `At ${randomUUID()}` });
    await pause();
    const { data } = (await editor.patch(`/api/sites/${site.id}`, { facility: 'F' })).body;
    for (const [field, shown] of [
      ['createdAt', data.createdAt],
      ['updatedAt', data.updatedAt],
    ] as [string, string][]) {
      const found = async (operator: string): Promise<number> =>
        (await editor.get(`/api/sites?name=${encodeURIComponent(data.name)}&${field}${operator}=${shown}`)).body.total;
      expect([field, await found(''), await found('__gte'), await found('__lte')]).toEqual([field, 1, 1, 1]);
      expect([field, await found('__gt'), await found('__lt'), await found('__n')]).toEqual([field, 0, 0, 0]);
    }
    const [entry] = await entriesOf(`/api/sites/${site.id}`);
    const { body } = await admin.get(`/api/change-log?recordId=${site.id}&createdAt=${entry.createdAt}`);
    expect(body.data).toEqual([entry]);
  });

  it('are stored with the precision that is shown, in every table', async () => {
    const finer = await run(
      sql`SELECT c.table_name, c.column_name FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.data_type LIKE 'timestamp%' AND c.datetime_precision <> 3`,
    );
    expect(finer).toEqual([]);
  });

  itOnServer('never go back, also for a transaction that started earlier and had to wait', async () => {
    const { id } = await editor.make('/api/sites', { name: 'A' });
    await service.database.db.transaction(async (early) => {
      await early.query(sql`SELECT pg_sleep(0.01)`);
      await editor.patch(`/api/sites/${id}`, { name: 'B' });
      await early.query(sql`UPDATE sites SET name = 'C' WHERE id = ${id}`);
    });
    const path = `/api/sites/${id}`;
    const entries = await entriesOf(path);
    expect(entries.map(({ after }) => after.name)).toEqual(['A', 'B', 'C']);
    const times = entries.map(({ createdAt }) => createdAt as string);
    expect(times.toSorted()).toEqual(times);
    expect((await at(path, times[1]!)).name).toBe('C');
    expect((await at(path, new Date(Date.parse(times[1]!) - 1).toISOString())).name).toBe('A');
  });
});

describe('restore', () => {
  it('fills fields that were added after the delete with their defaults', async () => {
    const device = await editor.make('/api/devices', { name: 'sw' });
    const port = await editor.make(`/api/devices/${device.id}/ports`, { name: 'Ethernet1' });
    const path = `/api/devices/${device.id}`;
    await editor.delete(path);
    await run(
      sql`ALTER TABLE devices ADD criticality varchar(32) NOT NULL DEFAULT 'normal', ADD noted text DEFAULT 'x'`,
    );
    await run(sql`ALTER TABLE device_ports ADD lanes int NOT NULL DEFAULT 2 * 2`);
    try {
      const restored = await admin.post(`${path}/restore`);
      expect([restored.status, restored.body.data]).toEqual([200, { ...device, updatedAt: expect.any(String) }]);
      const [row] = await run(sql`SELECT criticality, noted FROM devices WHERE id = ${device.id}`);
      expect(row).toEqual({ criticality: 'normal', noted: 'x' });
      expect(await run(sql`SELECT lanes FROM device_ports WHERE id = ${port.id}`)).toEqual([{ lanes: 4 }]);
    } finally {
      await run(sql`ALTER TABLE devices DROP criticality, DROP noted`);
      await run(sql`ALTER TABLE device_ports DROP lanes`);
    }
  });

  it('shows a deleted record as it was, with the defaults of fields that were added later', async () => {
    const window = await editor.make('/api/virtual-machines', { name: 'vm' });
    const path = `/api/virtual-machines/${window.id}`;
    await pause();
    await editor.delete(path);
    await run(sql`ALTER TABLE virtual_machines ALTER status SET DEFAULT 'planned'`);
    await run(sql`ALTER TABLE change_log DISABLE TRIGGER change_log_keep`);
    // The entry looks as if the column `status` was added after the delete.
    await run(sql`UPDATE change_log SET old_values = old_values - 'status' WHERE record_id = ${window.id}`);
    await run(sql`ALTER TABLE change_log ENABLE TRIGGER change_log_keep`);
    try {
      expect(await at(path, window.createdAt)).toEqual({ ...window, status: 'planned' });
    } finally {
      await run(sql`ALTER TABLE virtual_machines ALTER status SET DEFAULT 'active'`);
    }
  });
});

describe('an order with received units', () => {
  it('cannot be deleted by anybody in any state', async () => {
    const order = await editor.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [
        { name: 'A', quantity: 2 },
        { name: 'B', quantity: 1 },
      ],
    });
    const path = `/api/purchase-orders/${order.id}`;
    await admin.post(`${path}/receive`, { items: [{ itemId: order.items[0].id, quantity: 2, assets: [{}, {}] }] });
    for (const api of [editor, admin]) {
      const refused = await api.delete(path);
      expect([refused.status, refused.body]).toEqual([
        409,
        {
          error: '2 units of this order have been received. Reverse its receipts before deleting it',
          details: [
            { field: 'receivedQuantity', message: 'must be 0 to delete the order: reverse its receipts first' },
          ],
        },
      ]);
    }
    await editor.patch(path, { status: 'closed' });
    expect((await editor.delete(path, { 'if-match': '*' })).status).toBe(409);
    expect((await admin.get(`/api/assets?purchaseOrderId=${order.id}`)).body.total).toBe(2);
    expect((await editor.delete(`/api/purchase-orders/${NOWHERE}`)).status).toBe(404);
  });

  itOnServer('is either received or deleted, when both happen at once', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 30; round++) {
      const order = await editor.make('/api/purchase-orders', {
        orderNumber: randomUUID(),
        items: [{ name: 'A', quantity: 1 }],
      });
      const path = `/api/purchase-orders/${order.id}`;
      const receive = (): Promise<{ status: number }> =>
        admin.post(`${path}/receive`, { items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }] });
      const remove = (): Promise<{ status: number }> => editor.delete(path);
      const [received, deleted] =
        round % 2 ? await Promise.all([receive(), remove()]) : (await Promise.all([remove(), receive()])).toReversed();
      const outcome = `${received!.status} ${deleted!.status}`;
      expect(['200 409', '404 204']).toContain(outcome);
      outcomes.add(outcome);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

// Last, because it deletes entries that earlier tests read.
describe('a time before the retained entries', () => {
  it('is gone, and the refusal names the earliest possible time', async () => {
    const site = await editor.make('/api/sites', { name: 'New' });
    const path = `/api/sites/${site.id}`;
    const long = '2020-01-01T00:00:00.000Z';
    const [first] = (await admin.get('/api/change-log?pageSize=1')).body.data;
    const tooEarly = await admin.get(`${path}?asOf=${long}`);
    expect([tooEarly.status, tooEarly.body.error]).toEqual([
      410,
      `asOf must be ${first.createdAt} or later: the change log has no entries from before that time`,
    ]);
    expect(await at(path, first.createdAt)).toBe(404);
    // Without its entries, the record seems never to have changed.
    const [old] = await run(sql`INSERT INTO sites (name, created_at) VALUES ('Old', '2019-01-01Z') RETURNING id`);
    await run(sql`UPDATE sites SET name = 'Changed' WHERE id = ${old!.id}`);
    await run(sql`ALTER TABLE change_log DISABLE TRIGGER change_log_keep`);
    await run(sql`UPDATE change_log SET created_at = created_at - interval '130 days' WHERE record_id <> ${site.id}`);
    await run(sql`ALTER TABLE change_log ENABLE TRIGGER change_log_keep`);
    const other = await editor.make('/api/sites', { name: 'Other' });
    await service.app.get(ChangeLogRetention).prune(90);
    const [oldest] = (await admin.get('/api/change-log?pageSize=1')).body.data;
    expect(oldest.recordId).toBe(site.id);
    const refused = await admin.get(`${path}?asOf=${long}`);
    expect([refused.status, refused.body]).toEqual([
      410,
      {
        error: `asOf must be ${oldest.createdAt} or later: the change log has no entries from before that time`,
        details: [
          {
            field: 'asOf',
            message: `must be ${oldest.createdAt} or later: the change log has no entries from before that time`,
          },
        ],
      },
    ]);
    expect(await at(`/api/sites/${other.id}`, long)).toBe(410);
    expect(await at(`/api/sites/${old!.id as string}`, long)).toBe(410);
    expect(await at(path, oldest.createdAt)).toEqual(site);
    expect(await at(`/api/sites/${NOWHERE}`, long)).toBe(404);
  });
});
