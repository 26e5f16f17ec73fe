import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { AssetsService } from '../../src/procurement/asset/assets.service.js';
import { startService, type Answer, type Api, type HeaderMap, type TestService } from '../support/app.js';
import { onPooler } from '../support/database.js';
import { until } from '../support/until.js';
import type { Json } from '../support/document.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  // With a stopped clock, the service looks up no session again during a long import. That would take a connection.
  service.clock.stop();
  admin = await service.as('admin');
  for (let i = 0; i < 10; i++) await admin.make('/api/sites', { name: `Site ${i}` });
  await admin.make('/api/sites', { name: 'Twin' });
  await admin.make('/api/sites', { name: 'Twin' });
  await admin.make('/api/people', { fullName: 'Taken', email: 'taken@scale.example.com' });
}, 300_000);
afterAll(() => service.stop());

const ROWS = 10_000;
const HEADER = 'fullName,email,site.name,status,startDate,phone,profileId';
const rowOf = (i: number): string[] => [
  `Person ${i}`,
  `p${i}@scale.example.com`,
  `Site ${i % 10}`,
  'active',
  '2026-03-01',
  '',
  '',
];
const send = (path: string, rows: string[][], header = HEADER, headers: HeaderMap = {}): Promise<Answer> =>
  admin.request('POST', path, `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`, {
    'content-type': 'text/csv',
    ...headers,
  });

/** Eleven ways to break a row, each with the field in its fault. */
const SPOILS: [field: string, spoil: (row: string[], i: number) => string[]][] = [
  ['.fullName', ([, ...rest]) => ['', ...rest]],
  ['.fullName', ([, ...rest]) => ['x'.repeat(256), ...rest]],
  ['.email', ([name, , ...rest]) => [name!, 'no address', ...rest]],
  ['.email', ([name, , ...rest]) => [name!, 'p1@scale.example.com', ...rest]],
  ['.email', ([name, , ...rest]) => [name!, 'TAKEN@scale.example.com', ...rest]],
  ['.site.name', ([name, email, , ...rest]) => [name!, email!, 'Nowhere', ...rest]],
  ['.site.name', ([name, email, , ...rest]) => [name!, email!, 'Twin', ...rest]],
  ['.startDate', (row) => row.with(4, '2026-02-30')],
  ['.profileId', (row) => row.with(6, '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90')],
  ['.phone', (row) => row.with(5, 'a\0b')],
  ['', (row) => row.slice(0, 3)],
];
const FAULTS = 137;

/** Open files of uploads of this process. */
const uploads = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes('/inventory-') && path.endsWith('(deleted)') ? [path] : [];
    } catch {
      // The file was closed meanwhile.
      return [];
    }
  });

it('imports of one caller run one at a time, and others write meanwhile', async () => {
  const editor = await service.as('editor');
  const createMany = jest.spyOn(Object.getPrototypeOf(service.app.get(AssetsService)), 'createMany');
  const { pool } = service.database.db;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, pool.totalCount - pool.idleCount)), 5);
  const over = new AbortController();
  const imports = Promise.all(
    Array.from({ length: 7 }, (_, n) =>
      send(
        '/api/assets/import',
        Array.from({ length: 2000 }, (_row, i) => [`Turn ${n}`, `TURN-${n}-${i}`]),
        'name,assetTag',
        // An import with a key also waits before its transaction begins.
        n % 2 === 1 ? { 'idempotency-key': `turn-${n}` } : {},
      ),
    ),
  ).finally(() => over.abort());
  while (createMany.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const writes: number[] = [];
  while (!over.signal.aborted) {
    writes.push((await editor.post('/api/vendors', { name: `Meanwhile ${writes.length}` })).status);
  }
  clearInterval(watch);
  createMany.mockRestore();
  expect((await imports).map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
  expect(writes.filter((status) => status !== 201)).toEqual([]);
  // One connection for the import and one for the other caller's write. Through a pooler, each of the eight also looks up its session.
  expect(most).toBeLessThanOrEqual(onPooler ? 10 : 2);
}, 300_000);

describe('a file of 10,000 rows', () => {
  const good = Array.from({ length: ROWS }, (_, i) => rowOf(i));
  const total = async (): Promise<number> => (await admin.get('/api/people?pageSize=1&email__ic=@scale')).body.total;

  it('with 137 faults of eleven kinds has all of them named, and nothing written', async () => {
    const faulty = good.map((row) => [...row]);
    const expected: [number, string][] = [];
    for (let n = 0; n < FAULTS; n++) {
      const at = 5 + n * 70;
      const [field, spoil] = SPOILS[n % SPOILS.length]!;
      faulty[at] = spoil(faulty[at]!, at);
      expected.push([at + 1, `rows[${at + 1}]${field}`]);
    }
    const answer = await send('/api/people/import', faulty);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^137 of 10,000 rows failed: /)]);
    expect(answer.body.details.map(({ row, field }: Json) => [row, field])).toEqual(expected);
    expect(answer.body.details.every(({ row, line }: Json) => line === row + 1)).toBe(true);
    expect(await total()).toBe(1);
  }, 300_000);

  it('is written once, sent again changes nothing, and three changed columns change those rows only', async () => {
    const first = await send('/api/people/import?mode=upsert&key=email', good);
    expect([first.status, first.body.data?.created, first.body.data?.failed]).toEqual([200, ROWS, 0]);
    expect(await total()).toBe(ROWS + 1);
    const again = await send('/api/people/import?mode=upsert&key=email', good);
    expect([again.body.data.unchanged, again.body.data.updated]).toEqual([ROWS, 0]);
    const entries = async (): Promise<number> =>
      (await admin.get('/api/change-log?pageSize=1&resource=people')).body.total;
    const before = await entries();
    const changed = good.map((row, i) =>
      i % 100 === 7 ? row.with(3, 'on_leave').with(4, '2026-04-01').with(5, '+44') : row,
    );
    const third = await send('/api/people/import?mode=upsert&key=email&report=ids', changed);
    expect([third.body.data.updated, third.body.data.unchanged]).toEqual([100, ROWS - 100]);
    expect((await entries()) - before).toBe(100);
    const log = (await admin.get('/api/change-log?resource=people&action=update&pageSize=200')).body.data;
    expect(new Set(log.map(({ recordId }: Json) => recordId))).toEqual(
      new Set(third.body.data.ids.filter((_: string, i: number) => i % 100 === 7)),
    );
    for (const { after } of log)
      expect(Object.keys(after as object).toSorted()).toEqual(['phone', 'startDate', 'status']);
  }, 300_000);

  it('imported twice at the same moment makes each record once', async () => {
    const assets = Array.from({ length: ROWS }, (_, i) => [`Asset ${i}`, `ONCE-${i}`]);
    const path = '/api/assets/import?mode=upsert&key=assetTag';
    const both = await Promise.all([send(path, assets, 'name,assetTag'), send(path, assets, 'name,assetTag')]);
    const done = both.filter(({ status }) => status === 200);
    // The embedded database has one connection. The second import may fail to get it.
    expect(done.length).toBeGreaterThan(process.env.TEST_DATABASE_URL ? 1 : 0);
    expect(
      done
        .map(({ body }) => body.data.created as number)
        .toSorted((a, b) => a - b)
        .at(-1),
    ).toBe(ROWS);
    expect((await admin.get('/api/assets?pageSize=1&assetTag__isw=ONCE-')).body.total).toBe(ROWS);
  }, 300_000);

  it('leaves nothing, and no open transaction, when its client goes', async () => {
    const body = `name,assetTag\n${Array.from({ length: 20_000 }, (_, i) => `Gone ${i},GONE-${i}`).join('\n')}\n`;
    const { port } = new URL(service.url);
    const sent = (length: number): ReturnType<typeof request> => {
      const upload = request({
        port,
        method: 'POST',
        path: '/api/assets/import',
        headers: { cookie: `session=${admin.cookie}`, 'content-type': 'text/csv', 'content-length': body.length },
      });
      upload.on('error', () => {});
      upload.write(body.slice(0, length));
      return upload;
    };
    const { pool } = service.database.db;
    const busy = (): boolean => pool.totalCount > pool.idleCount;
    const half = sent(body.length / 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    half.destroy();
    const upload = sent(body.length);
    upload.end();
    // Disconnects while rows are being written.
    const inserts = jest.spyOn(Object.getPrototypeOf(service.app.get(AssetsService)), 'createMany');
    await until(() => inserts.mock.calls.length >= 2);
    inserts.mockRestore();
    upload.destroy();
    // Waits until the import has noticed the disconnection.
    await until(() => !busy());
    await until(uploads, (files) => files.length === 0);
    expect((await admin.get('/api/assets?pageSize=1&assetTag__isw=GONE-')).body.total).toBe(0);
  }, 300_000);
});
