import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startService, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

/** Sends bytes as a file, and reads the response. */
async function send(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Json> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { cookie: `session=${admin.cookie}`, 'content-type': 'text/csv', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: response.status, ...((await response.json()) as Json) };
}
const fixture = (name: string): string => readFileSync(join(__dirname, '../fixtures/import', name), 'utf8');

it('rows of many unknown names are read up to their hundredth fault', async () => {
  const row = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`nam${i}`, 0])));
  const file = { 'content-type': 'application/x-ndjson' };
  const { status, details } = await send('/api/sites/import', `${row}\n${row}\n${row}\n`, file);
  const faults = details as { row: number; message: string }[];
  expect([status, faults.length]).toEqual([400, 300]);
  expect([1, 2, 3].map((n) => faults.filter((fault) => fault.row === n).length)).toEqual([100, 100, 100]);
  // Suggestions for all of them would take longer than the rest of the request.
  expect(faults.filter(({ message }) => message.includes('Did you mean')).length).toBeLessThanOrEqual(100);
  expect(faults[0]!.message).toBe("is not a known column. Did you mean 'name'?");
});

describe('files that programs write', () => {
  it('of NetBox, with its columns renamed in the header, become devices', async () => {
    await admin.make('/api/tenant-groups', { name: 'Dunder-Mifflin' });
    const site = await admin.make('/api/sites', { name: 'DM-Akron' });
    await admin.make('/api/locations', { name: 'Comms closet', siteId: site.id });
    await admin.make('/api/racks', { name: 'Comms rack', siteId: site.id, units: 12 });
    for (const name of ['Router', 'Access Switch', 'PDU']) await admin.make('/api/device-roles', { name });
    for (const model of ['ISR 1111-8P', 'C9200-48P', 'AP7901']) await admin.make('/api/device-types', { model });
    await admin.make('/api/platforms', { name: 'Cisco IOS' });
    const { status, error, data } = await send('/api/devices/import', fixture('netbox-devices.csv'));
    expect([status, error, data?.created]).toEqual([200, undefined, 3]);
    const { body } = await admin.get('/api/devices?sort=name&expand=site,rack,deviceType,deviceRole,tenantGroup');
    expect(body.data).toMatchObject([
      { name: 'dmi01-akron-pdu01', status: 'Planned', rack: null, rackPosition: null, serialNumber: null },
      { name: 'dmi01-akron-rtr01', rack: { name: 'Comms rack' }, rackPosition: 5, rackFace: 'front' },
      {
        name: 'dmi01-akron-sw01',
        site: { name: 'DM-Akron' },
        deviceType: { name: 'C9200-48P' },
        deviceRole: { name: 'Access Switch' },
        tenantGroup: { name: 'Dunder-Mifflin' },
        description: 'Uplink to rtr01, port "Gi0/0/1"',
      },
    ]);
  });

  it('of NetBox, with its columns renamed in the header, become IP addresses', async () => {
    await admin.make('/api/vrfs', { name: 'Alpha' });
    const { status, error, data } = await send('/api/ip-addresses/import', fixture('netbox-ip-addresses.csv'));
    expect([status, error, data?.created]).toEqual([200, undefined, 3]);
    const { body } = await admin.get('/api/ip-addresses?sort=address&expand=vrf');
    expect(body.data).toMatchObject([
      { address: '10.0.0.1/24', family: 4, vrf: null, dnsName: null },
      { address: '172.16.0.1/24', vrf: { name: 'Alpha' }, role: 'Loopback', dnsName: 'rtr01.akron.example.net' },
      { address: '2001:db8:5::1/64', family: 6, status: 'Deprecated' },
    ]);
  });

  it.each([
    [
      'Excel, with byte-order mark, semicolons, CRLF, a line break in a cell, and empty columns and rows',
      '\u{FEFF}name;startDate;endDate;notes;;\r\nA;2026-03-01;;"two\r\nlines";;\r\n;;;;;\r\n;;;;;\r\n',
    ],
    [
      'LibreOffice, with every text in quotes',
      '"name","startDate","endDate","notes"\n"A",2026-03-01,,"two\r\nlines"\n',
    ],
    [
      'Numbers, with a tab as delimiter and no last line end',
      'name\tstartDate\tendDate\tnotes\nA\t2026-03-01\t\t"two\r\nlines"',
    ],
  ])('of %s', async (_, file) => {
    const { status, data } = await send('/api/contracts/import?report=ids', file);
    expect([status, data?.created]).toEqual([200, 1]);
    expect((await admin.get(`/api/contracts/${data.ids[0]}`)).body.data).toMatchObject({
      name: 'A',
      startDate: '2026-03-01',
      endDate: null,
      notes: 'two\r\nlines',
    });
  });

  it('of the service itself', async () => {
    await admin.make('/api/contracts', { name: '=1+1', notes: '\'quoted\n"text"', status: '-' });
    const { text } = await admin.get('/api/contracts?format=csv');
    const { status, data } = await send('/api/contracts/import?mode=upsert&key=id', text);
    expect([status, data?.unchanged]).toEqual([200, data?.rows]);
    expect(data.rows).toBeGreaterThan(0);
  });
});

describe('hostile files', () => {
  const MIB = 1024 * 1024;
  const blankLines = (start: string): Buffer => Buffer.concat([Buffer.from(start), Buffer.alloc(1_000_000, '\n')]);
  const filled = (start: string, size: number): Buffer => Buffer.alloc(size, 'x').fill(start, 0, start.length);

  it.each<[string, Buffer, Record<string, string>, number, RegExp]>([
    ['a single cell of 8 MiB', filled('name\n', 8 * MIB), {}, 400, /line 2 is longer than 1 MiB/],
    ['a quote that is never closed', filled('name\n"', 4 * MIB), {}, 400, /line 2 is longer than 1 MiB/],
    [
      'a row of JSON of 4 MiB',
      filled('{"name":"', 4 * MIB),
      { 'content-type': 'application/x-ndjson' },
      400,
      /line 1 is longer than 1 MiB/,
    ],
    ['a row of 100,000 cells', Buffer.from(`name\n${','.repeat(99_999)}x`), {}, 400, /value in column 100000/],
    ['1,000,000 blank lines', blankLines('name'), {}, 413, /more than 100,000 rows/],
    [
      '1,000,000 blank lines after one of JSON',
      blankLines('{"name":"x"}'),
      { 'content-type': 'application/x-ndjson' },
      413,
      /more than 100,000 rows/,
    ],
    ['UTF-16 with its byte-order mark', Buffer.from('\u{FEFF}name\nx\n', 'utf16le'), {}, 400, /not valid UTF-8/],
    ['a gzip bomb', gzipSync(Buffer.alloc(64 * MIB)), { 'content-encoding': 'gzip' }, 415, /encod/i],
    ['a gzip bomb that says nothing of it', gzipSync(Buffer.alloc(64 * MIB)), {}, 400, /not valid UTF-8/],
  ])('%s', async (_, file, headers, status, sentence) => {
    const answer = await send('/api/sites/import', file, headers);
    expect([answer.status, answer.error]).toEqual([status, expect.stringMatching(sentence)]);
  });

  it('a formula is text, and guarded in the next export', async () => {
    const formula = `=HYPERLINK("http://evil.example","x")`;
    const { data } = await send('/api/sites/import?report=ids', `name\n"${formula.replaceAll('"', '""')}"\n`);
    const path = `/api/sites?id=${data.ids[0]}`;
    expect((await admin.get(path)).body.data[0].name).toBe(formula);
    expect((await admin.get(`${path}&format=csv`)).text).toContain(`"'=HYPERLINK(`);
  });
});
