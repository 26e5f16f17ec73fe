import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { some } from '../support/size.js';

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor', ['operations']);
});
afterAll(() => service.stop());

const OWNERS = ['incidents', 'runbooks', 'change-requests', 'maintenance-windows', 'known-issues'];

/** The owners whose targets may also be a kind of device. */
const ABOUT = ['runbooks', 'known-issues'];

/** A record of each kind that can be a target, with its name. */
const KINDS: Record<string, [body: object, name: string]> = {
  sites: [{ name: 'S' }, 'S'],
  locations: [{ name: 'L' }, 'L'],
  racks: [{ name: 'R' }, 'R'],
  devices: [{ name: 'D' }, 'D'],
  clusters: [{ name: 'C' }, 'C'],
  'virtual-machines': [{ name: 'V' }, 'V'],
  'ip-addresses': [{ address: '10.9.8.7/24' }, '10.9.8.7/24'],
  assets: [{ name: 'A' }, 'A'],
  'software-licences': [{ name: 'W' }, 'W'],
};

/** A record of each kind that stands for all its devices. */
const KINDS_OF_DEVICES: typeof KINDS = {
  'device-types': [{ model: 'T' }, 'T'],
  'device-roles': [{ name: 'O' }, 'O'],
  platforms: [{ name: 'P' }, 'P'],
  manufacturers: [{ name: 'M' }, 'M'],
};

const kindsOf = (owner: string): typeof KINDS => (ABOUT.includes(owner) ? { ...KINDS, ...KINDS_OF_DEVICES } : KINDS);

const faultsOf = ({ body }: Answer): string[] => body.details?.map(({ field }: { field: string }) => field);

const targetsOf = async (owner: string): Promise<string> =>
  `/api/${owner}/${(await admin.make(`/api/${owner}`, { name: 'O' })).id}/targets`;

const device = (name = 'D'): Promise<{ id: string }> => admin.make('/api/devices', { name });

// The second owner represents those whose targets may also be a kind of device.
describe.each(some(2, OWNERS))('targets of %s', (owner) => {
  it('are records of some kinds, each with its name, and nothing else', async () => {
    const path = await targetsOf(owner);
    for (const [resource, [body, name]] of Object.entries(kindsOf(owner))) {
      const { id: recordId } = await admin.make(`/api/${resource}`, body);
      const target = await editor.make(path, { resource, recordId });
      expect(target).toEqual({
        id: expect.any(String),
        resource,
        recordId,
        name,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    }
    expect((await editor.get(path)).body.total).toBe(Object.keys(kindsOf(owner)).length);
    const others = ['people', ...(ABOUT.includes(owner) ? [] : Object.keys(KINDS_OF_DEVICES))];
    for (const resource of others) {
      expect((await editor.post(path, { resource, recordId: randomUUID() })).status).toBe(400);
    }
  });

  it('are there once', async () => {
    const path = await targetsOf(owner);
    const [one, other] = [await device(), await device()];
    const first = { resource: 'devices', recordId: one.id };
    await editor.make(path, first);
    const second = await editor.make(path, { resource: 'devices', recordId: other.id });
    for (const answer of [
      await editor.post(path, first),
      await editor.patch(`${path}/${second.id}`, { recordId: one.id }),
    ]) {
      expect([answer.status, faultsOf(answer)]).toEqual([409, ['recordId']]);
    }
    // In another list it is a different target.
    await editor.make(await targetsOf(owner), first);
  });

  it('refer to a record that exists, of the resource that they name', async () => {
    const path = await targetsOf(owner);
    const { id } = await device();
    for (const [resource, recordId] of [
      ['devices', randomUUID()],
      ['sites', id],
    ]) {
      const answer = await editor.post(path, { resource, recordId });
      expect([answer.status, answer.body.details]).toEqual([
        400,
        [{ field: 'recordId', message: 'does not refer to an existing record' }],
      ]);
    }
    const target = await editor.make(path, { resource: 'devices', recordId: id });
    const moved = await editor.patch(`${path}/${target.id}`, { resource: 'sites' });
    expect([moved.status, faultsOf(moved)]).toEqual([400, ['recordId']]);
    const site = await admin.make('/api/sites', { name: 'New' });
    const changed = await editor.patch(`${path}/${target.id}`, { resource: 'sites', recordId: site.id });
    expect([changed.status, changed.body.data.name]).toEqual([200, 'New']);
    // The foreign key changes too.
    expect((await admin.delete(`/api/devices/${id}`)).status).toBe(204);
    expect((await editor.get(path)).body.total).toBe(1);
  });

  it('go with their record, and come back with it', async () => {
    const path = await targetsOf(owner);
    const { id } = await device();
    const target = await editor.make(path, { resource: 'devices', recordId: id });
    expect((await admin.get(`/api/devices/${id}/references`)).body.data).toEqual([
      { resource: `${owner.slice(0, -1)}-targets`, field: 'recordId', count: 1, effect: 'deleted' },
    ]);
    await admin.delete(`/api/devices/${id}`);
    expect((await editor.get(path)).body.data).toEqual([]);
    expect((await admin.post(`/api/devices/${id}/restore`)).status).toBe(200);
    expect((await editor.get(path)).body.data).toEqual([{ ...target, updatedAt: expect.any(String) }]);
  });

  it('come back with whose targets they are, as far as their records exist', async () => {
    const path = await targetsOf(owner);
    const [one, gone] = [await device('kept'), await device('gone')];
    for (const { id } of [one, gone]) await editor.make(path, { resource: 'devices', recordId: id });
    const ownerPath = path.replace(/\/targets$/, '');
    await admin.delete(ownerPath);
    await admin.delete(`/api/devices/${gone.id}`);
    expect((await admin.post(`${ownerPath}/restore`)).status).toBe(200);
    expect((await editor.get(path)).body.data.map(({ name }: { name: string }) => name)).toEqual(['kept']);
    // The device was deleted after its target.
    expect((await admin.post(`/api/devices/${gone.id}/restore`)).status).toBe(200);
  });

  it('have a history that says what the response says', async () => {
    const path = await targetsOf(owner);
    const { id: recordId } = await device();
    const target = await editor.make(path, { resource: 'devices', recordId });
    const [entry] = (await editor.get(`${path}/${target.id}/changes`)).body.data;
    const { id, resource, createdAt, updatedAt } = target;
    const owned = `${owner.slice(0, -1).replace(/-(.)/, (_, letter: string) => letter.toUpperCase())}Id`;
    expect(entry.after).toEqual({ id, resource, recordId, createdAt, updatedAt, [owned]: path.split('/')[3] });
  });

  it('are written in bulk, where every dangling reference is named', async () => {
    const path = await targetsOf(owner);
    const recordId = (await device()).id;
    const create = (data: object): object => ({ op: 'create', data });
    const dangling = await editor.post(`${path}/bulk`, {
      operations: [
        create({ resource: 'sites', recordId: randomUUID() }),
        create({ resource: 'devices', recordId }),
        create({ resource: 'racks', recordId }),
      ],
    });
    expect([dangling.status, faultsOf(dangling).toSorted()]).toEqual([
      400,
      ['operations[0].data.recordId', 'operations[2].data.recordId'],
    ]);
    const twice = await editor.post(`${path}/bulk`, {
      operations: [create({ resource: 'devices', recordId }), create({ resource: 'devices', recordId })],
    });
    expect([twice.status, faultsOf(twice)]).toEqual([409, ['operations[1].data.recordId']]);
  });

  it('are exported and imported again', async () => {
    const path = await targetsOf(owner);
    const { id: recordId } = await device('exported');
    await editor.make(path, { resource: 'devices', recordId });
    const { text } = await editor.get(`${path}?format=csv`);
    expect(text).toMatch(/^id,resource,recordId,name,createdAt,updatedAt\r\n[^,]+,devices,[^,]+,exported,/);
    const again = await editor.post(`${path}/import?mode=upsert&key=id`, text, { 'content-type': 'text/csv' });
    expect([again.status, again.body.data]).toMatchObject([200, { rows: 1, unchanged: 1, failed: 0 }]);
    const other = await targetsOf(owner);
    const copied = await editor.post(`${other}/import`, `resource,recordId\ndevices,${recordId}\n`, {
      'content-type': 'text/csv',
    });
    expect([copied.status, copied.body.data]).toMatchObject([200, { created: 1 }]);
  });
});

it('targets are for those who have the operations area', async () => {
  const path = await targetsOf('incidents');
  expect((await (await service.as('viewer', ['network'])).get(path)).status).toBe(403);
  expect((await (await service.as('viewer', ['operations'])).get(path)).status).toBe(200);
});

describe('the timeline of an incident', () => {
  const incident = async (body: object = {}): Promise<string> =>
    `/api/incidents/${(await editor.make('/api/incidents', { name: 'Outage', ...body })).id}`;

  it('has entries with the email of their author', async () => {
    const path = await incident();
    const author = (await editor.get('/api/auth/session')).body.data.email;
    const answer = await editor.post(`${path}/updates`, { message: 'Looking into it' });
    expect([answer.status, answer.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        message: 'Looking into it',
        status: null,
        severity: null,
        author,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(answer.headers.get('location')).toBe(`${path}/updates/${answer.body.data.id}`);
    expect((await editor.get(`${path}/updates/${answer.body.data.id}`)).body).toEqual(answer.body);
    // The request set neither status nor severity.
    expect((await editor.get(path)).body.data).toMatchObject({ status: 'open', severity: 'sev3', resolvedAt: null });
  });

  it('changes status and severity of the incident, and says when it was resolved', async () => {
    const path = await incident();
    await editor.make(`${path}/updates`, { message: 'Worse', severity: 'sev1', status: 'investigating' });
    expect((await editor.get(path)).body.data).toMatchObject({
      status: 'investigating',
      severity: 'sev1',
      resolvedAt: null,
    });
    await editor.make(`${path}/updates`, { message: 'Done', status: 'resolved' });
    const resolved = (await editor.get(path)).body.data;
    expect(resolved).toMatchObject({ status: 'resolved', severity: 'sev1', resolvedAt: expect.any(String) });
    await editor.make(`${path}/updates`, { message: 'Closed', status: 'closed' });
    expect((await editor.get(path)).body.data).toMatchObject({ status: 'closed', resolvedAt: resolved.resolvedAt });
  });

  it('of an incident that is noticed in the future resolves it then at the earliest', async () => {
    const detectedAt = '2999-01-01T00:00:00.000Z';
    const path = await incident({ detectedAt });
    await editor.make(`${path}/updates`, { message: 'A drill', status: 'closed' });
    expect((await editor.get(path)).body.data.resolvedAt).toBe(detectedAt);
  });

  it('is written together with the incident, or not at all', async () => {
    const path = await incident();
    const before = (await editor.get(path)).text;
    const answer = await editor.post(`${path}/updates`, { message: 'x', status: 's'.repeat(256) });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['status']]);
    expect((await editor.get(path)).text).toBe(before);
    const changes = (await editor.get(`${path}/changes`)).body.total;
    await editor.make(`${path}/updates`, { message: 'x', status: 'identified' });
    const { data } = (await editor.get(`/api/change-log?sort=createdAt&order=desc&pageSize=2`)).body;
    expect(new Set(data.map(({ resource }: { resource: string }) => resource))).toEqual(
      new Set(['incidents', 'incident-updates']),
    );
    expect(data[0].requestId).toBe(data[1].requestId);
    expect((await editor.get(`${path}/changes`)).body.total).toBe(changes + 1);
  });

  it('keeps the order in which its entries were written', async () => {
    const path = await incident();
    const statuses = ['investigating', 'identified', 'monitoring', 'open', 'investigating', 'identified'];
    await Promise.all(statuses.map((status) => editor.make(`${path}/updates`, { message: 'x', status })));
    const { data } = (await editor.get(`${path}/updates`)).body;
    const times = data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(new Set(times).size).toBe(statuses.length);
    expect((await editor.get(path)).body.data.status).toBe(data.at(-1).status);
  });

  it('is never changed or deleted, and comes back with its incident', async () => {
    const path = await incident();
    const { id } = await editor.make(`${path}/updates`, { message: 'x', status: 'closed' });
    for (const method of ['PATCH', 'DELETE']) {
      expect([404, 405]).toContain(
        (await fetch(`${service.url}${path}/updates/${id}`, { method, headers: { cookie: `session=${admin.cookie}` } }))
          .status,
      );
    }
    await admin.patch(path, { status: 'open' });
    await admin.delete(path);
    await admin.post(`${path}/restore`);
    expect((await editor.get(`${path}/updates`)).body.total).toBe(1);
    expect((await editor.get(path)).body.data.status).toBe('open');
  });

  it('needs a message, and an incident', async () => {
    const path = await incident();
    const answer = await editor.post(`${path}/updates`, { message: '  ', author: 'me', colour: 'red' });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['colour', 'message']]);
    expect((await editor.post(`/api/incidents/${randomUUID()}/updates`, { message: 'x' })).status).toBe(404);
    expect((await (await service.as('viewer')).post(`${path}/updates`, { message: 'x' })).status).toBe(403);
  });
});
