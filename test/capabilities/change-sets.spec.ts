import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';

let service: TestService;
let admin: Api;
let editor: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor', ['network']);
  viewer = await service.as('viewer', []);
});
afterAll(() => service.stop());

const openSet = async (more: Json = {}, api = admin): Promise<string> =>
  (await api.make('/api/change-sets', { name: 'Plan', ...more })).id;
const operations = async (set: string, api = admin): Promise<Json[]> =>
  (await api.get(`/api/change-sets/${set}/operations`)).body.data;
const shapes = async (set: string): Promise<unknown[]> =>
  (await operations(set)).map(({ op, resource, data, base }) => ({ op, resource, data, base }));
const preview = (set: string, api = admin): Promise<Answer> => api.post(`/api/change-sets/${set}/preview`);
const merge = (set: string, headers = {}, api = admin): Promise<Answer> =>
  api.post(`/api/change-sets/${set}/merge`, undefined, headers);
const conflictsOf = ({ body }: Answer): Json[] => body.data?.conflicts ?? body.conflicts;

describe('a request with changeSet', () => {
  it('is written down, and nothing is done', async () => {
    const set = await openSet();
    const site = await admin.make('/api/sites', { name: 'Planned' });
    const made = await admin.post(`/api/devices?changeSet=${set}`, { name: 'planned-1', siteId: site.id });
    expect([made.status, made.body]).toEqual([202, { data: { operations: [expect.any(String)] } }]);
    const [create] = await operations(set);
    expect(create).toMatchObject({ op: 'create', resource: 'devices', position: 1, base: null });
    expect((await admin.get(`/api/devices/${create!.recordId}`)).status).toBe(404);
    // Later operations refer to the new record before it exists.
    const port = await admin.post(`/api/devices/${create!.recordId}/ports?changeSet=${set}`, { name: 'eth0' });
    expect(port.status).toBe(202);
    const renamed = await admin.patch(`/api/sites/${site.id}?changeSet=${set}`, { name: 'Renamed' });
    expect(renamed.status).toBe(202);
    expect((await admin.get(`/api/sites/${site.id}`)).body.data.name).toBe('Planned');
    expect((await admin.delete(`/api/sites/${site.id}?changeSet=${set}`)).status).toBe(202);
    expect(await shapes(set)).toEqual([
      { op: 'create', resource: 'devices', data: { name: 'planned-1', siteId: site.id }, base: null },
      { op: 'create', resource: 'device-ports', data: { name: 'eth0', deviceId: create!.recordId }, base: null },
      { op: 'delete', resource: 'sites', data: null, base: expect.objectContaining({ name: 'Planned' }) },
    ]);
    expect((await admin.get(`/api/change-sets/${set}`)).body.data).toMatchObject({ status: 'open', operationCount: 3 });
  });

  it('is refused as the real one is', async () => {
    const set = await openSet();
    const site = await admin.make('/api/sites', { name: 'Refused' });
    const { headers } = await admin.get(`/api/sites/${site.id}`);
    await admin.patch(`/api/sites/${site.id}`, { name: 'Changed' });
    const stale = { 'if-match': headers.get('etag')! };
    const lost = '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69';
    const at = `changeSet=${set}`;
    const answers = [
      await admin.post(`/api/sites?${at}`, {}),
      await admin.post(`/api/devices?${at}`, { name: 'x', siteId: lost }),
      await admin.patch(`/api/sites/${lost}?${at}`, { name: 'x' }),
      await admin.patch(`/api/sites/${site.id}?${at}`, { name: 'x' }, stale),
      await admin.post(`/api/devices?${at}&withPorts=true`, { name: 'x' }),
      await admin.post(`/api/sites/bulk?${at}&dryRun=true`, { operations: [{ op: 'delete', id: site.id }] }),
      await admin.post(`/api/sites/bulk?${at}`, { operations: [{ op: 'delete', id: lost }] }),
      await admin.post(`/api/sites/${site.id}/restore?${at}`),
      await editor.post(`/api/vendors?${at}`, { name: 'x' }),
      await admin.post(`/api/sites?changeSet=${lost}`, { name: 'x' }),
      await admin.post(`/api/sites?changeSet=none`, { name: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 412, 400, 400, 404, 400, 403, 404, 400]);
    const prefix = await admin.make('/api/prefixes', { prefix: '10.77.0.0/24' });
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'PO-S',
      items: [{ name: 'a', quantity: 1 }],
    });
    const asset = await admin.make('/api/assets', { name: 'a' });
    const actions = [
      await admin.post(`/api/prefixes/${prefix.id}/available-ips?${at}`, {}),
      await admin.post(`/api/purchase-orders/${order.id}/receive?${at}`, { items: [] }),
      await admin.post(`/api/assets/${asset.id}/assign?${at}`, { personId: lost }),
      await admin.post(`/api/profiles?${at}`, {}),
      await admin.delete(`/api/profiles/${lost}?${at}`),
    ];
    expect(actions.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await operations(set)).toEqual([]);
  });

  it('is merged into the last operation on its record', async () => {
    const set = await openSet();
    const at = `?changeSet=${set}`;
    const site = await admin.make('/api/sites', { name: 'Merged', status: 'planned' });
    const first = await admin.patch(`/api/sites/${site.id}${at}`, { name: 'One' });
    const second = await admin.patch(`/api/sites/${site.id}${at}`, { facility: 'F' });
    expect(second.body).toEqual(first.body);
    await admin.post(`/api/sites${at}`, { name: 'Between' });
    await admin.patch(`/api/sites/${site.id}${at}`, { name: 'Two' });
    expect(await shapes(set)).toEqual([
      {
        op: 'update',
        resource: 'sites',
        data: { name: 'One', facility: 'F' },
        base: { name: 'Merged', facility: null },
      },
      { op: 'create', resource: 'sites', data: { name: 'Between' }, base: null },
      { op: 'update', resource: 'sites', data: { name: 'Two' }, base: { name: 'Merged' } },
    ]);
    const other = await openSet();
    await admin.post(`/api/sites?changeSet=${other}`, { name: 'Brief' });
    const [{ recordId }] = (await operations(other)) as [Json];
    const cancelled = await admin.delete(`/api/sites/${recordId}?changeSet=${other}`);
    expect([cancelled.status, cancelled.body]).toEqual([202, { data: { operations: [] } }]);
    expect(await operations(other)).toEqual([]);
  });

  it('renews the base of a field that is written down again', async () => {
    const set = await openSet();
    const site = await admin.make('/api/sites', { name: 'Base 1' });
    await admin.patch(`/api/sites/${site.id}?changeSet=${set}`, { name: 'Mine' });
    await admin.patch(`/api/sites/${site.id}`, { name: 'Base 2' });
    expect(conflictsOf(await preview(set))).toMatchObject([
      {
        kind: 'changed',
        field: 'name',
        base: 'Base 1',
        current: 'Base 2',
        proposed: 'Mine',
        changedBy: expect.stringMatching('^admin-'),
      },
    ]);
    await admin.patch(`/api/sites/${site.id}?changeSet=${set}`, { name: 'Mine' });
    expect(conflictsOf(await preview(set))).toEqual([]);
  });
});

describe('the operations of a change set', () => {
  it('are created and deleted, and need the rights of the write', async () => {
    const set = await openSet();
    const path = `/api/change-sets/${set}/operations`;
    const created = await editor.post(path, { op: 'create', resource: 'sites', data: { name: 'By hand' } });
    expect([created.status, created.body.data.recordId]).toEqual([201, expect.any(String)]);
    const refused = [
      await editor.post(path, { op: 'create', resource: 'vendors', data: { name: 'x' } }),
      await editor.post(path, { op: 'create', resource: 'sitez', data: { name: 'x' } }),
      await editor.post(path, { op: 'create', resource: 'profiles', data: { name: 'x' } }),
      await editor.post(path, { op: 'create', resource: 'sites', recordId: set, data: { name: 'x' } }),
      await editor.post(path, { op: 'update', resource: 'sites', data: { name: 'x' } }),
      await editor.post(path, { op: 'update', resource: 'sites', recordId: set, data: { name: 'x' } }),
      await editor.post(path, { op: 'create', resource: 'sites', data: { nam: 'x' } }),
      await editor.post(path, { op: 'create', resource: 'device-ports', data: { name: 'x' } }),
      await viewer.post(path, { op: 'create', resource: 'sites', data: { name: 'x' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 400, 400, 400, 400, 404, 400, 400, 403]);
    expect(refused[6]!.body.details[0].field).toBe('data.nam');
    const bulk = await editor.post(`${path}/bulk`, {
      operations: [
        { op: 'delete', id: created.body.data.id },
        { op: 'create', data: { op: 'create', resource: 'sites', data: { name: 'Bulk' } } },
      ],
    });
    expect([bulk.status, bulk.body.data.created, bulk.body.data.deleted]).toEqual([200, 1, 1]);
    const [left] = (await operations(set)) as [Json];
    expect(left).toMatchObject({ data: { name: 'Bulk' } });
    const rehearsed = await editor.post(`${path}/bulk?dryRun=true`, { operations: [{ op: 'delete', id: left.id }] });
    expect([rehearsed.status, rehearsed.body.dryRun, await operations(set)]).toEqual([200, true, [left]]);
    expect((await editor.patch(`${path}/${left.id}`, { op: 'delete' })).status).toBe(405);
    expect((await editor.delete(`${path}/${left.id}`)).status).toBe(204);
    expect(await operations(set)).toEqual([]);
  });

  it('hide what a reader may not read', async () => {
    const set = await openSet();
    await admin.post(`/api/incidents?changeSet=${set}`, { name: 'Secret outage' });
    await admin.post(`/api/sites?changeSet=${set}`, { name: 'Open' });
    expect((await operations(set, viewer)).map(({ data }) => data)).toEqual([null, { name: 'Open' }]);
    expect((await preview(set, viewer)).body.data.operations.map(({ after }: Json) => after?.name)).toEqual([
      undefined,
      'Open',
    ]);
  });

  it('keep licence keys for managers', async () => {
    const set = await openSet();
    const at = `?changeSet=${set}`;
    await admin.post(`/api/software-licences${at}`, { name: 'Office', licenceKey: 'AAAA-BBBB' });
    const [{ id, recordId }] = (await operations(set)) as [Json];
    const one = `/api/change-sets/${set}/operations/${id}`;
    expect((await admin.get(one)).body.data.data.licenceKey).toBe('AAAA-BBBB');
    expect((await viewer.get(one)).body.data.data.licenceKey).toBeNull();
    expect([await operations(set), await operations(set, viewer)]).toMatchObject([
      [{ data: { licenceKey: 'AAAA-BBBB' } }],
      [{ data: { licenceKey: null } }],
    ]);
    expect((await preview(set)).body.data.operations[0].after.licenceKey).toBe('AAAA-BBBB');
    const [first, second] = [await preview(set), await preview(set)];
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'));
    expect((await merge(set)).status).toBe(200);
    expect((await admin.get(`/api/software-licences/${recordId}`)).body.data.licenceKey).toBe('AAAA-BBBB');
  });
});

describe('a merge', () => {
  it('does what the preview showed, and the log names the change set', async () => {
    const set = await openSet();
    const at = `?changeSet=${set}`;
    const rack = await admin.make('/api/racks', { name: 'R1', units: 10 });
    const type = await admin.make('/api/device-types', { model: 'Two units', uHeight: 2 });
    const body = { deviceTypeId: type.id, rackId: rack.id };
    const [a, b] = [
      await admin.make('/api/devices', { name: 'a', rackPosition: 1, ...body }),
      await admin.make('/api/devices', { name: 'b', rackPosition: 3, ...body }),
    ];
    // Swapping the positions takes several operations in the right order.
    await admin.patch(`/api/devices/${a.id}${at}`, { rackPosition: 5 });
    await admin.patch(`/api/devices/${b.id}${at}`, { rackPosition: 1 });
    await admin.patch(`/api/devices/${a.id}${at}`, { rackPosition: 3 });
    await admin.post(`/api/devices${at}`, { name: 'c', rackPosition: 5, ...body });
    const seen = await preview(set);
    expect([seen.status, conflictsOf(seen), seen.body.digest]).toEqual([200, [], expect.any(String)]);
    expect(
      seen.body.data.operations.map(({ before, after }: Json) => [before?.rackPosition, after.rackPosition]),
    ).toEqual([
      [1, 5],
      [3, 1],
      [5, 3],
      [undefined, 5],
    ]);
    expect((await admin.get(`/api/devices/${a.id}`)).body.data.rackPosition).toBe(1);
    const stale = await merge(set, { 'if-match': '"00000000.preview"' });
    expect(stale.status).toBe(412);
    const merged = await merge(set, { 'if-match': seen.headers.get('etag')! });
    expect([merged.status, merged.body.data]).toEqual([
      200,
      expect.objectContaining({
        status: 'merged',
        mergedBy: expect.stringMatching('^admin-'),
        mergedAt: expect.any(String),
      }),
    ]);
    expect((await admin.get(`/api/devices/${a.id}`)).body.data.rackPosition).toBe(3);
    const log = (await admin.get(`/api/change-log?changeSetId=${set}&resource=devices`)).body;
    expect(log.total).toBe(4);
    const answers = [
      await merge(set),
      await admin.patch(`/api/change-sets/${set}`, { name: 'x' }),
      await admin.delete(`/api/change-sets/${set}`),
      await admin.post(`/api/sites${at}`, { name: 'x' }),
      await admin.post(`/api/change-sets/${set}/discard`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  });

  it('lists everything that stands in its way, and does nothing', async () => {
    const set = await openSet();
    const at = `?changeSet=${set}`;
    const person = await admin.make('/api/people', { fullName: 'A', email: 'a@sets.example.com' });
    const [site, gone] = [await admin.make('/api/sites', { name: 'S' }), await admin.make('/api/sites', { name: 'G' })];
    const rack = await admin.make('/api/racks', { name: 'Full', units: 4 });
    const type = await admin.make('/api/device-types', { model: 'Four units', uHeight: 4 });
    await admin.post(`/api/people${at}`, { fullName: 'B', email: 'b@sets.example.com' });
    await admin.patch(`/api/sites/${site.id}${at}`, { name: 'Mine', facility: 'Mine' });
    await admin.patch(`/api/sites/${gone.id}${at}`, { name: 'x' });
    await admin.post(`/api/locations${at}`, { name: 'L', siteId: gone.id });
    await admin.post(`/api/devices${at}`, { name: 'd', deviceTypeId: type.id, rackId: rack.id, rackPosition: 1 });
    await admin.post(`/api/sites${at}`, { name: 'Not made' });
    await admin.patch(`/api/people/${person.id}`, { email: 'b@sets.example.com' });
    await admin.patch(`/api/sites/${site.id}`, { name: 'Theirs', facility: 'Theirs' });
    await admin.delete(`/api/sites/${gone.id}`);
    await admin.make('/api/devices', { name: 'in', deviceTypeId: type.id, rackId: rack.id, rackPosition: 1 });
    const found = conflictsOf(await preview(set));
    expect(found.map(({ kind, resource, field }) => [kind, resource, field])).toEqual([
      ['rule', 'people', 'email'],
      ['changed', 'sites', 'name'],
      ['changed', 'sites', 'facility'],
      ['gone', 'sites', null],
      ['gone', 'locations', 'siteId'],
      ['rule', 'devices', 'rackPosition'],
    ]);
    const real = await admin.post('/api/people', { fullName: 'B', email: 'b@sets.example.com' });
    expect(found[0]!.message).toBe(real.body.error);
    expect(found[3]).toMatchObject({ changedBy: expect.stringMatching('^admin-'), message: 'Site not found' });
    const refused = await merge(set);
    expect([refused.status, conflictsOf(refused)]).toEqual([409, found]);
    expect((await admin.get('/api/sites?name=Not%20made')).body.total).toBe(0);
    // A change that was reverted is not a conflict.
    await admin.patch(`/api/sites/${site.id}`, { name: 'S', facility: null });
    expect(conflictsOf(await preview(set)).some(({ kind }) => kind === 'changed')).toBe(false);
  });

  it('names its entries, all of one request, and other entries name no change set', async () => {
    const set = await openSet();
    const site = await admin.make('/api/sites', { name: 'Logged' });
    await admin.patch(`/api/sites/${site.id}?changeSet=${set}`, { name: 'Logged by a merge' });
    const merged = await merge(set);
    const entries = (await admin.get(`/api/change-log?recordId=${site.id}&sort=createdAt`)).body.data as Json[];
    expect(entries.map(({ changeSetId }) => changeSetId)).toEqual([undefined, set]);
    expect(entries[1]!.requestId).toBe(merged.headers.get('x-request-id'));
  });

  it('needs the rights of every operation', async () => {
    const set = await openSet();
    await admin.post(`/api/vendors?changeSet=${set}`, { name: 'V' });
    await admin.post(`/api/sites?changeSet=${set}`, { name: 'V' });
    const refused = await merge(set, {}, editor);
    expect([refused.status, refused.body.details.map(({ field }: Json) => field)]).toEqual([403, ['operations[1]']]);
    expect((await merge(set)).status).toBe(200);
  });

  it('waits for the approval of its change request', async () => {
    const request = await admin.make('/api/change-requests', { name: 'Change' });
    const set = await openSet({ changeRequestId: request.id });
    await admin.post(`/api/sites?changeSet=${set}`, { name: 'Approved' });
    expect((await merge(set)).status).toBe(409);
    await admin.patch(`/api/change-requests/${request.id}`, { status: 'approved' });
    const lacking = await merge(set);
    expect([lacking.status, lacking.code]).toEqual([409, 'approvals_missing']);
    const manager = await service.as('manager', ['operations', 'network']);
    const path = `/api/change-requests/${request.id}`;
    const { digest } = (await manager.get(`${path}/transitions`)).body;
    expect((await manager.post(`${path}/approvals`, { decision: 'approve', digest })).status).toBe(201);
    const other = (await preview(set)).body.digest;
    const against = await manager.post(`/api/change-sets/${set}/approvals`, { decision: 'reject', digest: other });
    expect(against.status).toBe(201);
    expect((await merge(set)).code).toBe('approvals_missing');
    await manager.delete(`/api/change-sets/${set}/approvals/${against.body.data.id}`);
    expect((await merge(set)).status).toBe(200);
    const [entry] = (await admin.get(`/api/change-log?recordId=${set}&action=update`)).body.data as Json[];
    expect(entry).toMatchObject({ approvalIds: [expect.any(String)], changeSetId: set, after: { status: 'merged' } });
    const orphan = await openSet({ changeRequestId: request.id });
    await admin.delete(path);
    expect((await merge(orphan)).status).toBe(409);
  });
});

/** The records that a row of the table below created. */
type Made = Record<string, Json>;

/** The planned operations, the concurrent changes of others, and the resulting conflicts. */
interface Row {
  given: () => Promise<Made>;
  /** One or more requests, without the query string. */
  planned: (made: Made) => [method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json][];
  meanwhile: (made: Made) => Promise<unknown>;
  conflicts: [kind: string, field: string | null][];
}

const makeSite = (name: string): Promise<Json> => admin.make('/api/sites', { name });
const twoSites = async (): Promise<Made> => ({ site: await makeSite('One'), other: await makeSite('Other') });
const rename = ({ site: { id } }: Made): [method: 'PATCH', path: string, body: Json][] => [
  ['PATCH', `/api/sites/${id}`, { name: 'Mine' }],
];
const prefixed = async (prefix: string): Promise<Made> => ({ prefix: await admin.make('/api/prefixes', { prefix }) });

/** A device with ports and a rack, and a type with a height of two units. */
async function racked(): Promise<Made> {
  const made = {
    rack: await admin.make('/api/racks', { name: 'R', units: 10 }),
    type: await admin.make('/api/device-types', { model: `Table ${Math.random()}`, uHeight: 2 }),
  };
  const [device, other] = [
    await admin.make('/api/devices', { name: 'd', deviceTypeId: made.type.id }),
    await admin.make('/api/devices', { name: 'e', deviceTypeId: made.type.id }),
  ];
  const port = (name: string): Promise<Json> => admin.make(`/api/devices/${device.id}/ports`, { name });
  return { ...made, device, other, a: await port('a'), b: await port('b'), c: await port('c') };
}
const mounted = (made: Made, rackPosition: number): Json => ({ rackId: made.rack.id, rackPosition });

const TABLE: Record<string, Row> = {
  'a field was changed': {
    given: twoSites,
    planned: rename,
    meanwhile: (made) => admin.patch(`/api/sites/${made.site.id}`, { name: 'Theirs' }),
    conflicts: [['changed', 'name']],
  },
  'a field was changed and changed back': {
    given: twoSites,
    planned: rename,
    meanwhile: async (made) => {
      await admin.patch(`/api/sites/${made.site.id}`, { name: 'Theirs' });
      await admin.patch(`/api/sites/${made.site.id}`, { name: 'One' });
    },
    conflicts: [],
  },
  'a field has what is proposed, and another field was changed': {
    given: twoSites,
    planned: rename,
    meanwhile: (made) => admin.patch(`/api/sites/${made.site.id}`, { name: 'Mine', facility: 'F' }),
    conflicts: [],
  },
  'a record that is deleted was changed': {
    given: twoSites,
    planned: (made) => [['DELETE', `/api/sites/${made.site.id}`]],
    meanwhile: (made) => admin.patch(`/api/sites/${made.site.id}`, { facility: 'F' }),
    conflicts: [['changed', 'facility']],
  },
  'the record is gone': {
    given: twoSites,
    planned: rename,
    meanwhile: (made) => admin.delete(`/api/sites/${made.site.id}`),
    conflicts: [['gone', null]],
  },
  'a record that it refers to is gone': {
    given: twoSites,
    planned: (made) => [['POST', '/api/racks', { name: 'R', siteId: made.other.id }]],
    meanwhile: (made) => admin.delete(`/api/sites/${made.other.id}`),
    conflicts: [['gone', 'siteId']],
  },
  'several of one record': {
    given: twoSites,
    planned: (made) => [['PATCH', `/api/sites/${made.site.id}`, { name: 'Mine', facility: 'Mine', status: 'mine' }]],
    meanwhile: (made) => admin.patch(`/api/sites/${made.site.id}`, { name: 'Theirs', facility: 'Theirs' }),
    conflicts: [
      ['changed', 'name'],
      ['changed', 'facility'],
    ],
  },
  'a unique value is taken': {
    given: () => Promise.resolve({}),
    planned: () => [['POST', '/api/people', { fullName: 'P', email: 'table@sets.example.com' }]],
    meanwhile: () => admin.make('/api/people', { fullName: 'Q', email: 'table@sets.example.com' }),
    conflicts: [['rule', 'email']],
  },
  'units of a rack are taken': {
    given: racked,
    planned: (made) => [['PATCH', `/api/devices/${made.device.id}`, mounted(made, 3)]],
    meanwhile: (made) => admin.patch(`/api/devices/${made.other.id}`, mounted(made, 4)),
    conflicts: [['rule', 'rackPosition']],
  },
  'a rack is too small by now': {
    given: racked,
    planned: (made) => [['PATCH', `/api/devices/${made.device.id}`, mounted(made, 9)]],
    meanwhile: (made) => admin.patch(`/api/racks/${made.rack.id}`, { units: 8 }),
    conflicts: [['rule', 'rackPosition']],
  },
  'an address is taken in a VRF that wants unique ones': {
    given: async () => ({ vrf: await admin.make('/api/vrfs', { name: 'Unique', enforceUnique: true }) }),
    planned: ({ vrf }) => [['POST', '/api/ip-addresses', { address: '10.9.0.1/24', vrfId: vrf.id }]],
    meanwhile: ({ vrf }) => admin.make('/api/ip-addresses', { address: '10.9.0.1/16', vrfId: vrf.id }),
    conflicts: [['rule', 'address']],
  },
  'a prefix is there already': {
    given: () => Promise.resolve({}),
    planned: () => [['POST', '/api/prefixes', { prefix: '10.81.0.0/24' }]],
    meanwhile: () => admin.make('/api/prefixes', { prefix: '10.81.0.0/24' }),
    conflicts: [['rule', 'prefix']],
  },
  'a prefix was put above, and one below': {
    given: () => prefixed('10.82.0.0/20'),
    planned: ({ prefix }) => [
      ['PATCH', `/api/prefixes/${prefix.id}`, { description: 'Mine' }],
      ['POST', '/api/prefixes', { prefix: '10.82.4.0/22' }],
      ['POST', '/api/ip-addresses', { address: '10.82.4.9/22' }],
    ],
    meanwhile: async () => {
      await admin.make('/api/prefixes', { prefix: '10.82.0.0/16' });
      await admin.make('/api/prefixes', { prefix: '10.82.4.0/24' });
    },
    conflicts: [],
  },
  'an end of a cable is taken': {
    given: racked,
    planned: (made) => [['POST', '/api/cables', { aId: made.a.id, bId: made.b.id }]],
    meanwhile: (made) => admin.make('/api/cables', { aId: made.b.id, bId: made.c.id }),
    conflicts: [['rule', 'bId']],
  },
  'no transition leads there any more': {
    given: async () => ({ incident: await admin.make('/api/incidents', { name: 'I', status: 'open' }) }),
    planned: ({ incident }) => [['PATCH', `/api/incidents/${incident.id}`, { status: 'resolved' }]],
    meanwhile: () => admin.make('/api/transitions', { resource: 'incidents', from: 'open', to: 'closed' }),
    conflicts: [['rule', 'status']],
  },
  'a transition of a state needs approvals by now': {
    given: async () => ({ incident: await admin.make('/api/incidents', { name: 'I', status: 'open' }) }),
    planned: ({ incident }) => [['PATCH', `/api/incidents/${incident.id}`, { status: 'resolved' }]],
    meanwhile: () =>
      admin.make('/api/transitions', { resource: 'incidents', from: 'open', to: 'resolved', approvals: 1 }),
    conflicts: [['rule', 'status']],
  },
  'a custom field does not admit the value any more': {
    given: async () => ({
      field: await admin.make('/api/custom-fields', {
        ...{ key: 'shade', label: 'Shade', type: 'choice', choices: ['red', 'blue'], resources: ['vendors'] },
      }),
    }),
    planned: () => [['POST', '/api/vendors', { name: 'V', customFields: { shade: 'blue' } }]],
    meanwhile: ({ field }) => admin.patch(`/api/custom-fields/${field.id}`, { choices: ['red'] }),
    conflicts: [['rule', 'customFields.shade']],
  },
  'a custom field is gone': {
    given: async () => ({
      field: await admin.make('/api/custom-fields', { key: 'hue', label: 'Hue', type: 'text', resources: ['vendors'] }),
    }),
    planned: () => [['POST', '/api/vendors', { name: 'V', customFields: { hue: 'x' } }]],
    meanwhile: ({ field }) => admin.delete(`/api/custom-fields/${field.id}`),
    conflicts: [['rule', 'customFields.hue']],
  },
  'a custom value was changed': {
    given: async () => ({
      field: await admin.make('/api/custom-fields', {
        key: 'tint',
        label: 'Tint',
        type: 'text',
        resources: ['vendors'],
      }),
      vendor: await admin.make('/api/vendors', { name: 'V', customFields: { tint: 'a' } }),
    }),
    planned: ({ vendor }) => [['PATCH', `/api/vendors/${vendor.id}`, { customFields: { tint: 'b' } }]],
    meanwhile: ({ vendor }) => admin.patch(`/api/vendors/${vendor.id}`, { customFields: { tint: 'c' } }),
    conflicts: [['changed', 'customFields.tint']],
  },
};

describe('conflicts', () => {
  afterEach(async () => {
    for (const { id } of (await admin.get('/api/transitions')).body.data) await admin.delete(`/api/transitions/${id}`);
  });

  it.each(Object.entries(TABLE))('%s', async (_what, { given, planned, meanwhile, conflicts }) => {
    const set = await openSet();
    const made = await given();
    for (const [method, path, body] of planned(made)) {
      expect((await admin.request(method, `${path}?changeSet=${set}`, body)).status).toBe(202);
    }
    await meanwhile(made);
    const found = conflictsOf(await preview(set));
    expect(found.map(({ kind, field }) => [kind, field])).toEqual(conflicts);
    const merged = await merge(set);
    if (conflicts.length === 0) {
      expect(merged.status).toBe(200);
      return;
    }
    expect([merged.status, conflictsOf(merged)]).toEqual([409, found]);
    if (conflicts[0]![0] === 'changed') return;
    // The message is that of the single request.
    const [[method, path, body]] = planned(made) as [['POST', string, Json]];
    const single = await admin.request(method, path, body);
    expect(found.map(({ message }) => message)).toEqual([single.body.error]);
  });

  it('rights that were lost since are a refusal that names the operations', async () => {
    const author = await service.as('editor', ['network', 'procurement']);
    const set = await openSet({}, author);
    const { createdBy } = (await admin.get(`/api/change-sets/${set}`)).body.data;
    const [{ id }] = (await admin.get(`/api/profiles?email=${createdBy}`)).body.data;
    await author.post(`/api/sites?changeSet=${set}`, { name: 'Held' });
    await author.post(`/api/vendors?changeSet=${set}`, { name: 'Lost' });
    await admin.patch(`/api/profiles/${id}`, { areas: ['network'] });
    const refused = await merge(set, {}, author);
    expect([refused.status, refused.body.details.map(({ field }: Json) => field)]).toEqual([403, ['operations[2]']]);
    // The preview does not show values that the caller may no longer read.
    expect((await preview(set, author)).body.data.operations.map(({ after }: Json) => after?.name)).toEqual([
      'Held',
      'Lost',
    ]);
  });
});

it('is a page for approvers, with names in place of ids', async () => {
  const set = await openSet({ name: 'Move <sw>' });
  const [from, to] = [
    await admin.make('/api/sites', { name: 'From here' }),
    await admin.make('/api/sites', { name: 'To there' }),
  ];
  const rack = await admin.make('/api/racks', { name: 'Moved rack', siteId: from.id });
  await admin.patch(`/api/racks/${rack.id}?changeSet=${set}`, { siteId: to.id });
  await admin.post(`/api/incidents?changeSet=${set}`, { name: 'Hidden outage' });
  const page = await viewer.get(`/api/change-sets/${set}/diff?format=html`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<td>Site</td><td>From here</td><td>To there</td>');
  expect(page.text).toContain('<h1>Move &#60;sw&#62;</h1>');
  expect(page.text).toContain('No conflicts.');
  expect(page.text).not.toMatch(/<script|Hidden outage/);
  await admin.patch(`/api/racks/${rack.id}`, { siteId: null });
  expect((await viewer.get(`/api/change-sets/${set}/diff`)).text).toContain('siteId was changed since');
  expect((await viewer.get(`/api/change-sets/${set}/diff?format=pdf`)).status).toBe(400);
});

it('only managers change the change request of a set that has operations', async () => {
  const [one, two] = [
    await admin.make('/api/change-requests', { name: 'One' }),
    await admin.make('/api/change-requests', { name: 'Two' }),
  ];
  const planner = await service.as('editor', ['network', 'operations']);
  const set = await openSet({ changeRequestId: one.id }, planner);
  const path = `/api/change-sets/${set}`;
  expect((await planner.patch(path, { changeRequestId: two.id })).status).toBe(200);
  await planner.post(`/api/sites?changeSet=${set}`, { name: 'Held' });
  const answers = [
    await planner.patch(path, { changeRequestId: null }),
    await planner.patch(path, { changeRequestId: two.id, description: 'The same one' }),
    await (await service.as('manager', ['operations'])).patch(path, { changeRequestId: one.id }),
    await viewer.patch(path, { name: 'x' }),
    await viewer.post('/api/change-sets', { name: 'x' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 200, 200, 403, 403]);
});

it('who has not the area of operations learns of no change request', async () => {
  const request = await admin.make('/api/change-requests', { name: 'Hidden' });
  const named = await openSet({ changeRequestId: request.id });
  const open = await openSet();
  const lost = '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69';
  const answers = [];
  for (const changeRequestId of [request.id, lost]) {
    answers.push(await editor.post('/api/change-sets', { name: 'x', changeRequestId }));
    answers.push(await editor.patch(`/api/change-sets/${open}`, { changeRequestId }));
  }
  const refused = [400, 'changeRequestId does not refer to an existing record'];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(answers.map(() => refused));
  // Repeating the stored value reveals nothing.
  const kept = await editor.patch(`/api/change-sets/${named}`, { changeRequestId: request.id, description: 'Same' });
  expect(kept.status).toBe(200);
});

it('a discarded change set stays as it is', async () => {
  const set = await openSet();
  expect((await admin.post(`/api/change-sets/${set}/discard`)).body.data.status).toBe('discarded');
  const answers = [await merge(set), await admin.post(`/api/sites?changeSet=${set}`, { name: 'x' })];
  expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  expect((await admin.delete(`/api/change-sets/${set}`)).status).toBe(204);
});
