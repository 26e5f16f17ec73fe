import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { Holders1795342000001 } from '../../src/schema/migrations/20261122-holders.js';
import { Receipts1795342000000 } from '../../src/schema/migrations/20261122-receipts.js';
import { startService, type Api, type TestService } from '../support/app.js';

/** What the migrations make of data that was there before receipts and the names of holders were kept. */
let service: TestService;
let admin: Api;
let email: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  email = (await admin.get('/api/auth/session')).body.data.email;
});
afterAll(() => service.stop());

const sql = <R extends object>(text: string, values?: unknown[]): Promise<R[]> =>
  service.database.db.query<R>(text, values);

interface Migration {
  up(runner: QueryRunner): Promise<void>;
  down(runner: QueryRunner): Promise<void>;
}

/** Reverts a migration, and applies it again. */
async function repeat(migration: Migration): Promise<void> {
  const runner = service.database.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await migration.down(runner);
    await migration.up(runner);
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}

interface Order {
  id: string;
  items: { id: string; name: string }[];
}

const order = (...lines: [name: string, quantity: number][]): Promise<Order> =>
  admin.make('/api/purchase-orders', {
    orderNumber: `PO-${randomUUID()}`,
    items: lines.map(([name, quantity]) => ({ name, quantity })),
  }) as never;

async function receive(po: Order, ...units: [line: number, quantity: number][]): Promise<string[]> {
  const items = units.map(([line, quantity]) => ({
    itemId: po.items[line]!.id,
    quantity,
    assets: Array.from({ length: quantity }, () => ({})),
  }));
  const answer = await admin.post(`/api/purchase-orders/${po.id}/receive`, { items });
  expect(answer.status).toBe(200);
  return answer.body.data.assetIds;
}

/** Receives units by SQL, of which the change log knows no request. */
async function receiveBySql(po: Order, line: number, quantity: number): Promise<string[]> {
  const { id, name } = po.items[line]!;
  await sql('UPDATE purchase_order_items SET quantity_received = quantity_received + $2 WHERE id = $1', [id, quantity]);
  await sql(`UPDATE purchase_orders SET status = 'partially_received' WHERE id = $1`, [po.id]);
  const made = await sql<{ id: string }>(
    'INSERT INTO assets (name, purchase_order_id) SELECT $1, $2::uuid FROM generate_series(1, $3) RETURNING id',
    [name, po.id, quantity],
  );
  return made.map((row) => row.id);
}

interface Receipt {
  id: string;
  receivedBy: string | null;
  items: { itemId: string; name: string; quantity: number; assetIds: string[] }[];
}

const receiptsOf = async (po: Order): Promise<Receipt[]> =>
  (await admin.get(`/api/purchase-orders/${po.id}/receipts?sort=receivedAt`)).body.data;
const reverse = (po: Order, receipt: Receipt) =>
  admin.post(`/api/purchase-orders/${po.id}/receipts/${receipt.id}/reverse`);

describe('the migration of receipts', () => {
  it('finds the requests that received units in the change log, with their assets', async () => {
    const po = await order(['Switch', 4], ['Switch', 3], ['Cable', 9]);
    const requests = [await receive(po, [2, 2], [0, 1]), await receive(po, [1, 2], [0, 2], [2, 1])];
    const before = await receiptsOf(po);
    await repeat(new Receipts1795342000000());
    const after = await receiptsOf(po);
    const comparable = ({ items, receivedBy }: Receipt): object => ({
      receivedBy,
      items: items
        .map(({ itemId, name, quantity, assetIds }) => ({ itemId, name, quantity, units: assetIds.length }))
        .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1)),
    });
    expect(after.map(comparable)).toEqual(before.map(comparable));
    expect(after[0]!.receivedBy).toBe(email);
    for (const [index, assetIds] of requests.entries()) {
      expect(after[index]!.items.flatMap((item) => item.assetIds).toSorted()).toEqual(assetIds.toSorted());
    }
    const [times] = await sql(
      `SELECT bool_and(c.created_at = r.received_at) AS same FROM receipts r
       JOIN change_log c ON c.record_id = (r.lines->0->'assetIds'->>0)::uuid AND c.action = 'create' AND c.resource = 'assets'`,
    );
    expect(times).toEqual({ same: true });
    expect((await reverse(po, after[1]!)).status).toBe(200);
    expect((await admin.get(`/api/purchase-orders/${po.id}`)).body.data).toMatchObject({
      status: 'partially_received',
      receivedQuantity: 3,
    });
  });

  it('makes one receipt, received by nobody, for what the change log does not know', async () => {
    const po = await order(['Switch', 5], ['Cable', 5]);
    const known = await receive(po, [0, 1]);
    const unknown = [...(await receiveBySql(po, 0, 2)), ...(await receiveBySql(po, 1, 3))];
    await repeat(new Receipts1795342000000());
    const receipts = await receiptsOf(po);
    expect(receipts.map(({ receivedBy, items }) => [receivedBy, items.map(({ quantity }) => quantity)])).toEqual([
      [email, [1]],
      [null, [2, 3]],
    ]);
    expect(receipts[0]!.items[0]!.assetIds).toEqual(known);
    expect(receipts[1]!.items.flatMap(({ assetIds }) => assetIds).toSorted()).toEqual(unknown.toSorted());
    expect((await reverse(po, receipts[1]!)).status).toBe(200);
    expect((await admin.get(`/api/purchase-orders/${po.id}`)).body.data.receivedQuantity).toBe(1);
  });

  it('does not guess which assets were received, and such a receipt cannot be reversed', async () => {
    const po = await order(['Switch', 5]);
    const [gone] = await receiveBySql(po, 0, 3);
    await admin.delete(`/api/assets/${gone}`);
    await repeat(new Receipts1795342000000());
    const [receipt] = await receiptsOf(po);
    expect(receipt).toMatchObject({ receivedBy: null, count: 3, items: [{ quantity: 3, assetIds: [] }] });
    const answer = await reverse(po, receipt!);
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('3 of its assets are not known')]);
  });

  it('names assets that were deleted since', async () => {
    const po = await order(['Switch', 2]);
    const assetIds = await receive(po, [0, 2]);
    await admin.delete(`/api/assets/${assetIds[0]}`);
    await repeat(new Receipts1795342000000());
    const [receipt] = await receiptsOf(po);
    expect(receipt!.items[0]!.assetIds).toEqual(assetIds);
    expect((await reverse(po, receipt!)).body.error).toContain(assetIds[0]);
  });

  it('gives no receipt to an order of which nothing was received', async () => {
    const po = await order(['Switch', 2]);
    const receipt = await receive(po, [0, 1]).then(() => receiptsOf(po));
    await reverse(po, receipt[0]!);
    await repeat(new Receipts1795342000000());
    expect(await receiptsOf(po)).toEqual([]);
  });
});

it('the migration of holders fills in the names that people had, and changes nothing else', async () => {
  const asset = await admin.make('/api/assets', { name: 'Laptop' });
  const [stays, renamed, leaves] = [
    await admin.make('/api/people', { fullName: 'Stays', email: `${randomUUID()}@example.com` }),
    await admin.make('/api/people', { fullName: 'Before', email: null }),
    await admin.make('/api/people', { fullName: 'Leaves', email: `${randomUUID()}@example.com` }),
  ];
  for (const { id } of [stays, renamed, leaves]) {
    await admin.post(`/api/assets/${asset.id}/assign`, { personId: id });
    await admin.post(`/api/assets/${asset.id}/return`);
  }
  await admin.patch(`/api/people/${renamed.id}`, { fullName: 'After', email: `${randomUUID()}@example.com` });
  await admin.patch(`/api/people/${leaves.id}`, { fullName: 'Left' });
  await admin.delete(`/api/people/${leaves.id}`);
  const read = async () => (await admin.get(`/api/assets/${asset.id}/assignments`)).body.data;
  const before = await read();
  const [logged] = await sql<{ entries: number }>('SELECT count(*)::int AS entries FROM change_log');
  await repeat(new Holders1795342000001());
  expect(await read()).toEqual(before);
  expect(before).toMatchObject([
    { personName: 'Stays', personEmail: stays.email },
    { personName: 'Before', personEmail: null },
    { personName: 'Leaves', personEmail: leaves.email, personId: null },
  ]);
  expect(await sql('SELECT count(*)::int AS entries FROM change_log')).toEqual([logged]);
});
