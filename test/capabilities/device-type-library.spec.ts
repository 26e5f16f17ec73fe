import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { loadLibrary } from '../../src/app/startup/load-library.js';
import { SAMPLE, shareOf } from '../device-type-library/share.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';

/** Device types are created from documents of the community library. */
const FOLDER = join(process.cwd(), 'test', 'fixtures', 'device-type-library');
const REAL = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .join('');

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  // The service creates the manufacturers of the documents.
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

const load = (yaml: string, query = '', headers = {}): Promise<Answer> =>
  editor.request('POST', `/api/device-types/import${query}`, yaml, { 'content-type': 'application/yaml', ...headers });
const counts = ({ status, body }: Answer): unknown[] => {
  const { created, updated, unchanged, skipped, manufacturersCreated } = body.data ?? {};
  return [status, created, updated, unchanged, skipped, manufacturersCreated];
};
const find = async (model: string) =>
  (await editor.get(`/api/device-types?model=${encodeURIComponent(model)}`)).body.data[0];
const portsOf = async (id: string) =>
  (await editor.get(`/api/device-types/${id}/ports?sort=name&kind=network`)).body.data;
const model = (): string => `M-${randomUUID()}`;
const total = async (path: string): Promise<number> => (await editor.get(`${path}?pageSize=1`)).body.total;

it('real documents are taken as they are, and a second time they change nothing', async () => {
  const first = await load(REAL);
  expect(counts(first)).toEqual([200, 3, 0, 0, 0, 3]);
  const keys = (document: number): string[] =>
    first.body.data.ignored
      .filter((entry: { document: number }) => entry.document === document)
      .map(({ key }: { key: string }) => key);
  expect(keys(1)).toEqual(['comments']);
  expect(keys(2)).toEqual(['module-bays']);
  expect(keys(3)).toEqual(['comments']);
  const type = await find('ProCurve 2626 J4900A');
  expect(type).toMatchObject({
    partNumber: 'J4900A',
    uHeight: 1,
    isFullDepth: false,
    weight: 4.12,
    airflow: null,
    subdeviceRole: null,
    isPowered: true,
    source: 'vendor',
  });
  expect((await editor.get(`/api/manufacturers/${type.manufacturerId}`)).body.data).toMatchObject({
    name: 'HPE',
    slug: 'hpe',
  });
  expect(await portsOf(type.id)).toHaveLength(26);
  expect(await portsOf((await find('AP7901B')).id)).toMatchObject([
    { name: 'Management', type: '100base-tx', mgmtOnly: true },
  ]);
  const before = (await editor.get('/api/change-log?pageSize=1')).body.total;
  expect(counts(await load(REAL))).toEqual([200, 0, 0, 3, 0, 0]);
  expect((await editor.get('/api/change-log?pageSize=1')).body.total).toBe(before);
});

it('a shipped type gets the ports of its document and stays the vendor’s', async () => {
  await loadCatalogue(service.database.db);
  const { id, uHeight } = await find('Catalyst 9300-48P');
  const yaml =
    'manufacturer: cisco\nmodel: Catalyst 9300-48P\nu_height: 1\ninterfaces:\n  - name: Gi1/0/1\n    type: 1000base-t\n';
  expect(uHeight).toBe(1);
  const answer = await load(yaml);
  expect(answer.body.data).toMatchObject({ created: 0, updated: 1, manufacturersCreated: 0, ignored: [] });
  expect(await find('Catalyst 9300-48P')).toMatchObject({ id, source: 'vendor' });
  expect(await portsOf(id)).toMatchObject([{ name: 'Gi1/0/1', type: '1000base-t', mgmtOnly: false }]);
});

it('a new version of a document changes its type and its ports', async () => {
  const name = model();
  const document = (rest: string): string => `manufacturer: Acme\nmodel: ${name}\n${rest}`;
  const interfaces = (...names: string[]): string =>
    `interfaces:\n${names.map((one) => `- name: ${one}\n  type: virtual\n`).join('')}`;
  await load(document(`u_height: 1\n${interfaces('a', 'b')}`));
  const { id } = await find(name);
  const [a] = await portsOf(id);
  expect(counts(await load(document(`u_height: 2.5\n${interfaces('a', 'c')}`)))).toEqual([200, 0, 1, 0, 0, 0]);
  expect(await find(name)).toMatchObject({ id, uHeight: 2.5, source: 'vendor' });
  const ports = await portsOf(id);
  expect(ports).toMatchObject([{ name: 'a' }, { name: 'c' }]);
  expect(ports[0]).toEqual(a);
});

it('what a customer created or changed is left alone, unless it is to be overwritten', async () => {
  const name = model();
  const yaml = `manufacturer: Acme\nmodel: ${name}\nu_height: 3\ninterfaces: [{name: eth0, type: virtual}]\n`;
  await load(yaml);
  const { id } = await find(name);
  expect((await editor.patch(`/api/device-types/${id}`, { uHeight: 4 })).body.data.source).toBe('customer');
  expect(counts(await load(yaml))).toEqual([200, 0, 0, 0, 1, 0]);
  expect((await find(name)).uHeight).toBe(4);
  expect(counts(await load(yaml, '?overwrite=true'))).toEqual([200, 0, 1, 0, 0, 0]);
  expect(await find(name)).toMatchObject({ id, uHeight: 3, source: 'vendor' });
  await editor.make(`/api/device-types/${id}/ports`, { name: 'own' });
  expect(counts(await load(yaml))).toEqual([200, 0, 0, 0, 1, 0]);
  expect(counts(await load(yaml, '?overwrite=true'))).toEqual([200, 0, 1, 0, 0, 0]);
  expect(await portsOf(id)).toMatchObject([{ name: 'eth0' }]);
});

it('a dry run says what would be done, and a refusal does nothing', async () => {
  const before = [await total('/api/device-types'), await total('/api/manufacturers')];
  const yaml = `manufacturer: New ${randomUUID()}\nmodel: ${model()}\n`;
  const rehearsed = await load(yaml, '?dryRun=true');
  expect([counts(rehearsed), rehearsed.body.dryRun]).toEqual([[200, 1, 0, 0, 0, 1], true]);
  const refused = await load(`${yaml}---\nmodel: x\nu_height: 0.3\ninterfaces: [{type: y}, 5, {name: a}, {name: a}]\n`);
  expect(refused.status).toBe(400);
  expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'documents[2].manufacturer',
    'documents[2].u_height',
    'documents[2].interfaces[0].name',
    'documents[2].interfaces[1]',
    'documents[2].interfaces[3].name',
  ]);
  expect([await total('/api/device-types'), await total('/api/manufacturers')]).toEqual(before);
});

it('a height that would push a device into its neighbour refuses the whole file', async () => {
  const name = model();
  const yaml = (height: number): string => `manufacturer: Acme\nmodel: ${name}\nu_height: ${height}\n`;
  await load(yaml(1));
  const rack = await editor.make('/api/racks', { name: 'R', units: 42 });
  const { id: deviceTypeId } = await find(name);
  for (const rackPosition of [1, 2]) {
    await editor.make('/api/devices', { name: `d${rackPosition}`, rackId: rack.id, rackPosition, deviceTypeId });
  }
  const refused = await load(`${yaml(2)}---\nmanufacturer: Acme\nmodel: ${model()}\n`);
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining(`'d2'`)]);
  expect((await find(name)).uHeight).toBe(1);
});

describe('a document is refused', () => {
  const maker = 'manufacturer: Acme\n';
  it.each([
    ['an alias', `${maker}model: &m x\nslug: *m\n`, 'must not have aliases'],
    ['a billion laughs', `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n`, 'must not have aliases'],
    ['no model', maker, 'documents[1].model is required'],
    ['no manufacturer', 'model: x\n', 'documents[1].manufacturer is required'],
    ['an unknown tag', `${maker}model: !js/function x\n`, 'must not have tags'],
    ['a key twice', `${maker}model: x\nmodel: y\n`, `has the key 'model' twice`],
    ['a list', '- x\n', 'must be a mapping'],
    ['no YAML', `${maker}model: "x\n`, 'is not valid YAML'],
    ['mappings in lists without end', `${maker}model: ${'[{x: '.repeat(17)}`, 'is nested too deeply'],
    ['brackets that begin after some that end', `${']\n'.repeat(100)}${'['.repeat(33)}`, 'is nested too deeply'],
    ['32 levels', `${maker}model: ${'['.repeat(31)}x${']'.repeat(31)}\n`, 'must be'],
    ['33 levels', `${maker}model: ${'['.repeat(32)}x${']'.repeat(32)}\n`, 'is nested too deeply'],
    ['33 lists in lists', `${'- '.repeat(33)}x\n`, 'is nested too deeply'],
    ['keys in keys', '? '.repeat(100_000), 'is nested too deeply'],
    ['many entries', `${maker}model: [${'a,'.repeat(60_000)}]\n`, 'has more than 100,000 words and signs'],
    ['lists in lists', '- '.repeat(100_000), 'is nested too deeply'],
    ['the same type twice', `${maker}model: x\n---\n${maker}model: x\n`, 'is already in an earlier document'],
    ['a list for a text', `${maker}model: [x]\n`, 'must be'],
  ])('that has %s', async (_, yaml, message) => {
    const answer = await load(yaml);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(message)]);
    expect(answer.body.details[0].field).toMatch(/^documents\[\d\]/);
  });

  it.each([
    ['nothing', ''],
    ['only comments', '# a\n---\n# b\n'],
    ['more than 256 KiB', `${maker}model: x\ncomments: ${'x'.repeat(256 * 1024)}\n`],
  ])('that has %s', async (_, yaml) => {
    expect((await load(yaml)).status).toBe(400);
  });

  it('and so are the parameters of other files, and YAML elsewhere', async () => {
    expect((await load('a: b', '?mode=upsert')).status).toBe(400);
    const elsewhere = await editor.request('POST', '/api/racks/import', 'a: b', { 'content-type': 'application/yaml' });
    expect(elsewhere.status).toBe(415);
    const csv = await editor.request('POST', '/api/device-types/import?overwrite=true', 'model\nx\n', {
      'content-type': 'text/csv',
    });
    expect(csv.status).toBe(400);
  });
});

it('weight, airflow, role in a chassis and power are kept', async () => {
  const name = model();
  const document = (rest: string): string => `manufacturer: Acme\nmodel: ${name}\n${rest}`;
  const yaml = document(
    'airflow: front-to-rear\nsubdevice_role: child\nis_powered: false\nweight: 10\nweight_unit: lb\n',
  );
  expect((await load(yaml)).body.data).toMatchObject({ created: 1, ignored: [] });
  const type = await find(name);
  expect(type).toMatchObject({ weight: 4.536, airflow: 'front-to-rear', subdeviceRole: 'child', isPowered: false });
  expect(counts(await load(yaml))).toEqual([200, 0, 0, 1, 0, 0]);
  expect(counts(await load(document('weight: 500\nweight_unit: g\n')))).toEqual([200, 0, 1, 0, 0, 0]);
  expect((await find(name)).weight).toBe(0.5);
  expect((await load(document('weight: 3\n'))).body.data.ignored).toEqual([{ document: 1, key: 'weight' }]);
  const refused = await load(document('weight: heavy\nweight_unit: kg\nis_powered: perhaps\n'));
  expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'documents[1].weight',
    'documents[1].is_powered',
  ]);
  // If a customer changes a type, the customer owns it.
  expect((await editor.patch(`/api/device-types/${type.id}`, { airflow: 'mixed' })).body.data.source).toBe('customer');
  expect(counts(await load(yaml))).toEqual([200, 0, 0, 0, 1, 0]);
});

it('values are texts, whatever they look like', async () => {
  const yaml = `manufacturer: 3\nmodel: 0x10\npart_number: 3630.1751.130\ndescription: 2024-01-01\n__proto__: x\nslug: ~\n`;
  expect((await load(`\uFEFF---\r\n${yaml.replaceAll('\n', '\r\n')}...\r\n`)).body.data.ignored).toEqual([
    { document: 1, key: '__proto__' },
  ]);
  expect(await find('0x10')).toMatchObject({ partNumber: '3630.1751.130', description: '2024-01-01', slug: '0x10' });
});

it('a checkout is loaded by one command', async () => {
  const { db } = service.database;
  const ignored = {
    comments: 2,
    'module-bays': 1,
  };
  expect(await loadLibrary(service.app, db, FOLDER)).toEqual({
    files: 3,
    created: 0,
    updated: 0,
    unchanged: 3,
    skipped: 0,
    manufacturersCreated: 0,
    ignored,
    faulty: [],
  });
  // The report names a faulty file, and the service loads the others.
  const mixed = mkdtempSync(join(tmpdir(), 'library-'));
  cpSync(FOLDER, mixed, { recursive: true });
  writeFileSync(join(mixed, 'broken.yaml'), 'manufacturer: Acme\nmodel: [\n');
  writeFileSync(join(mixed, 'nameless.yml'), 'manufacturer: Acme\n');
  const loaded = await loadLibrary(service.app, db, mixed);
  expect(loaded).toMatchObject({ files: 5, unchanged: 3, created: 0 });
  expect(loaded.faulty).toEqual([
    expect.stringMatching(/^broken\.yaml is not valid YAML/),
    'nameless.yml.model is required',
  ]);
  rmSync(mixed, { recursive: true });
  await expect(loadLibrary(service.app, db, join(FOLDER, 'nothing'))).rejects.toThrow('cannot be read: ENOENT');
});

const onServerOnly = onServer ? describe : describe.skip;
onServerOnly('many writers', () => {
  it('imports at the same time create a type and its manufacturer once', async () => {
    const yaml = `manufacturer: Race ${randomUUID()}\nmodel: ${model()}\ninterfaces: [{name: a, type: b}]\n`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => load(yaml)));
    expect(answers.map((answer) => counts(answer).join(' ')).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => '200 0 0 1 0 0'),
      '200 1 0 0 0 1',
    ]);
  });
});

it('keeps ports of every kind, and what they refer to', async () => {
  const name = model();
  const yaml = (ports: string): string => `manufacturer: Acme\nmodel: ${name}\n${ports}`;
  const first = await load(
    yaml(`console-ports: [{name: con, type: rj-45}]
console-server-ports: [{name: tty1}]
power-ports: [{name: PSU1, type: iec-60320-c14, maximum_draw: 740, allocated_draw: 500}]
power-outlets: [{name: O1, power_port: PSU1, feed_leg: B}, {name: O2}]
front-ports: [{name: F1, rear_port: R1, rear_port_position: 2, color: aa1409}, {name: F2, rear_port: R1}]
rear-ports: [{name: R1, type: mpo, positions: 2}]
`),
  );
  expect(first.body.data).toMatchObject({ created: 1, ignored: [{ document: 1, key: 'front-ports.color' }] });
  const { id } = (await editor.get(`/api/device-types?model=${name}`)).body.data[0];
  const ports = async (): Promise<object[]> =>
    (await editor.get(`/api/device-types/${id}/ports?sort=name&expand=rearPort&expand=powerPort`)).body.data;
  expect(await ports()).toMatchObject([
    { kind: 'front', name: 'F1', rearPort: { name: 'R1' }, rearPosition: 2 },
    { kind: 'front', name: 'F2', rearPort: { name: 'R1' }, rearPosition: 1 },
    { kind: 'outlet', name: 'O1', powerPort: { name: 'PSU1' }, feedLeg: 'B' },
    { kind: 'outlet', name: 'O2', powerPortId: null },
    { kind: 'power', name: 'PSU1', maximumDrawW: 740, allocatedDrawW: 500 },
    { kind: 'rear', name: 'R1', type: 'mpo', positions: 2 },
    { kind: 'console', name: 'con', type: 'rj-45' },
    { kind: 'console-server', name: 'tty1' },
  ]);
  // This format is that of the library since NetBox 4.5.
  const mapped = yaml(`front-ports: [{name: F1, type: lc}, {name: F2}, {name: F3}]
rear-ports: [{name: R1, positions: 2}, {name: R2}]
port-mappings:
  - {front_port: F1, front_port_position: 1, rear_port: R1, rear_port_position: 2}
  - {front_port: F1, front_port_position: 2, rear_port: R2, rear_port_position: 1}
  - {front_port: F2, rear_port: R1, rear_port_position: 1}
`);
  const taken = await load(mapped);
  expect([taken.status, taken.body.data.ignored]).toEqual([
    200,
    [
      { document: 1, key: 'port-mappings.rear_port of a front port with several' },
      { document: 1, key: 'front-ports without a rear port' },
    ],
  ]);
  expect(await ports()).toMatchObject([
    { name: 'F1', type: 'lc', rearPort: { name: 'R1' }, rearPosition: 2 },
    { name: 'F2', rearPort: { name: 'R1' }, rearPosition: 1 },
    { name: 'R1', positions: 2 },
    { name: 'R2', positions: 1 },
  ]);
  expect((await load(mapped)).body.data).toMatchObject({ unchanged: 1 });
  const lost = await load(
    yaml(`front-ports: [{name: F1}, {name: F2}]
rear-ports: [{name: R1}]
port-mappings: [{front_port: F9, rear_port: R1}, {front_port: F1, rear_port: R9}, {front_port: F2, rear_port: R1, rear_port_position: 2}]
`),
  );
  expect(lost.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'documents[1].port-mappings[0].front_port',
    'documents[1].port-mappings[1].rear_port',
    'documents[1].port-mappings[2].rear_port_position',
  ]);
  const changed = yaml(`front-ports: [{name: F2, rear_port: R2}]\nrear-ports: [{name: R2}]\n`);
  expect((await load(changed)).body.data).toMatchObject({ updated: 1 });
  expect(await ports()).toMatchObject([
    { name: 'F2', rearPort: { name: 'R2' } },
    { name: 'R2', positions: 1 },
  ]);
  expect((await load(changed)).body.data).toMatchObject({ unchanged: 1 });
  const refused = await load(
    yaml(`front-ports: [{name: F1}, {name: F2, rear_port: R9}, {name: F3, rear_port: R1, rear_port_position: 3}, {name: F4, rear_port: R1}, {name: F5, rear_port: R1}]
rear-ports: [{name: R1}]
power-outlets: [{name: O1, power_port: R1}]
`),
  );
  expect([refused.status, refused.body.details.map(({ field }: { field: string }) => field)]).toEqual([
    400,
    [
      'documents[1].front-ports[0].rear_port',
      'documents[1].front-ports[1].rear_port',
      'documents[1].front-ports[2].rear_port_position',
      'documents[1].front-ports[4].rear_port_position',
      'documents[1].power-outlets[0].power_port',
    ],
  ]);
});

it('keeps all of a sample but what has no home, and far more than interfaces', async () => {
  const { documents, keys, before, after } = await shareOf(SAMPLE);
  expect(documents).toBe(3);
  // The rest is comments and module bays.
  expect(after / keys).toBeGreaterThan(0.9);
  expect(after - before).toBeGreaterThan(20);
});
