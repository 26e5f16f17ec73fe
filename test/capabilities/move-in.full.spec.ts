import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { v5 } from 'uuid';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, startEntry, type Outcome } from '../support/command.js';
import { countsOf, reportAt, type ReportLine } from '../support/move-in-report.js';
import { NetboxStandIn, type Dumped } from '../support/netbox-stand-in.js';

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

const object = (model: string, pk: number, fields: Record<string, unknown>): Dumped => ({ model, pk, fields });

/** A small estate in the format of 4.2: two racks, a switch, a patch panel, a machine with an address, and a cable between ports. */
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

let files = 0;
/** Whether values without a field here become custom fields. */
let withCustomFields = false;
afterEach(() => (withCustomFields = false));
function moveIn(objects: unknown, ...options: string[]): Promise<Outcome & { lines: ReportLine[] }> {
  const dump = join(folder, `dump-${++files}.json.gz`);
  writeFileSync(dump, gzipSync(typeof objects === 'string' ? objects : JSON.stringify(objects)));
  return moveFrom(dump, ...options);
}

/** @param source a dump, or the address of a NetBox */
async function moveFrom(source: string, ...options: string[]): Promise<Outcome & { lines: ReportLine[] }> {
  const report = join(folder, `report-${++files}.jsonl`);
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token, NETBOX_TOKEN: 'secret' };
  const outcome = await runCommand(
    'move-in',
    ['netbox', source, '--report', report, ...(withCustomFields ? [] : ['--no-custom-fields']), ...options],
    env,
  );
  // A refused run writes no report.
  return { ...outcome, lines: existsSync(report) ? reportAt(report) : [] };
}

const changesOf = (lines: ReportLine[], kind: string): [string, string][] =>
  lines.flatMap(({ kind: of, change, why }) =>
    of === kind && change !== undefined ? [[change, why!] as [string, string]] : [],
  );

it('a dry run writes nothing, and ends as the real run does', async () => {
  const { code, err, lines } = await moveIn(estate(), '--source', 'dry', '--dry-run');
  expect([code, err]).toEqual([3, '']);
  expect(countsOf(lines, 'dcim.device')).toMatchObject({ read: 2, created: 2, leftOut: 0 });
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
  expect(countsOf(lines, 'auth.user')).toBeUndefined();

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
  expect(countsOf(again.lines, 'dcim.device')).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect((await admin.get('/api/change-log?pageSize=1')).body.total).toBe(total);
  // Changes made here since then are overwritten.
  await admin.patch(`/api/virtual-machines/${machines.data[0].id}`, { vcpus: 8 });
  expect(countsOf((await moveIn(estate())).lines, 'virtualization.virtualmachine')).toMatchObject({
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

it('reads the same records over the API, which is busy, fails and changes meanwhile', async () => {
  const tagged = [
    object('extras.tag', 1, { name: 'Core', slug: 'core', color: '000000' }),
    { model: 'extras.taggeditem', fields: { content_type: ['dcim', 'device'], object_id: 42, tag: ['Core'] } },
  ];
  const objects = [...estate(), ...tagged].filter(({ model }) => model !== 'auth.user');
  const fromDump = await moveIn(objects, '--source', 'both');
  const netbox = new NetboxStandIn(objects, '4.2.9', 3);
  const url = await netbox.start();
  let failures = 0;
  netbox.intercept = ({ pathname }, response) => {
    if (pathname === '/api/dcim/sites/' && failures++ === 0) {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    }
    if (pathname === '/api/dcim/devices/' && failures++ === 1) {
      response.writeHead(500).end('<h1>Server Error</h1>');
      return true;
    }
    if (pathname === '/api/dcim/racks/' && failures++ === 2) {
      // The connection breaks within the page.
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
        .write('{"count": 1, "res');
      setTimeout(() => response.destroy(), 50);
      return true;
    }
    return false;
  };
  const { code, err, lines } = await moveFrom(url, '--source', 'both');
  expect([code, err, failures]).toEqual([3, '', 5]);
  const sums = lines.filter(({ read }) => read !== undefined);
  for (const { kind, read, leftOut, unchanged } of sums) {
    expect([kind, read, leftOut]).toEqual([
      kind,
      countsOf(fromDump.lines, kind)!.read,
      countsOf(fromDump.lines, kind)!.leftOut,
    ]);
    expect([kind, unchanged]).toEqual([kind, read! - leftOut!]);
  }
  expect(sums.map(({ kind }) => kind).toSorted()).toEqual(
    fromDump.lines.flatMap(({ kind, read }) => (read === undefined ? [] : [kind])).toSorted(),
  );
  expect(netbox.requests).toContain('/api/dcim/interfaces/?limit=1000&offset=0&ordering=id');

  // A device is deleted while the list is read, so the later ones move to the previous page.
  const devices = netbox.list('dcim.device');
  for (const id of [50, 51, 52]) devices.push({ ...devices[1]!, id, name: `late-${id}`, position: null });
  netbox.intercept = ({ pathname, searchParams }) => {
    if (pathname === '/api/dcim/devices/' && searchParams.get('offset') === '3' && devices.length === 5)
      devices.shift();
    return false;
  };
  const moved = await moveFrom(url, '--source', 'both');
  expect(countsOf(moved.lines, 'dcim.device')).toMatchObject({ read: 5, created: 3, unchanged: 2 });
  netbox.stop();
}, 180_000);

/** The estate as an older or newer NetBox dumps it. @param version such as 3.2 */
function asOf(version: number): Dumped[] {
  const objects = estate();
  const by = (model: string, pk: number): Record<string, unknown> =>
    objects.find((one) => one.model === model && one.pk === pk)!.fields;
  const rename = (fields: Record<string, unknown>, from: string, to: string): void => {
    fields[to] = fields[from];
    delete fields[from];
  };
  const without = (...models: string[]): Dumped[] => objects.filter(({ model }) => !models.includes(model));
  if (version < 3.6) for (const pk of [42, 43]) rename(by('dcim.device', pk), 'role', 'device_role');
  if (version < 4.1) {
    rename(by('dcim.rack', 1), 'form_factor', 'type');
    by('virtualization.virtualmachine', 1).disk = 20;
  }
  if (version < 4.2) {
    const cluster = by('virtualization.cluster', 1);
    for (const field of ['scope_type', 'scope_id']) delete cluster[field];
    cluster.site = 7;
    const port = by('dcim.interface', 7);
    delete port.primary_mac_address;
    port.mac_address = '00:11:22:33:44:55';
  }
  if (version < 3.3)
    Object.assign(by('dcim.cable', 1), {
      termination_a_type: ['dcim', 'interface'],
      termination_a_id: 7,
      termination_b_type: ['dcim', 'frontport'],
      termination_b_id: 6,
    });
  if (version >= 4.5) {
    const front = by('dcim.frontport', 6);
    for (const field of ['rear_port', 'rear_port_position']) delete front[field];
    objects.push(
      object('dcim.portmapping', 1, { front_port: 6, front_port_position: 1, rear_port: 5, rear_port_position: 1 }),
    );
  }
  return without(...(version < 3.3 ? ['dcim.cabletermination'] : []), ...(version < 4.2 ? ['dcim.macaddress'] : []));
}

it('makes the same records of every version', async () => {
  await moveIn(estate(), '--source', 'versions');
  for (const version of [3.0, 3.2, 3.3, 3.5, 3.6, 4.0, 4.1, 4.2, 4.5, 4.6]) {
    const { code, err, lines } = await moveIn(asOf(version), '--source', 'versions');
    expect([version, code, err]).toEqual([version, 3, '']);
    for (const { kind, created, updated } of lines.filter(({ read }) => read !== undefined))
      // Port mappings are objects of their own only in some versions.
      if (kind !== 'dcim.portmapping') expect([version, kind, created, updated]).toEqual([version, kind, 0, 0]);
    expect([version, countsOf(lines, 'dcim.cable')!.unchanged]).toEqual([version, 1]);
  }
}, 300_000);

it('a run that was killed goes on where it was, and the estate is the same', async () => {
  const many = [
    object('dcim.site', 1, { name: 'Killed', slug: 'killed', status: 'active' }),
    ...Array.from({ length: 3000 }, (_, at) =>
      object('dcim.device', at + 1, { name: `killed-${at + 1}`, site: 1, status: 'active' }),
    ),
    ...Array.from({ length: 3000 }, (_, at) =>
      object('dcim.interface', at + 1, { device: at + 1, name: 'eth0', type: '1000base-t', enabled: true }),
    ),
  ];
  const dump = join(folder, 'killed.json');
  writeFileSync(dump, JSON.stringify(many));
  const total = async (): Promise<number> =>
    (await admin.get('/api/devices?name__isw=killed-&pageSize=1')).body.total as number;
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token };
  const { child, outcome } = startEntry('cli/move-in', ['netbox', dump, '--source', 'killed'], env);
  while ((await total()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  expect((await outcome).code).toBeNull();
  const written = await total();
  expect(written).toBeLessThan(3000);
  const { code, err, lines } = await moveFrom(dump, '--source', 'killed');
  expect([code, err]).toEqual([0, '']);
  expect(countsOf(lines, 'dcim.device')).toMatchObject({ read: 3000, leftOut: 0 });
  expect(countsOf(lines, 'dcim.device')!.unchanged).toBeGreaterThanOrEqual(written);
  const again = await moveFrom(dump, '--source', 'killed');
  for (const kind of ['dcim.device', 'dcim.interface'])
    expect(countsOf(again.lines, kind)).toMatchObject({ read: 3000, unchanged: 3000 });
}, 300_000);

it('contacts are people, who are responsible in the way that their role says', async () => {
  const objects = [
    object('dcim.site', 1, { name: 'Looked after', slug: 'looked-after', status: 'active' }),
    object('circuits.provider', 1, { name: 'Carrier', slug: 'carrier' }),
    object('tenancy.contactrole', 1, { name: 'owns', slug: 'owns' }),
    object('tenancy.contactrole', 2, { name: 'Unused', slug: 'unused' }),
    object('tenancy.contact', 1, { name: 'Grace Hopper', email: 'grace@example.com', phone: '1' }),
    object('tenancy.contactassignment', 1, {
      object_type: ['dcim', 'site'],
      object_id: 1,
      contact: 1,
      role: 1,
      priority: 'primary',
    }),
    // Before 4.0 the type had another name.
    object('tenancy.contactassignment', 2, {
      content_type: ['circuits', 'provider'],
      object_id: 1,
      contact: 1,
      role: 1,
    }),
  ];
  const dry = await moveIn(objects, '--source', 'contacts', '--dry-run');
  const { code, err, lines } = await moveIn(objects, '--source', 'contacts');
  expect([code, err]).toEqual([3, '']);
  expect(countsOf(lines, 'tenancy.contactassignment')).toMatchObject({ read: 2, created: 1, leftOut: 1 });
  expect(countsOf(lines, 'tenancy.contactrole')).toMatchObject({ read: 2, created: 1, leftOut: 1 });
  expect(dry.lines.filter(({ read }) => read !== undefined)).toEqual(lines.filter(({ read }) => read !== undefined));
  expect(changesOf(lines, 'tenancy.contactassignment')).toEqual([
    ['leftOut', 'nobody is responsible for a circuits.provider here'],
  ]);
  const { body } = await admin.get('/api/sites?name=Looked%20after');
  expect((await admin.get(`/api/sites/${body.data[0].id}/responsibilities`)).body.data).toMatchObject([
    { kind: 'owns', name: 'Grace Hopper', description: 'primary' },
  ]);
  const again = await moveIn(objects, '--source', 'contacts');
  expect(countsOf(again.lines, 'tenancy.contactassignment')).toMatchObject({ created: 0, unchanged: 1 });
}, 120_000);

it('values without a field become custom fields, and tags a list of words', async () => {
  withCustomFields = true;
  const objects = [
    object('extras.customfieldchoiceset', 1, {
      name: 'Tiers',
      extra_choices: [
        ['gold', 'Gold'],
        ['iron', 'Iron'],
      ],
    }),
    object('extras.customfield', 1, { name: 'service_tier', type: 'select', label: 'Tier', choice_set: 1 }),
    object('extras.customfield', 2, { name: 'spare_for', type: 'object', related_object_type: ['dcim', 'site'] }),
    // Racks are written after sites.
    object('extras.customfield', 4, { name: 'main_rack', type: 'object', related_object_type: ['dcim', 'rack'] }),
    object('extras.customfield', 3, { name: 'cust_id', type: 'text', label: 'Customer', default: 'none' }),
    object('extras.tag', 1, { name: 'Core', slug: 'core', color: '000000' }),
    { model: 'extras.taggeditem', fields: { content_type: ['dcim', 'rack'], object_id: 1, tag: ['Core'] } },
    object('tenancy.tenant', 1, { name: 'Umbrella', slug: 'umbrella', custom_field_data: { cust_id: 'UMB01' } }),
    object('dcim.rackrole', 1, { name: 'Compute', slug: 'compute', color: '000000' }),
    object('dcim.site', 1, {
      name: 'Custom',
      slug: 'custom',
      status: 'active',
      tenant: 1,
      custom_field_data: { service_tier: 'gold', spare_for: null, cust_id: '', main_rack: 1 },
    }),
    object('dcim.rack', 1, {
      name: 'R9',
      site: 1,
      role: 1,
      width: 19,
      starting_unit: 1,
      status: 'active',
      comments: 'By the door',
      custom_field_data: { spare_for: 1 },
    }),
  ];
  const dry = await moveIn(objects, '--source', 'custom', '--dry-run');
  const { code, err, lines } = await moveIn(objects, '--source', 'custom');
  expect(lines.filter(({ change }) => change !== undefined)).toEqual([]);
  expect([code, err]).toEqual([0, '']);
  expect(dry.lines.filter(({ read }) => read !== undefined)).toEqual(lines.filter(({ read }) => read !== undefined));
  expect(countsOf(lines, 'extras.customfield')).toMatchObject({ read: 4, created: 4 });
  const { body: sites } = await admin.get('/api/sites?name=Custom');
  const { body: tenants } = await admin.get('/api/tenant-groups?name=Umbrella');
  const { body: racks } = await admin.get('/api/racks?name=R9');
  expect(sites.data[0].customFields).toEqual({
    serviceTier: 'gold',
    tenant: tenants.data[0].id,
    mainRack: racks.data[0].id,
  });
  expect(tenants.data[0].customFields).toEqual({ custId: 'UMB01' });
  expect(racks.data[0].customFields).toEqual({
    role: 'Compute',
    tags: ['Core'],
    comments: 'By the door',
    spareFor: sites.data[0].id,
  });
  const { body: definitions } = await admin.get('/api/custom-fields?sort=key');
  expect(
    definitions.data.map(({ key, type, target, label }: Record<string, unknown>) => [key, type, target, label]),
  ).toEqual([
    ['comments', 'text', null, 'Comments'],
    ['custId', 'text', null, 'Customer'],
    ['mainRack', 'reference', 'racks', 'Main rack'],
    ['role', 'text', null, 'Role'],
    ['serviceTier', 'choice', null, 'Tier'],
    ['spareFor', 'reference', 'sites', 'Spare for'],
    ['tags', 'tags', null, 'Tags'],
    ['tenant', 'reference', 'tenant-groups', 'Tenant'],
  ]);
  const again = await moveIn(objects, '--source', 'custom');
  for (const { kind, read, unchanged } of again.lines.filter((line) => line.read !== undefined))
    expect([kind, unchanged]).toEqual([kind, read]);
}, 120_000);

it('computes ids, and says what of an object was not kept', async () => {
  const end = (pk: number, cable_end: string, termination_id: number): Dumped =>
    object('dcim.cabletermination', pk, {
      cable: 1,
      cable_end,
      termination_type: ['dcim', 'interface'],
      termination_id,
    });
  const objects = [
    object('dcim.manufacturer', 1, { name: 'Ids', slug: 'ids' }),
    object('dcim.moduletype', 1, { model: 'Card', manufacturer: 1 }),
    object('dcim.site', 1, { name: 'Ids', slug: 'ids', status: 'active', custom_field_data: { floor: 'one' } }),
    object('dcim.device', 42, { name: 'ids-1', site: 1, status: 'active' }),
    // Its units are numbered from the top.
    object('dcim.rack', 8, {
      name: 'Top',
      site: 1,
      u_height: 10,
      starting_unit: 3,
      desc_units: true,
      status: 'active',
    }),
    object('dcim.devicetype', 8, { model: 'Two', manufacturer: 1, slug: 'two', u_height: '2.0' }),
    ...['3.0', '7.0'].map((position, at) =>
      object('dcim.device', 80 + at, {
        name: at === 0 ? 'highest' : null,
        device_type: 8,
        site: 1,
        rack: 8,
        position,
        face: 'front',
        status: 'active',
      }),
    ),
    ...[1, 2, 3].map((pk) =>
      object('dcim.interface', pk, {
        device: 42,
        name: `e${pk}`,
        type: '1000base-t',
        mode: 'tagged',
        tagged_vlans: [7],
      }),
    ),
    object('ipam.vlan', 7, { vid: 7, name: 'Ids', status: 'active' }),
    object('ipam.aggregate', 1, { prefix: '203.0.113.0/24' }),
    object('dcim.cable', 1, { status: 'connected' }),
    ...[end(1, 'A', 1), end(2, 'B', 2), end(3, 'B', 3)],
    object('virtualization.virtualmachine', 1, { name: 'ids-vm', status: 'active' }),
    object('virtualization.vminterface', 1, { virtual_machine: 1, name: 'eth0' }),
    object('ipam.ipaddress', 1, {
      address: '203.0.113.9/24',
      assigned_object_type: ['virtualization', 'vminterface'],
      assigned_object_id: 1,
    }),
    object('extras.tag', 1, { name: 'Own', slug: 'own' }),
    object('extras.taggeditem', 1, { content_type: ['dcim', 'site'], object_id: 1, tag: 1 }),
  ];
  const { code, err, lines } = await moveIn(objects, '--source', 'ids', '--netbox-version', '4.2');
  expect([code, err]).toEqual([3, '']);
  const namespace = v5('ids', '6ba7b811-9dad-11d1-80b4-00c04fd430c8');
  const idOf = (key: string): string => v5(key, namespace);
  expect((await admin.get(`/api/devices/${idOf('dcim.device:42')}`)).body.data).toMatchObject({ name: 'ids-1' });
  expect(
    (await admin.get(`/api/device-port-vlans/${idOf('dcim.interface:1/tagged_vlans/7')}`)).body.data,
  ).toMatchObject({ portId: idOf('dcim.interface:1'), vlanId: idOf('ipam.vlan:7') });
  const machine = idOf('virtualization.virtualmachine:1');
  expect((await admin.get(`/api/virtual-machines/${machine}/addresses`)).body.data).toMatchObject([
    { id: idOf('ipam.ipaddress:1'), ipAddressId: idOf('ipam.ipaddress:1') },
  ]);
  expect((await admin.get(`/api/prefixes/${idOf('ipam.aggregate:1')}`)).body.data).toMatchObject({
    status: 'container',
  });
  expect((await admin.get(`/api/device-types/${idOf('dcim.moduletype:1')}`)).body.data).toMatchObject({
    uHeight: null,
  });
  expect((await admin.get(`/api/cables/${idOf('dcim.cable:1')}`)).body.data).toMatchObject({
    aId: idOf('dcim.interface:1'),
    bId: idOf('dcim.interface:2'),
  });
  expect(changesOf(lines, 'dcim.cable')).toEqual([
    ['termination B', 'dcim.interface 3: a cable has one end on each side'],
  ]);
  const placed = (await admin.get(`/api/devices?rackId=${idOf('dcim.rack:8')}&sort=rackPosition`)).body.data;
  expect(placed.map(({ name, rackPosition }: { name: string; rackPosition: number }) => [name, rackPosition])).toEqual([
    ['Two in Top U5', 5],
    ['highest', 9],
  ]);
  expect(changesOf(lines, 'dcim.rack')).toEqual([
    ['desc_units', 'its units are counted from the bottom here: the positions of its devices are converted'],
  ]);
  // Without custom fields.
  expect(changesOf(lines, 'dcim.site')).toEqual([
    ['floor', 'left out: it has no field here'],
    ['tags', 'left out: it has no field here'],
  ]);
  expect(countsOf(lines, 'extras.tag')).toMatchObject({ read: 1, leftOut: 1 });
  // Records that the source has deleted stay.
  await moveIn(objects.slice(0, 4), '--source', 'ids', '--netbox-version', '4.2');
  expect((await admin.get(`/api/cables/${idOf('dcim.cable:1')}`)).status).toBe(200);
}, 120_000);

it('says that the source refuses the token', async () => {
  const netbox = new NetboxStandIn(estate(), '4.2.9');
  const url = await netbox.start();
  netbox.intercept = (_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  expect(await moveFrom(url)).toMatchObject({ code: 1, err: expect.stringMatching(/refused the token/) });
  netbox.stop();
});

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
