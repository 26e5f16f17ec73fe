import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { fewestRoundTrips, startProxied } from '../support/proxied-service.js';
import { itOnServer } from '../support/server.js';
import { watched } from '../support/statements.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let manager: Api;

beforeAll(async () => {
  service = await startService();
  [admin, manager] = await Promise.all([service.as('admin'), service.as('manager')]);
});
afterAll(() => service.stop());

const order = (items: object[], more: object = {}) =>
  admin.make('/api/purchase-orders', { orderNumber: `PO-${randomUUID()}`, items, ...more });
const line = (quantity: number, more: object = {}) => ({ name: 'Catalyst 9300-48P', quantity, ...more });
const entry = (itemId: string, quantity: number, assets: object[] = Array.from({ length: quantity }, () => ({}))) => ({
  itemId,
  quantity,
  assets,
});
const receive = (id: string, items: unknown, api = manager, headers?: Record<string, string>): Promise<Answer> =>
  api.post(`/api/purchase-orders/${id}/receive`, { items }, headers);
const read = async (id: string) => (await admin.get(`/api/purchase-orders/${id}`)).body.data;
const assetsOf = async (id: string) => (await admin.get(`/api/assets?purchaseOrderId=${id}`)).body.data;
const fieldsOf = ({ body }: Answer): string[] => body.details?.map(({ field }: { field: string }) => field);

/** All data of all orders that a receive may change. */
const state = () =>
  service.database.db.query(
    sql`SELECT (SELECT count(*)::int FROM assets) AS assets,
      (SELECT json_agg(o ORDER BY o.id) FROM purchase_orders o)::text AS orders,
      (SELECT json_agg(i ORDER BY i.id) FROM purchase_order_items i)::text AS items`,
  );

/** Sends a request that must be refused and must change nothing. */
async function refused(request: () => Promise<Answer>): Promise<Answer> {
  const before = await state();
  const answer = await request();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(await state()).toEqual(before);
  return answer;
}

it('a line has any 32-bit quantity, and a warranty that a time can have', async () => {
  const most = 2_147_483_647;
  const { id, items } = await order([line(most, { unitPrice: '99999999.99', warrantyMonths: 1200 }), line(most)]);
  const made = await read(id);
  expect(made).toMatchObject({ orderedQuantity: 2 * most, totalPrice: '214748364678525163.53' });
  expect((await receive(id, [entry(items[0]!.id, 1)])).status).toBe(200);
  expect((await read(id)).items[0]).toMatchObject({ quantityReceived: 1, quantityRemaining: most - 1 });
  for (const wrong of [line(most + 1), line(0), line(1, { warrantyMonths: 1201 })]) {
    const body = { orderNumber: `PO-${randomUUID()}`, items: [wrong] };
    expect((await admin.post('/api/purchase-orders', body)).status).toBe(400);
  }
});

describe('a receive', () => {
  it('makes one asset per unit, with the values of its line, its order and its entry', async () => {
    const [site, other] = [
      await admin.make('/api/sites', { name: 'A' }),
      await admin.make('/api/sites', { name: 'B' }),
    ];
    const location = await admin.make('/api/locations', { name: 'Store', siteId: site.id });
    const shelf = await admin.make('/api/locations', { name: 'Shelf', siteId: other.id });
    const category = await admin.make('/api/asset-categories', { name: 'Switches' });
    const manufacturer = await admin.make('/api/manufacturers', { name: 'Cisco' });
    const po = await order(
      [
        line(2, {
          unitPrice: '1200.5',
          categoryId: category.id,
          manufacturerId: manufacturer.id,
          warrantyMonths: 12,
        }),
        { name: 'Cable', quantity: 5 },
      ],
      { orderDate: '2026-02-03', siteId: site.id, locationId: location.id },
    );
    const [switches, cables] = po.items;
    const before = Date.now();
    const answer = await receive(po.id, [
      entry(cables.id, 1),
      entry(switches.id, 2, [
        { serialNumber: 'SN-1', assetTag: 'T-1', notes: 'scratched' },
        { serialNumber: 'SN-2', siteId: other.id, locationId: shelf.id },
      ]),
    ]);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    const { assetIds, count } = answer.body.data;
    expect(Object.keys(answer.body.data).toSorted()).toEqual(['assetIds', 'count']);
    expect([count, assetIds.length]).toEqual([3, 3]);
    const assets = await Promise.all(
      assetIds.map(async (id: string) => (await admin.get(`/api/assets/${id}`)).body.data),
    );
    const common = { status: 'in_stock', purchaseOrderId: po.id, purchasedAt: '2026-02-03T00:00:00.000Z' };
    const ofLine = {
      ...common,
      name: 'Catalyst 9300-48P',
      categoryId: category.id,
      manufacturerId: manufacturer.id,
      purchasePrice: '1200.50',
      condition: null,
      currentAssignee: null,
    };
    expect(assets).toMatchObject([
      {
        ...common,
        name: 'Cable',
        categoryId: null,
        manufacturerId: null,
        purchasePrice: null,
        warrantyUntil: null,
        siteId: site.id,
        locationId: location.id,
        serialNumber: null,
        assetTag: null,
        notes: null,
      },
      {
        ...ofLine,
        serialNumber: 'SN-1',
        assetTag: 'T-1',
        notes: 'scratched',
        siteId: site.id,
        locationId: location.id,
      },
      { ...ofLine, serialNumber: 'SN-2', assetTag: null, notes: null, siteId: other.id, locationId: shelf.id },
    ]);
    const until = new Date(before);
    until.setUTCMonth(until.getUTCMonth() + 12);
    for (const { warrantyUntil } of assets.slice(1)) {
      // Allows a day for the 29th of February.
      expect(Math.abs(Date.parse(warrantyUntil) - until.getTime())).toBeLessThan(25 * 3600_000);
    }
    expect(await assetsOf(po.id)).toHaveLength(3);
  });

  it('uses the current time as purchasedAt if the order has no date', async () => {
    const po = await order([line(1)]);
    const before = Date.now();
    await receive(po.id, [entry(po.items[0].id, 1)]);
    const [asset] = await assetsOf(po.id);
    expect(Math.abs(Date.parse(asset.purchasedAt) - before)).toBeLessThan(60_000);
    expect(asset).toMatchObject({ siteId: null, locationId: null });
  });

  it('takes null for a place that is not known, also where the order has one', async () => {
    const site = await admin.make('/api/sites', { name: 'Of the order' });
    const location = await admin.make('/api/locations', { name: 'Store', siteId: site.id });
    const po = await order([line(3)], { siteId: site.id, locationId: location.id });
    await receive(po.id, [
      entry(po.items[0].id, 3, [
        { serialNumber: 'A' },
        { serialNumber: 'B', locationId: null },
        { serialNumber: 'C', siteId: null, locationId: null },
      ]),
    ]);
    const placed = (await assetsOf(po.id)).map(({ serialNumber, siteId, locationId }: Record<string, unknown>) => [
      serialNumber,
      siteId,
      locationId,
    ]);
    expect(placed.toSorted()).toEqual([
      ['A', site.id, location.id],
      ['B', site.id, null],
      ['C', null, null],
    ]);
  });

  it('advances the line, the totals and the state, and sets receivedDate with the last unit only', async () => {
    const po = await order([line(2), line(1)]);
    const [first, second] = po.items;
    expect((await receive(po.id, [entry(first.id, 1)])).status).toBe(200);
    const partly = await read(po.id);
    expect(partly).toMatchObject({
      status: 'partially_received',
      receivedDate: null,
      orderedQuantity: 3,
      receivedQuantity: 1,
      items: [
        { quantityReceived: 1, quantityRemaining: 1 },
        { quantityReceived: 0, quantityRemaining: 1 },
      ],
    });
    expect((await receive(po.id, [entry(first.id, 1)])).status).toBe(200);
    expect(await read(po.id)).toMatchObject({ status: 'partially_received', receivedDate: null, receivedQuantity: 2 });
    expect((await receive(po.id, [entry(second.id, 1)])).status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    const done = await read(po.id);
    expect(done).toMatchObject({
      status: 'received',
      receivedQuantity: 3,
      items: [{ quantityRemaining: 0 }, { quantityRemaining: 0 }],
    });
    expect([today, new Date(Date.now() - 60_000).toISOString().slice(0, 10)]).toContain(done.receivedDate);
    expect(done.updatedAt > po.updatedAt).toBe(true);
  });

  it('goes from ordered to received at once if everything arrives', async () => {
    const po = await order([line(1), line(2)]);
    expect((await receive(po.id, [entry(po.items[1].id, 2), entry(po.items[0].id, 1)])).status).toBe(200);
    expect(await read(po.id)).toMatchObject({ status: 'received', receivedQuantity: 3 });
  });

  it('adds up the entries of a line, and returns ids in the order of the request', async () => {
    const po = await order([line(3), { name: 'Cable', quantity: 1 }]);
    const [a, b] = po.items;
    const answer = await receive(po.id, [
      entry(a.id, 1, [{ serialNumber: '1' }]),
      entry(b.id, 1, [{ serialNumber: '2' }]),
      entry(a.id, 2, [{ serialNumber: '3' }, { serialNumber: '4' }]),
    ]);
    const serials = await Promise.all(
      answer.body.data.assetIds.map(
        async (id: string) => (await admin.get(`/api/assets/${id}`)).body.data.serialNumber,
      ),
    );
    expect(serials).toEqual(['1', '2', '3', '4']);
    expect((await read(po.id)).items.map((item: { quantityReceived: number }) => item.quantityReceived)).toEqual([
      3, 1,
    ]);
    const more = await order([line(3)]);
    const { id } = more.items[0];
    const answered = await refused(() => receive(more.id, [entry(id, 2), entry(id, 2)]));
    expect([answered.status, fieldsOf(answered)]).toEqual([400, ['items[1].quantity']]);
  });

  it('with an order id in upper case is for the same order', async () => {
    const po = await order([line(1)]);
    const answer = await receive(po.id.toUpperCase(), [entry(po.items[0].id.toUpperCase(), 1)]);
    expect(answer.status).toBe(200);
    expect(await read(po.id)).toMatchObject({ status: 'received' });
  });
});

describe('a refused receive creates no asset and changes no counter', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a record of any shape
  let po: any;
  let a: string;
  let b: string;
  beforeAll(async () => {
    po = await order([line(3), line(2)]);
    [a, b] = po.items.map(({ id }: { id: string }) => id);
  });

  const unknown = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
  const shapes: [string, () => unknown, string[]][] = [
    ['no items', () => undefined, ['items']],
    ['items null', () => null, ['items']],
    ['an empty list', () => [], ['items']],
    ['items that are not a list', () => ({}), ['items']],
    ['an entry that is not an object', () => ['x'], ['items[0]']],
    ['no itemId', () => [{ quantity: 1, assets: [{}] }], ['items[0].itemId']],
    ['an itemId that is not a uuid', () => [{ itemId: 'x', quantity: 1, assets: [{}] }], ['items[0].itemId']],
    ['quantity 0', () => [entry(a, 0)], ['items[0].quantity']],
    ['quantity -1', () => [{ itemId: a, quantity: -1, assets: [] }], ['items[0].quantity']],
    ['a quantity with a fraction', () => [{ itemId: a, quantity: 1.5, assets: [{}] }], ['items[0].quantity']],
    ['a quantity as text', () => [{ itemId: a, quantity: '1', assets: [{}] }], ['items[0].quantity']],
    ['no quantity', () => [{ itemId: a, assets: [{}] }], ['items[0].quantity']],
    ['no assets', () => [{ itemId: a, quantity: 1 }], ['items[0].assets']],
    ['assets null', () => [{ itemId: a, quantity: 1, assets: null }], ['items[0].assets']],
    ['fewer assets than units', () => [entry(a, 2, [{}])], ['items[0].assets']],
    ['more assets than units', () => [entry(a, 1, [{}, {}])], ['items[0].assets']],
    ['an asset that is not an object', () => [entry(a, 1, ['x'] as never)], ['items[0].assets[0]']],
    [
      'a serial number of the wrong type',
      () => [entry(a, 1, [{ serialNumber: 5 }])],
      ['items[0].assets[0].serialNumber'],
    ],
    ['a tag that is too long', () => [entry(a, 1, [{ assetTag: 'x'.repeat(256) }])], ['items[0].assets[0].assetTag']],
    ['a siteId that is not a uuid', () => [entry(a, 1, [{ siteId: 'x' }])], ['items[0].assets[0].siteId']],
    ['an unknown property of an asset', () => [entry(a, 1, [{ serial: 'x' }])], ['items[0].assets[0].serial']],
    ['an unknown property of an entry', () => [{ ...entry(a, 1), price: 1 }], ['items[0].price']],
    [
      'all faults at once',
      () => [entry(a, 1, [{ notes: 5 }]), { itemId: 'x', quantity: 2, assets: [{}] }],
      ['items[0].assets[0].notes', 'items[1].itemId', 'items[1].assets'],
    ],
  ];
  it.each(shapes)('%s: 400, and the field', async (_, items, fields) => {
    const answer = await refused(() => receive(po.id, items()));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).toSorted()).toEqual(fields.toSorted());
    expect(answer.body.error).toContain(fields[0]);
  });

  it('an unknown property of the body', async () => {
    const answer = await refused(() =>
      manager.post(`/api/purchase-orders/${po.id}/receive`, { items: [entry(a, 1)], itmes: [] }),
    );
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['itmes']]);
  });

  it('more than remains on the line, next to a valid entry: 400', async () => {
    const answer = await refused(() => receive(po.id, [entry(a, 1), entry(b, 3)]));
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['items[1].quantity']]);
    expect(answer.body.error).toContain('2');
  });

  it('a line of another order, or none, next to a valid one: 404', async () => {
    const other = await order([line(5)]);
    for (const itemId of [other.items[0].id, unknown]) {
      const answer = await refused(() => receive(po.id, [entry(a, 1), entry(itemId, 1)]));
      expect([answer.status, answer.body]).toEqual([404, { error: 'Purchase order item not found' }]);
    }
  });

  it('an unknown order: 404', async () => {
    const answer = await refused(() => receive(unknown, [entry(a, 1)]));
    expect([answer.status, answer.body]).toEqual([404, { error: 'Purchase order not found' }]);
  });

  it('a path that is not a uuid: 400', async () => {
    expect((await refused(() => receive('x', [entry(a, 1)]))).status).toBe(400);
  });

  it('an unknown site or location, next to valid entries: 400, each named', async () => {
    const items = [entry(a, 2, [{}, { siteId: unknown }]), entry(b, 1, [{ locationId: unknown }])];
    const answer = await refused(() => receive(po.id, items));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(['items[0].assets[1].siteId', 'items[1].assets[0].locationId']);
  });

  it('an order in any other state: 400', async () => {
    const cancelled = await order([line(1)], { status: 'draft' });
    const states: [string, { id: string; items: { id: string }[] }][] = [
      ['draft', await order([line(1)], { status: 'draft' })],
      ['closed', await order([line(1)], { status: 'closed' })],
      ['cancelled', cancelled],
    ];
    await admin.patch(`/api/purchase-orders/${cancelled.id}`, { status: 'cancelled' });
    const received = await order([line(1)]);
    await receive(received.id, [entry(received.items[0].id, 1)]);
    states.push(['received', received]);
    for (const [status, { id, items }] of states) {
      const answer = await refused(() => receive(id, [entry(items[0]!.id, 1)]));
      expect([status, answer.status]).toEqual([status, 400]);
      expect(answer.body.error).toContain(status);
    }
  });

  it('units beyond 32 bits or beyond the limit of a request: 400', async () => {
    for (const quantity of [1001, 2_147_483_648, 1e300]) {
      const answer = await refused(() => receive(po.id, [{ itemId: a, quantity, assets: [{}] }]));
      expect([quantity, answer.status]).toEqual([quantity, 400]);
    }
    // There is one entry per unit, so the quantity is the only fault.
    const assets = Array.from({ length: 1001 }, () => ({}));
    const one = await refused(() => receive(po.id, [{ itemId: a, quantity: 1001, assets }]));
    const two = await refused(() =>
      receive(po.id, [
        { itemId: a, quantity: 1000, assets: assets.slice(1) },
        { itemId: a, quantity: 1, assets: [{}] },
      ]),
    );
    expect([one.status, one.body.error, two.status, two.body.error]).toEqual([
      400,
      expect.stringContaining('1000'),
      400,
      expect.stringContaining('1000'),
    ]);
  });
});

describe('the order of the checks', () => {
  const unknown = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';

  it('is session, role and area, shape, existence, state, quantity', async () => {
    const draft = await order([line(1)], { status: 'draft' });
    const item = draft.items[0].id;
    const path = `/api/purchase-orders/${draft.id}/receive`;
    const faulty = { items: [entry(unknown, 2, [])] };
    const outsider = await service.as('manager', ['network', 'people', 'operations']);
    const [editor, viewer] = [await service.as('editor'), await service.as('viewer')];
    // The request has every fault. The session is checked first, then the role, then the area.
    expect((await refused(() => service.anonymous.post('/api/purchase-orders/x/receive', '{ no json'))).status).toBe(
      401,
    );
    for (const api of [editor, viewer, outsider]) {
      expect((await refused(() => api.post('/api/purchase-orders/x/receive', '{ no json'))).status).toBe(403);
      expect((await refused(() => api.post(path, { items: [entry(item, 1)] }))).status).toBe(403);
    }
    // The shape is checked before the order and the line are read.
    expect((await refused(() => receive(unknown, faulty.items))).status).toBe(400);
    // The line is checked before the state.
    expect((await refused(() => manager.post(path, { items: [entry(unknown, 1)] }))).status).toBe(404);
    // The state is checked before the quantity.
    const answer = await refused(() => manager.post(path, { items: [entry(item, 2)] }));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('draft');
    // An unknown line is reported before an excessive quantity.
    const ordered = await order([line(1)]);
    const both = [entry(ordered.items[0].id, 2), entry(unknown, 1)];
    expect((await refused(() => receive(ordered.id, both))).status).toBe(404);
  });

  it('lets managers and administrators of the area receive', async () => {
    for (const api of [manager, admin, await service.as('manager', ['procurement'])]) {
      const po = await order([line(1)]);
      expect((await receive(po.id, [entry(po.items[0].id, 1)], api)).status).toBe(200);
    }
  });
});

it('receives 1,000 units at once, and inserts the assets with one statement', async () => {
  const po = await order([line(1002), line(3)]);
  const [a, b] = po.items.map(({ id }: { id: string }) => id);
  const { db } = service.database;
  await db.query(sql`CREATE SEQUENCE inserts`);
  await db.query(
    sql`CREATE FUNCTION count_inserts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('inserts'); RETURN NULL; END $$`,
  );
  await db.query(sql`CREATE TRIGGER count_inserts AFTER INSERT ON assets EXECUTE FUNCTION count_inserts()`);
  expect((await receive(po.id, [entry(a, 2)])).status).toBe(200);
  const units = Array.from({ length: 999 }, (_, index) => ({ serialNumber: `S${index}`, notes: `unit ${index}` }));
  const many = await receive(po.id, [entry(a, 999, units), entry(b, 1)]);
  expect([many.status, many.body.data.count]).toEqual([200, 1000]);
  expect(await db.query(sql`SELECT last_value::int AS inserts FROM inserts`)).toEqual([{ inserts: 2 }]);
  expect((await assetsOf(po.id)).length).toBe(1002);
  expect((await read(po.id)).receivedQuantity).toBe(1002);
  await db.query(sql`DROP FUNCTION count_inserts CASCADE`);
});

itOnServer('receives 1,000 units with as many statements as 2', async () => {
  const proxied = await startProxied(service.database);
  try {
    const po = await order([line(3006), line(9)]);
    const [a, b] = po.items.map(({ id }: { id: string }) => id);
    const api = await proxied.as('manager');
    const receiving = async (...entries: object[]): Promise<void> =>
      expect((await receive(po.id, entries, api)).status).toBe(200);
    const few = await fewestRoundTrips(proxied, () => receiving(entry(a, 2)));
    const many = await fewestRoundTrips(proxied, () => receiving(entry(a, 999), entry(b, 1)));
    expect((await read(po.id)).receivedQuantity).toBe(3006);
    expect(few).toBeGreaterThan(1);
    // In a long run, the service may look up the session again or test an idle connection.
    expect(many).toBeLessThan(few + 5);
    expect(many).toBeLessThan(18);
  } finally {
    await proxied.stop();
  }
});

it('a CHECK ensures that no line receives more than was ordered', async () => {
  const po = await order([line(2)]);
  const update = service.database.db.query(
    sql`UPDATE purchase_order_items SET quantity_received = 3 WHERE id = ${po.items[0].id}`,
  );
  await expect(update).rejects.toMatchObject({
    code: '23514',
    constraint: 'ck_purchase_order_items_quantity_received',
  });
});

it('keeps nothing of a receive that the database aborts half-way', async () => {
  const po = await order([line(2)]);
  const { db } = service.database;
  // The last statement of the receive fails, after assets were created and units counted.
  await db.query(
    sql`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped'; END $$`,
  );
  await db.query(sql`CREATE TRIGGER stop BEFORE UPDATE ON purchase_orders FOR EACH ROW EXECUTE FUNCTION stop()`);
  try {
    const before = await state();
    expect((await receive(po.id, [entry(po.items[0].id, 1)])).status).toBe(500);
    expect(await state()).toEqual(before);
  } finally {
    await db.query(sql`DROP TRIGGER stop ON purchase_orders`);
    await db.query(sql`DROP FUNCTION stop()`);
  }
  expect((await receive(po.id, [entry(po.items[0].id, 2)])).status).toBe(200);
});

(onServer ? describe : describe.skip)('concurrent receives', () => {
  it('200 on a line with 10 units left: exactly 10 succeed, the others get the validation error', async () => {
    const po = await order([line(12), line(1)]);
    const [a] = po.items.map(({ id }: { id: string }) => id);
    await receive(po.id, [entry(a, 2)]);
    const answers = await Promise.all(Array.from({ length: 200 }, () => receive(po.id, [entry(a, 1)])));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 400)).toHaveLength(190);
    for (const answer of answers.filter(({ status }) => status === 400)) {
      expect(fieldsOf(answer)).toEqual(['items[0].quantity']);
    }
    expect(await assetsOf(po.id)).toHaveLength(12);
    expect(await read(po.id)).toMatchObject({ status: 'partially_received', items: [{ quantityReceived: 12 }, {}] });
  });

  it('of the last units set the order to received once, and never to the wrong state', async () => {
    for (let round = 0; round < 10; round++) {
      const po = await order([line(2), line(2)]);
      const answers = await Promise.all([0, 1, 0, 1].map((index) => receive(po.id, [entry(po.items[index].id, 1)])));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await read(po.id)).toMatchObject({ status: 'received', receivedQuantity: 4 });
    }
  });

  it('that name two lines in opposite order never deadlock', async () => {
    const po = await order([line(500), line(500)]);
    const [a, b] = po.items.map(({ id }: { id: string }) => id);
    const { result, codes } = await watched(() =>
      Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          receive(po.id, index % 2 ? [entry(a, 1), entry(b, 1)] : [entry(b, 1), entry(a, 1)]),
        ),
      ),
    );
    expect(result.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    // A deadlock would be retried, so the responses would not show it.
    expect(codes).toEqual([]);
    expect(await read(po.id)).toMatchObject({ receivedQuantity: 200 });
    expect(await assetsOf(po.id)).toHaveLength(200);
  });

  it('race with a PATCH of the items: the order never has units that its lines do not count', async () => {
    for (let round = 0; round < 10; round++) {
      const po = await order([line(2)]);
      const [received, patched] = await Promise.all([
        receive(po.id, [entry(po.items[0].id, 1)]),
        admin.patch(`/api/purchase-orders/${po.id}`, { items: [line(5)] }),
      ]);
      const assets = await assetsOf(po.id);
      const now = await read(po.id);
      expect(now.receivedQuantity).toBe(assets.length);
      expect([
        [200, 400],
        [404, 200],
      ]).toContainEqual([received.status, patched.status]);
    }
  });

  it('race with a PATCH to cancelled: one of the two wins', async () => {
    for (let round = 0; round < 10; round++) {
      const po = await order([line(2)]);
      const [received, patched] = await Promise.all([
        receive(po.id, [entry(po.items[0].id, 1)]),
        admin.patch(`/api/purchase-orders/${po.id}`, { status: 'cancelled' }),
      ]);
      expect([
        [200, 400, 'partially_received', 1],
        [400, 200, 'cancelled', 0],
      ]).toContainEqual([received.status, patched.status, (await read(po.id)).status, (await assetsOf(po.id)).length]);
    }
  });
});
