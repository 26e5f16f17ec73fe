import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, type Outcome } from '../support/command.js';
import { countsOf, reportAt, type ReportLine } from '../support/move-in-report.js';
import { netboxEstate, netboxObject as object, type Json } from '../support/netbox-estate.js';

let service: TestService;
let admin: Api;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'move-in-losses-'));
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'mover' }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

jest.setTimeout(180_000);

let files = 0;
type Moved = Outcome & { lines: ReportLine[] };

async function move(args: readonly string[], options: readonly string[]): Promise<Moved> {
  const report = join(folder, `report-${++files}.jsonl`);
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token };
  const outcome = await runCommand('move-in', [...args, '--report', report, ...options], env);
  return { ...outcome, lines: existsSync(report) ? reportAt(report) : [] };
}

function moveDump(objects: readonly Json[], source: string, ...options: string[]): Promise<Moved> {
  const dump = join(folder, `dump-${++files}.json`);
  writeFileSync(dump, JSON.stringify(objects));
  return move(['netbox', dump], ['--source', source, ...options]);
}

const changesOf = (lines: readonly ReportLine[]): string[] =>
  lines.flatMap(({ kind, id, change, why }) => (change === undefined ? [] : [`${kind} ${id!} ${change}: ${why!}`]));

it('has the same lines in a dry run', async () => {
  const objects: Json[] = [
    ...netboxEstate(),
    object('dcim.interface', 80, { device: 42, name: 'Eth80', type: '1000base-t', tagged_vlans: [3] }),
    object('dcim.interface', 81, {
      device: 42,
      name: 'Eth81',
      type: '1000base-t',
      mode: 'tagged',
      tagged_vlans: [999],
    }),
    object('ipam.ipaddress', 80, {
      address: '10.80.0.1/24',
      status: 'active',
      assigned_object_type: ['virtualization', 'vminterface'],
      assigned_object_id: 999,
    }),
  ];
  const dry = await moveDump(objects, 'rehearsed', '--dry-run');
  const real = await moveDump(objects, 'rehearsed');
  expect([dry.code, dry.err]).toEqual([real.code, real.err]);
  expect(changesOf(real.lines)).toEqual(
    expect.arrayContaining([
      'dcim.interface 80 tagged_vlans: left out: ipam.vlan 3 needs a port whose mode is tagged',
      'dcim.interface 81 tagged_vlans: ipam.vlan 999 was not moved',
      'ipam.ipaddress 80 assigned_object_id: virtualization.vminterface 999 was not moved',
    ]),
  );
  expect(changesOf(dry.lines).toSorted()).toEqual(changesOf(real.lines).toSorted());
  const sums = (lines: readonly ReportLine[]) => lines.filter(({ read }) => read !== undefined);
  expect(sums(dry.lines)).toEqual(sums(real.lines));
  // The same holds if all objects exist already.
  const again = await moveDump(objects, 'rehearsed', '--dry-run');
  expect(changesOf(again.lines).toSorted()).toEqual(changesOf(real.lines).toSorted());
});

it('keeps which of its addresses a device is known by, and references to what is written with it or later', async () => {
  const objects: Json[] = [
    object('extras.configtemplate', 5, { name: 'Base', template_code: 'x' }),
    object('dcim.site', 1, { name: 'Primary', slug: 'primary', status: 'active' }),
    object('dcim.device', 1, {
      name: 'known',
      site: 1,
      status: 'active',
      config_template: 5,
      primary_ip4: 2,
      primary_ip6: 3,
      oob_ip: 99,
    }),
    object('virtualization.virtualmachine', 1, { name: 'known', status: 'active', primary_ip4: 2 }),
    object('ipam.vlan', 1, { vid: 10, name: 'Inner', status: 'active', qinq_role: 'cvlan', qinq_svlan: 2 }),
    object('ipam.vlan', 2, { vid: 20, name: 'Outer', status: 'active', qinq_role: 'svlan' }),
    object('ipam.ipaddress', 1, { address: '10.81.0.1/24', status: 'active' }),
    object('ipam.ipaddress', 2, { address: '10.81.0.2/24', status: 'active' }),
    object('ipam.ipaddress', 3, { address: '2001:db8:81::3/64', status: 'active' }),
  ];
  const { err, lines } = await moveDump(objects, 'primary');
  expect(err).toBe('');
  expect(changesOf(lines)).toEqual([
    'dcim.device 1 oobIp: ipam.ipaddress 99 was not moved',
    'extras.configtemplate 5 leftOut: there is no such resource',
  ]);
  const query = 'expand=customFields.primaryIp4';
  const { body: devices } = await admin.get(`/api/devices?name=known&${query},customFields.primaryIp6`);
  expect(devices.data).toMatchObject([
    {
      'customFields.primaryIp4': { name: '10.81.0.2/24' },
      'customFields.primaryIp6': { name: '2001:db8:81::3/64' },
      customFields: { configTemplate: 'Base' },
    },
  ]);
  expect((await admin.get(`/api/virtual-machines?name=known&${query}`)).body.data).toMatchObject([
    { 'customFields.primaryIp4': { name: '10.81.0.2/24' } },
  ]);
  expect((await admin.get('/api/vlans?name=Inner&expand=customFields.qinqSvlan')).body.data).toMatchObject([
    { 'customFields.qinqSvlan': { name: 'Outer' }, customFields: { qinqRole: 'cvlan' } },
  ]);
  const again = await moveDump(objects, 'primary');
  for (const { kind, read, unchanged, leftOut } of again.lines.filter((line) => line.read !== undefined))
    expect([kind, unchanged! + leftOut!]).toEqual([kind, read]);
});

it('says so where two values would have one custom field', async () => {
  const { err, lines } = await moveDump(
    [
      object('extras.customfield', 1, { name: 'remarks', type: 'text' }),
      object('extras.customfield', 2, { name: 'comments', type: 'text' }),
      object('dcim.site', 1, {
        name: 'Twice',
        slug: 'twice',
        status: 'active',
        comments: 'Of the site',
        custom_field_data: { comments: 'Its own', remarks: 'Kept' },
      }),
    ],
    'twice',
  );
  expect(err).toBe('');
  expect(changesOf(lines)).toEqual([
    'dcim.site 1 comments: left out: comments is the custom field of another value of the record',
  ]);
  expect((await admin.get('/api/sites?name=Twice')).body.data).toMatchObject([
    { customFields: { comments: 'Its own', remarks: 'Kept' } },
  ]);
});

it('leaves out a value that makes a record longer than the service takes, and sends many long ones apart', async () => {
  const long = 'x'.repeat(1_200_000);
  const { code, err, lines } = await moveDump(
    [
      object('dcim.region', 1, { name: 'Short', slug: 'short', description: 'Kept' }),
      object('dcim.region', 2, { name: 'Long', slug: 'long', description: 'Kept', comments: long }),
      object('dcim.region', 3, { name: 'Long too', slug: 'long-too', description: long }),
      object('dcim.region', 4, { name: long, slug: 'endless' }),
      // More than one request may contain.
      ...Array.from({ length: 80 }, (_, index) =>
        object('dcim.site', index + 1, {
          name: `Wordy ${index}`,
          slug: `wordy-${index}`,
          physical_address: 'y'.repeat(900_000),
        }),
      ),
    ],
    'long',
  );
  expect([code, err]).toEqual([3, '']);
  expect(countsOf(lines, 'dcim.region')).toMatchObject({ read: 4, created: 3, leftOut: 1 });
  expect(countsOf(lines, 'dcim.site')).toMatchObject({ read: 80, created: 80 });
  expect(changesOf(lines.filter(({ kind }) => kind === 'dcim.region'))).toEqual([
    'dcim.region 2 customFields.comments: left out: makes the record longer than 1 MiB',
    'dcim.region 3 description: left out: makes the record longer than 1 MiB',
    'dcim.region 4 leftOut: name makes the record longer than 1 MiB',
  ]);
  const { body } = await admin.get('/api/regions?name__isw=Long&sort=name');
  expect(body.data).toMatchObject([
    { name: 'Long', description: 'Kept' },
    { name: 'Long too', description: null },
  ]);
});

it('keeps the face of a device without a position', async () => {
  await moveDump(
    [
      object('dcim.site', 1, { name: 'Faces', slug: 'faces', status: 'active' }),
      object('dcim.rack', 1, { name: 'F1', site: 1, u_height: 10, status: 'active', form_factor: '' }),
      object('dcim.device', 1, { name: 'faced', site: 1, rack: 1, face: 'rear', status: 'active' }),
    ],
    'faces',
  );
  expect((await admin.get('/api/devices?name=faced')).body.data).toMatchObject([
    { rackFace: 'rear', rackPosition: null },
  ]);
});

it('gives an asset that was taken back the status of its label in the same run', async () => {
  const exports = mkdtempSync(join(folder, 'exports-'));
  const run = (holder: string): Promise<Moved> => {
    const rows = `Asset Tag,Asset Name,Status,Checked Out To\nT-1,Laptop,In Use,${holder}\nT-2,Spare,Ready to Deploy,${holder}\n`;
    writeFileSync(join(exports, 'assets.csv'), rows);
    return move(['snipe-it', exports], ['--source', 'back']);
  };
  const found = async (): Promise<unknown[]> =>
    (await admin.get('/api/assets?assetTag=T-1&assetTag=T-2&sort=assetTag')).body.data.map(
      ({ status, currentAssignee }: Json) => [status, currentAssignee === null],
    );
  expect((await run('Ada')).err).toBe('');
  expect(await found()).toEqual([
    ['in_use', false],
    ['in_use', false],
  ]);
  await run('');
  expect(await found()).toEqual([
    ['in_use', true],
    ['in_stock', true],
  ]);
  expect(countsOf((await run('')).lines, 'assets')).toMatchObject({ read: 2, unchanged: 2 });
});

it('believes what the objects say of their version more than the option, and refuses one that is none', async () => {
  const machine = object('virtualization.virtualmachine', 1, { name: 'disk', status: 'active', disk: 20_000 });
  const recent = object('ipam.vlangroup', 1, { name: 'G', slug: 'g', vid_ranges: [] });
  const diskOf = async (): Promise<unknown> =>
    (await admin.get('/api/virtual-machines?name=disk')).body.data.at(-1).diskGb;
  await moveDump([machine, recent], 'told', '--netbox-version', '4.0');
  expect(await diskOf()).toBe(20);
  await moveDump([machine], 'asked', '--netbox-version', 'v4.2.9');
  expect(await diskOf()).toBe(20);
  const { code, err } = await moveDump([machine], 'wrong', '--netbox-version', 'latest');
  expect([code, err]).toEqual([1, expect.stringContaining('--netbox-version')]);
});

it.each([
  [['netbox', folder], /cannot be read: EISDIR\n$/],
  [['netbox', join(folder, 'none.json')], /cannot be read: ENOENT\n$/],
  [['snipe-it', join(folder, 'none')], /cannot be read: ENOENT\n$/],
  [['snipe-it', folder, '--url', 'http://'], /^'http:\/\/' is not the address of a service\n$/],
])('says in one sentence why %j cannot be read', async (args, sentence) => {
  const { code, err, out } = await move(args, []);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(sentence);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});
