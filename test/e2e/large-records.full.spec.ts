import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpoolFile } from '../../src/http/spool/spool-file.js';
import type { TextRow } from '../../src/database/row-stream.js';
import { startService, startServiceOn, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { startProxied, type ProxiedService } from '../support/proxied-service.js';
import { itOnServer } from '../support/server.js';
import { buildService, spawnService } from '../support/spawned-service.js';
import { until } from '../support/until.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

const STALL_MS = 1_500;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
/** The same service, connected to the server through a proxy. */
let proxied: ProxiedService | undefined;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  if (onServer) proxied = await startProxied(service.database);
  viewer = await (proxied ?? service).as('viewer');
});
afterAll(async () => {
  await proxied?.stop();
  await service.stop();
});

const run = (statement: Sql): Promise<Record<string, unknown>[]> => service.database.db.query(statement);

/** Waits until no response uses the temporary file, and all connections are back in the pool. */
async function expectNothingHeld({ app, database }: TestService = proxied ?? service): Promise<void> {
  const { pool } = database.db;
  const file = app.get(SpoolFile);
  const held = (): number[] => [file.used, pool.totalCount - pool.idleCount];
  const settled = await until(held, (counts) => counts.every((count) => count === 0));
  expect(settled).toEqual([0, 0]);
}

/**
 * Runs `work`. Expects that the database sends at most so many mebibytes before the service asks for more. The proxy
 * between the service and a server measures this.
 */
async function inPieces(most: number, work: () => Promise<void>): Promise<void> {
  if (proxied) proxied.proxy.longestResponse = 0;
  await work();
  if (!proxied) return;
  expect(proxied.proxy.longestResponse).toBeGreaterThan(MEBIBYTE / 4);
  expect(proxied.proxy.longestResponse).toBeLessThan(most * MEBIBYTE);
}

// Six bytes of JSON per character: with four such texts a record is larger than 1.5 MB.
const FAT = 'repeat(chr(1), 65536)';

const makeFat = (count: number): Promise<unknown> =>
  run(
    sql`INSERT INTO platforms (name, description, typical_devices, key_features, common_use_cases)
     SELECT 'Fat ' || i, ${raw(FAT)}, ${raw(FAT)}, ${raw(FAT)}, ${raw(FAT)} FROM generate_series(1, ${count}) i`,
  );

describe('records of more than a megabyte each', () => {
  const MANY = 24;
  const SCHEDULES = 150;
  let incident: string;
  let id: string;
  beforeAll(async () => {
    await makeFat(MANY);
    await run(
      sql`INSERT INTO on_call_schedules (name, description) SELECT 'Round ' || i, ${raw(FAT)} FROM generate_series(1, ${SCHEDULES}) i`,
    );
    await run(sql`UPDATE platforms SET description = '', key_features = ''`);
    [{ id }] = (await run(sql`SELECT id FROM platforms LIMIT 1`)) as [{ id: string }];
    const editor = await service.as('editor');
    incident = (await editor.make('/api/incidents', { name: 'Fat' })).id;
  });

  // The first batch has four records, and each of the others has one.
  it.each<[string, number, number]>([
    ['/api/platforms', MANY, 5],
    ['/api/platforms?pageSize=500', MANY, 5],
    ['/api/platforms?pageSize=20&search=Fat&sort=name', 20, 5],
    ['/api/platforms?name__isw=Fat', MANY, 5],
    ['/api/change-log?resource=platforms&pageSize=500', 2 * MANY, 8],
    ['/api/change-log?order=desc&pageSize=50', 50, 5],
    ['/api/platforms/{id}/changes', 2, 5],
  ])('are listed completely, and not read all at once: %s', async (path, records, most) => {
    await inPieces(most, async () => {
      const { status, body } = await viewer.get(path.replace('{id}', id));
      expect([status, body.data.length]).toEqual([200, records]);
      expect(body.hasMore).toBe(body.total > records);
      expect(new Set(body.data.map((record: { id: string }) => record.id)).size).toBe(records);
    });
    await expectNothingHeld();
  });

  it('are read at the same moment, each by itself', async () => {
    const ids = (await run(sql`SELECT id FROM platforms`)) as { id: string }[];
    await inPieces(5, async () => {
      const responses = await Promise.all(ids.map((each) => viewer.get(`/api/platforms/${each.id}`)));
      expect(responses.map(({ body }) => body.data.id)).toEqual(ids.map((each) => each.id));
    });
    await expectNothingHeld();
  });

  it('are counted in the context of an incident, and few of them are shown', async () => {
    await inPieces(5, async () => {
      const { status, body } = await (await (proxied ?? service).as('admin')).get(`/api/incidents/${incident}/context`);
      expect(status).toBe(200);
      expect(body.data.onCallCount).toBe(SCHEDULES);
      expect(body.data.onCall.length).toBeGreaterThanOrEqual(1);
      expect(body.data.onCall.length).toBeLessThanOrEqual(100);
      expect(body.data.changes.length).toBeGreaterThanOrEqual(1);
      expect(body.data.changeCount).toBeGreaterThanOrEqual(2 * MANY + SCHEDULES);
    });
  });

  it('are changed together as long as the response has room for them', async () => {
    await run(sql`UPDATE platforms SET description = ${raw(FAT)}, key_features = ${raw(FAT)}`);
    const editor = await service.as('editor');
    const ids = (await run(sql`SELECT id FROM platforms ORDER BY id`)) as { id: string }[];
    const change = (count: number): ReturnType<Api['post']> =>
      editor.post('/api/platforms/bulk', {
        operations: ids
          .slice(0, count)
          .map((each, n) => ({ op: 'update', id: each.id, data: { name: `Changed ${n}` } })),
      });
    const refused = await change(MANY);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'The records of this request have more than 32 MiB together. Send fewer of them in one request',
    ]);
    const [changed] = await run(sql`SELECT count(*)::int AS count FROM platforms WHERE name LIKE 'Changed%'`);
    expect(changed).toEqual({ count: 0 });
    expect((await change(8)).body.data.updated).toBe(8);
  });
});

it('the context of an incident shows a hundred records of each kind, and their total number', async () => {
  await run(sql`DELETE FROM on_call_schedules`);
  await run(sql`INSERT INTO on_call_schedules (name) SELECT 'Thin ' || i FROM generate_series(1, 130) i`);
  const editor = await service.as('editor');
  const at = '2026-03-01T10:00:00.000Z';
  const { id } = await editor.make('/api/incidents', { name: 'Thin', detectedAt: at });
  await run(
    sql`INSERT INTO maintenance_windows (name, start_time) SELECT 'W' || i, '2026-03-01T09:00Z' FROM generate_series(1, 110) i`,
  );
  await run(
    sql`INSERT INTO change_requests (name, scheduled_for) SELECT 'C' || i, '2026-03-01T09:00Z' FROM generate_series(1, 120) i`,
  );
  const { data } = (await viewer.get(`/api/incidents/${id}/context`)).body;
  const seen = ['onCall', 'maintenanceWindows', 'changeRequests'].map((name) => data[name].length);
  expect([seen, data.onCallCount, data.maintenanceWindowCount, data.changeRequestCount]).toEqual([
    [100, 100, 100],
    130,
    110,
    120,
  ]);
});

describe('rows that are streamed', () => {
  const stream = (statement: Sql) => (proxied ?? service).database.db.stream(statement);
  const all = async (statement: Sql): Promise<TextRow[]> => {
    const read: TextRow[] = [];
    for await (const rows of stream(statement)) read.push(...rows);
    return read;
  };

  it.each([0, 1, 15, 16, 17, 80, 500, 1_113, 20_000])('come in batches, each once: %p', async (count) => {
    const rows = await all(sql`SELECT i, repeat('x', i % 300) FROM generate_series(1, ${count}::int) i`);
    expect(rows).toEqual(Array.from({ length: count }, (_, n) => [String(n + 1), 'x'.repeat((n + 1) % 300)]));
    await expectNothingHeld();
  });

  it('may be much longer than a batch', async () => {
    const rows = await all(sql`SELECT repeat('y', (i % 3) * 700000), i FROM generate_series(1, 20) i`);
    expect(rows.map(([text]) => text!.length)).toEqual(Array.from({ length: 20 }, (_, n) => ((n + 1) % 3) * 700_000));
  });

  it('wait in the database while nobody reads on', async () => {
    const rows = stream(sql`SELECT repeat('z', 100000) FROM generate_series(1, 3000)`);
    try {
      await rows.next();
      const before = process.memoryUsage();
      await sleep(300);
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      // Of 286 MiB, memory holds the batch that was requested ahead, and on the embedded database the garbage of its chunks.
      expect(arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed).toBeLessThan(32 * MEBIBYTE);
    } finally {
      await rows.return(undefined);
    }
    await expectNothingHeld();
    expect(await run(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });

  it('can be left after any batch, and their connection serves others', async () => {
    const { pool } = (proxied ?? service).database.db;
    for (let batches = 1; batches <= 12; batches++) {
      const rows = stream(sql`SELECT repeat('w', 300) FROM generate_series(1, 5000)`);
      await rows.next();
      const connections = pool.totalCount;
      for (let batch = 1; batch < batches; batch++) await rows.next();
      await rows.return(undefined);
      // The pool removes a connection that does not answer.
      expect(pool.totalCount).toBe(connections);
    }
    await expectNothingHeld();
  });

  it('end with the error of their statement, and leave the connection to others', async () => {
    await expect(all(sql`SELECT 1 / (i - 5000) FROM generate_series(1, 10000) i`)).rejects.toMatchObject({
      code: '22012',
    });
    await expect(all(sql`SELECT nothing`)).rejects.toMatchObject({ code: '42703' });
    await expectNothingHeld();
    expect(await run(sql`SELECT 2 AS two`)).toEqual([{ two: 2 }]);
  });

  it('cannot write', async () => {
    await expect(all(sql`SELECT nextval(${'nothing'})`)).rejects.toMatchObject({ code: '42P01' });
    await run(sql`CREATE SEQUENCE streamed`);
    await expect(all(sql`SELECT nextval(${'streamed'})`)).rejects.toMatchObject({ code: '25006' });
    await run(sql`DROP SEQUENCE streamed`);
  });
});

describe('clients that read slowly', () => {
  let strict: TestService;
  beforeAll(async () => {
    strict = await startServiceOn(service.database, {}, [], undefined, STALL_MS);
    await run(
      sql`INSERT INTO runbooks (name, content) SELECT 'R' || i, repeat('x', 20000) FROM generate_series(1, 1000) i`,
    );
  });
  afterAll(async () => {
    strict.app.getHttpServer().closeAllConnections();
    await strict.app.close();
  });

  /** Asks for all paths at once on one connection. */
  function ask(paths: string[], { url } = strict): Socket {
    const { hostname, port } = new URL(url);
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: session=${viewer.cookie}\r\n\r\n`);
    const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
    socket.on('error', () => {});
    return socket;
  }

  it('are disconnected if they read nothing, hold nothing, and delay nobody meanwhile', async () => {
    // The responses together are larger than the memory for responses.
    const sockets = Array.from({ length: 6 }, (_, n) => ask([`/api/runbooks?pageSize=${900 + n}`]));
    // A paused socket does not notice the end of its connection.
    for (const socket of sockets) socket.pause();
    await sleep(300);
    const other = await strict.as('viewer');
    expect((await other.get('/api/runbooks?pageSize=5')).status).toBe(200);
    await expectNothingHeld(strict);
    const connections = await new Promise<number>((resolve) =>
      strict.app.getHttpServer().getConnections((_error: unknown, count: number) => resolve(count)),
    );
    // The connection of the other client remains, because it is kept alive.
    expect(connections).toBeLessThan(3);
    for (const socket of sockets) socket.destroy();
  });

  it('hold nothing once they have disconnected, also for requests that had no response yet', async () => {
    const paths = Array.from({ length: 12 }, (_, n) => `/api/runbooks?pageSize=${n % 2 === 0 ? 950 - n : 5 + n}`);
    const socket = ask(paths);
    socket.pause();
    await sleep(1_000);
    socket.destroy();
    await expectNothingHeld(strict);
  });

  it('are not disconnected if they read on', async () => {
    // This is much longer than the time between two reads, even if the process did not run for seconds.
    const stall = 5_000;
    const patient = await startServiceOn(service.database, {}, [], undefined, stall);
    try {
      const began = Date.now();
      const socket = ask(['/api/runbooks'], patient);
      let taken = 0;
      const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
      socket.on('data', (chunk) => {
        taken += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 25);
        // The last chunk.
        if (chunk.subarray(-5).equals(Buffer.from('0\r\n\r\n'))) socket.destroy();
      });
      await ended;
      expect(taken).toBeGreaterThan(20_000_000);
      expect(Date.now() - began).toBeGreaterThan(stall);
      await expectNothingHeld(patient);
    } finally {
      patient.app.getHttpServer().closeAllConnections();
      await patient.app.close();
    }
  });
});

it("a caller's long list does not wait for all those of another caller", async () => {
  await run(sql`INSERT INTO sites (name) SELECT 'S' || i FROM generate_series(1, 1500) i`);
  const [ada, bob] = [await service.as('viewer'), await service.as('viewer')];
  await ada.get('/api/sites');
  const order: string[] = [];
  const many = Array.from({ length: 15 }, (_, n) =>
    ada.get(`/api/sites?pageSize=${1000 + n}`).then(() => order.push('ada')),
  );
  await sleep(50);
  const one = bob.get('/api/sites?pageSize=1400').then(() => order.push('bob'));
  await Promise.all([...many, one]);
  expect(order.indexOf('bob')).toBeLessThan(8);
});

itOnServer(
  'half a gigabyte of records passes through without being held',
  async () => {
    buildService();
    // A process with a small heap returns unused memory soon. So its memory shows what is held.
    const small = await spawnService({
      DATABASE_URL: service.database.url,
      NODE_OPTIONS: '--max-old-space-size=128',
      SPOOL_MB: '2048',
    });
    try {
      await makeFat(345);
      const before = small.memory();
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, small.memory())), 100);
      const response = await fetch(`${small.url}/api/platforms?pageSize=500`, {
        headers: { cookie: `session=${viewer.cookie}` },
      });
      let bytes = 0;
      for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length;
      clearInterval(watch);
      expect(response.status).toBe(200);
      expect(bytes).toBeGreaterThan(512 * MEBIBYTE);
      expect(most - before).toBeLessThan(300 * MEBIBYTE);
    } finally {
      await small.kill();
    }
  },
  300_000,
);
