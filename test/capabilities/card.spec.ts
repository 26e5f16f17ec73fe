import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
let operator: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  operator = await service.as('viewer', ['operations']);
});
afterAll(() => service.stop());

jest.setTimeout(120_000);

// oxlint-disable-next-line typescript/no-explicit-any -- entries have any shape
type Json = any;

const START = '2031-03-03T08:00:00.000Z';
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

const cardOf = async (path: string, query = ''): Promise<Json> => {
  const answer = await operator.get(`${path}/card${query}`);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return answer.body.data;
};

/** Creates work with targets. @returns its path */
async function work(owner: string, body: object, targets: [resource: string, recordId: string][]): Promise<string> {
  const { id } = await admin.make(`/api/${owner}`, { name: 'Work', ...body });
  for (const [resource, recordId] of targets) {
    await admin.make(`/api/${owner}/${id}/targets`, { resource, recordId });
  }
  return `/api/${owner}/${id}`;
}

const make = async (resource: string, body: object): Promise<string> =>
  (await admin.make(`/api/${resource}`, body)).id as string;

it('has what a change touches: reach, rosters, coverage, prices, conflicts, known issues and changes', async () => {
  const siteId = await make('sites', { name: 'AMS' });
  const rackId = await make('racks', { name: 'A1', siteId });
  const deviceTypeId = await make('device-types', { model: 'Switch' });
  const order = await admin.make('/api/purchase-orders', {
    orderNumber: randomUUID(),
    currency: 'EUR',
    items: [{ name: 'Switch', quantity: 1 }],
  });
  const assetId = await make('assets', { name: 'Switch', purchasePrice: '420.10', purchaseOrderId: order.id });
  const first = await make('devices', { name: 'sw-1', rackId, deviceTypeId, assetId });
  const second = await make('devices', { name: 'sw-2', rackId, deviceTypeId });
  const third = await make('devices', { name: 'sw-3', rackId });
  const contract = await make('contracts', { name: 'Support', startDate: '2031-01-01', endDate: '2031-12-31' });
  await admin.make(`/api/contracts/${contract}/coverage`, { resource: 'assets', recordId: assetId });
  const personId = await make('people', { fullName: 'Ada' });
  await admin.make('/api/on-call-schedules', {
    name: 'N',
    rotation: 'Network',
    personId,
    startTime: at(-600),
    endTime: at(30),
  });
  await admin.make(`/api/racks/${rackId}/responsibilities`, { roster: 'Network' });
  await admin.make(`/api/sites/${siteId}/responsibilities`, { roster: 'Site' });
  await admin.make(`/api/devices/${third}/responsibilities`, { roster: 'Nobody' });
  const issue = await admin.make('/api/known-issues', { name: 'Leak', severity: 'high', workaround: 'Reload' });
  await admin.make(`/api/known-issues/${issue.id}/targets`, { resource: 'device-types', recordId: deviceTypeId });
  const solved = await admin.make('/api/known-issues', { name: 'Old', status: 'closed' });
  await admin.make(`/api/known-issues/${solved.id}/targets`, { resource: 'racks', recordId: rackId });
  const window = await work('maintenance-windows', { name: 'Power', startTime: at(45), endTime: at(90) }, [
    ['devices', second],
  ]);
  const path = await work('change-requests', { name: 'Move', scheduledFor: START }, [
    ['racks', rackId],
    ['devices', first],
  ]);
  const card = await cardOf(path);
  expect(card.record).toEqual({ resource: 'change-requests', id: path.split('/')[3], name: 'Move' });
  expect([card.from, card.to]).toEqual([START, at(60)]);
  expect(card.targets).toEqual([
    { resource: 'devices', id: first, name: 'sw-1' },
    { resource: 'racks', id: rackId, name: 'A1' },
  ]);
  const via = { resource: 'racks', id: rackId, name: 'A1' };
  expect(card.reached).toEqual({
    counts: { devices: 2 },
    records: [
      { resource: 'devices', id: second, name: 'sw-2', effect: 'down', via },
      { resource: 'devices', id: third, name: 'sw-3', effect: 'down', via },
    ],
  });
  expect(card.onCall).toEqual([
    {
      roster: 'Network',
      via: [via],
      intervals: [
        { startTime: START, endTime: at(30), person: expect.objectContaining({ id: personId }), reason: null },
        { startTime: at(30), endTime: at(60), person: null, reason: 'no_shift' },
      ],
    },
    {
      roster: 'Nobody',
      via: [{ resource: 'devices', id: third, name: 'sw-3' }],
      intervals: [{ startTime: START, endTime: at(60), person: null, reason: 'no_roster' }],
    },
  ]);
  expect(card.coverage).toEqual({
    covered: 1,
    uncovered: [
      { resource: 'devices', id: second, name: 'sw-2' },
      { resource: 'devices', id: third, name: 'sw-3' },
    ],
  });
  expect(card.replacement).toEqual({ amounts: [{ currency: 'EUR', amount: '840.20', records: 2 }], unknown: 1 });
  expect(card.conflicts.map(({ kind, other, from, to }: Json) => [kind, other.name, from, to])).toEqual([
    ['inside_target', 'Power', at(45), at(60)],
  ]);
  expect((await operator.get(`${path}/conflicts`)).body.data).toEqual(card.conflicts);
  expect(card.knownIssues).toEqual([
    { step: 'known_issue', id: issue.id, name: 'Leak', severity: 'high', workaround: 'Reload' },
  ]);
  const entries = card.changes as Json[];
  expect(entries.map(({ recordId }) => recordId)).toEqual([first, rackId]);
  // `minutes` limits the time.
  expect((await cardOf(path, '?minutes=30')).onCall[0].intervals).toHaveLength(1);
  expect((await cardOf(path, '?minutes=40')).conflicts).toEqual([]);
  expect((await operator.get(`${path}/card?minutes=0`)).status).toBe(400);
  expect(await cardOf(window)).toMatchObject({ from: at(45), to: at(90), reached: { counts: {} } });
});

it('of targets of one kind is what their impact says, and worse together', async () => {
  const clusterId = await make('clusters', { name: 'C' });
  const one = await make('devices', { name: 'h1', clusterId });
  const two = await make('devices', { name: 'h2', clusterId });
  const machine = await make('virtual-machines', { name: 'vm', clusterId });
  for (const [targets, effect] of [
    [[one], 'degraded'],
    [[one, two], 'down'],
  ] as const) {
    const path = await work(
      'change-requests',
      {},
      targets.map((id) => ['devices', id]),
    );
    const { reached } = await cardOf(path);
    expect(reached.counts).toEqual({ clusters: 1, 'virtual-machines': 1 });
    expect(reached.records.map(({ id, effect: found }: Json) => [id, found])).toEqual([
      [clusterId, effect],
      [machine, effect],
    ]);
    if (targets.length === 1) {
      const impact = (await operator.get(`/api/devices/${one}/impact`)).body.data;
      expect(reached).toEqual({ counts: impact.counts, records: impact.records });
    }
  }
  const path = await work('change-requests', {}, [['clusters', clusterId]]);
  expect((await cardOf(path)).reached.records).toMatchObject([{ id: machine, effect: 'down' }]);
});

it('of an address has the roster and the known issues of the virtual machine that has it', async () => {
  const clusterId = await make('clusters', { name: 'C' });
  const addresses: string[] = [];
  const machines: string[] = [];
  for (const number of [1, 2]) {
    const machine = await make('virtual-machines', { name: `vm-${number}`, clusterId });
    const address = await make('ip-addresses', { address: `10.8.8.${number}/24` });
    await admin.make(`/api/virtual-machines/${machine}/addresses`, { ipAddressId: address });
    machines.push(machine);
    addresses.push(address);
  }
  await admin.make(`/api/virtual-machines/${machines[0]!}/responsibilities`, { roster: 'Machines' });
  await admin.make(`/api/clusters/${clusterId}/responsibilities`, { roster: 'Cluster' });
  const issue = await admin.make('/api/known-issues', { name: 'Clock drift' });
  await admin.make(`/api/known-issues/${issue.id}/targets`, { resource: 'virtual-machines', recordId: machines[0]! });
  const cardOfAddress = async (address: string): Promise<Json> =>
    cardOf(await work('change-requests', { scheduledFor: START }, [['ip-addresses', address]]));
  const card = await cardOfAddress(addresses[0]!);
  expect(card.onCall).toMatchObject([
    { roster: 'Machines', via: [{ resource: 'virtual-machines', id: machines[0], name: 'vm-1' }] },
  ]);
  expect(card.knownIssues).toMatchObject([{ name: 'Clock drift' }]);
  const other = await cardOfAddress(addresses[1]!);
  expect(other.onCall).toMatchObject([{ roster: 'Cluster', via: [{ resource: 'clusters', name: 'C' }] }]);
  expect(other.knownIssues).toEqual([]);
  // With both, the card has both.
  const both = await work(
    'change-requests',
    { scheduledFor: START },
    addresses.map((id) => ['ip-addresses', id]),
  );
  expect((await cardOf(both)).onCall.map(({ roster }: Json) => roster)).toEqual(['Cluster', 'Machines']);
});

it('has an asset and its device once, as the device', async () => {
  const assetId = await make('assets', { name: 'A', purchasePrice: '1.50' });
  const deviceId = await make('devices', { name: 'D', assetId });
  const alone = await make('assets', { name: 'B', purchasePrice: '2.50', warrantyUntil: '2999-01-01' });
  const path = await work('incidents', { detectedAt: START }, [
    ['assets', assetId],
    ['assets', alone],
    ['software-licences', await make('software-licences', { name: 'L' })],
    ['ip-addresses', await make('ip-addresses', { address: '10.7.7.7/24' })],
  ]);
  const { coverage, replacement } = await cardOf(path);
  expect(coverage).toEqual({ covered: 1, uncovered: [{ resource: 'devices', id: deviceId, name: 'D' }] });
  expect(replacement).toEqual({ amounts: [{ currency: null, amount: '4.00', records: 2 }], unknown: 0 });
});

it('has neither rosters nor conflicts without a start, and no rosters without an end', async () => {
  const deviceId = await make('devices', { name: 'D' });
  await admin.make(`/api/devices/${deviceId}/responsibilities`, { roster: 'Open' });
  const other = await work('change-requests', { scheduledFor: START }, [['devices', deviceId]]);
  const change = await cardOf(await work('change-requests', {}, [['devices', deviceId]]));
  expect(change).toMatchObject({ from: null, to: null, onCall: [], conflicts: [] });
  const open = await cardOf(await work('maintenance-windows', { startTime: START }, [['devices', deviceId]]));
  expect(open).toMatchObject({ from: START, to: null, onCall: [], conflicts: [{ other: { name: 'Work' } }] });
  const late = await cardOf(await work('maintenance-windows', { endTime: at(60) }, [['devices', deviceId]]));
  expect(late).toMatchObject({ from: null, to: at(60), onCall: [], conflicts: [] });
  expect((await cardOf(other)).onCall).toHaveLength(1);
  const none = await cardOf(await work('incidents', {}, []));
  expect(none).toMatchObject({ targets: [], reached: { counts: {}, records: [] }, onCall: [], conflicts: [] });
  expect(none.coverage).toEqual({ covered: 0, uncovered: [] });
});

it('of an incident has the conflicts of its targets and its time, without itself', async () => {
  const deviceId = await make('devices', { name: 'D' });
  const times = { detectedAt: at(-60), resolvedAt: at(0) };
  const path = await work('incidents', { ...times, status: 'open' }, [['devices', deviceId]]);
  const window = await work('maintenance-windows', { startTime: at(-30), endTime: at(60) }, [['devices', deviceId]]);
  const card = await cardOf(path);
  expect([card.from, card.to]).toEqual([at(-60), at(0)]);
  expect(card.conflicts.map(({ other }: Json) => other.id)).toEqual([window.split('/')[3]]);
});

it('is for the operations area, and of work that exists', async () => {
  const path = await work('incidents', {}, []);
  const outsider = await service.as('admin', ['network']);
  expect((await outsider.get(`${path}/card`)).status).toBe(403);
  for (const owner of ['incidents', 'change-requests', 'maintenance-windows']) {
    expect((await operator.get(`/api/${owner}/${randomUUID()}/card`)).status).toBe(404);
  }
});
