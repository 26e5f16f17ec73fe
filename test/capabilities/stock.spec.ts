import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
let room: { id: string; siteId: string };
let shelf: { id: string };
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  const site = await admin.make('/api/sites', { name: 'AMS1' });
  room = await admin.make('/api/locations', { name: 'Store room', siteId: site.id });
  shelf = await admin.make('/api/locations', { name: 'Shelf' });
});
afterAll(() => service.stop());

const make = (body: object = {}): Promise<{ id: string }> =>
  admin.make('/api/stock-items', { name: 'Patch cable', ...body });
const move = (id: string, quantity: number, kind: string, more: object = {}): Promise<Answer> =>
  admin.post(`/api/stock-items/${id}/movements`, { quantity, kind, ...more });
const levels = async (id: string, query = ''): Promise<object[]> =>
  (await admin.get(`/api/stock-items/${id}/levels${query}`)).body.data;
const read = async (id: string): Promise<{ onHand: number; value: object[] }> =>
  (await admin.get(`/api/stock-items/${id}`)).body.data;
const faults = ({ status, body }: Answer): unknown[] => [
  status,
  ...(body.details ?? []).map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
];

/** Creates an order of cables and of a device. Returns it with a function that receives its items. */
async function order(itemId: string, quantity: number, unitPrice: string | null, currency = 'EUR') {
  const made = await admin.make('/api/purchase-orders', {
    orderNumber: `PO-${Math.random()}`,
    currency,
    locationId: room.id,
    items: [
      { name: 'Cable', quantity, unitPrice, stockItemId: itemId },
      { name: 'Switch', quantity: 1 },
    ],
  });
  const [cables, switches] = made.items as { id: string; stockItemId?: string }[];
  return {
    id: made.id as string,
    cables: cables!,
    switches: switches!,
    receive: (...items: object[]): Promise<Answer> =>
      admin.post(`/api/purchase-orders/${made.id}/receive-stock`, { items }),
  };
}

it('a stock item has its defaults, and no stock', async () => {
  expect(await make()).toMatchObject({ unit: 'piece', minimum: null, onHand: 0, value: [] });
});

it('a level is the sum of the movements of a place, and never below 0', async () => {
  const { id } = await make();
  expect((await move(id, 5, 'receipt', { locationId: room.id })).body.data).toMatchObject({
    quantity: 5,
    siteId: room.siteId,
    locationId: room.id,
    unitCost: null,
    author: expect.stringContaining('@example.com'),
  });
  await move(id, 2, 'return', { locationId: shelf.id });
  const early = new Date().toISOString();
  await new Promise((done) => setTimeout(done, 5));
  await move(id, -3, 'issue', { locationId: room.id });
  expect(await levels(id)).toEqual([
    { siteId: room.siteId, locationId: room.id, quantity: 2 },
    { siteId: null, locationId: shelf.id, quantity: 2 },
  ]);
  expect(await levels(id, `?asOf=${early}`)).toContainEqual({ siteId: room.siteId, locationId: room.id, quantity: 5 });
  expect(faults(await move(id, -3, 'issue', { locationId: room.id }))).toEqual([
    409,
    `quantity must not take more than there is: there are 2 at 'Store room'`,
  ]);
  expect((await read(id)).onHand).toBe(4);
  expect((await admin.get(`/api/stock-items/00000000-0000-4000-8000-000000000000/levels`)).status).toBe(404);
});

it('a transfer leads to another place', async () => {
  const { id } = await make();
  await move(id, 5, 'receipt', { locationId: room.id });
  expect((await move(id, 5, 'transfer', { locationId: room.id, toLocationId: shelf.id })).status).toBe(201);
  expect(await levels(id)).toEqual([{ siteId: null, locationId: shelf.id, quantity: 5 }]);
});

it.each<[string, object, string[]]>([
  ['nothing', {}, ['quantity is required', 'kind is required']],
  ['0', { quantity: 0, kind: 'count' }, ['quantity must not be 0']],
  ['a negative receipt', { quantity: -1, kind: 'receipt' }, ['quantity must be greater than 0 for a receipt']],
  ['a positive issue', { quantity: 1, kind: 'issue' }, ['quantity must be less than 0 for an issue']],
  ['a correction without a reason', { quantity: 1, kind: 'correction' }, ['reason is required for a correction']],
  ['a transfer to nowhere', { quantity: 1, kind: 'transfer' }, ['toLocationId or toSiteId is required for a transfer']],
  ['a receipt to elsewhere', { quantity: 1, kind: 'receipt', toSiteId: 'room' }, ['toSiteId is for a transfer only']],
  [
    'another site than the location',
    { quantity: 1, kind: 'receipt', siteId: 'other', locationId: 'room' },
    [`siteId must be the site of locationId: 'Store room' is in 'AMS1'`],
  ],
])('a movement is refused: %s', async (_, body, expected) => {
  const { id } = await make();
  const other = await admin.make('/api/sites', { name: 'Other' });
  const ids: Record<string, string> = { room: room.id, other: other.id };
  const given = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'toSiteId' ? other.id : (ids[value as string] ?? value),
    ]),
  );
  expect(faults(await admin.post(`/api/stock-items/${id}/movements`, given))).toEqual([400, ...expected]);
});

it('a movement is reversed once, and its reversal never', async () => {
  const { id } = await make();
  const { id: receipt } = (await move(id, 5, 'receipt')).body.data;
  const { id: issue } = (await move(id, -2, 'issue', { reason: 'For the lab' })).body.data;
  const reverse = (movement: string): Promise<Answer> =>
    admin.post(`/api/stock-items/${id}/movements/${movement}/reverse`);
  expect((await reverse(receipt)).status).toBe(409);
  const reversal = await reverse(issue);
  expect([reversal.status, reversal.body.data]).toEqual([201, expect.objectContaining({ quantity: 2, kind: 'issue' })]);
  expect(faults(await reverse(issue))).toEqual([409, expect.stringContaining('movement is already reversed')]);
  expect(faults(await reverse(reversal.body.data.id))).toEqual([409, 'movement is a reversal itself']);
  expect((await reverse(receipt)).status).toBe(201);
  expect(await levels(id)).toEqual([]);
  expect((await admin.patch(`/api/stock-items/${id}/movements/${issue}`, { quantity: 1 })).status).toBe(405);
});

it('lines of orders become stock with their price, the oldest of which goes out first', async () => {
  const { id } = await make();
  const [first, second] = [await order(id, 10, '2.50'), await order(id, 4, '3.00')];
  expect(first.cables.stockItemId).toBe(id);
  expect(first.switches).not.toHaveProperty('stockItemId');
  const received = await first.receive({ itemId: first.cables.id, quantity: 10 });
  expect([received.status, received.body.data]).toEqual([200, { movementIds: [expect.any(String)], count: 1 }]);
  await second.receive({ itemId: second.cables.id, quantity: 4, locationId: shelf.id });
  expect(await read(id)).toMatchObject({ onHand: 14, value: [{ currency: 'EUR', amount: '37.00' }] });
  const [movement] = (await admin.get(`/api/stock-items/${id}/movements?kind=receipt`)).body.data;
  expect(movement).toMatchObject({ unitCost: '2.50', currency: 'EUR', purchaseOrderItemId: first.cables.id });
  const issue = async (quantity: number): Promise<object> =>
    (await move(id, quantity, 'issue', { locationId: room.id })).body.data;
  expect(await issue(-4)).toMatchObject({ unitCost: '2.50', currency: 'EUR' });
  await move(id, 4, 'transfer', { locationId: shelf.id, toLocationId: room.id });
  expect(await issue(-8)).toMatchObject({ unitCost: null, currency: null });
  expect((await read(id)).value).toEqual([{ currency: 'EUR', amount: '6.00' }]);
  const order1 = (await admin.get(`/api/purchase-orders/${first.id}`)).body.data;
  expect([order1.status, order1.receivedQuantity]).toEqual(['partially_received', 10]);
  const [receipt] = (await admin.get(`/api/purchase-orders/${first.id}/receipts`)).body.data;
  expect(receipt.items).toEqual([{ itemId: first.cables.id, name: 'Cable', quantity: 10, assetIds: [] }]);
  // Its units are gone.
  expect(faults(await admin.post(`/api/purchase-orders/${first.id}/receipts/${receipt.id}/reverse`))).toEqual([
    409,
    `receipt cannot be reversed: of its 10 units of 'Patch cable' only 0 are left`,
  ]);
  expect((await admin.post(`/api/stock-items/${id}/movements/${movement.id}/reverse`)).status).toBe(409);
});

it('the receipt of stock is reversed', async () => {
  const { id } = await make();
  const { id: orderId, cables, receive } = await order(id, 3, '1.00');
  await receive({ itemId: cables.id, quantity: 1 }, { itemId: cables.id, quantity: 2, siteId: room.siteId });
  const [receipt] = (await admin.get(`/api/purchase-orders/${orderId}/receipts`)).body.data;
  const reverse = `/api/purchase-orders/${orderId}/receipts/${receipt.id}/reverse`;
  expect((await admin.post(`${reverse}?dryRun=true`)).status).toBe(200);
  expect((await read(id)).onHand).toBe(3);
  expect((await admin.post(reverse)).status).toBe(200);
  expect(await read(id)).toMatchObject({ onHand: 0, value: [] });
  expect((await admin.get(`/api/purchase-orders/${orderId}`)).body.data).toMatchObject({
    status: 'ordered',
    receivedQuantity: 0,
  });
});

it('each kind of line is received in its own way, and no more than remains', async () => {
  const { id } = await make();
  const { id: orderId, cables, switches, receive } = await order(id, 3, null);
  const asAssets = await admin.post(`/api/purchase-orders/${orderId}/receive`, {
    items: [{ itemId: cables.id, quantity: 1, assets: [{}] }],
  });
  expect(faults(asAssets)).toEqual([400, expect.stringContaining('items[0].itemId is a line of a stock item')]);
  expect(faults(await receive({ itemId: switches.id, quantity: 1 }, { itemId: cables.id, quantity: 4 }))).toEqual([
    400,
    expect.stringContaining('items[0].itemId is a line without a stock item'),
    'items[1].quantity must not exceed the remaining quantity of the line, which is 3',
  ]);
  const manager = await service.as('editor', ['procurement']);
  expect((await manager.post(`/api/purchase-orders/${orderId}/receive-stock`, { items: [] })).status).toBe(403);
});

it('what is used stays: items with movements or lines, and places with stock', async () => {
  const [moved, ordered] = [await make(), await make({ name: 'Ordered' })];
  await move(moved.id, 1, 'count', { locationId: shelf.id });
  const { id: orderId } = await order(ordered.id, 1, null);
  const { orderNumber } = (await admin.get(`/api/purchase-orders/${orderId}`)).body.data;
  const references = async ({ id }: { id: string }): Promise<object[]> =>
    (await admin.get(`/api/stock-items/${id}/references`)).body.data;
  expect([...(await references(moved)), ...(await references(ordered))]).toEqual([
    { resource: 'stock-movements', field: 'stockItemId', count: 1, effect: 'refused' },
    { resource: 'purchase-order-items', field: 'stockItemId', count: 1, effect: 'refused' },
  ]);
  expect(faults(await admin.delete(`/api/stock-items/${moved.id}`))).toEqual([
    409,
    'stockItem cannot be deleted: it has movements',
  ]);
  expect(faults(await admin.delete(`/api/stock-items/${ordered.id}`))).toEqual([
    409,
    `stockItem cannot be deleted: the order '${orderNumber}' names it`,
  ]);
  expect(faults(await admin.delete(`/api/locations/${shelf.id}`))).toEqual([
    409,
    expect.stringContaining('location has stock: '),
  ]);
  expect((await admin.delete(`/api/stock-items/${(await make()).id}`)).status).toBe(204);
});

it('many lots go out in their order, and a level may be larger than one movement', async () => {
  const { id } = await make();
  for (const quantity of [2_147_483_647, 1]) expect((await move(id, quantity, 'count')).status).toBe(201);
  expect((await read(id)).onHand).toBe(2_147_483_648);
  expect((await move(id, -2_147_483_648, 'issue')).status).toBe(400);
  expect((await move(id, -2_147_483_647, 'issue')).status).toBe(201);
  expect((await move(id, -1, 'issue')).status).toBe(201);
  expect(await levels(id)).toEqual([]);
});

it('lists what is below its minimum', async () => {
  const { id } = await make({ name: 'Rare', minimum: 3 });
  await move(id, 2, 'count');
  const below = async (): Promise<string[]> =>
    (await admin.get('/api/stock-items?below=minimum')).body.data.map((item: { id: string }) => item.id);
  expect(await below()).toEqual([id]);
  const due = async (query: string): Promise<object[]> => (await admin.get(`/api/expirations?${query}`)).body.data;
  const entry = {
    kind: 'stock',
    resource: 'stock-items',
    id,
    name: 'Rare',
    state: 'due',
    amount: null,
    currency: null,
  };
  expect(await due('within=0')).toContainEqual({ ...entry, date: null, daysLeft: null, vendorId: null });
  expect(await due('kind=stock&overdue=true')).toEqual([]);
  expect((await admin.get('/api/expirations?kind=stock&format=svg')).status).toBe(200);
  await move(id, 1, 'count');
  expect(await below()).toEqual([]);
  expect((await admin.get('/api/stock-items?below=maximum')).status).toBe(400);
});
