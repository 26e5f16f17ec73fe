import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { recordsOfCsv } from '../support/csv.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';
import { sql } from '../../src/database/sql.js';
import { itInFull } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const CSV = { accept: 'text/csv' };
const linesOf = ({ text }: Answer): string[] => text.split('\r\n');
const recordsOf = ({ text }: Answer): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

describe('the format of a list', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['application/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;header=present', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
    ['*/*, application/json;q=0, text/csv;q=0.1', 'application/x-ndjson'],
    ['application/x-ndjson', 'application/x-ndjson'],
  ])('for the Accept header %p is %s', async (accept, type) => {
    const { status, headers } = await admin.get('/api/sites', { accept });
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
  });

  it.each(['text/html', 'application/json;q=0', 'image/*', 'nonsense'])('is refused for %p', async (accept) => {
    const answer = await admin.get('/api/sites', { accept });
    expect([answer.status, Object.keys(answer.body)]).toEqual([406, ['error']]);
    expect((await admin.get('/api/sites/x', { accept })).status).toBe(400);
    expect((await admin.get('/api/sites?format=csv', { accept })).status).toBe(200);
  });

  it('in the query string has precedence over Accept', async () => {
    const { headers } = await admin.get('/api/sites?format=ndjson', CSV);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="sites.ndjson"');
    expect((await admin.get('/api/sites?format=xml')).body.details).toEqual([
      { field: 'format', message: 'must be one of csv, ndjson' },
    ]);
  });

  it('is ignored by operations other than lists', async () => {
    const site = await admin.make('/api/sites', { name: 'accept' });
    expect((await admin.get(`/api/sites/${site.id}`, { accept: 'text/html' })).status).toBe(200);
    expect((await admin.patch(`/api/sites/${site.id}`, {}, { accept: 'text/html' })).status).toBe(200);
  });
});

describe('an export as CSV', () => {
  it('has every property, and the name of the record after each reference', async () => {
    const site = await admin.make('/api/sites', { name: 'Export "1", Amsterdam' });
    const device = await admin.make('/api/devices', { name: 'export-sw-01', siteId: site.id, rackPosition: 1.5 });
    const answer = await admin.get('/api/devices?name=export-sw-01', CSV);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="devices.csv"');
    expect(linesOf(answer)).toEqual([
      'id,name,deviceTypeId,deviceType.model,deviceRoleId,deviceRole.name,platformId,platform.name,siteId,site.name,locationId,location.name,rackId,rack.name,rackPosition,rackFace,clusterId,cluster.name,tenantGroupId,tenantGroup.name,assetId,asset.name,status,serialNumber,description,createdAt,updatedAt',
      `${device.id},export-sw-01,,,,,,,${site.id},"Export ""1"", Amsterdam",,,,,1.5,,,,,,,,active,,,${device.createdAt},${device.updatedAt}`,
      '',
    ]);
  });

  it('distinguishes null from empty text, and keeps line breaks and backslashes', async () => {
    const description = 'one\r\ntwo "three" \\four\\\\five, six';
    await admin.make('/api/vrfs', { name: 'cells', routeDistinguisher: '', description });
    await admin.make('/api/vrfs', { name: 'cells', routeDistinguisher: null, description: ' spaced ' });
    const { text } = await admin.get('/api/vrfs?name=cells', CSV);
    expect(text).toContain(',cells,"",false,"one\r\ntwo ""three""');
    expect(text).toContain(',cells,,false,');
    expect(recordsOfCsv(text)).toMatchObject([
      { name: 'cells', routeDistinguisher: '', description },
      { name: 'cells', routeDistinguisher: null, description: ' spaced ' },
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'quoted", '=HYPERLINK("http://evil.example")'])(
    'guards text that a spreadsheet would take for a formula: %p',
    async (name) => {
      const { id } = await admin.make('/api/vendors', { name });
      expect(recordsOfCsv((await admin.get(`/api/vendors?id=${id}`, CSV)).text)).toMatchObject([{ name: `'${name}` }]);
      const raw = await admin.get(`/api/vendors?id=${id}&raw=true`, CSV);
      expect(recordsOfCsv(raw.text)).toMatchObject([{ name }]);
    },
  );

  it.each(['a;=1+1', ';-1', "x;'y"])('quotes text with a semicolon: %p', async (name) => {
    const { id } = await admin.make('/api/vendors', { name });
    for (const query of ['', '&raw=true']) {
      const { text } = await admin.get(`/api/vendors?id=${id}${query}`, CSV);
      expect(text).toContain(`,"${name}",`);
      expect(recordsOfCsv(text)).toMatchObject([{ name }]);
    }
  });

  it('writes lists as JSON, and numbers, dates, decimals and booleans as they are', async () => {
    const complianceBaselines = ['a, b', 'c"d', '\\e'];
    const role = await admin.make('/api/device-roles', { name: 'export', complianceBaselines, vmRole: true });
    const [found] = recordsOfCsv((await admin.get(`/api/device-roles?id=${role.id}`, CSV)).text);
    expect(JSON.parse(found!.complianceBaselines!)).toEqual(complianceBaselines);
    expect([found!.vmRole, found!.popular]).toEqual(['true', 'false']);
    const site = await admin.make('/api/sites', { name: 'south', latitude: -33.5, longitude: 1e-7 });
    expect(recordsOfCsv((await admin.get(`/api/sites?id=${site.id}`, CSV)).text)).toMatchObject([
      { latitude: '-33.5', longitude: '1e-07' },
    ]);
    const contract = await admin.make('/api/contracts', { name: 'c', startDate: '2026-03-01', cost: '-1200.50' });
    expect(recordsOfCsv((await admin.get(`/api/contracts?id=${contract.id}`, CSV)).text)).toMatchObject([
      { startDate: '2026-03-01', cost: '-1200.50' },
    ]);
  });

  it('writes objects as JSON', async () => {
    const person = await admin.make('/api/people', { fullName: 'Ada', email: 'ada.export@example.com' });
    const asset = await admin.make('/api/assets', { name: 'export laptop' });
    await admin.post(`/api/assets/${asset.id}/assign`, { personId: person.id });
    const { text } = await admin.get(`/api/assets?id=${asset.id}`, CSV);
    expect(text).toContain('""fullName"":""Ada""');
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'EXPORT-1',
      items: [{ name: 'A', quantity: 2, unitPrice: '1.50' }],
    });
    const [header, line] = linesOf(await admin.get(`/api/purchase-orders?id=${order.id}`, CSV));
    expect(header).toMatch(/,items,orderedQuantity,receivedQuantity,totalPrice,createdAt/);
    expect(line).toMatch(/""quantity"":2.*",2,0,3\.00,/);
  });
});

describe('an export', () => {
  beforeAll(() =>
    service.database.db.query(
      sql`INSERT INTO device_types (model, u_height) SELECT 'Catalyst ' || n % 7, n % 3 FROM generate_series(1, 60) n`,
    ),
  );

  it('as JSON lines has the records of the list', async () => {
    const page = (await admin.get('/api/device-types?pageSize=10000')).body;
    const answer = await admin.get('/api/device-types', { accept: 'application/x-ndjson' });
    expect(page.total).toBeGreaterThan(50);
    expect(recordsOf(answer)).toEqual(page.data);
    expect(linesOf(await admin.get('/api/device-types', CSV))).toHaveLength(page.total + 2);
  });

  it('has the same filters, search, order and pages', async () => {
    const query = 'search=catalyst&sort=model&order=desc&uHeight__gte=1';
    const { data, total } = (await admin.get(`/api/device-types?${query}`)).body;
    expect(total).toBeGreaterThan(3);
    expect(recordsOf(await admin.get(`/api/device-types?${query}&format=ndjson`))).toEqual(data);
    const second = await admin.get(`/api/device-types?${query}&format=ndjson&pageSize=2&page=2`);
    expect(recordsOf(second)).toEqual(data.slice(2, 4));
    const csv = linesOf(await admin.get(`/api/device-types?${query}&format=csv&pageSize=2`));
    expect(csv.slice(1, -1).map((line) => line.slice(0, 36))).toEqual(
      data.slice(0, 2).map(({ id }: { id: string }) => id),
    );
  });

  it('of a page needs its size', async () => {
    expect((await admin.get('/api/sites?page=2&format=csv')).body.details).toEqual([
      { field: 'page', message: 'needs pageSize: without it an export is the whole list' },
    ]);
    expect((await admin.get('/api/sites?page=2', CSV)).status).toBe(400);
    expect((await admin.get('/api/sites?page=2')).status).toBe(200);
  });

  itInFull('is not capped', async () => {
    const { db } = service.database;
    await db.query(
      sql`INSERT INTO vrfs (name, description) SELECT 'many', 'number ' || n FROM generate_series(1, 12000) n`,
    );
    const csv = linesOf(await admin.get('/api/vrfs?name=many', CSV));
    expect(csv).toHaveLength(12_002);
    expect(new Set(csv)).toHaveProperty('size', 12_002);
    expect(recordsOf(await admin.get('/api/vrfs?name=many&format=ndjson'))).toHaveLength(12_000);
    await db.query(sql`DELETE FROM vrfs WHERE name = 'many'`);
  });

  it('without records is a header, or nothing', async () => {
    expect((await admin.get('/api/slas?name=nobody', CSV)).text).toBe(
      'id,name,vendorId,vendor.name,target,responseTime,uptime,description,createdAt,updatedAt\r\n',
    );
    expect((await admin.get('/api/slas?name=nobody&format=ndjson')).text).toBe('');
  });

  it('needs the permissions of the list', async () => {
    const outsider = await service.as('viewer', []);
    expect((await outsider.get('/api/runbooks', CSV)).status).toBe(403);
    expect((await service.anonymous.get('/api/sites', CSV)).status).toBe(401);
    expect((await outsider.get('/api/sites', CSV)).status).toBe(200);
  });

  it('of the parts of a missing record is refused', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const path of ['devices/x/ports', 'devices/x/ips', 'device-types/x/modules', 'assets/x/assignments'])
      expect([path, (await admin.get(`/api/${path.replace('x', id)}`, CSV)).status]).toEqual([path, 404]);
  });

  it.each(['csv', 'ndjson'])('as %s has secrets beside text with any character', async (format) => {
    // Unicode characters that some programs treat as line ends are included.
    const notes = 'one\u2028two\u2029three\u0085four\r\nfive\rsix\u000bseven';
    const name = `lines ${format}`;
    await admin.make('/api/software-licences', { name, notes, licenceKey: 'K-1' });
    await admin.make('/api/software-licences', { name, notes: null });
    const answer = await admin.get(`/api/software-licences?name=${encodeURIComponent(name)}&format=${format}&raw=true`);
    expect(answer.status).toBe(200);
    expect(format === 'csv' ? recordsOfCsv(answer.text) : recordsOf(answer)).toMatchObject([
      { notes, licenceKey: 'K-1' },
      { licenceKey: null },
    ]);
  });

  it.each(['csv', 'ndjson'])('as %s has secrets for those who may read them', async (format) => {
    const key = '=KEY-"1",2';
    const licence = await admin.make('/api/software-licences', { name: `secret ${format}`, licenceKey: key });
    await admin.make('/api/software-licences', { name: `secret ${format}` });
    const path = `/api/software-licences?name=${encodeURIComponent(`secret ${format}`)}&format=${format}`;
    const manager = await (await service.as('manager')).get(path);
    const editor = await (await service.as('editor')).get(path);
    expect(editor.text).not.toContain('KEY');
    expect(editor.text).not.toContain('v1:');
    if (format === 'csv') {
      expect(recordsOfCsv(manager.text)).toMatchObject([
        { id: licence.id, licenceKey: `'${key}` },
        { licenceKey: null, 'vendor.name': null },
      ]);
      expect(recordsOfCsv(editor.text)).toMatchObject([{ id: licence.id, licenceKey: null }, { licenceKey: null }]);
      expect(recordsOfCsv((await admin.get(`${path}&raw=true`)).text)[0]).toMatchObject({ licenceKey: key });
    } else {
      expect(recordsOf(manager)).toMatchObject([{ licenceKey: key }, { licenceKey: null }]);
      expect(recordsOf(editor)).toMatchObject([{ licenceKey: null }, { licenceKey: null }]);
    }
    expect(recordsOf(await admin.get('/api/software-licences?format=ndjson'))[0] as object).toEqual(
      (await admin.get('/api/software-licences?pageSize=1')).body.data[0],
    );
  });

  it('can be had of every list', async () => {
    const maker = new Maker(admin, 'export');
    for (const row of rows) {
      const { path } = await maker.record(row.path);
      const collection = path.slice(0, path.lastIndexOf('/'));
      const { data } = (await admin.get(`${collection}?pageSize=3`)).body;
      expect(recordsOf(await admin.get(`${collection}?pageSize=3&format=ndjson`))).toEqual(data);
      const csv = await admin.get(`${collection}?pageSize=3`, CSV);
      expect([collection, csv.status, csv.text.startsWith('id,')]).toEqual([collection, 200, true]);
      const changes = await admin.get(`${path}/changes`, CSV);
      expect(linesOf(changes)[0]).toBe(
        'id,action,resource,area,recordId,recordName,actorId,actor,tokenId,tokenName,requestId,before,after,approvalIds,changeSetId,message,createdAt,updatedAt',
      );
      expect(linesOf(changes).length).toBeGreaterThanOrEqual(3);
    }
    expect((await admin.get('/api/change-log?pageSize=5', CSV)).headers.get('content-disposition')).toBe(
      'attachment; filename="change-log.csv"',
    );
  });
});
