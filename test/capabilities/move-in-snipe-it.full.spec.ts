import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../src/cli/move-in/service.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { countsOf, reportAt, type ReportLine } from '../support/move-in-report.js';
import { SNIPE_IT_EXPORTS } from '../support/snipe-it-exports.js';
import { runCommand, startEntry, type Outcome } from '../support/command.js';

let service: TestService;
let admin: Api;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'snipe-it-test-'));
const servers: Server[] = [];
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'mover' }));
});
afterAll(async () => {
  for (const server of servers) server.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

let runs = 0;
const exportsIn = (files: Record<string, string | Buffer>): string => {
  const at = join(folder, `exports-${++runs}`);
  mkdirSync(at);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(at, name), content);
  return at;
};

async function moveIn(at: string, ...options: string[]): Promise<Outcome & { lines: ReportLine[] }> {
  const report = join(folder, `report-${++runs}.jsonl`);
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token, SNIPE_IT_TOKEN: 'secret' };
  const outcome = await runCommand(
    'move-in',
    ['snipe-it', at, '--report', report, '--no-custom-fields', ...options],
    env,
  );
  const lines = outcome.code === 1 ? [] : reportAt(report);
  // Every object is accounted for.
  for (const { read, created, updated, unchanged, leftOut } of lines.filter((line) => line.read !== undefined))
    expect(read).toBe(created! + updated! + unchanged! + leftOut!);
  return { ...outcome, lines };
}

const changesOf = (lines: ReportLine[], kind: string): [string, string, string][] =>
  lines.flatMap(({ kind: of, id, change, why }) =>
    of === kind && change !== undefined ? [[id!, change, why!] as [string, string, string]] : [],
  );

it('brings the exports of a folder over, and again without a change', async () => {
  const at = exportsIn(SNIPE_IT_EXPORTS);
  const dry = await moveIn(at, '--dry-run');
  expect([dry.code, dry.err]).toEqual([3, '']);
  expect((await admin.get('/api/assets')).body.total).toBe(0);
  const { code, err, lines } = await moveIn(at);
  expect([code, err]).toEqual([3, '']);
  expect(lines.filter(({ read }) => read !== undefined)).toEqual(dry.lines.filter(({ read }) => read !== undefined));
  expect(countsOf(lines, 'assets')).toMatchObject({ read: 4, created: 3, leftOut: 1 });
  expect(countsOf(lines, 'accessories')).toMatchObject({ read: 2, created: 2 });
  expect(changesOf(lines, 'accessories')).toContainEqual(['Cable', 'checked_out', 'left out: 5 of 10 are handed out']);
  expect(changesOf(lines, 'statuslabels')).toEqual([
    ['Ready to Deploy', 'status', 'becomes in_stock, and in_use where somebody holds the asset'],
    ['Out for Repair', 'status', 'becomes in_repair'],
    ['Lost/Stolen', 'status', 'becomes lost'],
    // The asset that appears twice.
    ['Archived', 'leftOut', 'nothing refers to it'],
  ]);
  expect(changesOf(lines, 'assets')).toContainEqual(['AT-2', 'name', 'it has no name, and is called Switch 48']);
  expect(changesOf(lines, 'assets')).toContainEqual([
    'AT-1#2',
    'leftOut',
    "'AT-1' stands twice: assets.csv, row 4 and assets.csv, row 1",
  ]);

  const { body: assets } = await admin.get('/api/assets?sort=assetTag');
  expect(assets.data).toMatchObject([
    {
      name: 'edge-1',
      serialNumber: 'SN-1',
      status: 'in_use',
      categoryName: 'Switches',
      manufacturerName: 'Acme',
      siteName: 'Headquarters',
      locationName: 'Room 1',
      purchasedAt: '2024-12-31T00:00:00.000Z',
      warrantyUntil: '2027-12-31T00:00:00.000Z',
      purchasePrice: '1234.50',
      notes: 'ours',
      currentAssignee: { email: 'ada@example.com' },
    },
    {
      name: 'Switch 48',
      status: 'in_repair',
      siteName: 'Headquarters',
      locationId: null,
      purchasedAt: '2025-01-05T00:00:00.000Z',
      purchasePrice: '12.50',
      currentAssignee: null,
    },
    { name: 'printer', status: 'lost', purchasePrice: '1000.00', currentAssignee: { fullName: 'Grace Hopper' } },
  ]);
  expect((await admin.get('/api/people?sort=fullName&search=Lovelace')).body.data).toMatchObject([
    { jobTitle: 'Engineer', department: 'Networks', siteName: 'Headquarters', assetCount: 1 },
  ]);
  expect((await admin.get('/api/sites')).body.data).toMatchObject([
    { name: 'Headquarters', physicalAddress: 'Science Park 610\n1098 XH Amsterdam' },
  ]);
  expect((await admin.get('/api/locations?name=Room%201&expand=parent,site')).body.data).toMatchObject([
    { parent: { name: 'Floor 1' }, site: { name: 'Headquarters' } },
  ]);
  expect((await admin.get('/api/software-licences?expand=vendor')).body.data).toMatchObject([
    { licenceKey: 'KEY-1', seats: 10, assignedSeats: 3, expiryDate: '2027-02-28', vendor: { name: 'Shop' } },
  ]);
  expect((await admin.get('/api/tenant-groups')).body.data).toMatchObject([{ name: 'Initech' }]);

  const items = (await admin.get('/api/stock-items?sort=name')).body.data;
  expect(items).toMatchObject([
    { name: 'Cable', minimum: 1, onHand: 5, value: [] },
    { name: 'Mouse', minimum: 1, onHand: 3 },
  ]);
  const moved = async (id: string): Promise<object[]> =>
    (await admin.get(`/api/stock-items/${id}/movements`)).body.data;
  expect(await moved(items[0].id)).toMatchObject([{ kind: 'count', quantity: 5, reason: 'Moved in' }]);

  const { total } = (await admin.get('/api/change-log?pageSize=1')).body;
  const again = await moveIn(at);
  expect(countsOf(again.lines, 'assets')).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  expect((await admin.get('/api/change-log?pageSize=1')).body.total).toBe(total);

  // Changes in this service are overwritten, including holders.
  await admin.post(`/api/assets/${assets.data[0].id}/return`);
  await admin.patch(`/api/assets/${assets.data[0].id}`, { status: 'in_use' });
  await moveIn(at);
  expect((await admin.get(`/api/assets/${assets.data[0].id}`)).body.data).toMatchObject({
    status: 'in_use',
    currentAssignee: { email: 'ada@example.com' },
  });
}, 180_000);

it('reads the templates of its importer, with the ends of lines and the encoding of a Mac, and holders that no file lists', async () => {
  const macRoman = (text: string): Buffer =>
    Buffer.from(
      Array.from(text, (character) => ({ é: 0x8e, Ã: 0xcc, '‰': 0xe4 })[character] ?? character.charCodeAt(0)),
    );
  const rows = [
    'Full Name,Email,Username,item Name,,Category,Model name,Manufacturer,,Serial,Asset Tag,Location,,Notes,Purchase Date,Purchase Cost,Company,Status,Warranty,Supplier',
    'Zoé Example,zoe@example.com,zoe,laptop 1,,Laptops,Book,Acme,,T-1,T-1,Saint-Ã‰tienne,,,4/25/16,133289.59,Alpha,Undeployable,14,Blogspan',
    ',,,,,Laptops,Book,Acme,,T-2,T-2,Daping,, ,3/8/16,,,Ready to Deploy,,',
    ',,,,,,,,,,,,,,,,,,,',
  ];
  const { code, err, lines } = await moveIn(
    exportsIn({ 'template.csv': macRoman(rows.join('\r')) }),
    '--source',
    'mac',
  );
  expect([code, err]).toEqual([3, '']);
  expect(countsOf(lines, 'assets')).toMatchObject({ read: 2, created: 2 });
  // Its name would be a custom field, so it is left out.
  expect(countsOf(lines, 'models')).toMatchObject({ read: 1, leftOut: 1 });
  const { body } = await admin.get('/api/assets?sort=assetTag&assetTag__isw=T-');
  expect(body.data).toMatchObject([
    {
      name: 'laptop 1',
      siteName: 'Saint-Étienne',
      purchasedAt: '2016-04-25T00:00:00.000Z',
      warrantyUntil: '2017-06-25T00:00:00.000Z',
      currentAssignee: { fullName: 'Zoé Example', email: 'zoe@example.com' },
    },
    { name: 'Book', siteName: 'Daping', currentAssignee: null },
  ]);
}, 120_000);

it('reads the API, which fails, is busy and changes meanwhile, as it reads the exports', async () => {
  const nested = (name: string | null, id = 1): { id: number; name: string } | null =>
    name === null ? null : { id, name };
  const lists: Record<string, { id: number; [field: string]: unknown }[]> = {
    hardware: [
      {
        id: 7,
        name: 'edge &amp; co',
        asset_tag: 'API-1',
        serial: 'A1',
        model: nested('Switch 48'),
        category: nested('Switches'),
        manufacturer: nested('Acme'),
        status_label: { id: 1, name: 'Shelf', status_type: 'deployable', status_meta: 'deployed' },
        location: nested('Room A'),
        assigned_to: { id: 3, type: 'user', username: 'ida', name: 'Ida Rhodes', email: 'ida@example.com' },
        purchase_date: { date: '2024-12-31', formatted: '12/31/2024' },
        purchase_cost: '1.234,50',
        custom_fields: { MAC: { field: '_snipeit_mac_1', value: '00:11', field_format: 'MAC' } },
      },
      {
        id: 8,
        name: 'gone',
        asset_tag: 'API-2',
        model: nested('Switch 48'),
        deleted_at: { datetime: '2025-01-01 00:00:00' },
      },
    ],
    users: [{ id: 3, name: 'Ida Rhodes', username: 'ida', email: 'ida@example.com' }],
    locations: [
      { id: 1, name: 'Room A', parent: nested('Plant', 2) },
      { id: 2, name: 'Plant', parent: null },
    ],
    components: [
      {
        id: 1,
        name: 'RAM',
        qty: 4,
        remaining: 3,
        serial: 'R-1',
        location: nested('Room A', 1),
        category: nested('Parts', 9),
      },
      { id: 2, name: 'RAM', qty: 2, serial: 'R-2' },
    ],
  };
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const list = lists[url.pathname.replace('/api/v1/', '')];
    seen.push(request.url!);
    if (request.headers.authorization !== 'Bearer secret') response.writeHead(401).end();
    else if (seen.length === 2) response.writeHead(429, { 'retry-after': '1' }).end('{}');
    else if (seen.length === 4) response.writeHead(500).end('oops');
    else if (!list) response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":"error"}');
    else {
      const offset = Number(url.searchParams.get('offset'));
      // The source returns one record per page, whatever the limit. From the second request on, it has one more record.
      const rows = list.slice(offset, offset + 1);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ total: list.length, rows }));
      if (url.pathname.endsWith('/users') && list.length === 1)
        list.push({ id: 4, name: 'New Person', username: 'new' });
    }
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, err, lines } = await moveIn(`http://127.0.0.1:${port}/`, '--source', 'api');
  expect([code, err]).toEqual([3, '']);
  expect(countsOf(lines, 'assets')).toMatchObject({ read: 2, created: 1, leftOut: 1 });
  expect(countsOf(lines, 'components')).toMatchObject({ read: 2, created: 2 });
  const ram = (await admin.get('/api/stock-items?name=RAM')).body.data;
  const levels = await Promise.all(ram.map(({ id }: { id: string }) => admin.get(`/api/stock-items/${id}/levels`)));
  const plant = (await admin.get('/api/locations?name=Room%20A')).body.data[0];
  expect(levels.flatMap(({ body }) => body.data).toSorted((one, other) => one.quantity - other.quantity)).toEqual([
    { siteId: null, locationId: null, quantity: 2 },
    { siteId: plant.siteId, locationId: plant.id, quantity: 3 },
  ]);
  expect((await admin.get('/api/assets?assetTag=API-1')).body.data).toMatchObject([
    {
      name: 'edge & co',
      status: 'in_use',
      siteName: 'Plant',
      locationName: 'Room A',
      purchasePrice: '1234.50',
      purchasedAt: '2024-12-31T00:00:00.000Z',
      currentAssignee: { email: 'ida@example.com' },
    },
  ]);
  // The file has the same assets, so it gives the same records.
  const file =
    'Asset Name,Asset Tag,Serial,Model,Category,Manufacturer,Status,Checked Out To,Location,Purchase Date,Purchase Cost\n' +
    'edge & co,API-1,A1,Switch 48,Switches,Acme,Shelf (Deployed),ida@example.com,Room A,2024-12-31,1234.5\n';
  const places = 'Name,Parent\nRoom A,Plant\n';
  const again = await moveIn(
    exportsIn({
      'assets.csv': file,
      'locations.csv': places,
      'users.csv': 'Name,Username,Email,Phone\nIda Rhodes,ida,ida@example.com,\n',
    }),
    '--source',
    'api',
  );
  expect(countsOf(again.lines, 'assets')).toMatchObject({ read: 1, unchanged: 1 });
}, 120_000);

it('gives seats of licences to their holders, follows them, and says which of them an export does not name', async () => {
  const user = (id: number, name: string): object => ({ id, name, username: name.toLowerCase() });
  const asset = { id: 7, name: 'seated', asset_tag: 'SEAT-1', model: { id: 1, name: 'Book' } };
  const seat = (id: number, holder: object): object => ({ id, license_id: 4, name: `Seat ${id}`, ...holder });
  const to = (id: number, name: string): object => ({ assigned_user: { id, name }, assigned_asset: null });
  // The asset has the seat. The source also shows its user.
  const toAsset = { ...to(1, 'Ida'), assigned_asset: { id: 7, name: 'seated' } };
  const licence = (seats: number, free: number): object => ({
    id: 4,
    name: 'Seated',
    product_key: 'S-1',
    seats,
    free_seats_count: free,
  });
  // The source cannot list its seats.
  const hidden = { id: 6, name: 'Hidden', seats: 4, free_seats_count: 3 };
  const idle = { id: 5, name: 'Idle', seats: 2, free_seats_count: 2 };
  const lists: Record<string, object[]> = {
    users: [user(1, 'Ida'), user(2, 'Jo'), user(3, 'Kim')],
    hardware: [asset],
    licenses: [licence(9, 4), idle, hidden],
    'licenses/4/seats': [
      seat(1, to(1, 'Ida')),
      seat(2, to(2, 'Jo')),
      seat(3, toAsset),
      seat(4, to(2, 'Jo')),
      seat(5, to(99, 'Gone')),
      seat(6, { assigned_user: null, assigned_asset: null }),
    ],
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname.replace('/api/v1/', '');
    const offset = Number(new URL(request.url!, 'http://localhost').searchParams.get('offset'));
    asked.push(path);
    const list = lists[path];
    response.writeHead(list ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ total: list?.length, rows: list?.slice(offset, offset + 2) }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = async (name: string): Promise<Record<string, any>> => {
    const [one] = (await admin.get(`/api/software-licences?name=${name}`)).body.data;
    const { data } = (await admin.get(`/api/software-licences/${one.id}/seats`)).body;
    const names = data.map((given: { name: string }) => given.name).toSorted();
    return { id: one.id, seats: one.seats, assignedSeats: one.assignedSeats, names };
  };
  const log = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;
  const before = await log();
  const rehearsed = await moveIn(url, '--source', 'seats', '--dry-run');
  expect([rehearsed.err, await log()]).toEqual(['', before]);
  const first = await moveIn(url, '--source', 'seats');
  expect(first.err).toBe('');
  const unlisted = ['Hidden', 'seats', 'left out: the source does not say who has 1 of 1 seats in use'];
  const missing = [
    unlisted,
    ['Seated/S-1', 'seats', "left out: users 'Gone' was not moved"],
    ['Seated/S-1', 'seats', 'left out: users jo has a seat of the licence already'],
  ];
  expect(changesOf(first.lines, 'licenses').toSorted()).toEqual(missing.toSorted());
  expect(changesOf(rehearsed.lines, 'licenses').toSorted()).toEqual(missing.toSorted());
  expect(await read('Seated')).toMatchObject({ seats: 9, assignedSeats: 3, names: ['Ida', 'Jo', 'seated'] });
  expect(await read('Idle')).toMatchObject({ seats: 2, assignedSeats: 0, names: [] });
  expect(asked).not.toContain('licenses/5/seats');
  const written = await log();
  await moveIn(url, '--source', 'seats');
  expect(await log()).toBe(written);

  // One seat was assigned in this service. Others were removed at the source, where the licence now has fewer seats.
  const { id } = await read('Seated');
  const [kim] = (await admin.get('/api/people?fullName=Kim')).body.data;
  await admin.make(`/api/software-licences/${id}/seats`, { personId: kim.id });
  const [jo] = (await admin.get('/api/people?fullName=Jo')).body.data;
  await admin.make(`/api/software-licences/${(await read('Hidden')).id}/seats`, { personId: jo.id });
  lists.licenses = [licence(2, 0), { ...idle, free_seats_count: 1 }, hidden];
  lists['licenses/4/seats'] = [seat(1, to(3, 'Kim')), seat(2, toAsset)];
  lists['licenses/5/seats'] = [seat(9, to(1, 'Ida'))];
  const next = await moveIn(url, '--source', 'seats');
  expect([next.err, changesOf(next.lines, 'licenses')]).toEqual(['', [unlisted]]);
  expect(await read('Seated')).toMatchObject({ seats: 2, assignedSeats: 2, names: ['Kim', 'seated'] });
  expect(await read('Idle')).toMatchObject({ seats: 2, assignedSeats: 1, names: ['Ida'] });
  lists.licenses = [licence(2, 2), idle, hidden];
  const last = await moveIn(url, '--source', 'seats');
  expect([last.err, changesOf(last.lines, 'licenses')]).toEqual(['', [unlisted]]);
  // Assignments made here remain if the source does not say who has the seats.
  expect(await read('Hidden')).toMatchObject({ assignedSeats: 1, names: ['Jo'] });
  expect(await read('Seated')).toMatchObject({ seats: 2, assignedSeats: 0, names: [] });

  const header = 'Name,Product Key,Licensed to Email,Total,Avail,Email\n';
  const at = exportsIn({ 'licences.csv': `${header}Listed,L-1,,10,7,\nHeld,H-1,,5,3,lou@example.com\n` });
  const listed = await moveIn(at, '--source', 'seats');
  expect(changesOf(listed.lines, 'licenses')).toEqual([
    ['Listed/L-1', 'seats', 'left out: the source does not say who has 3 of 3 seats in use'],
    ['Held/H-1', 'seats', 'left out: the source does not say who has 1 of 2 seats in use'],
  ]);
  expect(await read('Listed')).toMatchObject({ seats: 10, assignedSeats: 3, names: [] });
  expect(await read('Held')).toMatchObject({ seats: 5, assignedSeats: 1, names: ['lou@example.com'] });
}, 240_000);

it('that is killed anywhere ends with the same estate, holders and values of custom fields too', async () => {
  const count = 1500;
  const assets = ['Asset Name,Asset Tag,Model,Category,Status,Checked Out To,MAC Address'];
  const users = ['Name,Username,Email,Phone,Manager'];
  for (let at = 1; at <= count; at++) {
    assets.push(`killed ${at},K-${at},Book,Killed,Ready to Deploy,${at % 3 === 0 ? '' : `killed${at % 50}`},${at}`);
    if (at <= 50) users.push(`Killed ${at},killed${at % 50},k${at}@example.com,,${at > 1 ? `Killed ${at - 1}` : ''}`);
  }
  const at = exportsIn({ 'assets.csv': assets.join('\n'), 'users.csv': users.join('\n') });
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token };
  const log = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;
  const held = async (): Promise<number> =>
    (
      (await admin.get('/api/assets?assetTag__isw=K-&pageSize=2000')).body.data as { currentAssignee: unknown }[]
    ).filter(({ currentAssignee }) => currentAssignee !== null).length;
  const found = async (): Promise<number> => (await admin.get('/api/assets?assetTag__isw=K-&pageSize=1')).body.total;
  // The command is killed while it writes people, assets and holders.
  const killed: number[] = [];
  for (const isDue of [
    async (start: number) => (await log()) > start + 10,
    async () => (await found()) > 0,
    async () => (await held()) > 0,
  ]) {
    const start = await log();
    const { child, outcome } = startEntry('cli/move-in', ['snipe-it', at, '--source', 'killed'], env);
    while (child.exitCode === null && !(await isDue(start))) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGKILL');
    await outcome;
    killed.push(await log());
  }
  const { code, err, out } = await runCommand('move-in', ['snipe-it', at, '--source', 'killed'], env);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^assets +1500 /m);
  // The killed runs had not finished.
  expect(await log()).toBeGreaterThan(killed[1]!);
  expect([await found(), await held()]).toEqual([count, 1000]);
  expect((await admin.get('/api/people?search=Killed&pageSize=1')).body.total).toBe(50);
  const { data } = (await admin.get('/api/people?fullName=Killed%202')).body;
  expect(data[0].customFields.manager).toBe((await admin.get('/api/people?fullName=Killed%201')).body.data[0].id);
  const before = await log();
  const again = await runCommand('move-in', ['snipe-it', at, '--source', 'killed'], env);
  expect(again.out).toMatch(/^assets +1500 +0 +0 +1500 +0$/m);
  expect(await log()).toBe(before);
}, 240_000);

it('refuses a folder without exports, and an address without a token', async () => {
  expect(await moveIn(exportsIn({ 'readme.txt': '' }))).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no CSV files'),
  });
  expect(await moveIn(join(folder, 'none'))).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') });
});

it('says that a service is too old to hand out many assets at once', async () => {
  const older = createServer((_, response) => {
    response.writeHead(405, { 'content-type': 'application/json' }).end('{"error":"This path accepts GET, not POST"}');
  });
  servers.push(older);
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  const { port } = older.address() as AddressInfo;
  const holders = [{ assetId: randomUUID(), personId: null }];
  await expect(new Service({ url: `http://127.0.0.1:${port}`, token }).handOver(holders, false)).rejects.toThrow(
    /no asset was handed out: this version of the service cannot .* Upgrade it and run the command again/,
  );
});

it('reads exports in the encoding that is given', async () => {
  const header = Buffer.from('Company Name\n');
  const cyrillic = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0, 0x0a]);
  const at = exportsIn({ 'companies.csv': Buffer.concat([header, cyrillic]) });
  const { err, code } = await moveIn(at, '--encoding', 'windows-1251', '--source', 'cyrillic');
  expect([err, code]).toEqual(['', 0]);
  expect((await admin.get(`/api/tenant-groups?name=${encodeURIComponent('Москва')}`)).body.total).toBe(1);
  const unknown = await moveIn(at, '--encoding', 'klingon');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("'klingon' is not the name of an encoding")]);
});

it('reads texts that are escaped for HTML, and columns of any name', async () => {
  const at = exportsIn({
    'users.csv': `First Name,Last Name,Username,Email
Sean,O&#039;Brien,sean,
`,
    'assets.csv': `Asset Tag,Asset Name,Checked Out To,constructor,__proto__,toString
ESC-1,R&amp;D &lt;1&gt; &#99999999; &nbsp;,Sean O'Brien,Lab,Zone 7,Text
`,
  });
  const { lines } = await moveIn(at, '--source', 'escaped', '--dry-run');
  expect(countsOf(lines, 'users')).toMatchObject({ read: 1 });
  // Each value has a line.
  expect(changesOf(lines, 'assets').map(([, field]) => field)).toEqual(['constructor', 'proto', 'tostring']);
  const env = { INVENTORY_URL: service.url, INVENTORY_TOKEN: token };
  const { out } = await runCommand('move-in', ['snipe-it', at, '--source', 'escaped'], env);
  // A custom field cannot have this key. The report says so.
  expect(out).toContain('assets ESC-1: constructor: left out: key is a reserved word');
  const [asset] = (await admin.get('/api/assets?assetTag=ESC-1')).body.data;
  expect(asset).toMatchObject({
    name: 'R&D <1> &#99999999; &nbsp;',
    currentAssignee: { fullName: "Sean O'Brien" },
    customFields: { proto: 'Zone 7', tostring: 'Text' },
  });
  expect((await admin.get('/api/people?search=Brien')).body.total).toBe(1);
});
