import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { hasCustomFields, resourceOf } from '../../src/fields/record-entity.js';
import type { Class } from '../../src/fields/field.js';
import { identifier, sql } from '../../src/database/sql.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

/* Custom fields of parts that have no body of their own, or no PATCH. */

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const faults = ({ status, body }: Answer): unknown[] => [
  status,
  ...(body.details ?? []).map(({ field, message }: Json) => `${field} ${message}`),
];

const define = (resource: string, key: string, type: string, more: object = {}): Promise<Json> =>
  admin.make('/api/custom-fields', { key, type, resources: [resource], ...more });

afterEach(async () => {
  for (const { id } of (await admin.get('/api/custom-fields')).body.data) {
    await admin.delete(`/api/custom-fields/${id}?dropValues=true`);
  }
  // Otherwise these records would violate the definitions of the next test.
  for (const table of ['incident_updates', 'receipts', 'asset_assignments', 'purchase_order_items']) {
    await service.database.db.query(sql`DELETE FROM ${identifier(table)}`);
  }
});

it('every record of the families can have them', async () => {
  const all = service.app
    .get(DataSource)
    .entityMetadatas.map(({ target }) => target as Class)
    .filter((record) => resourceOf(record) !== undefined && hasCustomFields(record))
    .map((record) => resourceOf(record)!);
  expect(all).toEqual(
    expect.arrayContaining(['incident-updates', 'receipts', 'asset-assignments', 'purchase-order-items']),
  );
  const { resources } = await admin.make('/api/custom-fields', { key: 'everywhere', type: 'text', resources: all });
  expect(resources).toEqual(all);
});

it('are searched, and found at the records that they are read with', async () => {
  const resources = ['incident-updates', 'receipts', 'asset-assignments', 'purchase-order-items'];
  await admin.make('/api/custom-fields', { key: 'note', type: 'text', resources, searched: true });
  const customFields = { note: 'zyzzyva 17' };
  const incident = await admin.make('/api/incidents', { name: 'i' });
  const person = await admin.make('/api/people', { fullName: 'Ada' });
  const asset = await admin.make('/api/assets', { name: 'a' });
  const { id, items } = await order('PO-searched', [{ name: 'Switch', quantity: 1, customFields }]);
  await admin.make(`/api/incidents/${incident.id}/updates`, { message: 'm', customFields });
  await admin.post(`/api/assets/${asset.id}/assign`, { personId: person.id, customFields });
  await admin.post(`/api/purchase-orders/${id}/receive`, {
    items: [{ itemId: items[0].id, quantity: 1, assets: [{}] }],
    customFields,
  });
  const found = (await admin.get('/api/search?q=zyzzyva')).body.data;
  expect(found.map(({ resource, path, field }: Json) => [resource, path, field]).toSorted()).toEqual([
    ['asset-assignments', `/api/assets/${asset.id}`, 'customFields.note'],
    ['incident-updates', `/api/incidents/${incident.id}`, 'customFields.note'],
    ['purchase-order-items', `/api/purchase-orders/${id}`, 'customFields.note'],
    ['receipts', `/api/purchase-orders/${id}`, 'customFields.note'],
  ]);
  expect((await admin.get('/api/search?q=zyzzyva&resource=receipts')).body.total).toBe(1);
  const outsider = await service.as('viewer', []);
  const seen = (await outsider.get('/api/search?q=zyzzyva')).body.data;
  expect(seen.map(({ resource }: Json) => resource)).not.toContain('incident-updates');
});

it('cannot be required at once where there are records, which are counted', async () => {
  const person = await admin.make('/api/people', { fullName: 'Ada' });
  const asset = await admin.make('/api/assets', { name: 'a' });
  const incident = await admin.make('/api/incidents', { name: 'i' });
  const { id, items } = await order('PO-required', [{ name: 'Switch', quantity: 1 }]);
  await admin.make(`/api/incidents/${incident.id}/updates`, { message: 'm' });
  await admin.post(`/api/assets/${asset.id}/assign`, { personId: person.id });
  await admin.post(`/api/purchase-orders/${id}/receive`, {
    items: [{ itemId: items[0].id, quantity: 1, assets: [{}] }],
  });
  for (const resource of ['incident-updates', 'receipts', 'asset-assignments', 'purchase-order-items']) {
    const field = { key: 'needed', type: 'text', resources: [resource], required: true };
    const { status, body } = await admin.post('/api/custom-fields', field);
    expect([resource, status, body.count]).toEqual([resource, 409, 1]);
  }
});

describe('of updates of an incident', () => {
  const update = (at: string, customFields?: object): Promise<Answer> =>
    admin.post(at, { message: 'm', ...(customFields && { customFields }) });

  it('are given with them, narrow and order their list, and come back with the incident', async () => {
    await define('incident-updates', 'audience', 'choice', { choices: ['public', 'staff'], default: 'staff' });
    await define('incident-updates', 'minutes', 'integer', { required: true });
    const incident = await admin.make('/api/incidents', { name: 'i' });
    const at = `/api/incidents/${incident.id}/updates`;
    expect(faults(await update(at, { audience: 'all', hours: 1 }))).toEqual([
      400,
      'customFields.audience must be one of public, staff',
      'customFields.hours is not a known property',
      'customFields.minutes is required',
    ]);
    const first = (await update(at, { minutes: 5 })).body.data;
    const second = (await update(at, { minutes: 4, audience: 'public' })).body.data;
    expect([first, second].map(({ customFields }) => customFields)).toEqual([
      { minutes: 5, audience: 'staff' },
      { minutes: 4, audience: 'public' },
    ]);
    expect((await admin.get(`${at}/${second.id}`)).body.data).toEqual(second);
    expect((await admin.get(`${at}?customFields.audience=staff`)).body.data).toEqual([first]);
    expect((await admin.get(`${at}?sort=customFields.minutes`)).body.data).toEqual([second, first]);
    const [header, row] = (await admin.get(`${at}?format=csv`)).text.split('\r\n');
    expect([header, row]).toEqual([
      expect.stringMatching(/,customFields.minutes,customFields.audience$/),
      expect.stringMatching(/,5,staff$/),
    ]);
    const log = await admin.get(`/api/change-log?resource=incident-updates&recordId=${second.id}`);
    expect(log.body.data[0].after).toMatchObject({ 'customFields.minutes': 4, 'customFields.audience': 'public' });
    await admin.delete(`/api/incidents/${incident.id}`);
    await admin.post(`/api/incidents/${incident.id}/restore`);
    expect((await admin.get(at)).body.data.map(({ customFields }: Json) => customFields)).toEqual([
      first.customFields,
      second.customFields,
    ]);
  });
});

const order = (number: string, items: object[]): Promise<Json> =>
  admin.make('/api/purchase-orders', { orderNumber: number, items });

describe('of receipts', () => {
  it('are given with what is received, and kept when it is reversed', async () => {
    await define('receipts', 'deliveryNote', 'text', { required: true });
    await define('receipts', 'dock', 'text', { default: 'north' });
    await define('receipts', 'driver', 'reference', { target: 'people' });
    const driver = await admin.make('/api/people', { fullName: 'Grace' });
    const { id, items } = await order('PO-receipts', [{ name: 'Switch', quantity: 2 }]);
    const receive = (more: object): Promise<Answer> =>
      admin.post(`/api/purchase-orders/${id}/receive`, {
        items: [{ itemId: items[0].id, quantity: 1, assets: [{}] }],
        ...more,
      });
    expect(faults(await receive({}))).toEqual([400, 'customFields.deliveryNote is required']);
    expect(faults(await receive({ customFields: { deliveryNote: 1, dok: 'x' } }))).toEqual([
      400,
      'customFields.deliveryNote must be a string',
      "customFields.dok is not a known property. Did you mean 'dock'?",
    ]);
    const lost = await receive({ customFields: { deliveryNote: 'a', driver: randomUUID() } });
    expect(faults(lost)).toEqual([400, 'customFields.driver does not refer to an existing record']);
    expect((await receive({ customFields: { deliveryNote: 'L-1', driver: driver.id } })).status).toBe(200);
    expect((await receive({ customFields: { deliveryNote: 'L-2', dock: null } })).status).toBe(200);
    const at = `/api/purchase-orders/${id}/receipts`;
    const [first, second] = (await admin.get(`${at}?expand=customFields.driver`)).body.data;
    expect([first.customFields, second.customFields]).toEqual([
      { dock: 'north', driver: driver.id, deliveryNote: 'L-1' },
      { deliveryNote: 'L-2' },
    ]);
    expect(first['customFields.driver']).toMatchObject({ id: driver.id, name: 'Grace' });
    expect((await admin.get(`${at}?customFields.deliveryNote=L-2`)).body.data).toMatchObject([{ id: second.id }]);
    const reversed = await admin.post(`${at}/${first.id}/reverse`);
    expect(reversed.body.data.customFields).toEqual(first.customFields);
    await admin.delete(`/api/people/${driver.id}`);
    expect((await admin.get(`${at}/${first.id}`)).body.data.customFields).toEqual({
      dock: 'north',
      deliveryNote: 'L-1',
    });
  });
});

describe('of assignments of assets', () => {
  let people: [string, string];
  beforeAll(async () => {
    people = [
      (await admin.make('/api/people', { fullName: 'Ada' })).id,
      (await admin.make('/api/people', { fullName: 'Grace' })).id,
    ];
  });
  const asset = async (name: string): Promise<string> => (await admin.make('/api/assets', { name })).id;
  const assignments = async (id: string, query = ''): Promise<Json[]> =>
    (await admin.get(`/api/assets/${id}/assignments${query}`)).body.data;

  it('are given when an asset is handed out, and changed when it is taken back', async () => {
    await define('asset-assignments', 'form', 'text', { required: true });
    await define('asset-assignments', 'damage', 'text');
    const id = await asset('handed out');
    const assign = (more: object): Promise<Answer> =>
      admin.post(`/api/assets/${id}/assign`, { personId: people[0], ...more });
    expect(faults(await assign({}))).toEqual([400, 'customFields.form is required']);
    expect((await assign({ customFields: { form: 'F-1' } })).status).toBe(200);
    expect(await assignments(id, '?customFields.form=F-1')).toMatchObject([{ customFields: { form: 'F-1' } }]);
    const take = (body?: object): Promise<Answer> => admin.post(`/api/assets/${id}/return`, body);
    expect(faults(await take({ customFields: { form: null } }))).toEqual([400, 'customFields.form must not be null']);
    expect((await take({ customFields: { damage: 'scratch' } })).status).toBe(200);
    expect(await assignments(id)).toMatchObject([{ customFields: { form: 'F-1', damage: 'scratch' } }]);
    expect((await assign({ customFields: { form: 'F-2' } })).status).toBe(200);
    expect((await take()).status).toBe(200);
    expect((await assignments(id)).map(({ customFields }) => customFields)).toEqual([
      { form: 'F-1', damage: 'scratch' },
      { form: 'F-2' },
    ]);
    await admin.delete(`/api/assets/${id}`);
    await admin.post(`/api/assets/${id}/restore`);
    expect((await assignments(id)).map(({ customFields }) => customFields.form).toSorted()).toEqual(['F-1', 'F-2']);
  });

  it('are named beside the person where neither refers to a record', async () => {
    await define('asset-assignments', 'place', 'reference', { target: 'sites' });
    const [id, nobody] = [await asset('nobody'), randomUUID()];
    const customFields = { place: randomUUID() };
    const lost = 'does not refer to an existing record';
    const assigned = await admin.post(`/api/assets/${id}/assign`, { personId: nobody, customFields });
    expect(faults(assigned).toSorted()).toEqual([400, `customFields.place ${lost}`, `personId ${lost}`]);
    const holders = [
      { assetId: id, personId: nobody },
      { assetId: await asset('another'), personId: people[0], customFields },
    ];
    const handed = await admin.post('/api/assets/handover', { holders });
    expect(faults(handed).toSorted()).toEqual([
      400,
      `holders[0].personId ${lost}`,
      `holders[1].customFields.place ${lost}`,
    ]);
  });

  it('that are required and missing leave out their entry alone with onError=skip', async () => {
    await define('asset-assignments', 'form', 'text', { required: true });
    const ids = [await asset('without'), await asset('with'), await asset('out')];
    const customFields = { form: 'F-1' };
    await admin.post(`/api/assets/${ids[2]}/assign`, { personId: people[0], customFields });
    const holders = [
      { assetId: ids[0], personId: people[0] },
      { assetId: ids[1], personId: people[0], customFields },
      // An asset that the person already has needs no value. Neither does a returned asset.
      { assetId: ids[2], personId: people[0] },
    ];
    const handOver = (query: string): Promise<Answer> => admin.post(`/api/assets/handover${query}`, { holders });
    const faultOfFirst = { row: 1, field: 'customFields.form', message: 'is required' };
    const outcome = { handedOut: 1, takenBack: 0, unchanged: 1, failed: 1, faults: [faultOfFirst] };
    expect((await handOver('?onError=skip&dryRun=true')).body).toEqual({ data: outcome, dryRun: true });
    expect(await assignments(ids[1]!)).toEqual([]);
    expect((await handOver('?onError=skip')).body).toEqual({ data: outcome });
    expect(await assignments(ids[0]!)).toEqual([]);
    expect(await assignments(ids[1]!)).toMatchObject([{ personId: people[0], customFields }]);
    const taken = await admin.post('/api/assets/handover?onError=skip', {
      holders: [{ assetId: ids[2], personId: null }],
    });
    expect(taken.body.data).toMatchObject({ takenBack: 1, failed: 0 });
  });

  it('are given, changed and named when many assets change hands', async () => {
    await define('asset-assignments', 'form', 'text', { required: true });
    await define('asset-assignments', 'damage', 'text');
    await define('asset-assignments', 'witness', 'reference', { target: 'people' });
    const [a, b, c] = [await asset('a'), await asset('b'), await asset('c')];
    const handOver = (holders: object[], query = ''): Promise<Answer> =>
      admin.post(`/api/assets/handover${query}`, { holders, replace: true });
    const form = { form: 'F-1' };
    const refused = await handOver([
      { assetId: a, personId: people[0] },
      { assetId: b, personId: people[0], customFields: { ...form, witness: randomUUID() } },
      { assetId: c, personId: null, customFields: { damage: 'dent' } },
    ]);
    expect(faults(refused)).toEqual([
      400,
      'holders[0].customFields.form is required',
      'holders[1].customFields.witness does not refer to an existing record',
      'holders[2].customFields must not be given, because nobody has the asset',
    ]);
    const given = await handOver([
      { assetId: a, personId: people[0], customFields: form },
      { assetId: b, personId: people[0], customFields: { form: 'F-2', witness: people[1] } },
    ]);
    expect(given.body.data).toMatchObject({ handedOut: 2, failed: 0 });
    const changed = await handOver([
      { assetId: a, personId: people[0], customFields: { damage: 'dent' } },
      { assetId: b, personId: people[1], customFields: { form: 'F-3' } },
    ]);
    expect(changed.body.data).toMatchObject({ handedOut: 1, unchanged: 1, failed: 0 });
    expect((await assignments(a)).map(({ customFields }) => customFields)).toEqual([{ form: 'F-1', damage: 'dent' }]);
    expect((await assignments(b)).map(({ customFields }) => customFields)).toEqual([
      { form: 'F-2', witness: people[1] },
      { form: 'F-3' },
    ]);
    const [open] = await assignments(a);
    await handOver([{ assetId: a, personId: people[0], customFields: { damage: 'dent' } }]);
    expect(await assignments(a)).toEqual([open]);
    await handOver([{ assetId: a, personId: null, customFields: { damage: 'bent' } }]);
    expect((await assignments(a)).map(({ customFields }) => customFields)).toEqual([{ form: 'F-1', damage: 'bent' }]);
  });
});

describe('of the lines of an order', () => {
  const values = (record: Json): Json[] => record.items.map(({ customFields }: Json) => customFields);

  it('are written and read with the order, whose entity tag follows', async () => {
    const made = await order('PO-lines', [{ name: 'Switch', quantity: 2 }]);
    const at = `/api/purchase-orders/${made.id}`;
    const before = (await admin.get(at)).headers.get('etag')!;
    await define('purchase-order-items', 'account', 'decimal');
    await define('purchase-order-items', 'tags', 'tags');
    expect((await admin.patch(at, { notes: 'x' }, { 'if-match': before })).status).toBe(412);
    expect(values((await admin.get(at)).body.data)).toEqual([{}]);
    const items = [
      { name: 'Switch', quantity: 2, customFields: { account: '4711.0', tags: ['b', 'a', 'b'] } },
      { name: 'Cable', quantity: 5 },
    ];
    const changed = await admin.patch(at, { items });
    expect(values(changed.body.data)).toEqual([{ account: '4711.0', tags: ['a', 'b'] }, {}]);
    const { data } = changed.body;
    // Sending the response or the same body again changes nothing.
    expect((await admin.patch(at, data)).body.data).toEqual(data);
    expect((await admin.patch(at, { items })).body.data).toEqual(data);
    expect((await admin.get('/api/purchase-orders?orderNumber=PO-lines')).body.data).toEqual([data]);
    const others = await admin.patch(at, { items: [{ ...items[0], customFields: { account: '4711.0' } }, items[1]] });
    expect(values(others.body.data)).toEqual([{ account: '4711.0' }, {}]);
    const log = await admin.get(`/api/change-log?resource=purchase-order-items&order=desc&pageSize=2`);
    expect(log.body.data.map(({ after }: Json) => after?.['customFields.account'])).toContain('4711.0');
    await admin.delete(at);
    const restored = await admin.post(`${at}/restore`);
    expect(values(restored.body.data)).toEqual([{ account: '4711.0' }, {}]);
  });

  it('have defaults, are required, and refer to records, each named with its line', async () => {
    await define('purchase-order-items', 'account', 'text', { required: true });
    await define('purchase-order-items', 'budget', 'text', { default: 'it' });
    await define('purchase-order-items', 'buyer', 'reference', { target: 'people' });
    const person = await admin.make('/api/people', { fullName: 'Ada' });
    const account = { account: 'a' };
    const create = (items: object[]): Promise<Answer> =>
      admin.post('/api/purchase-orders', { orderNumber: `PO-${items.length}`, items });
    const item = (customFields?: object): object => ({
      name: 'Switch',
      quantity: 1,
      ...(customFields && { customFields }),
    });
    expect(faults(await create([item(account), item()]))).toEqual([400, 'items[1].customFields.account is required']);
    expect(faults(await create([item(account), item({ ...account, buyer: randomUUID() })]))).toEqual([
      400,
      'items[1].customFields.buyer does not refer to an existing record',
    ]);
    const { data } = (await create([item({ ...account, buyer: person.id }), item({ ...account, budget: null })])).body;
    expect(values(data)).toEqual([{ buyer: person.id, budget: 'it', account: 'a' }, { account: 'a' }]);
    const at = `/api/purchase-orders/${data.id}`;
    const received = await admin.post(`${at}/receive`, {
      items: [{ itemId: data.items[0].id, quantity: 1, assets: [{}] }],
    });
    expect(received.status).toBe(200);
    // From then on the values are fixed, like the rest of the lines. Sending the response or the first values is no change.
    const read = (await admin.get(at)).body.data;
    expect((await admin.patch(at, { items: read.items })).status).toBe(200);
    const first = [item({ ...account, buyer: person.id }), item({ ...account, budget: null })];
    expect((await admin.patch(at, { items: first })).status).toBe(200);
    expect(faults(await admin.patch(at, { items: [item({ account: 'b' }), item(account)] }))).toEqual([
      400,
      'items cannot be changed, because units of the order have been received',
    ]);
    expect((await admin.get(`/api/people/${person.id}/references`)).body.data).toContainEqual({
      resource: 'purchase-order-items',
      field: 'customFields.buyer',
      count: 1,
      effect: 'cleared',
    });
    await admin.delete(`/api/people/${person.id}`);
    expect(values((await admin.get(at)).body.data)[0]).toEqual({ budget: 'it', account: 'a' });
    const bulk = await admin.post('/api/purchase-orders/bulk', {
      operations: [{ op: 'create', data: { orderNumber: 'PO-bulk', items: [item(), item({ ...account, x: 1 })] } }],
    });
    expect(faults(bulk)).toEqual([
      400,
      'operations[0].data.items[0].customFields.account is required',
      'operations[0].data.items[1].customFields.x is not a known property',
    ]);
  });

  it.each(['text/csv', 'application/x-ndjson'])('go round unchanged in files of the type %s', async (type) => {
    await define('purchase-order-items', 'account', 'text');
    const number = `PO-${type.length}`;
    await order(number, [{ name: 'Switch', quantity: 1, customFields: { account: '=1' } }]);
    const file = await admin.get(`/api/purchase-orders?orderNumber=${number}`, { accept: type });
    const again = (text: string): Promise<Answer> =>
      admin.request('POST', '/api/purchase-orders/import?mode=upsert&key=id', text, { 'content-type': type });
    expect((await again(file.text)).body.data).toMatchObject({ rows: 1, unchanged: 1, failed: 0 });
    const other = await again(file.text.replace('=1', '=2'));
    expect(other.body.data).toMatchObject({ updated: 1, failed: 0 });
    const { data } = (await admin.get(`/api/purchase-orders?orderNumber=${number}`)).body;
    expect(values(data[0])).toEqual([{ account: '=2' }]);
  });
});

describe('a unique value that is taken is named with its place', () => {
  const takenAt = (path: string): unknown[] => [
    409,
    expect.stringContaining(`${path} is already taken by another record`),
  ];

  it('among the lines of an order', async () => {
    await define('purchase-order-items', 'code', 'text', { unique: true });
    const line = (code?: string): object => ({ name: 'n', quantity: 1, ...(code && { customFields: { code } }) });
    const first = await order('PO-unique', [line('a'), line()]);
    const post = (items: object[]): Promise<Answer> =>
      admin.post('/api/purchase-orders', { orderNumber: 'PO-other', items });
    expect(faults(await post([line(), line('b'), line('a')]))).toEqual(takenAt('items[2].customFields.code'));
    expect(faults(await post([line('b'), line(), line('b')]))).toEqual(takenAt('items[2].customFields.code'));
    const other = await order('PO-other', [line()]);
    const at = `/api/purchase-orders/${other.id}`;
    expect(faults(await admin.patch(at, { items: [line(), line('a')] }))).toEqual(
      takenAt('items[1].customFields.code'),
    );
    const bulk = await admin.post('/api/purchase-orders/bulk', {
      operations: [
        { op: 'update', id: first.id, data: { notes: 'n' } },
        { op: 'update', id: other.id, data: { items: [line(), line('a')] } },
      ],
    });
    expect(faults(bulk)).toEqual(takenAt('operations[1].data.items[1].customFields.code'));
    expect((await admin.get(at)).body.data).toEqual(other);
  });

  it('among the units that are received', async () => {
    await define('assets', 'inventory', 'text', { unique: true });
    const { id } = await admin.make('/api/assets', { name: 'before', customFields: { inventory: '1' } });
    const made = await order('PO-units', [
      { name: 'Switch', quantity: 2 },
      { name: 'Router', quantity: 2 },
    ]);
    const unit = (inventory: string): object => ({ customFields: { inventory } });
    const receive = (...units: object[]): Promise<Answer> =>
      admin.post(`/api/purchase-orders/${made.id}/receive`, {
        items: [
          { itemId: made.items[0].id, quantity: 1, assets: [{}] },
          { itemId: made.items[1].id, quantity: units.length, assets: units },
        ],
      });
    const refused = await receive(unit('2'), unit('1'));
    expect(faults(refused)).toEqual(takenAt('items[1].assets[1].customFields.inventory'));
    expect(refused.body.error).toContain(id);
    expect((await admin.get(`/api/purchase-orders/${made.id}`)).body.data).toEqual(made);
    expect((await receive(unit('2'), unit('3'))).status).toBe(200);
  });

  it('among addresses that are allocated, which are created in their order all the same', async () => {
    await define('ip-addresses', 'circuit', 'text', { unique: true });
    const vrf = await admin.make('/api/vrfs', { name: 'allocated' });
    const { id } = await admin.make('/api/prefixes', { prefix: '10.60.0.0/29', vrfId: vrf.id });
    const allocate = (...circuits: (string | null)[]): Promise<Answer> =>
      admin.post(`/api/prefixes/${id}/available-ips`, {
        addresses: circuits.map((circuit) => (circuit === null ? {} : { customFields: { circuit } })),
      });
    expect((await allocate('C-1')).status).toBe(201);
    expect(faults(await allocate(null, 'C-2', 'C-1'))).toEqual(takenAt('addresses[2].customFields.circuit'));
    expect(faults(await allocate('C-2', null, null, 'C-2'))).toEqual(takenAt('addresses[3].customFields.circuit'));
    const made = await allocate('C-2', null, 'C-3');
    expect(made.body.data.map(({ address, customFields }: Json) => [address, customFields.circuit])).toEqual([
      ['10.60.0.2/29', 'C-2'],
      ['10.60.0.3/29', undefined],
      ['10.60.0.4/29', 'C-3'],
    ]);
  });

  it('among assets that change hands, where it is left out if faults are', async () => {
    await define('asset-assignments', 'form', 'text', { unique: true });
    const person = await admin.make('/api/people', { fullName: 'Ada' });
    const assets: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) assets.push((await admin.make('/api/assets', { name })).id);
    const handOver = (query: string, forms: Record<number, string>): Promise<Answer> =>
      admin.post(`/api/assets/handover${query}`, {
        holders: Object.entries(forms).map(([at, form]) => ({
          assetId: assets[Number(at)],
          personId: person.id,
          customFields: { form },
        })),
      });
    expect((await handOver('', { 0: 'F-1' })).body.data).toMatchObject({ handedOut: 1 });
    const mixed = { 1: 'F-2', 2: 'F-1', 3: 'F-2' };
    expect(faults(await handOver('', mixed))).toEqual(takenAt('holders[1].customFields.form'));
    const fault = (row: number): object => ({
      row,
      field: 'customFields.form',
      message: 'is already taken by another record',
    });
    const outcome = { handedOut: 1, takenBack: 0, unchanged: 0, failed: 2, faults: [fault(2), fault(3)] };
    expect((await handOver('?onError=skip&dryRun=true', mixed)).body.data).toEqual(outcome);
    expect((await handOver('?onError=skip', mixed)).body.data).toEqual(outcome);
    const held = await Promise.all(assets.map((id) => admin.get(`/api/assets/${id}`)));
    expect(held.map(({ body }) => body.data.status)).toEqual(['in_use', 'in_use', 'in_stock', 'in_stock']);
  });
});
