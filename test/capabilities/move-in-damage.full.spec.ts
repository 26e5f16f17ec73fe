import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { CustomFields } from '../../src/cli/move-in/custom-fields.js';
import { Ids } from '../../src/cli/move-in/model.js';
import { Move } from '../../src/cli/move-in/move.js';
import { NetboxSource } from '../../src/cli/move-in/netbox/netbox.js';
import { Report } from '../../src/cli/move-in/report.js';
import { Service } from '../../src/cli/move-in/service.js';
import { SnipeItSource } from '../../src/cli/move-in/snipe-it/snipe-it.js';
import type { Source } from '../../src/cli/move-in/source.js';
import { Spool } from '../../src/cli/move-in/spool.js';
import { CommandError } from '../../src/cli/remote.js';
import { reportAt, type ReportLine } from '../support/move-in-report.js';
import { netboxEstate as estate, netboxObject as of, type Json } from '../support/netbox-estate.js';
import { SNIPE_IT_EXPORTS } from '../support/snipe-it-exports.js';
import { startService, type Api, type TestService } from '../support/app.js';

/* Whatever is damaged in a source, the run ends with a message and writes nothing, or it reports every object that was not moved. */

let service: TestService;
let admin: Api;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'move-in-damage-'));
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'mover' }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

let runs = 0;

/** Moves a source in this process, which is much faster than a command. @returns the lines of its report */
function moved(read: (spool: Spool) => Promise<Source>): Promise<ReportLine[]> {
  runs++;
  return movedAgain(read);
}

/** Moves the last source again. */
async function movedAgain(read: (spool: Spool) => Promise<Source>): Promise<ReportLine[]> {
  const name = `damaged-${runs}`;
  const path = join(folder, `${name}.jsonl`);
  const spool = await Spool.create();
  try {
    const source = await read(spool);
    const report = new Report(spool, path);
    const to = new Service({ url: service.url, token });
    const options = { isDryRun: false, withoutCustomFields: runs % 2 === 0, onProgress: () => {} };
    await new Move(source, spool, to, new CustomFields(to, false), new Ids(name), report, options).run();
    await report.close();
  } finally {
    await spool.remove();
  }
  return reportAt(path);
}

/** @returns the number of objects that were read */
function checked(lines: readonly ReportLine[]): number {
  const sums = lines.filter(({ read }) => read !== undefined);
  for (const { kind, leftOut } of sums)
    expect([kind, lines.filter((line) => line.kind === kind && line.change === 'leftOut').length]).toEqual([
      kind,
      leftOut,
    ]);
  for (const { change, why } of lines) if (change !== undefined) expect(why).toMatch(/\S/);
  return sums.reduce((sum, { read }) => sum + read!, 0);
}

/** A second run of the last source changes nothing. */
async function expectUnchanged(read: (spool: Spool) => Promise<Source>): Promise<void> {
  const before = await logged();
  const sums = (await movedAgain(read)).filter(({ created, updated }) => (created ?? 0) + (updated ?? 0) > 0);
  const { total, data } = (await admin.get('/api/change-log')).body;
  expect([sums, data.slice(0, total - before)]).toEqual([[], []]);
}

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 25), endOnFailure: true };

/** Any JSON value. */
const anything = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'x',
    'x'.repeat(300),
    '[',
    '[1',
    '{"a"',
    '{}',
    'no:such',
    0,
    -1,
    1,
    2,
    8,
    999,
    1e300,
    0.5,
    true,
    false,
  ),
  fc.constantFrom(
    [],
    [1],
    [999],
    [null],
    ['x', 'y'],
    [[1, 2]],
    [{ lower: 'x' }],
    {},
    { a: 1 },
    { id: 1 },
    { value: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const damage = fc.record({
  at: fc.nat(),
  what: fc.constantFrom(
    ...(['value', 'value', 'value', 'value', 'value', 'itself', 'itself', 'key'] as const),
    ...(['fields', 'model', 'pk', 'entry', 'twice'] as const),
  ),
  field: fc.nat(),
  value: anything,
});

function damaged(damages: readonly { at: number; what: string; field: number; value: unknown }[]): unknown[] {
  const objects: unknown[] = estate();
  for (const { at, what, field, value } of damages) {
    const index = at % objects.length;
    const entry = objects[index] as Json | null;
    // A file that is damaged as a whole needs no further damage.
    if (what === 'entry' || typeof entry !== 'object' || entry === null || Array.isArray(entry)) objects[index] = value;
    else if (what === 'twice') objects.push(structuredClone(entry));
    else if (what === 'fields' || what === 'model' || what === 'pk') entry[what] = value;
    else if (typeof entry.fields === 'object' && entry.fields !== null && !Array.isArray(entry.fields)) {
      const names = Object.keys(entry.fields);
      const name = names[field % Math.max(names.length, 1)] ?? 'name';
      if (what === 'key') delete (entry.fields as Json)[name];
      else (entry.fields as Json)[name] = what === 'itself' ? entry.pk : value;
    }
  }
  return objects;
}

const dumpOf = (content: string | Buffer): string => {
  const path = join(folder, `dump-${++runs}.json`);
  writeFileSync(path, content);
  return path;
};

const isCounted = (entry: unknown): boolean =>
  !/^(?:auth|users|core|contenttypes|sessions|admin|account)\./.test(String((entry as Json | null)?.model ?? ''));

it('of a NetBox loses nothing without a line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 8 }), async (damages) => {
      const objects = damaged(damages);
      const path = dumpOf(JSON.stringify(objects));
      const read = (spool: Spool): Promise<Source> => NetboxSource.read(path, spool, '4.2');
      expect(checked(await moved(read))).toBe(objects.filter(isCounted).length);
      await expectUnchanged(read);
    }),
    RUNS,
  );
}, 600_000);

it('has a line for each value of a wrong type', async () => {
  const objects = estate();
  const fieldsOf = (model: string): Json => objects.find((entry) => entry.model === model)!.fields as Json;
  fieldsOf('dcim.interface').tagged_vlans = 5;
  fieldsOf('dcim.site').latitude = { north: 52 };
  fieldsOf('dcim.devicetype').weight_unit = 'stone';
  fieldsOf('dcim.devicerole').vm_role = 'perhaps';
  fieldsOf('ipam.vlangroup').vid_ranges = '[broken';
  fieldsOf('dcim.device').custom_field_data = 'none';
  fieldsOf('extras.taggeditem').tag = 9;
  fieldsOf('circuits.circuit').cid = ['C-1'];
  const path = dumpOf(JSON.stringify([...objects, null, { model: 'dcim.site', pk: 9 }]));
  const lines = await moved((spool) => NetboxSource.read(path, spool, '4.2'));
  const found = lines
    .filter(({ change }) => change !== undefined)
    .map(({ kind, id, change, why }) => [kind, id, change, why]);
  expect(found).toEqual(
    expect.arrayContaining([
      ['dcim.interface', '8', 'tagged_vlans', 'left out: 5 is not a list'],
      ['dcim.site', '7', 'latitude', 'left out: {"north":52} is not a number'],
      ['dcim.devicetype', '1', 'weight', "left out: 2 'stone', which is no unit that is known"],
      ['dcim.devicerole', '1', 'vm_role', 'left out: "perhaps" is not true or false'],
      ['ipam.vlangroup', '1', 'vid_ranges', 'left out: "[broken" is not a list'],
      ['dcim.device', '42', 'custom_field_data', 'left out: "none" is not an object'],
      ['dcim.device', '42', 'tags', 'extras.tag 9 is not in the source'],
      ['circuits.circuit', '1', 'leftOut', 'it has no circuitNumber'],
      ['unknown', `entry ${objects.length + 1}`, 'leftOut', 'it has no model'],
      ['dcim.site', '9', 'leftOut', 'it has no fields'],
    ]),
  );
}, 120_000);

it('of a NetBox keeps what refers to itself, without the reference and with a line', async () => {
  const port = (pk: number, fields: Json): Json =>
    of('dcim.interface', pk, { device: 42, name: `Eth${pk}`, type: '1000base-t', ...fields });
  const objects = [
    of('dcim.region', 1, { name: 'Itself', slug: 'itself', parent: 1 }),
    // Two of them form a circle. They come before and after their children.
    of('dcim.region', 2, { name: 'Below', slug: 'below', parent: 3 }),
    of('dcim.region', 3, { name: 'One', slug: 'one', parent: 4 }),
    of('dcim.region', 4, { name: 'Other', slug: 'other', parent: 3 }),
    of('dcim.region', 5, { name: 'Lowest', slug: 'lowest', parent: 2 }),
    // An object whose parent is missing.
    of('dcim.region', 6, { name: 'Child', slug: 'child', parent: 7 }),
    of('dcim.region', 7, { name: 'Orphan', slug: 'orphan', parent: 99 }),
    of('dcim.site', 7, { name: 'AMS', slug: 'ams', status: 'active' }),
    of('dcim.location', 1, { name: 'A', slug: 'a', site: 7, parent: 3, status: 'active' }),
    of('dcim.location', 2, { name: 'B', slug: 'b', site: 7, parent: 1, status: 'active' }),
    of('dcim.location', 3, { name: 'C', slug: 'c', site: 7, parent: 2, status: 'active' }),
    of('dcim.devicerole', 1, { name: 'Leaf', slug: 'leaf', color: '4caf50', parent: 1 }),
    of('dcim.device', 42, {
      name: 'edge-1',
      role: 1,
      site: 7,
      parent: 42,
      status: 'active',
      custom_field_data: { spare_for: 42 },
    }),
    of('extras.customfield', 1, { name: 'spare_for', type: 'object', related_object_type: ['dcim', 'device'] }),
    of('dcim.devicebay', 1, { device: 42, name: 'Bay', installed_device: 42 }),
    port(1, { parent: 1 }),
    port(2, { type: 'lag', lag: 3 }),
    port(3, { type: 'lag', lag: 2 }),
    port(4, { bridge: 4 }),
    of('dcim.cable', 1, { status: 'connected' }),
    ...['A', 'B'].map((side, at) =>
      of('dcim.cabletermination', at + 1, {
        cable: 1,
        cable_end: side,
        termination_type: ['dcim', 'interface'],
        termination_id: 4,
      }),
    ),
    of('dcim.inventoryitem', 1, { device: 42, name: 'PSU', parent: 1 }),
    of('dcim.inventoryitem', 2, { device: 42, name: 'Fan', parent: 3 }),
    of('dcim.inventoryitem', 3, { device: 42, name: 'Fan', parent: 2 }),
    of('ipam.ipaddress', 1, { address: '10.0.0.1/24', nat_inside: 1 }),
  ];
  const path = dumpOf(JSON.stringify(objects));
  runs += runs % 2;
  const lines = await moved((spool) => NetboxSource.read(path, spool, '4.2'));
  expect(checked(lines)).toBe(objects.length);
  const found = lines.filter(({ change }) => change !== undefined);
  const circular = found.filter(({ why }) => why!.endsWith('leads back to it'));
  expect(circular.map(({ kind, id, change, why }) => [kind, id, change, why])).toEqual([
    ['dcim.region', '1', 'parent', 'left out: dcim.region 1 leads back to it'],
    ['dcim.region', '4', 'parent', 'left out: dcim.region 3 leads back to it'],
    ['dcim.location', '2', 'parent', 'left out: dcim.location 1 leads back to it'],
    ['dcim.devicerole', '1', 'parent', 'left out: dcim.devicerole 1 leads back to it'],
    ['dcim.interface', '1', 'parent', 'left out: dcim.interface 1 leads back to it'],
    ['dcim.interface', '3', 'lag', 'left out: dcim.interface 2 leads back to it'],
    ['dcim.interface', '4', 'bridge', 'left out: dcim.interface 4 leads back to it'],
    ['ipam.ipaddress', '1', 'nat_inside', 'left out: ipam.ipaddress 1 leads back to it'],
  ]);
  expect(found.filter(({ why }) => /was not moved/.test(why!)).map(({ kind, id, why }) => [kind, id, why])).toEqual([
    ['dcim.region', '7', 'dcim.region 99 was not moved'],
  ]);
  expect(found.filter(({ change }) => change === 'leftOut').map(({ kind, id }) => [kind, id])).toEqual([
    ['dcim.cable', '1'],
    ['dcim.devicebay', '1'],
    ['dcim.cabletermination', '1'],
    ['dcim.cabletermination', '2'],
    ['dcim.inventoryitem', '1'],
    ['dcim.inventoryitem', '2'],
    ['dcim.inventoryitem', '3'],
  ]);
  const regions = (await admin.get('/api/regions?expand=parent&pageSize=500')).body.data as {
    name: string;
    parent: { name: string } | null;
  }[];
  const parents = Object.fromEntries(regions.map(({ name, parent }) => [name, parent?.name ?? null]));
  expect(parents).toMatchObject({
    Itself: null,
    One: 'Other',
    Other: null,
    Below: 'One',
    Lowest: 'Below',
    Child: 'Orphan',
    Orphan: null,
  });
}, 120_000);

const logged = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;

it('keeps a reference to a record of the same request that is written without a value', async () => {
  const objects = estate();
  const fieldsOf = (pk: number): Json =>
    objects.find((entry) => entry.model === 'dcim.interface' && entry.pk === pk)!.fields as Json;
  fieldsOf(8).mtu = -1;
  fieldsOf(7).lag = 8;
  const path = dumpOf(JSON.stringify(objects));
  runs += runs % 2;
  const read = (spool: Spool): Promise<Source> => NetboxSource.read(path, spool, '4.2');
  const lines = await moved(read);
  const found = lines.filter(({ kind, change }) => kind === 'dcim.interface' && change !== undefined);
  expect(found.map(({ id, change }) => [id, change])).toEqual([['8', 'mtu']]);
  await expectUnchanged(read);
}, 120_000);

it('of a NetBox that ends early is refused before anything is written', async () => {
  const whole = Buffer.from(JSON.stringify(estate()));
  const before = await logged();
  for (const file of [whole.subarray(0, -1), whole.subarray(0, 3000), gzipSync(whole).subarray(0, 900)]) {
    const path = dumpOf(file);
    await expect(moved((spool) => NetboxSource.read(path, spool, '4.2'))).rejects.toThrow(/cannot be read/);
  }
  expect(await logged()).toBe(before);
}, 120_000);

const FILES: Readonly<Record<string, string>> = {
  ...SNIPE_IT_EXPORTS,
  // Each is the manager of the other.
  'people.csv': SNIPE_IT_EXPORTS['people.csv'].replace(',gh,,,', ',gh,,,Ada Lovelace'),
};

it('of a Snipe-IT keeps places and people in a circle, without the reference and with a line', async () => {
  const at = join(folder, `exports-${++runs}`);
  mkdirSync(at);
  const files = {
    'places.csv':
      'Location Name,Parent,City\nCircle itself,Circle itself,Ams\nCircle one,Circle other,\nCircle other,Circle one,\n' +
      'Circle room,Circle one,\n',
    'people.csv':
      'Name,Username,Email,Phone,Manager\nCircle A,ca,,,ca\nCircle B,cb,,,cc\nCircle C,cc,,,cb\nCircle D,cd,,,cb\n',
    'assets.csv':
      'Asset Name,Asset Tag,Model,Category,Status,Location\ncircular,CIRCLE-1,Book,Laptops,Ready,Circle room\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(at, name), content);
  runs += runs % 2;
  const lines = await moved((spool) => SnipeItSource.read(at, spool));
  checked(lines);
  const found = lines.filter(({ kind, change }) => change !== undefined && /locations|users/.test(kind));
  expect(found.map(({ kind, id, change, why }) => [kind, id, change, why])).toEqual([
    ['locations', 'Circle itself', 'parent', 'left out: locations Circle itself lies within it'],
    ['locations', 'Circle one', 'parent', 'left out: locations Circle other lies within it'],
    ['users', 'ca', 'manager', 'left out: it is the user itself'],
    ['users', 'cc', 'manager', 'left out: users cb leads back to it'],
  ]);
  expect((await admin.get('/api/sites?name__isw=Circle&sort=name')).body.data).toMatchObject([
    { name: 'Circle itself' },
    { name: 'Circle one' },
  ]);
  expect((await admin.get('/api/assets?assetTag=CIRCLE-1')).body.data).toMatchObject([
    { siteName: 'Circle one', locationName: 'Circle room' },
  ]);
}, 120_000);

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-1',
    '999',
    'x'.repeat(300),
    '31.31.2024',
    '1.2.3',
    '"',
    '\u0000',
    'Room 1',
    'Ada Lovelace',
    'AT-1',
    'ÃÃ©',
  ),
  fc.string({ maxLength: 12 }),
);

const spoilt = fc.record({
  file: fc.constantFrom(...Object.keys(FILES)),
  what: fc.constantFrom('cell', 'cell', 'cell', 'cell', 'header', 'row', 'bytes', 'end'),
  row: fc.nat(),
  column: fc.nat(),
  cell,
});

const rowsOf = (content: string): string[] =>
  content.split('\n').filter((line) => line.replaceAll(/[,\s]/g, '') !== '');

it('of a Snipe-IT loses nothing without a line', async () => {
  let withSums = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(spoilt, { minLength: 1, maxLength: 6 }), async (damages) => {
      const files = new Map(Object.entries(FILES).map(([name, content]) => [name, Buffer.from(content)]));
      let isPlain = true;
      for (const { file, what, row, column, cell: value } of damages) {
        const lines = files.get(file)!.toString().split('\n');
        const at = what === 'header' ? 0 : 1 + (row % Math.max(lines.length - 2, 1));
        const cells = (lines[at] ?? '').split(',');
        // Quoted values with line breaks and separators: the rows cannot be counted without parsing the file.
        if (what === 'cell' || what === 'header') {
          isPlain &&= !/[",\r\n\t;]/.test(value) && !(lines[at] ?? '').includes('"') && what === 'cell';
          cells[column % cells.length] = value;
          lines[at] = cells.join(',');
        } else if (what === 'row') lines.push(lines[at] ?? '');
        let content = Buffer.from(lines.join('\n'));
        if (what === 'bytes') content[row % content.length] = 0x80 + (column % 0x80);
        if (what === 'end') content = content.subarray(0, row % content.length);
        isPlain &&= what !== 'bytes' && what !== 'end';
        files.set(file, content);
      }
      const at = join(folder, `exports-${++runs}`);
      mkdirSync(at);
      for (const [name, content] of files) writeFileSync(join(at, name), content);
      const before = await logged();
      try {
        const source = (spool: Spool): Promise<Source> => SnipeItSource.read(at, spool);
        const lines = await moved(source);
        const read = checked(lines);
        await expectUnchanged(source);
        if (!isPlain) return;
        withSums++;
        const rows = [...files.values()].reduce((sum, content) => sum + rowsOf(content.toString()).length - 1, 0);
        // Objects that only other objects name are counted too.
        expect(read).toBeGreaterThanOrEqual(rows);
        const assets = lines.find((line) => line.kind === 'assets' && line.read !== undefined)!;
        expect(assets.read).toBe(rowsOf(files.get('assets.csv')!.toString()).length - 1);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        expect(error.message).toMatch(/cannot be read|stands twice/);
        expect(await logged()).toBe(before);
      }
    }),
    RUNS,
  );
  expect(withSums).toBeGreaterThan(0);
}, 600_000);
