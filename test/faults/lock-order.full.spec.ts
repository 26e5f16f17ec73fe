import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { watched } from '../support/statements.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

jest.setTimeout(900_000);

// oxlint-disable-next-line typescript/no-explicit-any -- records have any shape
type Json = any;

const make = (path: string, body: object): Promise<Json> => admin.make(path, body);
const rename = (name: string): string => `${name} ${Math.random()}`;

/** The records that all actions are about. */
async function estate() {
  const [north, south] = [await make('/api/sites', { name: 'North' }), await make('/api/sites', { name: 'South' })];
  const room = await make('/api/locations', { name: 'Room', siteId: north.id });
  const racks = [
    await make('/api/racks', { name: 'R1', locationId: room.id, units: 42 }),
    await make('/api/racks', { name: 'R2', siteId: south.id, units: 42 }),
  ];
  const type = await make('/api/device-types', { model: 'Switch' });
  await make(`/api/device-types/${type.id}/ports`, { name: 'eth2' });
  const devices: Json[] = [];
  const ports: Json[] = [];
  for (const name of ['d1', 'd2', 'd3']) {
    const device = await make('/api/devices', { name, rackId: racks[0].id, deviceTypeId: type.id });
    devices.push(device);
    for (const port of ['eth0', 'eth1']) ports.push(await make(`/api/devices/${device.id}/ports`, { name: port }));
  }
  const vrf = await make('/api/vrfs', { name: 'Blue', enforceUnique: true });
  const prefix = await make('/api/prefixes', { prefix: '10.9.0.0/22', vrfId: vrf.id });
  const people = [await make('/api/people', { fullName: 'Ada' }), await make('/api/people', { fullName: 'Grace' })];
  const assets: Json[] = [];
  for (const name of ['a1', 'a2', 'a3', 'a4'])
    assets.push(await make('/api/assets', { name, siteId: north.id, locationId: room.id }));
  const item = await make('/api/stock-items', { name: 'Patch cable' });
  const order = await make('/api/purchase-orders', {
    orderNumber: 'PO-1',
    status: 'ordered',
    siteId: north.id,
    locationId: room.id,
    items: [
      { name: 'Line 1', quantity: 5000 },
      { name: 'Line 2', quantity: 5000 },
    ],
  });
  const places = [{ siteId: north.id, locationId: room.id }, { siteId: south.id }];
  for (const place of places)
    await make(`/api/stock-items/${item.id}/movements`, { kind: 'count', quantity: 5000, ...place });
  return { north, south, room, racks, devices, ports, vrf, prefix, people, assets, item, order };
}

/**
 * Pairs of which the database may end one, which the service retries. A change of one record locks the record, and then its location, with
 * which it is compared; a location that moves to another site locks itself, and then what is in it.
 */
const RETRIED = new Set(['change an order and move a location', 'move a location and move devices']);
/** Foreign keys clear the references to a deleted record in an order that the database chooses. */
const CLEARING = /delete a site/;

type Action = (turn: number) => Promise<Answer>;

/** What the service does in one transaction with several records, by name. Each takes the records in another order at every second turn. */
function actionsOn(of: Awaited<ReturnType<typeof estate>>): Record<string, Action> {
  const inTurn = <T>(records: readonly T[], turn: number): T[] => (turn % 2 ? records.toReversed() : [...records]);
  const either = <T>([one, other]: readonly T[], turn: number): T => (turn % 2 ? other! : one!);
  const { north, south, room, racks, devices, ports, vrf, prefix, people, assets, item, order } = of;
  const lines = order.items.map(({ id }: Json) => id);
  const bulk = (path: string, records: readonly Json[], values: (record: Json) => object): Promise<Answer> =>
    admin.post(`${path}/bulk`, {
      operations: records.map((record) => ({ op: 'update', id: record.id, data: values(record) })),
    });
  const received = async (turn: number): Promise<Answer> =>
    admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: inTurn<string>(lines, turn).map((itemId) => ({ itemId, quantity: 1, assets: [{}] })),
    });
  return {
    receive: received,
    'reverse a receipt': async (turn) => {
      await received(turn);
      const path = `/api/purchase-orders/${order.id}/receipts`;
      const open = await admin.get(`${path}?reversedAt__empty=true&order=desc&pageSize=1`);
      const [receipt] = open.body.data;
      return receipt ? admin.post(`${path}/${receipt.id}/reverse`) : open;
    },
    'change an order': (turn) =>
      admin.patch(`/api/purchase-orders/${order.id}`, {
        siteId: either([north, south], turn).id,
        notes: rename('Order'),
      }),
    'change assets': (turn) =>
      bulk('/api/assets', inTurn(assets, turn), (asset) => ({
        name: rename(asset.name),
        locationId: room.id,
        siteId: north.id,
      })),
    'hand assets over': (turn) =>
      admin.post('/api/assets/handover', {
        holders: inTurn(assets, turn).map(({ id }, index) => ({ assetId: id, personId: people[index % 2].id })),
        replace: true,
      }),
    'take an asset back': (turn) => admin.post(`/api/assets/${assets[turn % 4].id}/return`),
    'offboard a person': async (turn) => {
      const person = await make('/api/people', { fullName: 'Leaver' });
      await admin.post('/api/assets/handover', {
        holders: inTurn(assets.slice(0, 2), turn).map(({ id }) => ({ assetId: id, personId: person.id })),
        replace: true,
      });
      return admin.post(`/api/people/${person.id}/offboard`);
    },
    'delete a person': async (turn) => {
      const person = await make('/api/people', { fullName: 'Gone' });
      await admin.post(`/api/assets/${assets[turn % 4].id}/assign`, { personId: person.id });
      return admin.delete(`/api/people/${person.id}`);
    },
    'move a location': (turn) => admin.patch(`/api/locations/${room.id}`, { siteId: either([north, south], turn).id }),
    'move devices': (turn) => bulk('/api/devices', inTurn(devices, turn), () => ({ rackId: either(racks, turn).id })),
    'delete and restore a device': async (turn) => {
      const device = await make('/api/devices', { name: 'Short-lived', rackId: either(racks, turn).id });
      await admin.delete(`/api/devices/${device.id}`);
      return admin.post(`/api/devices/${device.id}/restore`);
    },
    'allocate addresses': (turn) =>
      admin.post(`/api/prefixes/${prefix.id}/available-ips`, {
        addresses: inTurn([{ deviceId: devices[0].id }, { deviceId: devices[1].id }], turn),
      }),
    'make a prefix inside': async () => {
      const { body } = await admin.post(`/api/prefixes/${prefix.id}/available-prefixes`, {
        prefixLength: 30,
        count: 1,
      });
      return body.data?.[0] ? admin.delete(`/api/prefixes/${body.data[0].id}`) : admin.get('/api/prefixes?pageSize=1');
    },
    'change a VRF': (turn) => admin.patch(`/api/vrfs/${vrf.id}`, { enforceUnique: turn % 2 === 0 }),
    'connect ports': async (turn) => {
      const [a, b] = inTurn([ports[0], ports[2 + (turn % 4)]], turn);
      const { body, status } = await admin.post('/api/cables', { aId: a.id, bId: b.id });
      return status === 201 ? admin.delete(`/api/cables/${body.data.id}`) : admin.get('/api/cables?pageSize=1');
    },
    'synchronise ports': (turn) => admin.post(`/api/devices/${devices[turn % 3].id}/ports/sync`),
    'move stock': (turn) => {
      const [from, to] = inTurn([{ siteId: north.id, locationId: room.id }, { siteId: south.id }], turn) as Json[];
      return admin.post(`/api/stock-items/${item.id}/movements`, {
        kind: 'transfer',
        quantity: 1,
        ...from,
        toSiteId: to.siteId,
        ...(to.locationId && { toLocationId: to.locationId }),
      });
    },
    'merge a change set': async (turn) => {
      const set = await make('/api/change-sets', { name: rename('Set') });
      const operations: [string, Json][] = [
        ['devices', devices[0]],
        ['assets', assets[0]],
        ['sites', north],
      ];
      for (const [resource, { id }] of inTurn(operations, turn))
        await admin.patch(`/api/${resource}/${id}?changeSet=${set.id}`, { name: rename(resource) });
      return admin.post(`/api/change-sets/${set.id}/merge`);
    },
    'undo a request': async (turn) => {
      const { headers } = await bulk('/api/assets', inTurn(assets, turn), () => ({ notes: rename('Note') }));
      return admin.post('/api/change-log/undo', { requestId: headers.get('x-request-id') });
    },
    'import assets': (turn) =>
      admin.post(
        '/api/assets/import?mode=update&key=id',
        ['id,notes', ...inTurn(assets, turn).map(({ id }) => `${id},${rename('Row')}`)].join('\n'),
        { 'content-type': 'text/csv' },
      ),
    'delete a site': async (turn) => {
      const site = await make('/api/sites', { name: rename('Closing') });
      await bulk('/api/assets', inTurn(assets.slice(2), turn), () => ({ siteId: site.id, locationId: null }));
      return admin.delete(`/api/sites/${site.id}`);
    },
    'define a custom field': async () => {
      const { body, status } = await admin.post('/api/custom-fields', {
        resources: ['assets'],
        key: `k${String(Math.random()).slice(2, 12)}`,
        type: 'text',
      });
      return status === 201
        ? admin.delete(`/api/custom-fields/${body.data.id}`)
        : admin.get('/api/custom-fields?pageSize=1');
    },
  };
}

itOnServer('no two actions lock the same records in opposite order', async () => {
  const actions = Object.entries(actionsOn(await estate()));
  const refusals = new Map<string, string>();
  const deadlocks: string[] = [];
  const run = async ([name, act]: (typeof actions)[number], turn: number, most: number): Promise<void> => {
    const { status, text } = await act(turn);
    if (status > most) refusals.set(name, text);
  };
  // Each succeeds alone.
  for (const action of actions) await run(action, 0, 299);
  expect(Object.fromEntries(refusals)).toEqual({});
  for (const [index, one] of actions.entries()) {
    for (const other of actions.slice(index)) {
      // The service retries a deadlock, so the responses do not show it.
      const { codes } = await watched(() =>
        Promise.all([0, 1, 2, 3].map((turn) => run(turn < 2 ? one : other, turn, 499))),
      );
      const pair = `${one[0]} and ${other[0]}`;
      if (codes.includes('40P01') && !RETRIED.has(pair) && !CLEARING.test(pair)) deadlocks.push(pair);
    }
  }
  expect(deadlocks).toEqual([]);
  expect(Object.fromEntries(refusals)).toEqual({});
});
