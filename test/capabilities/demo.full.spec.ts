import { readFileSync, writeFileSync } from 'node:fs';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { fillDemo, type Counts } from '../../src/cli/demo/fill.js';
import { report } from '../../src/cli/demo/report.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { makeFirstAdministrator, type FirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

// A Thursday. The weeks of the schedules start on the preceding Monday.
const today = new Date('2026-03-05T10:00:00Z');

interface Demo {
  service: TestService;
  counts: Counts;
  api: Api;
}

async function fresh(): Promise<TestService> {
  const service = await startService();
  await makeFirstAdministrator(service.database.db, {
    adminEmail: 'admin@example.com',
    adminPassword: 'not guessed 1',
  });
  await loadCatalogue(service.database.db);
  return service;
}

async function demo(): Promise<Demo> {
  const service = await fresh();
  const counts = await fillDemo(service.app, service.database.db, today);
  return { service, counts, api: await service.as('admin') };
}

let first: Demo;
beforeAll(async () => void (first = await demo()), 300_000);
afterAll(() => first.service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records of any resource
const all = async (path: string, { api }: Demo = first): Promise<any[]> => {
  const answer = await api.get(`/api/${path}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

it('fills a new database with an estate', async () => {
  expect(first.counts).toMatchObject({ sites: 2, devices: 216, 'ip-addresses': 2000, people: 41 });
  expect(first.counts.racks).toBeGreaterThan(20);
  for (const [path, count] of Object.entries(first.counts)) {
    expect([path, count > 0]).toEqual([path, true]);
    expect((await first.api.get(`/api/${path}?pageSize=1`)).body.total).toBe(count);
  }
});

it('has a plan of prefixes that contains the addresses in use', async () => {
  const prefixes = await all('prefixes');
  const used = (status: string): number[] =>
    prefixes.filter((prefix) => prefix.status === status).map(({ usedAddresses }) => usedAddresses as number);
  expect(used('active').every((count) => count > 0)).toBe(true);
  expect(used('container').every((count) => count > 0)).toBe(true);
  expect(prefixes.filter(({ parentId }) => parentId !== null).length).toBeGreaterThan(10);
  const vlans = new Set((await all('vlans')).map(({ id }) => id));
  expect(new Set(prefixes.flatMap(({ vlanId }) => vlanId ?? []))).toEqual(vlans);
});

it('has orders in every state, and received units are assets', async () => {
  const orders = await all('purchase-orders');
  const states = new Set(orders.map(({ status }) => status));
  expect(states).toEqual(new Set(['draft', 'ordered', 'partially_received', 'received', 'closed', 'cancelled']));
  const received = orders.reduce((sum, order) => sum + order.receivedQuantity, 0);
  const assets = await all('assets');
  expect(assets.filter(({ purchaseOrderId }) => purchaseOrderId !== null)).toHaveLength(received);
  expect(new Set(assets.map(({ assetTag }) => assetTag)).size).toBe(assets.length);
  for (const { status, receivedDate } of orders) expect(receivedDate !== null).toBe(status === 'received');
});

it('has an order delivered in two parts, the second of which was reversed', async () => {
  const orders = await all('purchase-orders');
  const { id, status } = orders.find(({ notes }) => notes.includes('the second delivery'));
  const receipts = await all(`purchase-orders/${id}/receipts`);
  expect(receipts.map(({ count, reversedAt }) => [count, reversedAt !== null])).toEqual([
    [10, false],
    [6, true],
  ]);
  expect([status, (await all(`assets?purchaseOrderId=${id}`)).length]).toEqual(['partially_received', 10]);
});

it('has assets that are assigned, and some that were returned', async () => {
  const assets = await all('assets');
  expect(assets.filter(({ currentAssignee }) => currentAssignee !== null).length).toBeGreaterThan(40);
  const retired = assets.find(({ status }) => status === 'retired');
  const assignments = await all(`assets/${retired.id}/assignments`);
  expect(assignments.map(({ returnedAt }) => returnedAt === null)).toEqual([false]);
  expect((await all('people')).every(({ status, assetCount }) => assetCount > 0 === (status !== 'inactive'))).toBe(
    true,
  );
});

it('gives every device its own position in a rack, and an asset with its serial number', async () => {
  const [devices, types, racks, assets] = await Promise.all(
    ['devices', 'device-types', 'racks', 'assets'].map((path) => all(path)),
  );
  // oxlint-disable-next-line typescript/no-explicit-any -- records of any resource
  const byId = (records: any[]) => new Map<string, any>(records.map((record) => [record.id, record]));
  const [typeOf, rackOf, assetOf] = [byId(types!), byId(racks!), byId(assets!)];
  const taken = new Set<string>();
  for (const device of devices!) {
    const rack = rackOf.get(device.rackId);
    const top = device.rackPosition + typeOf.get(device.deviceTypeId).uHeight - 1;
    expect(top).toBeLessThanOrEqual(rack.units);
    for (let unit = device.rackPosition; unit <= top; unit++) {
      expect(taken.has(`${device.rackId} ${unit}`)).toBe(false);
      taken.add(`${device.rackId} ${unit}`);
    }
    expect(device.siteId).toBe(rack.siteId);
    expect(device.serialNumber).toBe(assetOf.get(device.assetId).serialNumber);
    for (const field of ['deviceRoleId', 'locationId']) expect(device[field]).not.toBeNull();
  }
  expect(new Set(devices!.map(({ assetId }) => assetId)).size).toBe(216);
});

// `UPDATE_PICTURES=1 npm run test:full -- test/capabilities/demo` writes the picture again.
it('has the rack that the documentation shows', async () => {
  const [rack] = await all('racks?name=AMS-C1');
  const { text } = await first.api.get(`/api/racks/${rack.id}/elevation?format=svg`);
  if (process.env.UPDATE_PICTURES) writeFileSync('docs/rack.svg', text);
  expect(readFileSync('docs/rack.svg', 'utf8')).toBe(text);
});

it('gives device types the ports of their devices', async () => {
  const [device] = (await all('devices')).filter(({ name }) => name === 'ams-leaf-01');
  const names = async (path: string): Promise<string[]> => (await all(path)).map(({ name }) => name);
  const own = await names(`devices/${device.id}/ports`);
  const ofType = await names(`device-types/${device.deviceTypeId}/ports`);
  expect(ofType.length).toBeGreaterThan(8);
  expect(ofType.filter((name) => !own.includes(name))).toEqual([]);
});

it('has panels that traces pass, circuits, and power that fails by halves', async () => {
  const [dist] = await all('devices?name=ams-dist-sw-01');
  const [neighbour] = (await all(`devices/${dist.id}/neighbours`)).filter(({ cables }) => cables === 3);
  expect([neighbour.status, neighbour.end.device.name]).toEqual(['complete', 'ams-fw-01']);
  const [circuit] = await all('circuits?circuitNumber=NSC-W-1042');
  const reached = async (path: string): Promise<string[]> =>
    (await first.api.get(`/api/${path}/impact`)).body.data.records
      .filter(({ resource }: { resource: string }) => resource === 'devices')
      .map(({ name, effect }: { name: string; effect: string }) => `${name} ${effect}`);
  expect(await reached(`circuits/${circuit.id}`)).toEqual(['ams-dci-rtr-01 degraded', 'lon-dci-rtr-01 degraded']);
  const [feed] = await all('power-feeds?name=AMS-A1 feed A');
  const lost = await reached(`power-feeds/${feed.id}`);
  expect(lost.filter((one) => one.endsWith(' down'))).toEqual(['ams-pdu-01 down', 'ams-ups-01 down']);
  expect(lost.filter((one) => one.endsWith(' degraded'))).toEqual(
    expect.arrayContaining(['ams-hv-01 degraded', 'ams-leaf-01 degraded', 'ams-spine-01 degraded']),
  );
  const [rack] = await all('racks?name=AMS-A1');
  const { feeds, unfed } = (await first.api.get(`/api/racks/${rack.id}/power`)).body.data;
  expect(
    feeds.map(({ name, utilisation }: { name: string; utilisation: number }) => [name, utilisation > 0.5]),
  ).toEqual([
    ['AMS-A1 feed A', true],
    ['AMS-A1 feed B', true],
  ]);
  expect(unfed).toEqual([]);
  const [machine] = await all('virtual-machines?name=ams-web-01');
  const ips = await all(`virtual-machines/${machine.id}/ips`);
  expect(ips.map(({ interfaceName }) => interfaceName)).toEqual(['eth0', 'eth0']);
});

it('gives each address once per VRF, to a port if there is one', async () => {
  const addresses = await all('ip-addresses');
  expect(new Set(addresses.map(({ vrfId, address }) => `${vrfId} ${address}`)).size).toBe(2000);
  expect(new Set(addresses.map(({ family }) => family))).toEqual(new Set([4, 6]));
  expect(addresses.every(({ vrfId }) => vrfId !== null)).toBe(true);
  const bound = addresses.filter(({ interfaceId }) => interfaceId !== null);
  expect(bound.every(({ deviceId }) => deviceId !== null)).toBe(true);
  // All devices except the patch panels.
  expect(new Set(bound.map(({ deviceId }) => deviceId)).size).toBe(212);
  const machines = await all('virtual-machines');
  const names = new Set(addresses.map(({ dnsName }) => dnsName));
  expect(machines.filter(({ name }) => !names.has(`${name}.example.com`))).toEqual([]);
});

it('has a roster with a cover, one with an overlap, and gaps', async () => {
  const noon = today.toISOString();
  const onCall = await all(`on-call?at=${noon}`);
  expect(onCall.map(({ roster, person }) => [roster, person !== null])).toEqual([
    ['Network', true],
    ['Platform', true],
    ['Security', true],
  ]);
  const window = `from=2026-02-16T08:00:00Z&to=2026-04-13T07:00:00Z`;
  const shifts = await all(`on-call/shifts?roster=Network&${window}`);
  // Eight turns in the local time of Amsterdam. The cover splits the third one.
  expect(shifts).toHaveLength(10);
  expect(shifts.at(-1)).toMatchObject({ startTime: '2026-04-06T07:00:00.000Z', endTime: '2026-04-13T07:00:00.000Z' });
  const [before, cover, after] = shifts.slice(2, 5);
  expect([cover.startTime, cover.endTime]).toEqual(['2026-03-06T16:00:00.000Z', '2026-03-07T06:00:00.000Z']);
  expect(before.person).toEqual(after.person);
  expect(cover.person).not.toEqual(before.person);
  const gaps = await all(`on-call/gaps?${window}`);
  expect(gaps.map(({ roster, startTime, reason }) => [roster, startTime, reason])).toEqual([
    ['Platform', '2026-03-18T08:00:00.000Z', 'nobody_assigned'],
    ['Security', '2026-03-23T08:00:00.000Z', 'no_shift'],
  ]);
  const overlaps = await all(`on-call/overlaps?${window}`);
  expect(overlaps.map(({ roster, startTime }) => [roster, startTime])).toEqual([
    ['Platform', '2026-03-10T08:00:00.000Z'],
  ]);
});

it('has open incidents, and the timeline of one', async () => {
  expect((await all('incidents?resolvedAt__empty=true&detectedAt__gte=2026-03-01')).length).toBeGreaterThan(0);
  const [incident] = await all('incidents?name=ams-leaf-07 restarts by itself');
  expect([incident.status, incident.severity]).toEqual(['investigating', 'sev2']);
  const updates = await all(`incidents/${incident.id}/updates`);
  expect(updates.map(({ status, severity }) => [status, severity])).toEqual([
    ['investigating', null],
    [null, 'sev2'],
    [null, null],
  ]);
  expect((await all(`incidents/${incident.id}/targets`)).map(({ name }) => name)).toEqual(['ams-leaf-07']);
});

it('has something overdue of every kind, and more seats taken of a product than there are', async () => {
  const [licences, contracts, renewals, assets, orders] = await Promise.all([
    all('software-licences?status=active&expiryDate__lt=2026-03-05'),
    all('contracts?status=active&endDate__lt=2026-03-05&noticeDate__lt=2026-03-05'),
    all('renewals?status=upcoming&renewalDate__lt=2026-03-05'),
    all('assets?status=in_use&warrantyUntil__lt=2026-03-05'),
    all('purchase-orders?status=ordered&expectedDate__lt=2026-03-05'),
  ]);
  for (const overdue of [licences, contracts, renewals, assets, orders]) expect(overdue!.length).toBeGreaterThan(0);
  const position = await all('software-licences/position');
  expect(position.filter(({ freeSeats }) => freeSeats < 0 && freeSeats !== null)).toMatchObject([
    { product: 'DrawWell', freeSeats: -3 },
  ]);
});

it('has somebody who is responsible for sites, racks and single devices', async () => {
  for (const [resource, name] of [
    ['sites', 'London DC2'],
    ['racks', 'LON-M1'],
    ['devices', 'ams-leaf-07'],
  ]) {
    const [{ id }] = await all(`${resource}?name=${encodeURIComponent(name!)}`);
    expect((await all(`${resource}/${id}/responsibilities`)).length).toBeGreaterThan(0);
  }
});

it('has devices that nothing covers, some that soon nothing covers, and prices to replace them', async () => {
  const exposed = await all('exposure?on=2026-03-05');
  expect(exposed.length).toBeGreaterThan(0);
  expect(exposed.some(({ lastCoveredBy }) => lastCoveredBy?.resource === 'contracts')).toBe(true);
  for (const { replacement } of exposed) expect(replacement.amount).toMatch(/^\d+\.\d\d$/);
  expect((await all('exposure?on=2026-03-05&within=90')).length).toBeGreaterThan(0);
  const { length } = await all('devices?status=active');
  expect(exposed.length).toBeLessThan(length / 2);
});

it('leaves no session behind, and is attributed to the demo', async () => {
  const [{ count }] = (await first.service.database.db.query(
    sql`SELECT count(*)::int AS count FROM sessions WHERE user_agent = 'npm run demo'`,
  )) as [{ count: number }];
  expect(count).toBe(0);
  const [entry] = (await first.api.get('/api/change-log?resource=devices&pageSize=1')).body.data;
  expect(entry).toMatchObject({ action: 'create', actor: 'admin@example.com' });
});

it('reports what was created and how to log in', () => {
  const configuration = loadConfiguration({ PORT: '3999', DATA_DIR: '/srv/demo' });
  const said = (made?: FirstAdministrator): string => report(first.counts, configuration, made, 12_340);
  const email = 'admin@example.com';
  expect(said()).toContain('A demo estate was made in /srv/demo in 12.3 s:\n');
  expect(said()).toContain('\n   2000  ip addresses\n');
  expect(said()).toContain('\n  PORT=3999 DATA_DIR=/srv/demo npm start\n');
  expect(said()).toContain('$(DATA_DIR=/srv/demo npm run --silent session -- --email admin@example.com)');
  expect(said({ email, password: 'made-up' })).toContain(
    `-d '{"email":"admin@example.com","password":"made-up"}' http://127.0.0.1:3999/api/auth/login`,
  );
  // The report does not print a given password. Another terminal does not have it in a variable.
  expect(said({ email })).toContain('$(DATA_DIR=/srv/demo npm run --silent session -- --email admin@example.com)');
  const elsewhere = loadConfiguration({}, { dataDir: 'demo-data' });
  expect(report(first.counts, elsewhere, undefined, 1)).toContain('\n  DATA_DIR=./demo-data npm start\n');
  // The key of the secrets is in the data directory, unless it is configured.
  const onServer = { DATABASE_URL: 'postgres://db/demo' };
  const server = loadConfiguration(onServer, { dataDir: 'demo-data' });
  expect(report(first.counts, server, undefined, 1)).toContain(
    '(the same DATABASE_URL):\n\n  DATA_DIR=./demo-data npm start\n',
  );
  const keyed = loadConfiguration({ ...onServer, SECRET_KEY: 'k'.repeat(32) }, { dataDir: 'demo-data' });
  expect(report(first.counts, keyed, undefined, 1)).toContain('(the same DATABASE_URL):\n\n  npm start\n');
});

it('refuses a database that has an estate, and adds nothing to it', async () => {
  const { service, counts } = first;
  await expect(fillDemo(service.app, service.database.db, today)).rejects.toThrow(
    'The database already has an estate (28 in /api/on-call-schedules, 9 in /api/runbooks, 9 in /api/known-issues, …)',
  );
  expect((await first.api.get('/api/devices?pageSize=1')).body.total).toBe(counts.devices);
  const occupied = await fresh();
  try {
    await (await occupied.as('admin')).make('/api/people', { fullName: 'Ada Lovelace' });
    await expect(fillDemo(occupied.app, occupied.database.db)).rejects.toThrow('an estate (1 in /api/people), and');
  } finally {
    await occupied.stop();
  }
});

it('has a window of a core switch that collides with a change on a machine that runs on it', async () => {
  const window = (await all('maintenance-windows')).find(({ name }) => name === 'Upgrade of ams-spine-01');
  const conflicts = await all(`maintenance-windows/${window.id}/conflicts`);
  expect(conflicts).toEqual([
    {
      kind: 'inside_target',
      from: expect.stringContaining('T21:30'),
      to: expect.stringContaining('T22:30'),
      target: { resource: 'devices', id: expect.any(String), name: 'ams-spine-01' },
      other: {
        resource: 'change-requests',
        id: expect.any(String),
        name: 'New release of the flow collector ams-netflow-01',
      },
      via: { resource: 'virtual-machines', id: expect.any(String), name: 'ams-netflow-01' },
    },
  ]);
});

it('has a workflow of change requests, in which somebody else approves', async () => {
  const submitted = (await all('change-requests')).find(({ status }) => status === 'submitted');
  const moves = await all(`change-requests/${submitted.id}/transitions`);
  expect(moves.map(({ to, role, approvals, allowed }) => [to, role, approvals.needed, allowed])).toEqual([
    ['approved', 'manager', 1, false],
    ['cancelled', 'editor', 0, true],
    ['draft', 'editor', 0, true],
    ['rejected', 'manager', 0, true],
  ]);
});

it('creates the same estate again', async () => {
  // Generated values differ. Of records with the same millisecond, the id determines the order.
  const made = /^(?:id|\w+Id|createdAt|updatedAt|closedAt|warrantyUntil|currentAssignee)$/;
  const told = async (path: string, one: Demo): Promise<string[]> => {
    const records = await all(path, one);
    return records
      .map((record) => JSON.stringify(record, (key, value: unknown) => (made.test(key) ? undefined : value)))
      .toSorted();
  };
  const again = await demo();
  try {
    expect(again.counts).toEqual(first.counts);
    for (const path of Object.keys(first.counts)) expect(await told(path, again)).toEqual(await told(path, first));
  } finally {
    await again.service.stop();
  }
}, 300_000);

it('has a plan that something stands in the way of, and one that was merged', async () => {
  const sets = await all('change-sets?sort=name');
  expect(sets.map(({ name, status }) => [name, status])).toEqual([
    ['Label the meet-me room', 'merged'],
    ['Move three devices from A4 to C3', 'open'],
  ]);
  expect((await all(`change-log?changeSetId=${sets[0].id}&resource=devices`)).length).toBe(sets[0].operationCount);
  const { body } = await first.api.post(`/api/change-sets/${sets[1].id}/preview`);
  expect(body.data.conflicts).toMatchObject([{ kind: 'changed', field: 'description', current: 'One fan is loud' }]);
  expect(body.data.operations.map(({ after }: { after: { rackId: string } }) => after.rackId)).toHaveLength(3);
  expect(sets[1].changeRequestId).toEqual(expect.any(String));
});

it('has what the asset desk does: stock, seats, reserved units, and somebody who has left', async () => {
  const [cables, modules] = await all('stock-items?sort=name');
  expect([cables.onHand, modules.onHand]).toEqual([212, 9]);
  expect((await all('expirations?kind=stock')).map(({ name }) => name)).toEqual([modules.name]);
  const [reserved] = await all('rack-reservations');
  expect(reserved.units).toHaveLength(4);
  const [robin] = await all('people?email=robin.castle@example.com');
  expect(robin).toMatchObject({ status: 'inactive', assetCount: 0 });
  expect(await all(`people/${robin.id}/seats`)).toEqual([]);
  const [licence] = await all('software-licences?name=Diagrams');
  expect(licence).toMatchObject({ seats: 5, assignedSeats: 2 });
  const [laptop] = await all('assets?assetTag=LEFT-01');
  expect([laptop.status, laptop.currentAssignee]).toEqual(['in_stock', null]);
  const drawn = await first.api.get('/api/bookings?format=svg&from=2026-03-05&to=2026-03-20');
  expect(drawn.text).toContain('Projector');
});
