import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startService, startServiceOn, type Answer, type Api, type TestService } from '../support/app.js';
import { connectTo, createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { itOnServer } from '../support/server.js';

let database: TestDatabase | undefined;
let service: TestService;
let api: Api;
beforeAll(async () => {
  if (onServer) {
    database = await createTestDatabase();
    service = await startServiceOn(await connectTo(database.url!));
  } else {
    service = await startService();
  }
  api = await service.as('admin');
}, 300_000);
afterAll(async () => {
  await service.stop();
  await database?.drop();
});

jest.setTimeout(300_000);

let state = 4711;
const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
function shuffled<T>(entries: readonly T[]): T[] {
  const all = [...entries];
  for (let at = all.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

const LISTS = ['expected', 'found', 'missing', 'misplaced', 'unexpected', 'unknown', 'ambiguous'] as const;

/** The entries of a list, in order. */
async function listOf(path: string, list: string): Promise<string[]> {
  const { status, body } = await api.get(`${path}/result?list=${list}`);
  expect(status).toBe(200);
  return body.data.map(({ asset, code, seen, changed }: Record<string, any>) =>
    // oxlint-disable-line typescript/no-explicit-any -- an entry
    [asset?.name ?? code, seen?.locationName ?? null, changed].join(' '),
  );
}
const resultOf = async (path: string): Promise<Record<string, string[]>> =>
  Object.fromEntries(await Promise.all(LISTS.map(async (list) => [list, await listOf(path, list)] as const)));

async function makeAssets(bodies: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < bodies.length; at += 1000) {
    const operations = bodies.slice(at, at + 1000).map((data) => ({ op: 'create', data }));
    const { status, body, text } = await api.post('/api/assets/bulk', { operations });
    if (status !== 200) throw new Error(text.slice(0, 500));
    ids.push(...body.data.results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/** The codes that one device has read at one place. */
interface Reading {
  code: string;
  locationId: string;
}

/** Eight devices send their readings at once. Each request is for one place, and the sizes differ. */
async function send(path: string, readings: readonly Reading[]): Promise<void> {
  const devices = Array.from({ length: 8 }, (_, device) => readings.filter((_reading, index) => index % 8 === device));
  await Promise.all(
    devices.map(async (mine) => {
      const places = new Map<string, string[]>();
      const flush = async (locationId: string): Promise<void> => {
        const codes = places.get(locationId)!;
        places.delete(locationId);
        const { status } = await api.post(`${path}/scans`, { codes, locationId });
        expect(status).toBe(200);
      };
      for (const { code, locationId } of mine) {
        const codes = places.get(locationId) ?? [];
        places.set(locationId, codes);
        codes.push(code);
        if (codes.length > random(200)) await flush(locationId);
      }
      for (const locationId of [...places.keys()]) await flush(locationId);
    }),
  );
}

it('20,000 scans of 5,000 assets by eight devices give one result in any order, that of a model', async () => {
  const siteId = (await api.make('/api/sites', { name: 'Model' })).id;
  const location = async (name: string, parentId?: string): Promise<string> =>
    (await api.make('/api/locations', { name, siteId, parentId })).id;
  const room = await location('room');
  const [bin, office] = [await location('bin', room), await location('office')];
  const [counted, uncounted] = [
    (await api.make('/api/asset-categories', { name: 'counted' })).id,
    (await api.make('/api/asset-categories', { name: 'uncounted' })).id,
  ];
  const within = new Set([room, bin]);
  const assets = Array.from({ length: 5000 }, (_, index) => {
    const isTwin = index % 50 === 0;
    return {
      name: `A${String(index).padStart(4, '0')}`,
      assetTag: `T${index}`,
      // Two assets have the same serial number. Only this number is read.
      serialNumber: isTwin ? `twins-${index % 1000}-${Math.floor(index / 2000)}` : `S${index}`,
      status: ['in_stock', 'in_stock', 'in_stock', 'in_repair', 'retired', 'lost'][random(6)]!,
      categoryId: random(10) === 0 ? uncounted : counted,
      locationId: [room, bin, bin, office][random(4)]!,
      isTwin,
      seenAt: random(8) === 0 ? null : [room, bin, office][random(3)]!,
    };
  });
  await makeAssets(assets.map(({ isTwin: _twin, seenAt: _seen, ...body }) => body));
  const path = `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'one', locationId: room, categoryId: counted })).id}`;
  const again = `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'two', locationId: room, categoryId: counted })).id}`;

  const seen = assets.filter(({ seenAt }) => seenAt !== null);
  const readings = Array.from({ length: 20_000 }, (_, index): Reading => {
    if (index % 100 === 99) return { code: `?${index % 500}`, locationId: room };
    const { assetTag, serialNumber, isTwin, seenAt } = seen[index % seen.length]!;
    return { code: isTwin || random(2) === 0 ? serialNumber : assetTag, locationId: isTwin ? room : seenAt! };
  });
  const scannedCodes = new Set(readings.map(({ code }) => code));
  const bySerial = new Map<string, typeof assets>();
  for (const asset of assets) bySerial.set(asset.serialNumber, [...(bySerial.get(asset.serialNumber) ?? []), asset]);

  const expected: Record<string, string[]> = Object.fromEntries(LISTS.map((list) => [list, []]));
  const nameOfPlace = new Map([
    [room, 'room'],
    [bin, 'bin'],
    [office, 'office'],
  ]);
  for (const asset of assets) {
    const isDoubtful = asset.isTwin && bySerial.get(asset.serialNumber)!.length > 1;
    const isSeen = !isDoubtful && (scannedCodes.has(asset.assetTag) || scannedCodes.has(asset.serialNumber));
    const at = asset.isTwin ? room : asset.seenAt!;
    const isAwaited =
      within.has(asset.locationId) && asset.categoryId === counted && !['retired', 'lost'].includes(asset.status);
    const line = [asset.name, isSeen ? nameOfPlace.get(at)! : null, false].join(' ');
    if (isAwaited) expected.expected!.push(line);
    if (!isSeen) {
      if (isAwaited && !(isDoubtful && scannedCodes.has(asset.serialNumber))) expected.missing!.push(line);
    } else if (asset.categoryId !== counted || ['retired', 'lost'].includes(asset.status)) {
      expected.unexpected!.push(line);
    } else if (asset.locationId !== at && !(at === room && asset.locationId === bin)) {
      expected.misplaced!.push(line);
    } else {
      expected[within.has(asset.locationId) ? 'found' : 'unexpected']!.push(line);
    }
  }
  for (const code of [...scannedCodes].toSorted()) {
    if (code.startsWith('?')) expected.unknown!.push(`${code} room false`);
    else if ((bySerial.get(code)?.length ?? 0) > 1) expected.ambiguous!.push(`${code} room false`);
  }
  expect(expected.ambiguous!.length).toBeGreaterThan(5);

  await send(path, readings);
  const result = await resultOf(path);
  for (const list of LISTS) expect([list, result[list]]).toEqual([list, expected[list]]);
  // The same readings in another order, each twice.
  await send(again, shuffled(readings));
  await send(again, shuffled(readings));
  expect(await resultOf(again)).toEqual(result);
});

it('closing and scanning at once: what is answered with 200 is in the result, and one of 20 closes', async () => {
  const locationId = (await api.make('/api/locations', { name: 'Racing' })).id;
  const tags = Array.from({ length: 200 }, (_, index) => `race-${index}`);
  await makeAssets(tags.map((assetTag) => ({ name: assetTag, assetTag, locationId })));
  const path = `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'race', locationId })).id}`;
  const scans: Promise<Answer>[] = [];
  const closes: Promise<Answer>[] = [];
  for (const [index, tag] of tags.entries()) {
    scans.push(api.post(`${path}/scans`, { codes: [tag] }));
    if (index % 10 === 5) closes.push(api.post(`${path}/close`, { missingStatus: 'lost' }));
    if (index % 10 === 9) await scans.at(-8);
  }
  const closed = (await Promise.all(closes)).map(({ status }) => status);
  expect(closed.toSorted()).toEqual([200, ...Array<number>(19).fill(409)]);
  const answers = await Promise.all(scans);
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const found = tags.filter((_tag, index) => answers[index]!.status === 200).toSorted();
  expect((await listOf(path, 'found')).map((line) => line.split(' ')[0])).toEqual(found);
  const lost = (await api.get(`/api/assets?status=lost&locationId=${locationId}`)).body.data;
  expect(lost.map(({ name }: { name: string }) => name).toSorted()).toEqual(
    tags.filter((tag) => !found.includes(tag)).toSorted(),
  );
});

it('assets that others change while a stocktake closes are changed or left alone, never both', async () => {
  const [locationId, elsewhere] = [
    (await api.make('/api/locations', { name: 'Busy' })).id,
    (await api.make('/api/locations', { name: 'Elsewhere' })).id,
  ];
  const tags = Array.from({ length: 100 }, (_, index) => `busy-${index}`);
  const ids = await makeAssets(tags.map((assetTag) => ({ name: assetTag, assetTag, locationId })));
  const path = `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'busy', locationId })).id}`;
  const moving = ids.map((id) => api.patch(`/api/assets/${id}`, { locationId: elsewhere }));
  const answer = await api.post(`${path}/close`, { missingStatus: 'lost' });
  expect(answer.status).toBe(200);
  expect((await Promise.all(moving)).map(({ status }) => status)).toEqual(ids.map(() => 200));
  const missing = (await listOf(path, 'missing')).filter((line) => line.endsWith('false')).length;
  expect(answer.body.data.marked).toBe(missing);
  expect((await api.get(`/api/assets?status=lost&locationId=${elsewhere}&pageSize=1`)).body.total).toBe(missing);
});

itOnServer('a close whose process is killed with SIGKILL leaves nothing, and can be repeated', async () => {
  const url = database!.url!;
  const locationId = (await api.make('/api/locations', { name: 'Killed' })).id;
  const tags = Array.from({ length: 1000 }, (_, index) => `kill-${index}`);
  await makeAssets(tags.map((assetTag) => ({ name: assetTag, assetTag, locationId })));
  const path = `/api/stocktakes/${(await api.make('/api/stocktakes', { name: 'kill', locationId })).id}`;
  const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
    cwd: join(__dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      SECRET_KEY: 'a key that only the tests use, 32+',
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_EMAIL: 'first@example.com',
      ADMIN_PASSWORD: 'a password of the tests',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const client = new Client({ connectionString: url });
  try {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    let listening: string | undefined;
    while ((listening = /listening on (http:\S+)/.exec(output)?.[1]) === undefined) {
      if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
      await sleep(50);
    }
    await client.connect();
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const until = async (which: string, wanted: number): Promise<void> => {
      for (let look = 0; ; look++) {
        const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count ${others} AND ${which}`);
        if (rows[0]!.count === wanted) return;
        if (look === 1200) throw new Error(`${which} still gave ${rows[0]!.count}`);
        await sleep(50);
      }
    };
    // The stocktake has its entries. It waits for the last change, because the log of the assets is locked.
    await client.query('BEGIN');
    await client.query('LOCK TABLE change_log IN SHARE MODE');
    const { hostname, port } = new URL(listening);
    const headers = { cookie: `session=${api.cookie}`, 'content-type': 'application/json' };
    const closing = request({ hostname, port, path: `${path}/close`, method: 'POST', headers });
    const answered = once(closing, 'response').then(
      () => true,
      () => false,
    );
    closing.end('{"missingStatus":"lost"}');
    await until("wait_event_type = 'Lock'", 1);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    await client.query('ROLLBACK');
    expect(await answered).toBe(false);
    await until('xact_start IS NOT NULL', 0);
  } finally {
    child.kill('SIGKILL');
    await client.end();
  }
  expect((await api.get(path)).body.data).toMatchObject({ status: 'open', closedAt: null });
  const lost = `/api/assets?status=lost&locationId=${locationId}&pageSize=1`;
  expect((await api.get(lost)).body.total).toBe(0);
  const { status, body } = await api.post(`${path}/close`, { missingStatus: 'lost' });
  expect([status, body.data?.marked]).toEqual([200, tags.length]);
  expect((await api.get(lost)).body.total).toBe(tags.length);
});
