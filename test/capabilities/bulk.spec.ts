import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { randomUUID } from 'node:crypto';
import { CreateAsset, UpdateAsset } from '../../src/procurement/asset/assets.controller.js';
import {
  CreatePurchaseOrder,
  UpdatePurchaseOrder,
} from '../../src/procurement/purchase-order/purchase-orders.controller.js';
import { readBulk } from '../../src/resource/bulk/bulk-body.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import type { Json } from '../support/document.js';
import { counted, startProxied } from '../support/proxied-service.js';
import { itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const bulk = (path: string, operations: Json[], headers?: Record<string, string>, api = admin): Promise<Answer> =>
  api.post(`${path}/bulk`, { operations }, headers);
const fieldsOf = ({ body }: Answer): string[] => body.details.map(({ field }: Json) => field);
const statusesOf = ({ body }: Answer): string[] => body.data.results.map(({ status }: Json) => status);
const names = (n: number, prefix: string): Json[] =>
  Array.from({ length: n }, (_, i) => ({ op: 'create', data: { name: `${prefix} ${i}` } }));

describe('the rules of single operations', () => {
  it('give a person one email address, also within a request', async () => {
    const answer = await bulk('/api/people', [
      { op: 'create', data: { fullName: 'Ada', email: 'ada@bulk.example.com' } },
      { op: 'create', data: { fullName: 'Bob', email: 'bob@bulk.example.com' } },
      { op: 'create', data: { fullName: 'Eve', email: 'ADA@bulk.example.com' } },
      { op: 'create', data: { fullName: 'Zoe', email: 'bob@bulk.example.com' } },
    ]);
    expect([answer.status, fieldsOf(answer)]).toEqual([409, ['operations[2].data.email']]);
    expect((await admin.get('/api/people?search=bulk.example.com')).body.total).toBe(0);
  });

  it('judge unique values operation by operation, in order', async () => {
    const [a, b] = [
      await admin.make('/api/people', { fullName: 'A', email: 'a@order.example.com' }),
      await admin.make('/api/people', { fullName: 'B', email: 'b@order.example.com' }),
    ];
    const take = { op: 'update', id: a.id, data: { email: 'b@order.example.com' } };
    const free = { op: 'update', id: b.id, data: { email: 'c@order.example.com' } };
    const refused = await bulk('/api/people', [take, free]);
    expect([refused.status, fieldsOf(refused)]).toEqual([409, ['operations[0].data.email']]);
    expect((await bulk('/api/people', [free, take])).status).toBe(200);
    // A later operation can use a value that an earlier one frees.
    const moved = await bulk('/api/people', [
      { op: 'delete', id: b.id },
      { op: 'create', data: { fullName: 'C', email: 'c@order.example.com' } },
    ]);
    expect(statusesOf(moved)).toEqual(['deleted', 'created']);
  });

  it('keep a location from becoming its own ancestor', async () => {
    const [a, b] = [
      await admin.make('/api/locations', { name: 'A' }),
      await admin.make('/api/locations', { name: 'B' }),
    ];
    const answer = await bulk('/api/locations', [
      { op: 'update', id: a.id, data: { parentId: b.id } },
      { op: 'update', id: b.id, data: { parentId: a.id } },
    ]);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['operations[1].data.parentId']]);
  });

  it('refuse a change of an asset without a field, and name it', async () => {
    const { id } = await admin.make('/api/assets', { name: 'Unchanged' });
    const answer = await bulk('/api/assets', [
      { op: 'create', data: { name: 'Other' } },
      { op: 'update', id, data: { id, createdAt: 'x' } },
    ]);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ field: 'operations[1].data', message: 'No fields to update' }],
    ]);
  });

  it('give each record without a slug that of its name', async () => {
    const answer = await bulk('/api/platforms', [
      { op: 'create', data: { name: 'Bulk OS' } },
      { op: 'create', data: { name: 'Bulk OS' } },
      { op: 'create', data: { name: 'Bulk OS', slug: 'given' } },
    ]);
    expect(answer.body.data.results.map(({ record }: Json) => record.slug)).toEqual(['bulk-os', 'bulk-os', 'given']);
  });

  it('give an address the device of its port', async () => {
    const [one, two] = [
      await admin.make('/api/devices', { name: 'one' }),
      await admin.make('/api/devices', { name: 'two' }),
    ];
    const port = await admin.make(`/api/devices/${one.id}/ports`, { name: 'eth0' });
    const { body } = await bulk('/api/ip-addresses', [
      { op: 'create', data: { address: '10.9.0.1/24', deviceId: two.id, interfaceId: port.id } },
      { op: 'create', data: { address: '2001:db8::9/64' } },
    ]);
    const [bound, free] = body.data.results.map(({ record }: Json) => record);
    expect([bound.deviceId, bound.family, free.deviceId, free.family]).toEqual([one.id, 4, null, 6]);
    const changed = await bulk('/api/ip-addresses', [
      { op: 'update', id: free.id, data: { interfaceId: port.id, deviceId: two.id } },
      { op: 'update', id: bound.id, data: { address: '2001:db8::8/64' } },
    ]);
    expect(changed.body.data.results.map(({ record }: Json) => [record.deviceId, record.family])).toEqual([
      [one.id, 6],
      [one.id, 6],
    ]);
    const contradicted = await bulk('/api/ip-addresses', [
      { op: 'update', id: free.id, data: { description: 'x' } },
      { op: 'update', id: bound.id, data: { deviceId: two.id } },
    ]);
    expect([contradicted.status, fieldsOf(contradicted)]).toEqual([400, ['operations[1].data.deviceId']]);
  });

  it('hold the states and the items of purchase orders', async () => {
    const make = (orderNumber: string): Promise<Json> =>
      admin.make('/api/purchase-orders', { orderNumber, items: [{ name: 'Switch', quantity: 2 }] });
    const [open, received] = [await make('B-1'), await make('B-2')];
    const receive = { items: [{ itemId: received.items[0].id, quantity: 1, assets: [{}] }] };
    expect((await admin.post(`/api/purchase-orders/${received.id}/receive`, receive)).status).toBe(200);
    for (const [operation, status, field] of [
      [{ op: 'update', id: received.id, data: { status: 'draft' } }, 400, 'operations[1].data.status'],
      [
        { op: 'update', id: received.id, data: { items: [{ name: 'Y', quantity: 1 }] } },
        400,
        'operations[1].data.items',
      ],
      [{ op: 'delete', id: received.id }, 409, 'operations[1].receivedQuantity'],
      [
        { op: 'create', data: { orderNumber: 'B-3', items: [{ name: 'Y', quantity: 1, categoryId: randomUUID() }] } },
        400,
        'operations[1].data.items[0].categoryId',
      ],
    ] as const) {
      const answer = await bulk('/api/purchase-orders', [
        { op: 'update', id: open.id, data: { notes: 'x' } },
        operation,
      ]);
      expect([answer.status, fieldsOf(answer)]).toEqual([status, [field]]);
    }
    const replaced = await bulk('/api/purchase-orders', [
      { op: 'update', id: open.id, data: { items: [{ name: 'Router', quantity: 3 }], status: 'draft' } },
      { op: 'update', id: received.id, data: { items: received.items } },
    ]);
    expect(statusesOf(replaced)).toEqual(['updated', 'unchanged']);
    expect(replaced.body.data.results[0].record).toMatchObject({ status: 'draft', orderedQuantity: 3 });
  });

  it('leave linking a profile to administrators', async () => {
    const editor = await service.as('editor');
    const { data: self } = (await admin.get('/api/auth/session')).body;
    const person = await admin.make('/api/people', { fullName: 'Linked' });
    const data = { profileId: self.id };
    const links = [
      { op: 'create', data: { fullName: 'X', ...data } },
      { op: 'update', id: person.id, data },
    ];
    const unknown = { profileId: randomUUID() };
    const toNone = [
      { op: 'create', data: { fullName: 'X', ...unknown } },
      { op: 'update', id: person.id, data: unknown },
    ];
    for (const query of ['', '?dryRun=true']) {
      const ask = (operations: Json[]): Promise<Answer> => editor.post(`/api/people/bulk${query}`, { operations });
      for (const [place, link] of links.entries()) {
        const other = { op: 'create', data: { fullName: 'Y' } };
        const answer = await ask([other, link]);
        expect([answer.status, answer.body.error]).toEqual([403, expect.stringContaining('needs the role admin')]);
        // Otherwise the response would reveal which profiles exist.
        const { status, body } = await ask([other, toNone[place]!]);
        expect([status, body]).toEqual([answer.status, answer.body]);
      }
    }
    expect((await bulk('/api/people', [links[1]])).status).toBe(200);
    const again = await bulk('/api/people', [links[1]], {}, editor);
    expect(statusesOf(again)).toEqual(['unchanged']);
  });
});

describe('a request', () => {
  it('names all references to nothing before it looks for records', async () => {
    const answer = await bulk('/api/assets', [
      { op: 'create', data: { name: 'a', siteId: randomUUID(), categoryId: randomUUID() } },
      { op: 'delete', id: randomUUID() },
      { op: 'create', data: { name: 'b', siteId: randomUUID() } },
    ]);
    expect([answer.status, fieldsOf(answer).toSorted()]).toEqual([
      400,
      ['operations[0].data.categoryId', 'operations[0].data.siteId', 'operations[2].data.siteId'],
    ]);
  });

  it('names all unknown records, and refuses the same record twice', async () => {
    const { id } = await admin.make('/api/assets', { name: 'Known' });
    const missing = await bulk('/api/assets', [
      { op: 'delete', id: randomUUID() },
      { op: 'update', id, data: { name: 'x' } },
      { op: 'update', id: randomUUID(), data: { name: 'x' } },
    ]);
    expect([missing.status, fieldsOf(missing)]).toEqual([404, ['operations[0].id', 'operations[2].id']]);
    const twice = await bulk('/api/assets', [
      { op: 'update', id, data: { name: 'x' } },
      { op: 'delete', id: id.toUpperCase() },
    ]);
    expect([twice.status, twice.body.details]).toEqual([
      400,
      [{ field: 'operations[1].id', message: 'is the same record as operations[0].id' }],
    ]);
    const both = await bulk('/api/assets', [
      { op: 'create', data: { name: 'a', siteId: randomUUID() } },
      { op: 'update', id, data: { name: 'x' } },
      { op: 'delete', id },
    ]);
    expect([both.status, fieldsOf(both)]).toEqual([400, ['operations[0].data.siteId', 'operations[2].id']]);
  });

  it('compares the entity tag of each operation', async () => {
    const { id } = await admin.make('/api/assets', { name: 'Tagged' });
    const etag = (await admin.get(`/api/assets/${id}`)).headers.get('etag')!;
    const good = { op: 'update', id, ifMatch: etag, data: { name: 'Tagged anew' } };
    expect((await bulk('/api/assets', [good])).status).toBe(200);
    const stale = await bulk('/api/assets', [...names(1, 'Never'), good]);
    expect([stale.status, fieldsOf(stale)]).toEqual([412, ['operations[1].ifMatch']]);
    expect((await admin.get('/api/assets?name=Never 0')).body.total).toBe(0);
  });

  it('says what is wrong with its shape', async () => {
    const { id } = await admin.make('/api/sites', { name: 'Shape' });
    const post = (body: Json): Promise<Answer> => admin.post('/api/sites/bulk', body);
    expect((await post([])).body.error).toBe('body must be a JSON object');
    expect(fieldsOf(await post({ operation: [] }))).toEqual(['operation', 'operations']);
    expect((await post({ operations: [] })).body.error).toBe('operations must be an array of 1 to 1000 operations');
    expect(fieldsOf(await post({ operations: names(1001, 'x') }))).toEqual(['operations']);
    const answer = await bulk('/api/sites', [
      null,
      {},
      { op: 'upsert' },
      { op: 'create', id, ifMatch: '"a"', data: { name: 'x' } },
      { op: 'create' },
      { op: 'update', id, data: [], ifmatch: 1 },
      { op: 'delete', data: {} },
    ]);
    expect(answer.body.details).toEqual([
      { field: 'operations[0]', message: 'must be an object' },
      { field: 'operations[1].op', message: 'is required' },
      { field: 'operations[2].op', message: 'must be one of create, update, delete' },
      { field: 'operations[3].id', message: 'must not be given to create a record' },
      { field: 'operations[3].ifMatch', message: 'must not be given to create a record' },
      { field: 'operations[4].data', message: 'is required' },
      { field: 'operations[5].ifmatch', message: "is not a known property. Did you mean 'ifMatch'?" },
      { field: 'operations[5].data', message: 'must be a JSON object' },
      { field: 'operations[6].id', message: 'is required' },
      { field: 'operations[6].data', message: 'must not be given to delete a record' },
    ]);
    const query = await admin.post('/api/sites/bulk?dryrun=true', { operations: names(1, 'x') });
    expect([query.status, query.body.error]).toEqual([400, "Unknown parameter 'dryrun'. Did you mean 'dryRun'?"]);
  });

  itOnServer('takes 1,000 operations in a few statements', async () => {
    const proxied = await startProxied(service.database);
    try {
      const api = await proxied.as('admin');
      const creates = await counted(proxied, () => bulk('/api/assets', names(1000, 'Many'), {}, api));
      const created = creates.result;
      expect([created.status, created.body.data.created]).toEqual([200, 1000]);
      expect(creates.roundTrips).toBeGreaterThan(2);
      expect(creates.roundTrips).toBeLessThan(15);
      const ids = created.body.data.results.map(({ id }: Json) => id as string);
      const operations = [
        ...ids
          .slice(0, 500)
          .map((id: string, i: number) => ({ op: 'update', id, data: i % 2 ? { notes: 'x' } : { status: 'lost' } })),
        ...ids.slice(500).map((id: string) => ({ op: 'delete', id })),
      ];
      const changes = await counted(proxied, () => bulk('/api/assets', operations, {}, api));
      const changed = changes.result;
      expect([changed.status, changed.body.data.updated, changed.body.data.deleted]).toEqual([200, 500, 500]);
      expect(changes.roundTrips).toBeLessThan(20);
    } finally {
      await proxied.stop();
    }
  });

  it('leaves a column that only other operations set as it is', async () => {
    const ids = (await bulk('/api/assets', names(2, 'Apart'))).body.data.results.map(({ id }: Json) => id as string);
    const changed = await bulk('/api/assets', [
      { op: 'update', id: ids[0], data: { notes: 'x' } },
      { op: 'update', id: ids[1], data: { status: 'lost' } },
    ]);
    expect(changed.body.data.results[0].record).toMatchObject({ notes: 'x', status: 'in_stock' });
    expect(changed.body.data.results[1].record).toMatchObject({ notes: null, status: 'lost' });
  });

  it('lists the first 1,000 of many unknown properties', async () => {
    const strange = Object.fromEntries(Array.from({ length: 800 }, (_, i) => [`p${i}`, 0]));
    const answer = await admin.post(
      '/api/assets/bulk',
      Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, 0])),
    );
    expect([answer.status, answer.body.details.length]).toEqual([400, 1000]);
    const operations = Array.from({ length: 1000 }, () => ({ op: 'create', data: { ...strange, name: 'x' } }));
    const within = await bulk('/api/assets', operations.slice(0, 300));
    expect([within.status, within.body.details.length]).toEqual([400, 1000]);
    await expect(readBulk({ create: CreateAsset, update: UpdateAsset }, { operations }, NO_FIELDS)).rejects.toThrow(
      'is not a',
    );
  });

  itInFull('gives other requests a turn between bodies of many parts', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => ({ name: `Line ${i}`, quantity: 1 }));
    const operations = Array.from({ length: 20 }, () => ({ op: 'create', data: { orderNumber: 'x', items } }));
    let turns = 0;
    let waiting = setImmediate(function count() {
      turns += 1;
      waiting = setImmediate(count);
    });
    await readBulk({ create: CreatePurchaseOrder, update: UpdatePurchaseOrder }, { operations }, NO_FIELDS);
    clearImmediate(waiting);
    expect(turns).toBeGreaterThan(2);
  });

  it('does not tell a caller who may not read a secret whether a guess is right', async () => {
    const editor = await service.as('editor');
    const path = '/api/software-licences';
    const licence = await admin.make(path, { name: 'Guessed', licenceKey: 'K-7' });
    const before = await admin.get(`${path}/${licence.id}`);
    const file = { 'content-type': 'text/csv' };
    for (const licenceKey of ['K-7', 'K-8']) {
      const operations = [{ op: 'update', id: licence.id, data: { licenceKey } }];
      const { body } = await editor.post(`${path}/bulk?dryRun=true`, { operations });
      expect([body.data.updated, body.data.results[0].status]).toEqual([1, 'updated']);
      expect(body.data.results[0].record.updatedAt).not.toBe(before.body.data.updatedAt);
      const rows = `id,licenceKey\n${licence.id},${licenceKey}\n`;
      const imported = await editor.request('POST', `${path}/import?mode=update&dryRun=true`, rows, file);
      expect(imported.body.data).toMatchObject({ updated: 1, unchanged: 0 });
    }
    // A caller with the right to read the value learns that nothing changes.
    const same = await admin.patch(`${path}/${licence.id}`, { licenceKey: 'K-7' });
    expect(same.body).toEqual(before.body);
  });

  itInFull('accepts a body of up to 16 MiB', async () => {
    const notes = 'n'.repeat(60_000);
    const operations = Array.from({ length: 250 }, (_, i) => ({ op: 'create', data: { name: `Fat ${i}`, notes } }));
    expect((await bulk('/api/assets', operations)).status).toBe(200);
    const refused = await bulk('/api/assets', [...operations, ...operations]);
    expect([refused.status, refused.body.error]).toEqual([413, 'The body is larger than 16 MiB']);
  });

  it('runs once with an Idempotency-Key, and stores nothing of a dry run', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const operations = [{ op: 'create', data: { name: 'Once', licenceKey: 'K-1' } }];
    const path = '/api/software-licences';
    const dry = await admin.post(`${path}/bulk?dryRun=true`, { operations }, key);
    expect([dry.status, dry.body.dryRun]).toEqual([200, true]);
    const first = await bulk(path, operations, key);
    const second = await bulk(path, operations, key);
    expect([first.body.data.results[0].record.licenceKey, second.body]).toEqual(['K-1', first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await admin.get(`${path}?name=Once`)).body.total).toBe(1);
    expect((await admin.post(`${path}/bulk?dryRun=true`, { operations }, key)).status).toBe(422);
    const stored = await service.database.db.query(sql`SELECT answer FROM idempotency_keys`);
    expect(JSON.stringify(stored)).not.toContain('K-1');
    const editor = await service.as('editor');
    const { id } = first.body.data.results[0];
    const seen = await bulk(path, [{ op: 'update', id, data: { seats: 1 } }], {}, editor);
    expect(seen.body.data.results[0].record.licenceKey).toBeNull();
    const kept = await bulk(path, [{ op: 'update', id, data: { licenceKey: 'K-1' } }]);
    expect(statusesOf(kept)).toEqual(['unchanged']);
  });

  it('is logged with one entry for each record that changed', async () => {
    const created = await bulk('/api/vendors', names(3, 'Logged'));
    const [a, b, c] = created.body.data.results.map(({ record }: Json) => record);
    await bulk('/api/vendors', [
      { op: 'update', id: a.id, data: { name: 'Logged 0' } },
      { op: 'update', id: b.id, data: { name: 'Renamed' } },
      { op: 'delete', id: c.id },
    ]);
    const actions = async (id: string): Promise<string[]> =>
      (await admin.get(`/api/change-log?recordId=${id}&sort=createdAt`)).body.data.map(({ action }: Json) => action);
    expect([await actions(a.id), await actions(b.id), await actions(c.id)]).toEqual([
      ['create'],
      ['create', 'update'],
      ['create', 'delete'],
    ]);
    expect((await admin.get(`/api/vendors/${a.id}`)).body.data.updatedAt).toBe(a.updatedAt);
  });
});
