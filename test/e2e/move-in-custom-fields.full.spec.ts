import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, type Outcome } from '../support/command.js';
import { countsOf, reportAt, type ReportLine } from '../support/move-in-report.js';
import { netboxObject as object, type Json } from '../support/netbox-estate.js';
import { type Dumped, NetboxStandIn } from '../support/netbox-stand-in.js';

let service: TestService;
let admin: Api;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'move-in-custom-fields-'));
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

async function moveFrom(path: string, source: string): Promise<Moved> {
  const report = join(folder, `report-${++files}`);
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token, NETBOX_TOKEN: 'secret' };
  const outcome = await runCommand('move-in', ['netbox', path, '--source', source, '--report', report], env);
  return { ...outcome, lines: reportAt(report) };
}

function move(objects: readonly Json[], source: string): Promise<Moved> {
  const dump = join(folder, `dump-${++files}`);
  writeFileSync(dump, JSON.stringify(objects));
  return moveFrom(dump, source);
}

const changesOf = (lines: readonly ReportLine[]): string[] =>
  lines.flatMap(({ kind, id, change, why }) => (change === undefined ? [] : [`${kind} ${id!} ${change}: ${why!}`]));

/** The same objects in another order, which depends on the seed only. */
function shuffled(objects: readonly Json[], seed: number): Json[] {
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return objects
    .map((one) => [next(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

const field = (pk: number, name: string, type: string, more: Json = {}): Json =>
  object('extras.customfield', pk, {
    label: '',
    description: '',
    default: null,
    related_object_type: null,
    object_types: [['dcim', 'site']],
    name,
    type,
    ...more,
  });

const FIELDS = [
  field(1, 'note', 'text'),
  field(2, 'story', 'longtext'),
  field(3, 'floors', 'integer'),
  field(4, 'share', 'decimal'),
  field(5, 'staffed', 'boolean'),
  field(6, 'opened', 'date'),
  field(7, 'checked', 'datetime'),
  field(8, 'wiki', 'url'),
  field(9, 'facts', 'json'),
  field(10, 'tier', 'select', { choice_set: 1 }),
  field(11, 'zones', 'multiselect', { choice_set: 1 }),
  field(12, 'country', 'select', { choice_set: 2 }),
  field(13, 'countries', 'multiselect', { choice_set: 2 }),
  field(14, 'nearest', 'object', { related_object_type: ['dcim', 'site'] }),
  field(15, 'peers', 'multiobject', { related_object_type: ['dcim', 'site'] }),
  field(16, 'mark', 'object', { related_object_type: ['extras', 'tag'] }),
  field(17, 'gateways', 'multiobject', { related_object_type: ['dcim', 'device'] }),
  field(18, 'cust_id', 'text', { label: 'Customer' }),
];

const SETS = [
  object('extras.customfieldchoiceset', 1, {
    name: 'tiers',
    base_choices: null,
    extra_choices: '[["gold", "Gold"], ["tin", "Tin"]]',
  }),
  object('extras.customfieldchoiceset', 2, { name: 'countries', base_choices: 'ISO_3166', extra_choices: null }),
];

const VALUES: Json = {
  note: 'x'.repeat(300),
  story: 'Two\nlines',
  floors: -2_147_483_648,
  share: 12.5,
  staffed: false,
  opened: '2024-02-29',
  checked: '2024-02-29T23:59:59.999Z',
  wiki: 'https://wiki.example.com/s',
  facts: { a: [1, null] },
  tier: 'gold',
  zones: ['tin', 'gold'],
  country: 'DE',
  countries: ['NL', 'DE'],
  nearest: 2,
  peers: [1, 2],
  mark: 7,
  gateways: [1, 2],
  cust_id: 'C-1',
};

const RESOURCES: readonly (readonly [model: string, path: string, fields: Json])[] = [
  ['dcim.region', 'regions', { name: 'CF', slug: 'cf' }],
  ['dcim.rack', 'racks', { name: 'CF', site: 1, u_height: 10, status: 'active', form_factor: '' }],
  ['dcim.manufacturer', 'manufacturers', { name: 'CF', slug: 'cf' }],
  ['ipam.vrf', 'vrfs', { name: 'CF' }],
  ['ipam.vlan', 'vlans', { vid: 65, name: 'CF', status: 'active' }],
  ['tenancy.tenant', 'tenant-groups', { name: 'CF', slug: 'cf' }],
  ['virtualization.virtualmachine', 'virtual-machines', { name: 'CF', status: 'active' }],
  ['circuits.provider', 'vendors', { name: 'CF', slug: 'cf' }],
  ['circuits.circuit', 'circuits', { cid: 'CF', provider: 65, status: 'active' }],
  ['dcim.location', 'locations', { name: 'CF', slug: 'cf', site: 1, status: 'active' }],
  ['dcim.devicetype', 'device-types', { model: 'CF', slug: 'cf', manufacturer: 65, u_height: '1.0' }],
  ['dcim.devicerole', 'device-roles', { name: 'CF', slug: 'cf', color: '4caf50' }],
  ['dcim.platform', 'platforms', { name: 'CF', slug: 'cf' }],
  ['dcim.interface', 'device-ports', { device: 1, name: 'CF', type: '1000base-t', enabled: true }],
  ['dcim.powerfeed', 'power-feeds', { name: 'CF', power_panel: 65, status: 'active' }],
  ['ipam.vlangroup', 'vlan-groups', { name: 'CF', slug: 'cf' }],
  ['tenancy.contact', 'people', { name: 'CF' }],
  ['virtualization.cluster', 'clusters', { name: 'CF', type: 65, status: 'active' }],
  ['virtualization.clustertype', 'cluster-types', { name: 'CF', slug: 'cf' }],
  ['virtualization.vminterface', 'virtual-machine-interfaces', { virtual_machine: 65, name: 'CF', enabled: true }],
];

/** What a resource calls the name of its records. */
const NAMES: Readonly<Record<string, string>> = {
  circuits: 'circuitNumber',
  'device-types': 'model',
  people: 'fullName',
};

const estate = (values: Json): Json[] => [
  object('dcim.site', 1, { name: 'C5', slug: 'c5', status: 'active', custom_field_data: values }),
  object('dcim.site', 2, {
    name: 'C6',
    slug: 'c6',
    status: 'active',
    custom_field_data: { share: 1e-7, tier: 'lead' },
  }),
  object('dcim.device', 1, { name: 'gw1', site: 1, status: 'active', custom_field_data: values }),
  object('dcim.device', 2, { name: 'gw2', site: 1, status: 'active' }),
  object('extras.tag', 7, { name: 'Lab', slug: 'lab' }),
  ...RESOURCES.map(([model, , fields]) => object(model, 65, { ...fields, custom_field_data: values })),
  object('dcim.powerpanel', 65, { name: 'CF', site: 1 }),
  ...FIELDS,
  ...SETS,
];

/** The values as they are here. */
const moved = ({ cust_id: custId, ...values }: Json, siteId: string): Json => ({
  ...values,
  share: String(values.share),
  facts: JSON.stringify(values.facts),
  zones: expect.arrayContaining(['gold', 'tin']),
  countries: expect.arrayContaining(['DE', 'NL']),
  nearest: siteId,
  peers: 'C5, C6',
  mark: 'Lab',
  gateways: 'gw1, gw2',
  custId,
});

describe('custom fields of every type', () => {
  const valuesOf = async (path: string, filter: string): Promise<Json> => {
    const { body } = await admin.get(`/api/${path}?${filter}`);
    return (body.data as { customFields: Json }[])[0]!.customFields;
  };

  it.each([1, 2])('come over whole, whatever the order of the objects (%i)', async (seed) => {
    const { err, lines } = await move(shuffled(estate(VALUES), seed), `every-${seed}`);
    expect(err).toBe('');
    expect(changesOf(lines)).toEqual([]);
    const sites = (await admin.get('/api/sites?name=C6&sort=createdAt')).body.data as {
      id: string;
      customFields: Json;
    }[];
    const second = sites.at(-1)!;
    // The word of no choice is one from then on.
    expect(second.customFields).toEqual({ share: '0.0000001', tier: 'lead' });
    const first = ((await admin.get('/api/sites?name=C5&sort=createdAt')).body.data as { customFields: Json }[]).at(
      -1,
    )!;
    expect(first.customFields).toEqual(moved(VALUES, second.id));
    const query = 'sort=createdAt&order=desc';
    expect(await valuesOf('devices', `name=gw1&${query}`)).toEqual(moved(VALUES, second.id));
    for (const [, path] of RESOURCES)
      expect([path, await valuesOf(path, `${NAMES[path] ?? 'name'}=CF&${query}`)]).toEqual([
        path,
        expect.objectContaining(moved(VALUES, second.id)),
      ]);
    const definitions = (await admin.get('/api/custom-fields?pageSize=100')).body.data as {
      key: string;
      label: string;
      choices: string[];
    }[];
    const of = (key: string) => definitions.find((one) => one.key === key)!;
    expect(of('tier').choices).toEqual(['gold', 'tin', 'lead']);
    expect(of('country').choices).toEqual(['DE']);
    expect([of('custId').label, of('floors').label]).toEqual(['Customer', 'Floors']);
  });

  it('are followed when they change at the source, and a second run writes nothing', async () => {
    const changed = { ...VALUES, tier: 'iron', country: 'FR', share: 0.25, peers: [2] };
    const wider = estate(changed).map((one) =>
      one.model === 'extras.customfieldchoiceset' && one.pk === 1
        ? object('extras.customfieldchoiceset', 1, {
            name: 'tiers',
            extra_choices: [
              ['gold', 'Gold'],
              ['tin', 'Tin'],
              ['iron', 'Iron'],
            ],
          })
        : one,
    );
    const next = await move(wider, 'every-1');
    expect(next.err).toBe('');
    expect(countsOf(next.lines, 'dcim.region')).toMatchObject({ updated: 1 });
    expect(await valuesOf('regions', 'name=CF&sort=createdAt')).toMatchObject({
      tier: 'iron',
      country: 'FR',
      share: '0.25',
      peers: 'C6',
    });
    const netbox = new NetboxStandIn(wider as unknown as Dumped[], '4.2.9');
    const url = await netbox.start();
    try {
      for (const again of [await move(shuffled(wider, 3), 'every-1'), await moveFrom(url, 'every-1')]) {
        expect([again.err, changesOf(again.lines)]).toEqual(['', []]);
        const counts = again.lines.filter(({ read }) => read !== undefined);
        expect(counts.map(({ kind, created, updated }) => [kind, created, updated])).toEqual(
          counts.map(({ kind }) => [kind, 0, 0]),
        );
      }
    } finally {
      netbox.stop();
    }
  });
});

describe('what is named by the order of the source', () => {
  const bays = [
    object('dcim.manufacturer', 1, { name: 'Made', slug: 'made' }),
    object('dcim.site', 1, { name: 'Ordered', slug: 'ordered', status: 'active' }),
    object('dcim.device', 1, { name: 'ordered', site: 1, status: 'active' }),
    object('dcim.moduletype', 1, { manufacturer: 1, model: 'EX-32' }),
    object('dcim.modulebay', 1, { device: 1, name: 'FPC0' }),
    object('dcim.module', 1, { device: 1, module_bay: 1, module_type: 1, status: 'active' }),
    ...[11, 12, 13].map((pk) =>
      object('dcim.interface', pk, { device: 1, name: `xe-${pk}`, type: '10gbase-x-sfpp', enabled: true, module: 1 }),
    ),
    object('dcim.rearport', 1, { device: 1, name: 'Rear', type: '8p8c', positions: 4 }),
    object('dcim.frontport', 1, { device: 1, name: 'Front', type: '8p8c' }),
    object('dcim.portmapping', 1, { front_port: 1, front_port_position: 2, rear_port: 1, rear_port_position: 3 }),
    object('dcim.portmapping', 2, { front_port: 1, front_port_position: 1, rear_port: 1, rear_port_position: 2 }),
    object('dcim.cable', 1, { status: 'connected' }),
    ...(
      [
        ['A', 11],
        ['B', 12],
        ['B', 13],
      ] as const
    ).map(([cable_end, termination_id], index) =>
      object('dcim.cabletermination', index + 1, { cable: 1, cable_end, termination_type: 20, termination_id }),
    ),
    object('contenttypes.contenttype', 20, { app_label: 'dcim', model: 'interface' }),
  ];

  it('is the same in every order', async () => {
    const first = await move(bays, 'ordered');
    expect(changesOf(first.lines).filter((line) => line.startsWith('dcim.cable'))).toEqual([
      'dcim.cable 1 termination B: dcim.interface 13: a cable has one end on each side',
    ]);
    const { data } = (await admin.get('/api/device-ports?name=xe-11')).body as { data: { customFields: Json }[] };
    expect(data[0]!.customFields).toEqual({ module: 'EX-32 in FPC0' });
    expect((await admin.get('/api/device-ports?name=Front')).body.data).toMatchObject([{ rearPosition: 2 }]);
    for (const objects of [bays.toReversed(), shuffled(bays, 5)]) {
      const again = await move(objects, 'ordered');
      expect(again.code).toBe(first.code);
      const counts = again.lines.filter(({ read }) => read !== undefined);
      expect(counts.map(({ kind, created, updated }) => [kind, created, updated])).toEqual(
        counts.map(({ kind }) => [kind, 0, 0]),
      );
    }
  });
});

it('keeps a VLAN outside the range of its group, without the group', async () => {
  const { code, lines } = await move(
    [
      object('ipam.vlangroup', 1, {
        name: 'narrow',
        slug: 'narrow',
        vid_ranges: '["{\\"bounds\\": \\"[)\\", \\"lower\\": \\"10\\", \\"upper\\": \\"20\\"}"]',
      }),
      object('ipam.vlan', 1, { vid: 100, name: 'outside', group: 1, status: 'active' }),
    ],
    'vlans',
  );
  expect([code, changesOf(lines)]).toEqual([
    0,
    ['ipam.vlan 1 vlanGroupId: left out: must be within minVid and maxVid of its VLAN group'],
  ]);
  expect((await admin.get('/api/vlans?name=outside')).body.data).toMatchObject([{ vid: 100, vlanGroupId: null }]);
});

it('gives a device a name where its own is too long, blank or missing, with the site where several would have it', async () => {
  const place = (pk: number, name: string): Json[] => [
    object('dcim.site', pk, { name, slug: `named-${pk}`, status: 'active' }),
    object('dcim.rack', pk, { name: 'Closet', site: pk, u_height: 20, status: 'active', form_factor: '' }),
  ];
  const { code, lines } = await move(
    [
      object('dcim.devicetype', 1, { model: 'Panel', slug: 'panel', u_height: '1.0', manufacturer: null }),
      ...place(1, 'Akron'),
      ...place(2, 'Utica'),
      ...[1, 2].map((at) =>
        object('dcim.device', at, {
          name: null,
          device_type: 1,
          site: at,
          rack: at,
          position: '3.0',
          face: 'front',
          status: 'active',
        }),
      ),
      object('dcim.device', 3, {
        name: ' ',
        device_type: 1,
        site: 1,
        rack: 1,
        position: '4.0',
        face: 'front',
        status: 'active',
      }),
      object('dcim.device', 4, { name: 'x'.repeat(401), device_type: 1, site: 1, status: 'active' }),
      object('dcim.interface', 1, { device: 4, name: 'of the long one', type: '1000base-t', enabled: true }),
    ],
    'named',
  );
  expect(code).toBe(0);
  const names = ['Panel in Closet U3 (Akron)', 'Panel in Closet U3 (Utica)', 'Panel in Closet U4', 'Panel 4'];
  expect(changesOf(lines)).toEqual([
    `dcim.device 1 name: it has no name, and is called ${names[0]}`,
    `dcim.device 2 name: it has no name, and is called ${names[1]}`,
    `dcim.device 3 name: its name is blank: it is called ${names[2]}`,
    `dcim.device 4 name: its name is too long: it is called ${names[3]}`,
  ]);
  const { data } = (await admin.get('/api/devices?name__isw=Panel&sort=createdAt')).body as {
    data: { name: string }[];
  };
  expect(data.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect((await admin.get('/api/device-ports?name=of%20the%20long%20one')).body.total).toBe(1);
});
