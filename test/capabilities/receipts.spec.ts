import { randomUUID } from 'node:crypto';
import { connectTo, onServer } from '../support/database.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { fewestRoundTrips, startProxied } from '../support/proxied-service.js';
import { itOnServer } from '../support/server.js';
import { watched } from '../support/statements.js';
import { until } from '../support/until.js';
import { raw, sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let manager: Api;
let managerEmail: string;

beforeAll(async () => {
  service = await startService();
  [admin, manager] = await Promise.all([service.as('admin'), service.as('manager')]);
  managerEmail = (await manager.get('/api/auth/session')).body.data.email;
});
afterAll(() => service.stop());

interface Order {
  id: string;
  items: { id: string; name: string }[];
}

interface Receipt {
  id: string;
  count: number;
  items: { itemId: string; name: string; quantity: number; assetIds: string[] }[];
  reversedAt: string | null;
}

const order = (quantities: number[], more: object = {}): Promise<Order> =>
  admin.make('/api/purchase-orders', {
    orderNumber: `PO-${randomUUID()}`,
    items: quantities.map((quantity, index) => ({ name: `Line ${index}`, quantity })),
    ...more,
  }) as never;
const receive = (po: Order, ...units: [line: number, quantity: number][]): Promise<Answer> =>
  manager.post(`/api/purchase-orders/${po.id}/receive`, {
    items: units.map(([line, quantity]) => ({
      itemId: po.items[line]!.id,
      quantity,
      assets: Array.from({ length: quantity }, () => ({})),
    })),
  });
const receiptsOf = async (po: Order): Promise<Receipt[]> =>
  (await admin.get(`/api/purchase-orders/${po.id}/receipts`)).body.data;
/** Receives units, and reads the receipt. */
const received = async (po: Order, ...units: [number, number][]): Promise<Receipt> => {
  expect((await receive(po, ...units)).status).toBe(200);
  return (await receiptsOf(po)).at(-1)!;
};
const reverse = (po: Order, receipt: { id: string }, query = '', api = manager): Promise<Answer> =>
  api.post(`/api/purchase-orders/${po.id}/receipts/${receipt.id}/reverse${query}`);
const read = async (po: Order) => (await admin.get(`/api/purchase-orders/${po.id}`)).body.data;
const exists = async (id: string): Promise<boolean> => (await admin.get(`/api/assets/${id}`)).status === 200;

/** All data that a reversal may change, with its entries in the change log. */
const state = () =>
  service.database.db.query(
    sql`SELECT (SELECT json_agg(a ORDER BY a.id) FROM assets a)::text AS assets,
      (SELECT json_agg(o ORDER BY o.id) FROM purchase_orders o)::text AS orders,
      (SELECT json_agg(i ORDER BY i.id) FROM purchase_order_items i)::text AS items,
      (SELECT json_agg(r ORDER BY r.id) FROM receipts r)::text AS receipts,
      (SELECT count(*)::int FROM change_log) AS entries, (SELECT count(*)::int FROM idempotency_keys) AS keys`,
  );

/** Orders whose quantities, status or date contradict their receipts. */
const contradictions = () =>
  service.database.db.query(
    sql`SELECT o.id, o.status, l.received, r.assets FROM purchase_orders o
     CROSS JOIN LATERAL (
       SELECT sum(quantity_received)::int AS received, bool_and(quantity_received = quantity) AS complete
       FROM purchase_order_items WHERE purchase_order_id = o.id
     ) l
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS assets FROM assets WHERE id IN (
         SELECT jsonb_array_elements_text(line->'assetIds')::uuid FROM receipts, jsonb_array_elements(lines) line
         WHERE purchase_order_id = o.id AND reversed_at IS NULL)
     ) r
     WHERE l.received <> r.assets OR (o.received_date IS NOT NULL) <> l.complete
       OR o.status <> CASE WHEN l.complete THEN 'received' WHEN l.received > 0 THEN 'partially_received' ELSE 'ordered' END`,
  );

describe('a receive', () => {
  it('writes a receipt with an entry for each line, in the order of the request', async () => {
    const po = await order([5, 2]);
    const answer = await receive(po, [1, 1], [0, 2], [1, 1]);
    const { assetIds } = answer.body.data;
    expect(answer.body).toEqual({ data: { assetIds: expect.any(Array), count: 4 } });
    const list = (await admin.get(`/api/purchase-orders/${po.id}/receipts`)).body;
    expect(list).toEqual({
      data: [
        {
          id: expect.any(String),
          receivedAt: expect.any(String),
          receivedBy: managerEmail,
          count: 4,
          items: [
            { itemId: po.items[1]!.id, name: 'Line 1', quantity: 2, assetIds: [assetIds[0], assetIds[3]] },
            { itemId: po.items[0]!.id, name: 'Line 0', quantity: 2, assetIds: [assetIds[1], assetIds[2]] },
          ],
          reversedAt: null,
          reversedBy: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      total: 1,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    const [receipt] = list.data;
    expect(receipt.receivedAt).toBe(receipt.createdAt);
    const one = await admin.get(`/api/purchase-orders/${po.id}/receipts/${receipt.id}`);
    expect([one.status, one.body.data, one.headers.get('etag')]).toEqual([200, receipt, expect.any(String)]);
  });

  it('that is refused writes none', async () => {
    const po = await order([1]);
    expect((await receive(po, [0, 2])).status).toBe(400);
    expect(await receiptsOf(po)).toEqual([]);
  });

  it('with an Idempotency-Key that is repeated writes one', async () => {
    const po = await order([2]);
    const body = { items: [{ itemId: po.items[0]!.id, quantity: 1, assets: [{}] }] };
    const key = { 'idempotency-key': randomUUID() };
    for (let n = 0; n < 2; n++) await manager.post(`/api/purchase-orders/${po.id}/receive`, body, key);
    expect(await receiptsOf(po)).toHaveLength(1);
  });
});

describe('receipts', () => {
  it('are listed in the order of receiving, in pages, filtered, and as a file', async () => {
    const po = await order([9]);
    const [first, second] = [await received(po, [0, 1]), await received(po, [0, 2])];
    await reverse(po, first);
    const path = `/api/purchase-orders/${po.id}/receipts`;
    const page = (await admin.get(`${path}?pageSize=1&page=2`)).body;
    expect([page.data.map(({ id }: Receipt) => id), page.total]).toEqual([[second.id], 2]);
    expect((await admin.get(`${path}?reversedAt__empty=true`)).body.data.map(({ id }: Receipt) => id)).toEqual([
      second.id,
    ]);
    const csv = await admin.get(`${path}?format=csv`);
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,receivedAt,receivedBy,count,items,reversedAt,reversedBy,createdAt,updatedAt',
    );
    // The order is only in the path.
    for (const query of [`purchaseOrderId=${po.id}`, 'sort=purchaseOrderId', 'expand=purchaseOrder']) {
      expect([query, (await admin.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('are those of their order only', async () => {
    const [one, other] = [await order([1]), await order([1])];
    const receipt = await received(one, [0, 1]);
    for (const answer of [
      await admin.get(`/api/purchase-orders/${other.id}/receipts/${receipt.id}`),
      await admin.get(`/api/purchase-orders/${one.id}/receipts/${randomUUID()}`),
      await reverse(other, receipt),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { error: 'Receipt not found' }]);
    }
    for (const answer of [
      await admin.get(`/api/purchase-orders/${randomUUID()}/receipts`),
      await reverse({ ...one, id: randomUUID() }, receipt),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { error: 'Purchase order not found' }]);
    }
    const malformed = await manager.post(`/api/purchase-orders/${one.id}/receipts/x/reverse`);
    expect([malformed.status, malformed.body.details[0].field]).toEqual([400, 'receiptId']);
  });

  it('keep an order from being deleted until all of them are reversed, alone and in bulk', async () => {
    const po = await order([2]);
    const receipt = await received(po, [0, 1]);
    const path = `/api/purchase-orders/${po.id}`;
    const alone = await admin.delete(path);
    expect([alone.status, alone.body.error]).toEqual([
      409,
      expect.stringContaining('Reverse its receipts before deleting it'),
    ]);
    const operations = [{ op: 'delete', id: po.id }];
    expect((await admin.post('/api/purchase-orders/bulk', { operations })).status).toBe(409);
    expect((await reverse(po, receipt)).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
    // The receipt is a part of the order, and is restored with it.
    expect((await admin.post(`${path}/restore`)).status).toBe(200);
    expect(await receiptsOf(po)).toMatchObject([{ id: receipt.id, items: receipt.items, reversedBy: managerEmail }]);
  });

  it('and their reversal are in the change log', async () => {
    const po = await order([1]);
    const receipt = await received(po, [0, 1]);
    await reverse(po, receipt);
    const { data } = (await admin.get(`/api/change-log?resource=receipts&recordId=${receipt.id}`)).body;
    expect(data).toMatchObject([
      { action: 'create', actor: managerEmail, area: 'procurement', after: { purchaseOrderId: po.id } },
      { action: 'update', actor: managerEmail, before: { reversedAt: null }, after: { reversedBy: managerEmail } },
    ]);
  });
});

describe('a reversal', () => {
  it('deletes the assets of the receipt, and works the order out again', async () => {
    const po = await order([2, 1]);
    const first = await received(po, [0, 1]);
    const second = await received(po, [0, 1], [1, 1]);
    expect(await read(po)).toMatchObject({ status: 'received', receivedDate: expect.any(String) });
    const answer = await reverse(po, second);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toEqual(expect.any(String));
    expect(answer.body).toEqual({
      data: { ...second, reversedAt: expect.any(String), reversedBy: managerEmail, updatedAt: expect.any(String) },
    });
    expect(await read(po)).toMatchObject({
      status: 'partially_received',
      receivedDate: null,
      receivedQuantity: 1,
      items: [{ quantityReceived: 1 }, { quantityReceived: 0 }],
    });
    for (const id of second.items.flatMap(({ assetIds }) => assetIds)) expect(await exists(id)).toBe(false);
    expect(await exists(first.items[0]!.assetIds[0]!)).toBe(true);
    expect((await reverse(po, first)).status).toBe(200);
    expect(await read(po)).toMatchObject({ status: 'ordered', receivedDate: null, receivedQuantity: 0 });
    // Returned units can be received again, with a new receipt.
    await received(po, [0, 2], [1, 1]);
    expect(await read(po)).toMatchObject({ status: 'received' });
    expect((await receiptsOf(po)).map(({ reversedAt }) => reversedAt === null)).toEqual([false, false, true]);
  });

  it('of all units lets the items be replaced, and the receipt outlives its line', async () => {
    const po = await order([1]);
    const receipt = await received(po, [0, 1]);
    await reverse(po, receipt);
    const patched = await admin.patch(`/api/purchase-orders/${po.id}`, { items: [{ name: 'Other', quantity: 3 }] });
    expect(patched.status).toBe(200);
    expect(await receiptsOf(po)).toMatchObject([{ items: receipt.items, count: 1 }]);
  });

  it('leaves a closed order closed', async () => {
    const po = await order([2]);
    const receipt = await received(po, [0, 1]);
    await admin.patch(`/api/purchase-orders/${po.id}`, { status: 'closed' });
    expect((await reverse(po, receipt)).status).toBe(200);
    expect(await read(po)).toMatchObject({ status: 'closed', receivedDate: null, receivedQuantity: 0 });
  });

  it('is refused the second time', async () => {
    const po = await order([2]);
    const receipt = await received(po, [0, 1]);
    await received(po, [0, 1]);
    await reverse(po, receipt);
    const before = await state();
    const again = await reverse(po, receipt);
    expect([again.status, again.body.error]).toEqual([409, 'receipt is already reversed']);
    expect(await state()).toEqual(before);
  });

  it('names every asset that is handed out, that a device refers to, or that was deleted', async () => {
    const po = await order([4]);
    const receipt = await received(po, [0, 4]);
    const [out, installed, deleted] = receipt.items[0]!.assetIds as [string, string, string];
    const person = await admin.make('/api/people', { fullName: 'Ada Lovelace' });
    await admin.post(`/api/assets/${out}/assign`, { personId: person.id });
    const device = await admin.make('/api/devices', { name: 'edge-1', assetId: installed });
    await admin.delete(`/api/assets/${deleted}`);
    const before = await state();
    const answer = await reverse(po, receipt);
    expect(answer.status).toBe(409);
    expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(
      [out, installed, deleted].map((id) => `asset ${id}`),
    );
    for (const text of [out, installed, deleted, 'Ada Lovelace', 'edge-1', 'was deleted']) {
      expect(answer.body.error).toContain(text);
    }
    expect(await state()).toEqual(before);
    await admin.post(`/api/assets/${out}/return`);
    await admin.delete(`/api/devices/${device.id}`);
    const one = await reverse(po, receipt);
    expect([one.status, one.body.details]).toEqual([409, [{ field: `asset ${deleted}`, message: 'was deleted' }]]);
    await admin.post(`/api/assets/${deleted}/restore`);
    expect((await reverse(po, receipt)).status).toBe(200);
  });

  it('with dryRun returns the same response and writes nothing', async () => {
    const po = await order([2]);
    const receipt = await received(po, [0, 2]);
    const before = await state();
    const tried = await manager.post(
      `/api/purchase-orders/${po.id}/receipts/${receipt.id}/reverse?dryRun=true`,
      undefined,
      { 'idempotency-key': randomUUID() },
    );
    expect([tried.status, tried.body.dryRun, tried.headers.get('etag')]).toEqual([200, true, null]);
    expect(tried.body.data).toMatchObject({ id: receipt.id, items: receipt.items, reversedBy: managerEmail });
    expect(await state()).toEqual(before);
    const asset = receipt.items[0]!.assetIds[0]!;
    const device = await admin.make('/api/devices', { name: 'edge-2', assetId: asset });
    expect((await reverse(po, receipt, '?dryRun=true')).status).toBe(409);
    await admin.delete(`/api/devices/${device.id}`);
    expect((await reverse(po, receipt, '?dryRun=yes')).status).toBe(400);
    expect((await reverse(po, receipt, '?dryrun=true')).body.details[0].field).toBe('dryrun');
    expect((await reverse(po, receipt, '?dryRun=false')).body).not.toHaveProperty('dryRun');
  });

  it('is for those who may receive, and takes no body', async () => {
    const po = await order([1]);
    const receipt = await received(po, [0, 1]);
    const others = [
      await service.as('editor'),
      await service.as('viewer'),
      await service.as('manager', ['network', 'people', 'operations']),
    ];
    for (const api of others) expect((await reverse(po, receipt, '', api)).status).toBe(403);
    expect((await reverse(po, receipt, '', service.anonymous)).status).toBe(401);
    expect((await others[1]!.get(`/api/purchase-orders/${po.id}/receipts/${receipt.id}`)).status).toBe(200);
    const path = `/api/purchase-orders/${po.id}/receipts/${receipt.id}/reverse`;
    const withBody = await manager.post(path, { reason: 'x' });
    expect([withBody.status, withBody.body.details[0].field]).toEqual([400, 'reason']);
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await manager.post(path, {}, key), await manager.post(path, {}, key)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  });

  it('of 1,000 units', async () => {
    const po = await order([1002, 1]);
    await received(po, [0, 2]);
    const many = await received(po, [0, 999], [1, 1]);
    expect((await reverse(po, many)).status).toBe(200);
    expect(await read(po)).toMatchObject({ status: 'partially_received', receivedQuantity: 2 });
  });

  itOnServer('of 1,000 units takes as many statements as of 2', async () => {
    const proxied = await startProxied(service.database);
    try {
      const po = await order([3006, 3]);
      const api = await proxied.as('manager');
      const reversal = async (...units: Parameters<typeof received>[1][]): Promise<number> => {
        const receipts: Receipt[] = [];
        for (let run = 0; run < 3; run++) receipts.push(await received(po, ...units));
        return fewestRoundTrips(proxied, async () =>
          expect((await reverse(po, receipts.pop()!, '', api)).status).toBe(200),
        );
      };
      const few = await reversal([0, 2]);
      const many = await reversal([0, 999], [1, 1]);
      expect(few).toBeGreaterThan(1);
      // In a long run, the service may look up the session again or test an idle connection.
      expect(many).toBeLessThan(few + 5);
      expect(many).toBeLessThan(19);
      expect(await read(po)).toMatchObject({ status: 'ordered', receivedQuantity: 0 });
    } finally {
      await proxied.stop();
    }
  });

  it('that the database aborts half-way keeps nothing', async () => {
    const po = await order([2]);
    const receipt = await received(po, [0, 2]);
    const { db } = service.database;
    await db.query(
      sql`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped'; END $$`,
    );
    // The last write of a reversal.
    await db.query(sql`CREATE TRIGGER stop BEFORE UPDATE ON receipts FOR EACH ROW EXECUTE FUNCTION stop()`);
    const before = await state();
    try {
      expect((await reverse(po, receipt)).status).toBe(500);
    } finally {
      await db.query(sql`DROP TRIGGER stop ON receipts`);
      await db.query(sql`DROP FUNCTION stop()`);
    }
    expect(await state()).toEqual(before);
  });
});

(onServer ? describe : describe.skip)('races', () => {
  const ROUNDS = 10;
  const consistent = async (): Promise<void> => expect(await contradictions()).toEqual([]);
  beforeAll(async () => {
    // The receipts alone explain only the orders of the tests below.
    await service.database.db.query(sql`DELETE FROM purchase_orders WHERE true`);
  });

  it('of twenty reversals of a receipt, one succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const po = await order([3]);
      const receipt = await received(po, [0, 2]);
      const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(po, receipt)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    }
    await consistent();
  });

  it('of reversals and receives: each counts, and no line exceeds its quantity', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const po = await order([2, 2]);
      const receipts = [await received(po, [0, 1], [1, 1]), await received(po, [1, 1])];
      const { result, codes } = await watched(() =>
        Promise.all([
          ...receipts.map((receipt) => reverse(po, receipt)),
          receive(po, [0, 1]),
          receive(po, [1, 1], [0, 1]),
          receive(po, [0, 1], [1, 1]),
        ]),
      );
      expect(result.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
      for (const { status } of result.slice(2)) expect([200, 400]).toContain(status);
      // A deadlock would be retried, so the responses would not show it.
      expect(codes).toEqual([]);
    }
    await consistent();
  });

  it('of a reversal and handing out: one of the two wins', async () => {
    const person = await admin.make('/api/people', { fullName: 'Ada' });
    for (let round = 0; round < ROUNDS; round++) {
      const po = await order([2]);
      const receipt = await received(po, [0, 2]);
      const asset = receipt.items[0]!.assetIds[round % 2]!;
      const { result, codes } = await watched(() =>
        Promise.all([reverse(po, receipt), admin.post(`/api/assets/${asset}/assign`, { personId: person.id })]),
      );
      expect([
        [200, 404],
        [409, 200],
      ]).toContainEqual(result.map(({ status }) => status));
      expect(codes).toEqual([]);
    }
    await consistent();
  });

  it('of a reversal and a device that is given the asset: one of the two wins', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const po = await order([1]);
      const receipt = await received(po, [0, 1]);
      const [assetId] = receipt.items[0]!.assetIds;
      const answers = await Promise.all([reverse(po, receipt), admin.post('/api/devices', { name: 'd', assetId })]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
    await consistent();
  });

  it.each([
    ['site of the order', 'sites/site'],
    ['site to which its assets were moved', 'sites/elsewhere'],
    ['location', 'locations/location'],
    ['category', 'asset-categories/category'],
    ['person who asked for it', 'people/person'],
  ])('of a reversal and deleting the %s: both succeed, without a deadlock', async (_, target) => {
    for (let round = 0; round < ROUNDS; round++) {
      const site = await admin.make('/api/sites', { name: 'A' });
      const elsewhere = await admin.make('/api/sites', { name: 'B' });
      const location = await admin.make('/api/locations', { name: 'Store', siteId: site.id });
      const category = await admin.make('/api/asset-categories', { name: 'Switches' });
      const person = await admin.make('/api/people', { fullName: 'Ada' });
      const po = await order([50], {
        siteId: site.id,
        locationId: location.id,
        requestedById: person.id,
        items: [{ name: 'Line 0', quantity: 50, categoryId: category.id }],
      });
      const receipt = await received(po, [0, 50]);
      const { assetIds } = receipt.items[0]!;
      const data = { siteId: elsewhere.id, locationId: null };
      const operations = assetIds.slice(25).map((id) => ({ op: 'update', id, data }));
      expect((await admin.post('/api/assets/bulk', { operations })).status).toBe(200);
      const made: Record<string, { id: string }> = { site, elsewhere, location, category, person };
      const [resource, name] = target.split('/') as [string, string];
      const { result, codes } = await watched(() =>
        Promise.all([reverse(po, receipt), admin.delete(`/api/${resource}/${made[name]!.id}`)]),
      );
      expect(result.map(({ status }) => status)).toEqual([200, 204]);
      expect(codes).toEqual([]);
    }
    await consistent();
  });

  it('of a reversal and a delete of the site: the reversal waits before it locks anything that the delete will clear', async () => {
    const site = await admin.make('/api/sites', { name: 'A' });
    const po = await order([2], { siteId: site.id });
    const receipt = await received(po, [0, 2]);
    const { assetIds } = receipt.items[0]!;
    const other = await connectTo(service.database.url!, 2);
    try {
      let reversal!: Promise<Answer>;
      await other.db.transaction(async (tx) => {
        await tx.query(sql`SELECT 1 FROM sites WHERE id = ${site.id} FOR UPDATE`);
        reversal = reverse(po, receipt);
        const waits = async (): Promise<boolean> =>
          (
            await other.db.query(
              sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            )
          ).length > 0;
        await until(waits);
        for (const [table, ids] of [
          ['purchase_orders', [po.id]],
          ['purchase_order_items', [po.items[0]!.id]],
          ['assets', assetIds],
        ] as const) {
          expect(
            await tx.query(sql`SELECT 1 FROM ${raw(table)} WHERE id = ANY(${ids}) FOR UPDATE NOWAIT`),
          ).toHaveLength(ids.length);
        }
      });
      expect((await reversal).status).toBe(200);
    } finally {
      await other.drop();
    }
    await consistent();
  });

  it('of a reversal and deleting the order: the order goes with its receipts, or stays', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const po = await order([1]);
      const receipt = await received(po, [0, 1]);
      const answers = await Promise.all([reverse(po, receipt), admin.delete(`/api/purchase-orders/${po.id}`)]);
      expect([
        [200, 204],
        [200, 409],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
    await consistent();
  });
});
