import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, type Outcome } from '../support/command.js';

let service: TestService;
let admin: Api;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'move-in-test-'));
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'mover' }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Dumped {
  model: string;
  pk?: number;
  fields: Record<string, unknown>;
}

const object = (model: string, pk: number, fields: Record<string, unknown>): Dumped => ({ model, pk, fields });

/** A small estate in the shapes of 4.2: two racks, a switch, a patch panel, a machine with an address, and a cable between ports. */
const estate = (): Dumped[] => [
  object('auth.user', 1, { username: 'admin' }),
  object('tenancy.tenant', 1, { name: 'Initech', slug: 'initech', description: '' }),
  object('dcim.region', 2, { name: 'Utrecht', slug: 'utrecht', parent: 1 }),
  object('dcim.region', 1, { name: 'Netherlands', slug: 'netherlands', parent: null }),
  object('dcim.site', 7, { name: 'AMS', slug: 'ams', status: 'active', region: 2, latitude: '52.12', tenant: null }),
  object('dcim.manufacturer', 1, { name: 'Acme', slug: 'acme' }),
  object('dcim.devicetype', 1, {
    model: 'Switch 48',
    slug: 'switch-48',
    manufacturer: 1,
    u_height: '1.0',
    is_full_depth: true,
  }),
  object('dcim.devicerole', 1, { name: 'Leaf', slug: 'leaf', color: '4CAF50', vm_role: false }),
  object('dcim.rack', 1, {
    name: 'R1',
    site: 7,
    u_height: 12,
    starting_unit: 5,
    status: 'active',
    form_factor: '',
    width: 19,
  }),
  object('dcim.device', 42, {
    name: null,
    device_type: 1,
    role: 1,
    site: 7,
    rack: 1,
    position: '6.0',
    face: 'front',
    status: 'active',
    tenant: 1,
  }),
  object('dcim.device', 43, {
    name: 'panel',
    device_type: 1,
    role: 1,
    site: 7,
    rack: 1,
    position: '6.0',
    face: 'front',
    status: 'active',
  }),
  object('dcim.rearport', 5, { device: 43, name: 'Rear 1', type: '8p8c', positions: 1 }),
  object('dcim.frontport', 6, { device: 43, name: 'Front 1', type: '8p8c', rear_port: 5, rear_port_position: 1 }),
  object('dcim.interface', 8, {
    device: 42,
    name: 'Po1',
    type: 'lag',
    enabled: true,
    mode: 'tagged',
    tagged_vlans: [3],
  }),
  object('dcim.interface', 7, {
    device: 42,
    name: 'Eth1',
    type: '1000base-t',
    enabled: false,
    lag: 8,
    primary_mac_address: 9,
    speed: 1_000_000,
  }),
  object('dcim.macaddress', 9, { mac_address: '00:11:22:33:44:55' }),
  object('ipam.vlan', 3, { vid: 30, name: 'Voice', status: 'active', site: 7 }),
  object('dcim.cable', 1, { type: 'cat6', status: 'connected', color: 'ffeb3b', length: '10', length_unit: 'ft' }),
  object('dcim.cabletermination', 1, {
    cable: 1,
    cable_end: 'A',
    termination_type: ['dcim', 'interface'],
    termination_id: 7,
  }),
  object('dcim.cabletermination', 2, {
    cable: 1,
    cable_end: 'B',
    termination_type: ['dcim', 'frontport'],
    termination_id: 6,
  }),
  object('virtualization.cluster', 1, {
    name: 'C1',
    type: null,
    scope_type: ['dcim', 'site'],
    scope_id: 7,
    status: 'active',
  }),
  object('virtualization.virtualmachine', 1, {
    name: 'vm1',
    cluster: 1,
    status: 'active',
    vcpus: '1.50',
    memory: 2048,
    disk: 20_000,
  }),
  object('virtualization.vminterface', 1, { virtual_machine: 1, name: 'eth0', enabled: true }),
  object('ipam.ipaddress', 1, {
    address: '10.0.0.1/24',
    status: 'active',
    assigned_object_type: ['virtualization', 'vminterface'],
    assigned_object_id: 1,
  }),
  object('ipam.ipaddress', 2, {
    address: '10.0.0.2/24',
    status: 'active',
    assigned_object_type: ['dcim', 'interface'],
    assigned_object_id: 7,
  }),
  object('dcim.rackreservation', 1, { rack: 1, units: [1] }),
];

interface Line {
  kind: string;
  id?: string;
  change?: string;
  why?: string;
  read?: number;
  created?: number;
  updated?: number;
  unchanged?: number;
  leftOut?: number;
}

let files = 0;
async function moveIn(objects: unknown, ...options: string[]): Promise<Outcome & { lines: Line[] }> {
  const dump = join(folder, `dump-${++files}.json.gz`);
  const report = join(folder, `report-${files}.jsonl`);
  writeFileSync(dump, gzipSync(typeof objects === 'string' ? objects : JSON.stringify(objects)));
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token };
  const outcome = await runCommand(
    'move-in',
    ['netbox', dump, '--report', report, '--no-custom-fields', ...options],
    env,
  );
  let text = '';
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    // Refused before there was a report.
  }
  return {
    ...outcome,
    lines: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line),
  };
}

const counts = (lines: Line[], kind: string): Line | undefined =>
  lines.find((line) => line.kind === kind && line.read !== undefined);
const changesOf = (lines: Line[], kind: string): [string, string][] =>
  lines.flatMap(({ kind: of, change, why }) =>
    of === kind && change !== undefined ? [[change, why!] as [string, string]] : [],
  );

it('a dry run writes nothing, and ends as the real run does', async () => {
  const { code, err, lines } = await moveIn(estate(), '--source', 'dry', '--dry-run');
  expect([code, err]).toEqual([3, '']);
  expect(counts(lines, 'dcim.device')).toMatchObject({ read: 2, created: 2, leftOut: 0 });
  expect((await admin.get('/api/devices')).body.total).toBe(0);
});

it('brings an estate over, in whatever order it is, and again without a change', async () => {
  const { code, out, err, lines } = await moveIn(estate());
  expect([code, err]).toEqual([3, '']);
  expect(out).toMatch(/^dcim\.device +2 +2 +0 +0 +0$/m);
  for (const { read, created, updated, unchanged, leftOut } of lines.filter((line) => line.read !== undefined)) {
    expect(read).toBe(created! + updated! + unchanged! + leftOut!);
  }
  expect(changesOf(lines, 'dcim.device')).toEqual([
    ['name', 'it has no name, and is called Switch 48 in R1 U2'],
    ['rackPosition', expect.stringContaining('left out')],
  ]);
  expect(changesOf(lines, 'virtualization.virtualmachine')).toEqual([['vcpus', '1.5 was rounded up to 2']]);
  expect(changesOf(lines, 'dcim.rackreservation')).toEqual([['leftOut', 'there are no reservations of racks']]);
  expect(counts(lines, 'auth.user')).toBeUndefined();

  const { body: devices } = await admin.get('/api/devices?sort=name&expand=site,tenantGroup');
  expect(devices.data).toMatchObject([
    { name: 'Switch 48 in R1 U2', rackPosition: 2, site: { name: 'AMS' }, tenantGroup: { name: 'Initech' } },
    { name: 'panel', rackPosition: null, site: { name: 'AMS' } },
  ]);
  const { body: ports } = await admin.get('/api/device-ports?sort=name&kind=network&expand=lag');
  expect(ports.data).toMatchObject([
    {
      name: 'Eth1',
      enabled: false,
      speedMbps: 1000,
      lag: { name: 'Po1' },
      macAddress: expect.stringMatching(/^00.11.22.33.44.55$/),
    },
    { name: 'Po1', type: 'lag', mode: 'tagged' },
  ]);
  expect((await admin.get('/api/device-port-vlans')).body.data).toMatchObject([{ portId: ports.data[1].id }]);
  const { body: trace } = await admin.get(`/api/device-ports/${ports.data[0].id}/trace`);
  expect(
    trace.data.path.map(({ resource, name }: { resource: string; name: string }) => [resource, name]),
  ).toMatchObject([
    ['device-ports', 'Eth1'],
    ['cables', null],
    ['device-ports', 'Front 1'],
    ['device-ports', 'Rear 1'],
  ]);
  expect((await admin.get('/api/cables')).body.data).toMatchObject([
    { lengthM: 3.048, color: '#ffeb3b', type: 'cat6' },
  ]);
  const { body: machines } = await admin.get('/api/virtual-machines');
  expect(machines.data).toMatchObject([{ name: 'vm1', vcpus: 2, memoryMb: 2048, diskGb: 20 }]);
  expect((await admin.get(`/api/virtual-machines/${machines.data[0].id}/ips`)).body.data).toMatchObject([
    { address: '10.0.0.1/24', interfaceName: 'eth0' },
  ]);
  expect((await admin.get('/api/regions?name=Utrecht&expand=parent')).body.data).toMatchObject([
    { parent: { name: 'Netherlands' } },
  ]);

  const { total } = (await admin.get('/api/change-log?pageSize=1')).body;
  const again = await moveIn(estate());
  expect(counts(again.lines, 'dcim.device')).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect((await admin.get('/api/change-log?pageSize=1')).body.total).toBe(total);
  // What was changed here since is overwritten.
  await admin.patch(`/api/virtual-machines/${machines.data[0].id}`, { vcpus: 8 });
  expect(counts((await moveIn(estate())).lines, 'virtualization.virtualmachine')).toMatchObject({
    updated: 1,
    unchanged: 0,
  });
}, 120_000);

it('an older dump moves in as a recent one does', async () => {
  const old = [
    object('dcim.site', 1, { name: 'Old', slug: 'old', status: 'active' }),
    object('dcim.devicerole', 1, { name: 'Old role', slug: 'old-role', color: '000000' }),
    object('dcim.device', 1, { name: 'old-1', device_role: 1, site: 1, status: 'active' }),
    object('dcim.interface', 1, { device: 1, name: 'a', type: '1000base-t', mac_address: '00:11:22:33:44:66' }),
    object('dcim.interface', 2, { device: 1, name: 'b', type: '1000base-t' }),
    object('dcim.cable', 1, {
      termination_a_type: ['dcim', 'interface'],
      termination_a_id: 1,
      termination_b_type: ['dcim', 'interface'],
      termination_b_id: 2,
      status: 'connected',
    }),
    object('virtualization.cluster', 1, { name: 'Old cluster', site: 1, status: 'active' }),
    object('virtualization.virtualmachine', 1, { name: 'old-vm', cluster: 1, status: 'active', disk: 20 }),
  ];
  const refused = await moveIn(old, '--source', 'old');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--netbox-version')]);
  const { code, err } = await moveIn(old, '--source', 'old', '--netbox-version', '3.2');
  expect([code, err]).toEqual([0, '']);
  expect((await admin.get('/api/devices?name=old-1&expand=deviceRole')).body.data).toMatchObject([
    { deviceRole: { name: 'Old role' } },
  ]);
  expect((await admin.get('/api/virtual-machines?name=old-vm')).body.data).toMatchObject([{ diskGb: 20 }]);
  expect((await admin.get('/api/clusters?name=Old%20cluster&expand=site')).body.data).toMatchObject([
    { site: { name: 'Old' } },
  ]);
}, 120_000);

it.each([
  ['{"a": 1', /dump-\d+\.json\.gz (?:cannot be read|is not an output of dumpdata)/],
  [[{ model: 'dcim.site' }], /is not an output of dumpdata/],
])('says what is wrong with a file: %j', async (content, sentence) => {
  const { code, err } = await moveIn(content);
  expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
});

it('loses nothing of a damaged dump without a line', async () => {
  const damage = fc.record({
    at: fc.nat(),
    field: fc.nat(),
    value: fc.oneof(
      fc.constant(null),
      fc.constant(''),
      fc.constant(999),
      fc.constant('x'.repeat(300)),
      fc.constant(-1),
      fc.constant('no:such'),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
      const objects = estate();
      for (const { at, field, value } of damages) {
        const { fields } = objects[at % objects.length]!;
        const names = Object.keys(fields);
        fields[names[field % names.length]!] = value;
      }
      const { code, err, lines } = await moveIn(objects, '--source', `damaged-${files}`, '--netbox-version', '4.2');
      expect([code === 0 || code === 3, err]).toEqual([true, '']);
      const read = objects.filter(({ model }) => !model.startsWith('auth.')).length;
      const sums = lines.filter((line) => line.read !== undefined);
      expect(sums.reduce((sum, line) => sum + line.read!, 0)).toBe(read);
      for (const { kind, leftOut } of sums)
        expect(changesOf(lines, kind).filter(([change]) => change === 'leftOut')).toHaveLength(leftOut!);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 5), endOnFailure: true },
  );
}, 300_000);
