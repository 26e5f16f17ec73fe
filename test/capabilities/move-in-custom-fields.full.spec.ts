import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, type Outcome } from '../support/command.js';
import { countsOf, reportAt, type ReportLine } from '../support/move-in-report.js';
import { Ids } from '../../src/cli/move-in/model.js';
import { KINDS } from '../../src/cli/move-in/netbox/kinds.js';
import {
  CARRIERS,
  CHANGED,
  CHANGED_HERE,
  CLEARED,
  customFieldEstate,
  VALUES,
  VALUES_HERE,
  WIDER,
} from '../support/custom-field-estate.js';
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

jest.setTimeout(300_000);

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

/** The same objects in another order, which depends only on the seed. */
function shuffled(objects: readonly Json[], seed: number): Json[] {
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return objects
    .map((one) => [next(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** Reads the record of an object through the API. */
async function recordOf(source: string, path: string, model: string, pk: number): Promise<Json> {
  const ids = new Ids(source);
  const list = path.replace('sites/1/', `sites/${ids.of('dcim.site', 1)}/`);
  return (await admin.get(`/api/${list}/${ids.of(model, pk)}`)).body.data;
}

/** Compares every value of every record with the expected one. */
async function expectValues(source: string, here: (idOf: (model: string, pk: number) => string) => Json) {
  const ids = new Ids(source);
  const expected = here((model, pk) => ids.of(model, pk));
  for (const [model, pk, path] of CARRIERS) {
    const { customFields } = (await recordOf(source, path, model, pk)) as { customFields: Json };
    // Some records also have values of other fields that cannot be moved.
    const own = Object.fromEntries(Object.entries(customFields).filter(([key]) => key in VALUES_HERE(String)));
    expect({ model, ...own }).toEqual({ model, ...expected });
  }
}

const LEFT_OUT = [1, 2].map(
  (pk) => `ipam.iprange ${pk} leftOut: there are no ranges of addresses; a prefix has addresses`,
);

/** Nothing is written, and only what cannot be moved is left out. */
function expectUnchanged({ err, lines }: Moved): void {
  expect([err, changesOf(lines).toSorted()]).toEqual(['', LEFT_OUT]);
  const counts = lines.filter(({ read }) => read !== undefined);
  expect(counts.map(({ kind, created, updated }) => [kind, created, updated])).toEqual(
    counts.map(({ kind }) => [kind, 0, 0]),
  );
}

describe('custom fields of every type', () => {
  it('are those of every kind that has them in a NetBox', () => {
    const kinds = KINDS.map(({ model }) => model).filter((model) => !model.endsWith('template'));
    expect(new Set(CARRIERS.map(([model]) => model))).toEqual(new Set(kinds));
  });

  it.each([1, 2])('come over whole, whatever the order of the objects (%i)', async (seed) => {
    const source = `every-${seed}`;
    const { err, lines } = await move(shuffled(customFieldEstate(VALUES, seed), seed), source);
    expect([err, changesOf(lines).toSorted()]).toEqual(['', LEFT_OUT]);
    await expectValues(source, VALUES_HERE);
    expect(await recordOf(source, 'sites', 'dcim.site', 2)).toMatchObject({
      customFields: { tier: 'bronze', marks: 'Lab, Field' },
    });
    const definitions = (await admin.get('/api/custom-fields?pageSize=100')).body.data as Json[];
    const of = (key: string) => definitions.find((one) => one.key === key)!;
    expect(of('tier').choices).toEqual(expect.arrayContaining(['gold', 'tin, or lead', 'bronze']));
    expect(of('zones').choices).toEqual(['gold', 'tin, or lead', 'w'.repeat(100)]);
    expect(of('country').choices).toEqual(['DE']);
    // If the list is too long, only the words in use become choices.
    expect([of('cell').choices, of('cells').choices]).toEqual([['cell 1000'], null]);
    expect(of('grade').choices).toEqual(['first', 'second']);
    expect(of('custId')).toMatchObject({ label: 'Customer', description: 'As in the ledger' });
    expect(of('floors').label).toBe('Floors');
  });

  it('are followed when they change at the source, and a second run writes nothing', async () => {
    const source = 'every-1';
    expectUnchanged(await move(shuffled(customFieldEstate(VALUES), 3), source));
    for (const [values, here] of [
      [CHANGED, CHANGED_HERE],
      [CLEARED, () => ({})],
      [VALUES, VALUES_HERE],
    ] as const) {
      const next = customFieldEstate(values).map((one) =>
        one.model === 'extras.customfieldchoiceset' && one.pk === 1 ? WIDER : one,
      );
      const { err, lines } = await move(shuffled(next, 4), source);
      expect([err, changesOf(lines).toSorted()]).toEqual(['', expect.arrayContaining(LEFT_OUT)]);
      for (const [model] of CARRIERS) expect(countsOf(lines, model)).toMatchObject({ updated: 1, created: 0 });
      await expectValues(source, here);
      if (values === CLEARED) continue;
      const netbox = new NetboxStandIn(next as unknown as Dumped[], '4.2.9');
      const url = await netbox.start();
      try {
        expectUnchanged(await move(shuffled(next, 5), source));
        expectUnchanged(await moveFrom(url, source));
      } finally {
        netbox.stop();
      }
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
      // The same objects are left out, for the same reasons.
      expect(changesOf(again.lines).toSorted()).toEqual(changesOf(first.lines).toSorted());
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

it('takes away what a record no longer has at the source, but for a value that it must have here', async () => {
  const site = (fields: Json): Json[] => [
    object('dcim.site', 1, { name: 'Emptied', slug: 'emptied', status: 'active', ...fields }),
    object('extras.tag', 1, { name: 'Old', slug: 'old' }),
    object('ipam.asn', 1, { asn: 65_000 }),
    object('ipam.vlangroup', 1, {
      name: 'Emptied',
      slug: 'emptied',
      scope_type: ['dcim', fields.asns === null ? 'site' : 'region'],
      scope_id: 1,
    }),
    object('dcim.region', 1, { name: 'Emptied', slug: 'emptied' }),
    object('extras.customfield', 1, { name: 'must_have', type: 'text' }),
  ];
  const full = site({ comments: 'Two\nlines', asns: [1], custom_field_data: { must_have: 'kept' } });
  const tagged = object('extras.taggeditem', 1, { content_type: ['dcim', 'site'], object_id: 1, tag: 1 });
  expect((await move([...full, tagged], 'emptied')).err).toBe('');
  const valuesOf = async (list: string): Promise<Json> =>
    (await admin.get(`/api/${list}?name=Emptied`)).body.data[0].customFields;
  expect(await valuesOf('sites')).toEqual({ comments: 'Two\nlines', asns: '65000', mustHave: 'kept', tags: ['Old'] });
  expect(Object.keys(await valuesOf('vlan-groups'))).toEqual(['slug', 'region']);

  const { data } = (await admin.get('/api/custom-fields?key=mustHave')).body as { data: { id: string }[] };
  const others = (await admin.get('/api/sites?customFields.mustHave__empty=true')).body.data as { id: string }[];
  for (const { id } of others) await admin.patch(`/api/sites/${id}`, { customFields: { mustHave: 'x' } });
  expect((await admin.patch(`/api/custom-fields/${data[0]!.id}`, { required: true })).status).toBe(200);
  const empty = site({ comments: '', asns: null, custom_field_data: { must_have: null } });
  const { lines } = await move(empty, 'emptied');
  expect(changesOf(lines).filter((line) => line.startsWith('dcim.site'))).toEqual([
    'dcim.site 1 customFields.mustHave: left out: must not be null',
  ]);
  expect(await valuesOf('sites')).toEqual({ mustHave: 'kept' });
  expect(await valuesOf('vlan-groups')).toEqual({ slug: 'emptied' });
  await admin.patch(`/api/custom-fields/${data[0]!.id}`, { required: false });
});

it('rounds a decimal that is too fine, and leaves out the longest of values that are too long together', async () => {
  const long = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name, at) => [name, 'x'.repeat(60_000 + at)]));
  const { code, lines } = await move(
    [
      object('dcim.site', 1, {
        name: 'Long',
        slug: 'long',
        status: 'active',
        custom_field_data: { fine: 0.1 + 0.2, none: -0, text: '1.5e3', ...long },
      }),
      ...['fine', 'none', 'text'].map((name, at) => object('extras.customfield', 1 + at, { name, type: 'decimal' })),
      ...Object.keys(long).map((name, at) => object('extras.customfield', 10 + at, { name, type: 'longtext' })),
    ],
    'long',
  );
  expect([code, changesOf(lines)]).toEqual([
    3,
    [
      'dcim.site 1 fine: 0.30000000000000004 was rounded to 0.3',
      'dcim.site 1 customFields.e: left out: must have at most 256 KiB in all',
      'extras.customfield 14 leftOut: nothing refers to it',
    ],
  ]);
  const [site] = (await admin.get('/api/sites?name=Long')).body.data as { customFields: Json }[];
  expect(Object.keys(site!.customFields).toSorted()).toEqual(['a', 'b', 'c', 'd', 'fine', 'none', 'text']);
  expect(site!.customFields).toMatchObject({ fine: '0.3', none: '0', text: '1500' });
});
