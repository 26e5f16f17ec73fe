import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const make = (path: string, body: object): Promise<{ id: string; name: string }> => admin.make(`/api/${path}`, body);

const faultsOf = ({ body }: Answer): string[] => body.details?.map(({ field }: { field: string }) => field);

interface Named {
  resource: string;
  id: string;
  name: string;
}

interface Found {
  kind: string;
  from: string | null;
  to: string | null;
  target: Named | null;
  other: Named | null;
  via: Named | null;
  roster?: string;
}

/** A time of day that no other test uses. */
let day = 0;
beforeEach(() => void day++);
const at = (hour: number): string => new Date(Date.UTC(2030, 0, day, hour)).toISOString();

interface Target {
  resource: string;
  recordId: string;
}

async function work(owner: string, body: object, ...targets: Target[]): Promise<{ id: string }> {
  const made = await make(owner, body);
  for (const target of targets) await make(`${owner}/${made.id}/targets`, target);
  return made;
}
const window = (name: string, from: number | null, to: number | null, ...targets: Target[]): Promise<{ id: string }> =>
  work(
    'maintenance-windows',
    { name, startTime: from === null ? null : at(from), endTime: to === null ? null : at(to) },
    ...targets,
  );
const change = (name: string, time: number, ...targets: Target[]): Promise<{ id: string }> =>
  work('change-requests', { name, scheduledFor: at(time) }, ...targets);

it('a change at the end of all years ends in them', async () => {
  const site = await make('sites', { name: 'last' });
  const target = { resource: 'sites', recordId: site.id };
  const changes = [];
  for (const scheduledFor of ['9999-12-31T23:30:00.000Z', '9999-12-31T23:45:00.000Z'])
    changes.push(await work('change-requests', { name: scheduledFor, scheduledFor }, target));
  const ends = { from: '9999-12-31T23:45:00.000Z', to: '9999-12-31T23:59:59.999Z' };
  for (const { id } of changes) {
    expect((await admin.get(`/api/change-requests/${id}/conflicts`)).body.data).toEqual([
      expect.objectContaining(ends),
    ]);
  }
  const { body } = await admin.post('/api/conflicts', { startTime: ends.from, endTime: null, targets: [target] });
  expect(body.data.map(({ to }: Found) => to)).toEqual([ends.to, ends.to]);
});

it('work has at most 1,000 targets', async () => {
  const target = { resource: 'sites', recordId: randomUUID(), strange: 1 };
  const targets = Array.from({ length: 1001 }, () => target);
  const { status, body } = await admin.post('/api/conflicts', { targets });
  expect([status, body.details]).toEqual([400, [{ field: 'targets', message: 'must have at most 1,000 entries' }]]);
});

async function conflicts(path: string): Promise<Found[]> {
  const answer = await admin.get(`/api/${path}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}
const ofWindow = ({ id }: { id: string }, query = ''): Promise<Found[]> =>
  conflicts(`maintenance-windows/${id}/conflicts${query}`);
const ofChange = ({ id }: { id: string }, query = ''): Promise<Found[]> =>
  conflicts(`change-requests/${id}/conflicts${query}`);

const lines = (found: Found[]): string[] =>
  found.map(({ kind, target, other, via }) => `${kind} ${target?.name} ${other?.name} ${via?.name}`);

/** Creates a site with a rack, a switch in it, and a virtual machine on its cluster. */
async function estate() {
  const target = async (resource: string, body: object): Promise<Target> => ({
    resource,
    recordId: (await make(resource, body)).id,
  });
  const site = await target('sites', { name: 'site' });
  const rack = await target('racks', { name: 'rack', siteId: site.recordId });
  const cluster = await target('clusters', { name: 'cluster' });
  const device = await target('devices', { name: 'switch', rackId: rack.recordId, clusterId: cluster.recordId });
  const vm = await target('virtual-machines', { name: 'vm', clusterId: cluster.recordId });
  const beside = await target('devices', { name: 'beside' });
  return { site, rack, cluster, device, vm, beside };
}

describe('the conflicts of a maintenance window', () => {
  it('are other work at the same time on the same record, in it, and around it', async () => {
    const { site, device, vm, beside } = await estate();
    const asked = await window('asked', 8, 10, device);
    const same = await window('same', 9, 12, device);
    const inside = await change('inside', 9, vm);
    const around = await window('around', 7, 9, site);
    await window('beside', 8, 10, beside);
    expect(await ofWindow(asked)).toEqual([
      {
        kind: 'around_target',
        from: at(8),
        to: at(9),
        target: { resource: 'devices', id: device.recordId, name: 'switch' },
        other: { resource: 'maintenance-windows', id: around.id, name: 'around' },
        via: { resource: 'sites', id: site.recordId, name: 'site' },
      },
      {
        kind: 'inside_target',
        from: at(9),
        to: at(10),
        target: { resource: 'devices', id: device.recordId, name: 'switch' },
        other: { resource: 'change-requests', id: inside.id, name: 'inside' },
        via: { resource: 'virtual-machines', id: vm.recordId, name: 'vm' },
      },
      {
        kind: 'same_target',
        from: at(9),
        to: at(10),
        target: { resource: 'devices', id: device.recordId, name: 'switch' },
        other: { resource: 'maintenance-windows', id: same.id, name: 'same' },
        via: { resource: 'devices', id: device.recordId, name: 'switch' },
      },
    ]);
    // Conflicts are symmetric.
    expect(lines(await ofChange(inside))).toEqual(
      expect.arrayContaining(['around_target vm asked switch', 'around_target vm same switch']),
    );
    expect(lines(await ofWindow(around))).toContain('inside_target site asked switch');
  });

  it('have one entry for each pair of a target and other work, the closest', async () => {
    const { site, rack, device, vm } = await estate();
    const asked = await window('asked', 8, 10, device, rack);
    await window('other', 8, 10, site, device, vm);
    expect(lines(await ofWindow(asked))).toEqual([
      'inside_target rack other switch',
      'same_target switch other switch',
    ]);
  });

  it('leave out what is finished or cancelled, also if it is asked about', async () => {
    const { device } = await estate();
    const asked = await window('asked', 8, 10, device);
    for (const status of ['completed', 'cancelled']) {
      await admin.patch(`/api/maintenance-windows/${(await window(status, 8, 10, device)).id}`, { status });
    }
    for (const status of ['completed', 'failed', 'cancelled', 'rejected']) {
      await admin.patch(`/api/change-requests/${(await change(status, 9, device)).id}`, { status });
    }
    for (const status of ['resolved', 'closed']) await work('incidents', { name: status, status }, device);
    expect(await ofWindow(asked)).toEqual([]);
    await window('counts', 8, 10, device);
    expect(lines(await ofWindow(asked))).toEqual(['same_target switch counts switch']);
    await admin.patch(`/api/maintenance-windows/${asked.id}`, { status: 'cancelled' });
    expect(await ofWindow(asked)).toEqual([]);
  });

  it('are of half-open times with open ends', async () => {
    const { device } = await estate();
    const asked = await window('asked', 8, 10, device);
    await window('before', 6, 8, device);
    await window('after', 10, 12, device);
    await change('ends when it begins', 7, device);
    await change('begins when it ends', 10, device);
    await window('at no time', 9, 9, device);
    await window('unplanned', null, null, device);
    await work('change-requests', { name: 'unscheduled' }, device);
    expect(await ofWindow(asked)).toEqual([]);
    const since = await window('since', 9, null, device);
    const until = await window('until', null, 9, device);
    expect((await ofWindow(asked)).map(({ from, to, other }) => [from, to, other!.name])).toEqual([
      [at(8), at(9), 'until'],
      [at(9), at(10), 'since'],
    ]);
    expect(await ofWindow(since)).not.toContainEqual(expect.objectContaining({ from: null }));
    const endless = await window('endless', 9, null, device);
    expect((await ofWindow(endless)).find(({ other }) => other!.name === 'since')).toMatchObject({
      from: at(9),
      to: null,
    });
    expect((await ofWindow(until)).every(({ to }) => to !== null)).toBe(true);
    for (const { id } of [since, endless]) await admin.delete(`/api/maintenance-windows/${id}`);
    await admin.delete(`/api/maintenance-windows/${until.id}`);
  });

  it('are open incidents on the same record, in it, and around it', async () => {
    const { site, device, vm, beside } = await estate();
    const asked = await window('asked', 8, 10, device);
    await work('incidents', { name: 'same' }, device);
    await work('incidents', { name: 'around', detectedAt: at(9) }, site);
    await work('incidents', { name: 'inside', status: 'monitoring' }, vm);
    await work('incidents', { name: 'beside' }, beside);
    await work('incidents', { name: 'later', detectedAt: at(11) }, device);
    await work('incidents', { name: 'over', detectedAt: at(5), resolvedAt: at(8) }, device);
    const found = await ofWindow(asked);
    expect(lines(found)).toEqual([
      'open_incident switch inside vm',
      'open_incident switch same switch',
      'open_incident switch around site',
    ]);
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [at(8), at(10)],
      [at(8), at(10)],
      [at(9), at(10)],
    ]);
  });

  it('are gaps of the rosters that are named', async () => {
    const asked = await window('asked', 8, 14);
    const personId = (await admin.make('/api/people', { fullName: 'Ada' })).id;
    const shift = (body: object, from: number, to: number): Promise<{ id: string }> =>
      make('on-call-schedules', { startTime: at(from), endTime: at(to), ...body });
    await shift({ name: 'one', rotation: `primary ${day}`, personId }, 6, 9);
    await shift({ name: 'two', rotation: `primary ${day}` }, 9, 10);
    await shift({ name: 'three', rotation: `primary ${day}`, personId }, 11, 20);
    await shift({ name: `alone ${day}`, personId }, 0, 23);
    expect(await ofWindow(asked)).toEqual([]);
    const [primary, alone] = [encodeURIComponent(`primary ${day}`), encodeURIComponent(`alone ${day}`)];
    const gap = { kind: 'on_call_gap', target: null, other: null, via: null };
    expect(await ofWindow(asked, `?roster=${primary}&roster=${alone}&roster=nobody`)).toEqual([
      { ...gap, from: at(8), to: at(14), roster: 'nobody' },
      { ...gap, from: at(9), to: at(11), roster: `primary ${day}` },
    ]);
  });

  it('page, and export', async () => {
    const { device } = await estate();
    const asked = await window('asked', 8, 10, device);
    for (const name of ['a', 'b', 'c']) await window(name, 8, 10, device);
    const page = await admin.get(`/api/maintenance-windows/${asked.id}/conflicts?pageSize=2&page=2`);
    expect(page.body).toMatchObject({ data: [{ other: { name: 'c' } }], total: 3, hasMore: false });
    const { text } = await admin.get(`/api/maintenance-windows/${asked.id}/conflicts?format=csv`);
    expect(text.split('\r\n')[0]).toBe('kind,from,to,target,other,via,roster');
    expect(text.trim().split('\r\n')).toHaveLength(4);
  });

  it('of a window that does not exist are not found, and need the operations area', async () => {
    expect((await admin.get(`/api/maintenance-windows/${randomUUID()}/conflicts`)).status).toBe(404);
    const { id } = await window('x', 1, 2);
    const outsider = await service.as('viewer', ['network']);
    expect((await outsider.get(`/api/maintenance-windows/${id}/conflicts`)).status).toBe(403);
    const wrong = await admin.get(`/api/maintenance-windows/${id}/conflicts?minutes=0&roster=&colour=red`);
    expect([wrong.status, faultsOf(wrong).toSorted()]).toEqual([400, ['colour', 'minutes', 'roster']]);
  });
});

describe('the conflicts of a change', () => {
  it('depend on how long a change takes', async () => {
    const { device } = await estate();
    const asked = await change('asked', 8, device);
    await change('later', 9, device);
    await change('much later', 11, device);
    expect(await ofChange(asked)).toEqual([]);
    expect((await ofChange(asked, '?minutes=61')).map(({ from, to, other }) => [from, to, other!.name])).toEqual([
      [at(9), new Date(Date.parse(at(9)) + 60_000).toISOString(), 'later'],
    ]);
    expect((await ofChange(asked, '?minutes=240')).map(({ other }) => other!.name)).toEqual(['later', 'much later']);
    await admin.patch(`/api/change-requests/${asked.id}`, { scheduledFor: null });
    expect(await ofChange(asked, '?minutes=240')).toEqual([]);
    expect((await admin.get(`/api/change-requests/${randomUUID()}/conflicts`)).status).toBe(404);
  });
});

describe('the conflicts of planned work', () => {
  const find = (body: object, caller = admin): Promise<Answer> => caller.post('/api/conflicts', body);

  it('are those that a window would have, for a viewer too', async () => {
    const { device, vm, rack } = await estate();
    await window('around', 8, 10, rack);
    const viewer = await service.as('viewer', ['operations']);
    const answer = await find({ startTime: at(9), targets: [device, vm, device], rosters: ['nobody'] }, viewer);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(lines(answer.body.data)).toEqual([
      'around_target switch around rack',
      'around_target vm around rack',
      'on_call_gap undefined undefined undefined',
    ]);
    expect(answer.body.data[0]).toMatchObject({ from: at(9), to: at(10) });
    expect((await find({ startTime: at(10), endTime: at(12), targets: [device] })).body.data).toEqual([]);
    expect((await find({ targets: [] }, await service.as('viewer', ['network']))).status).toBe(403);
  });

  it('name every fault of what is asked', async () => {
    const { device } = await estate();
    const answer = await find({ startTime: at(9), endTime: at(8), targets: [{ resource: 'people' }], minutes: 0 });
    expect([answer.status, faultsOf(answer).toSorted()]).toEqual([
      400,
      ['endTime', 'minutes', 'targets[0].recordId', 'targets[0].resource'],
    ]);
    const missing = await find({
      targets: [device, { resource: 'sites', recordId: device.recordId }, { ...device, recordId: randomUUID() }],
    });
    expect([missing.status, faultsOf(missing)]).toEqual([400, ['targets[1].recordId', 'targets[2].recordId']]);
    expect(faultsOf(await find({}))).toEqual(['targets']);
  });

  // A request with a key takes its connection before it reads. The embedded database has only one.
  it('are found with keys while others read', async () => {
    const { device } = await estate();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? admin.post('/api/conflicts', { startTime: at(9), targets: [device] }, { 'idempotency-key': randomUUID() })
          : admin.get(`/api/devices/${device.recordId}/impact`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
