import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpoolFile } from '../../src/http/spool/spool-file.js';
import { startService, startServiceOn, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { itOnServer } from '../support/server.js';
import { inFull } from '../support/size.js';

const STALL_MS = 6_000;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
let viewer: Api;
beforeAll(async () => {
  service = await startService({ SPOOL_MB: '256' }, [], undefined, STALL_MS);
  viewer = await service.as('viewer');
  // 36 MB as CSV and as JSON.
  await service.database.db.query(
    `INSERT INTO runbooks (name, content) SELECT 'R' || i, repeat(md5(i::text), 625) FROM generate_series(1, 1800) i`,
  );
}, 60_000);
afterAll(() => service.stop());

interface Received {
  status: number;
  text: string;
  /** Whether the last chunk arrived, which ends a complete response. */
  isComplete: boolean;
}

/** Sends a request on a connection of its own. */
function ask(api: Api, path: string, url = service.url): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: session=${api.cookie}\r\nConnection: close\r\n\r\n`),
  );
  socket.on('error', () => {});
  return socket;
}

/** The body of a response in chunks. */
function decoded(bytes: Buffer): Omit<Received, 'status'> {
  const parts: Buffer[] = [];
  let at = bytes.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    const length = end < 0 ? 0 : Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (length === 0) return { text: Buffer.concat(parts).toString(), isComplete: end >= 0 };
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
    if (at > bytes.length) return { text: Buffer.concat(parts).toString(), isComplete: false };
  }
}

/** Reads a response. @param bytesPerSecond no limit if absent @param onFirst called after the first bytes */
async function read(socket: Socket, bytesPerSecond = Infinity, onFirst?: () => void): Promise<Received> {
  const began = Date.now();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (length === 0) onFirst?.();
      chunks.push(chunk);
      length += chunk.length;
      const ahead = began + (length / bytesPerSecond) * 1000 - Date.now();
      if (ahead > 5) await sleep(ahead);
    }
  } catch {
    // The connection was broken.
  }
  const bytes = Buffer.concat(chunks);
  return { status: Number(bytes.toString('latin1', 9, 12)), ...decoded(bytes) };
}

const used = (): number => service.app.get(SpoolFile).used;

async function expectNothingUsed(): Promise<void> {
  const { pool } = service.database.db;
  const state = (): number[] => [used(), pool.totalCount - pool.idleCount];
  for (let tries = 0; tries < 200 && state().some((count) => count > 0); tries++) await sleep(50);
  expect(state()).toEqual([0, 0]);
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

const FORMATS = inFull ? ['?format=csv', '?format=ndjson', ''] : ['?format=csv'];

describe('a response of 36 MB', () => {
  it.each(FORMATS)(
    'is complete for one client that reads slowly: %p',
    async (query) => {
      const { text } = await viewer.get(`/api/runbooks${query}`);
      const received = await read(ask(viewer, `/api/runbooks${query}`), 12 * MEBIBYTE);
      expect([received.status, received.isComplete]).toEqual([200, true]);
      expect(text.length).toBeGreaterThan(30 * MEBIBYTE);
      expect(received.text === text).toBe(true);
      await expectNothingUsed();
    },
    60_000,
  );

  it('is complete for four clients that read slowly', async () => {
    const others = await Promise.all([service.as('viewer'), service.as('editor'), service.as('admin')]);
    const clients = [viewer, ...others].map((api) => read(ask(api, '/api/runbooks?format=csv'), 4 * MEBIBYTE));
    const received = await Promise.all(clients);
    const { text } = await viewer.get('/api/runbooks?format=csv');
    expect(received.map((each) => [each.status, each.isComplete, each.text === text])).toEqual(
      Array.from({ length: 4 }, () => [200, true, true]),
    );
    await expectNothingUsed();
  }, 120_000);

  it('holds no connection to the database while its client reads nothing', async () => {
    const { pool } = service.database.db;
    const socket = ask(viewer, '/api/runbooks?format=csv&pageSize=900');
    socket.pause();
    const isGiven = (): boolean => used() > 0 && pool.totalCount === pool.idleCount;
    for (let tries = 0; tries < 200 && !isGiven(); tries++) await sleep(50);
    expect(isGiven()).toBe(true);
    expect((await read(socket)).isComplete).toBe(true);
    await expectNothingUsed();
  }, 60_000);

  it('ends with its client: the file and the connection are free at once', async () => {
    const socket = ask(viewer, '/api/runbooks?format=csv');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expectNothingUsed();
  });

  it('begins before its end is made', async () => {
    const began = Date.now();
    let first = 0;
    await read(ask(viewer, '/api/runbooks?format=csv'), Infinity, () => (first = Date.now() - began));
    expect(first).toBeLessThan((Date.now() - began) / 2);
  });
});

it.each(FORMATS)(
  'a response that breaks after its first bytes is not ended as if it were complete: %p',
  async (query) => {
    const { db } = service.database;
    await db.query(
      `INSERT INTO sites (name, description) SELECT 'S' || i, repeat('x', 20000) FROM generate_series(1, 900) i`,
    );
    const stream = db.stream.bind(db);
    const spy = jest.spyOn(db, 'stream').mockImplementation(async function* (text, values) {
      let batches = 0;
      for await (const rows of stream(text, values)) {
        if (batches++ > 8) throw new Error('The database is gone');
        yield rows;
      }
    });
    try {
      const { status, text, isComplete } = await read(ask(viewer, `/api/sites${query}`));
      expect([status, isComplete]).toEqual([200, false]);
      expect(text.length).toBeGreaterThan(100_000);
    } finally {
      spy.mockRestore();
      await db.query('DELETE FROM sites');
    }
    await expectNothingUsed();
  },
);

describe('a client that reads nothing', () => {
  it('is disconnected, and holds nothing after that', async () => {
    const socket = ask(viewer, '/api/runbooks?format=csv');
    socket.pause();
    for (let tries = 0; tries < 200 && used() === 0; tries++) await sleep(50);
    expect(used()).toBeGreaterThan(0);
    await expectNothingUsed();
    socket.destroy();
  }, 40_000);

  it('delays nobody, also fifteen of them', async () => {
    const slow = await service.as('viewer');
    const sockets = Array.from({ length: 15 }, () => ask(slow, '/api/runbooks?format=csv'));
    for (const socket of sockets) socket.pause();
    const editor = await service.as('editor');
    const { id } = await editor.make('/api/vendors', { name: 'Neighbour' });
    const times: number[] = [];
    for (let n = 0; n < 40; n++) {
      const began = Date.now();
      expect((await editor.get(`/api/vendors/${id}`)).status).toBe(200);
      times.push(Date.now() - began);
      await sleep(20);
    }
    // On the embedded database one statement runs at a time.
    expect(median(times)).toBeLessThan(onServer ? 250 : 1_000);
    for (const socket of sockets) socket.destroy();
    await expectNothingUsed();
  }, 60_000);
});

it('without room in the file a long response is refused before its first byte, and short ones are sent', async () => {
  const full = await startServiceOn(service.database, { SPOOL_MB: '8' });
  try {
    const [api, other] = [await full.as('viewer'), await full.as('viewer')];
    const { id } = (await api.get('/api/auth/session')).body.data;
    const file = full.app.get(SpoolFile);
    // The half of the file that the caller may have.
    const blocks: number[] = [];
    for (let n = 0; n < 16; n++) blocks.push(await file.write(id, Buffer.alloc(1), false));
    const refused = await api.get('/api/runbooks?format=csv');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refused.body.error).toMatch(/long responses/);
    for (const path of ['/api/runbooks?pageSize=5', '/api/sites', '/api/vendors?format=csv']) {
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    }
    expect((await read(ask(other, '/api/runbooks?format=csv', full.url))).isComplete).toBe(true);
    for (const block of blocks) file.release(id, block);
    expect((await read(ask(api, '/api/runbooks?format=csv', full.url))).isComplete).toBe(true);
  } finally {
    full.app.getHttpServer().closeAllConnections();
    await full.app.close();
  }
}, 60_000);

itOnServer(
  'many searches of one caller leave connections to the others',
  async () => {
    await service.database.db.query(
      `INSERT INTO known_issues (name, description)
       SELECT 'Issue ' || i, repeat(md5(i::text) || '%', 8) FROM generate_series(1, 8000) i`,
    );
    const [attacker, editor] = [await service.as('viewer'), await service.as('editor')];
    const { id } = await editor.make('/api/vendors', { name: 'Neighbour' });
    const pattern = encodeURIComponent('%'.repeat(255));
    const searches = Array.from({ length: 24 }, () => attacker.get(`/api/known-issues?search=${pattern}&pageSize=50`));
    const times: number[] = [];
    for (let n = 0; n < 30; n++) {
      const began = Date.now();
      expect((await editor.get(`/api/vendors/${id}`)).status).toBe(200);
      times.push(Date.now() - began);
    }
    expect(median(times)).toBeLessThan(250);
    for (const { status } of await Promise.all(searches)) expect([200, 503]).toContain(status);
  },
  60_000,
);
