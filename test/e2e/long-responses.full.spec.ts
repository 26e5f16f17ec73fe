import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { BLOCK, SpoolFile } from '../../src/http/spool/spool-file.js';
import { startService, startServiceOn, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { inFull } from '../support/size.js';
import { until } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

const STALL_MS = 6_000;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
let viewer: Api;
beforeAll(async () => {
  service = await startService({ SPOOL_MB: '256' }, [], undefined, STALL_MS);
  viewer = await service.as('viewer');
  // About 36 MB as CSV and as JSON.
  await service.database.db.query(
    sql`INSERT INTO runbooks (name, content) SELECT 'R' || i, repeat(md5(i::text), 625) FROM generate_series(1, 1800) i`,
  );
});
afterAll(() => service.stop());

interface Received {
  status: number;
  text: string;
  /** Whether the last chunk arrived: it ends a complete response. */
  isComplete: boolean;
}

/** Sends a request on a new connection. */
function ask(api: Api, path: string, url = service.url): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: session=${api.cookie}\r\nConnection: close\r\n\r\n`),
  );
  socket.on('error', () => {});
  return socket;
}

/** The chunks of a body. */
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
    // The connection broke.
  }
  const bytes = Buffer.concat(chunks);
  return { status: Number(bytes.toString('latin1', 9, 12)), ...decoded(bytes) };
}

const used = (): number => service.app.get(SpoolFile).used;

async function expectNothingUsed(): Promise<void> {
  const { pool } = service.database.db;
  const state = (): number[] => [used(), pool.totalCount - pool.idleCount];
  const settled = await until(state, (counts) => counts.every((count) => count === 0));
  expect(settled).toEqual([0, 0]);
}

const FORMATS = inFull ? ['?format=csv', '?format=ndjson', ''] : ['?format=csv'];

describe('a response of 36 MB', () => {
  it.each(FORMATS)('is complete for one client that reads slowly: %p', async (query) => {
    const { text } = await viewer.get(`/api/runbooks${query}`);
    const received = await read(ask(viewer, `/api/runbooks${query}`), 12 * MEBIBYTE);
    expect([received.status, received.isComplete]).toEqual([200, true]);
    expect(text.length).toBeGreaterThan(30 * MEBIBYTE);
    expect(received.text === text).toBe(true);
    await expectNothingUsed();
  });

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
    await until(() => used() > 0 && pool.totalCount === pool.idleCount);
    expect((await read(socket)).isComplete).toBe(true);
    await expectNothingUsed();
  });

  it('ends with its client: the file and the connection are free at once', async () => {
    const socket = ask(viewer, '/api/runbooks?format=csv');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expectNothingUsed();
  });

  it('begins before its end is made', async () => {
    let made = Infinity;
    await read(ask(viewer, '/api/runbooks?format=csv'), Infinity, () => (made = used()));
    expect(made * BLOCK).toBeLessThan(18 * MEBIBYTE);
  });
});

it.each(FORMATS)(
  'a response that breaks after its first bytes is not ended as if it were complete: %p',
  async (query) => {
    const { db } = service.database;
    await db.query(
      sql`INSERT INTO sites (name, description) SELECT 'S' || i, repeat('x', 20000) FROM generate_series(1, 900) i`,
    );
    const stream = db.stream.bind(db);
    const spy = jest.spyOn(db, 'stream').mockImplementation(async function* (statement) {
      let batches = 0;
      for await (const rows of stream(statement)) {
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
      await db.query(sql`DELETE FROM sites`);
    }
    await expectNothingUsed();
  },
);

describe('a client that reads nothing', () => {
  it('is disconnected, and holds nothing after that', async () => {
    const socket = ask(viewer, '/api/runbooks?format=csv');
    socket.pause();
    await until(() => used() > 0);
    await expectNothingUsed();
    socket.destroy();
  });

  it('delays nobody, also fifteen of them', async () => {
    // With the default time-out, no client is disconnected before the others are served.
    const usual = await startServiceOn(service.database, { SPOOL_MB: '256' });
    try {
      const held = (): number => usual.app.get(SpoolFile).used;
      const slow = await usual.as('viewer');
      const sockets = Array.from({ length: 15 }, () => ask(slow, '/api/runbooks?format=csv', usual.url));
      for (const socket of sockets) socket.pause();
      const editor = await usual.as('editor');
      const { id } = await editor.make('/api/vendors', { name: 'Neighbour' });
      await until(() => held() > 0);
      // All of these are served while unread responses fill the file.
      const answered = Array.from({ length: 40 }, () => editor.get(`/api/vendors/${id}`));
      expect((await Promise.all(answered)).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
      expect(held()).toBeGreaterThan(0);
      for (const socket of sockets) socket.destroy();
      await until(held, (blocks) => blocks === 0);
    } finally {
      usual.app.getHttpServer().closeAllConnections();
      await usual.app.close();
    }
  });
});

it('without room in the file a long response is refused before its first byte, and short ones are sent', async () => {
  const full = await startServiceOn(service.database, { SPOOL_MB: '8' });
  try {
    const [api, other] = [await full.as('viewer'), await full.as('viewer')];
    const { id } = (await api.get('/api/auth/session')).body.data;
    const file = full.app.get(SpoolFile);
    // These blocks are the half of the file that one caller may use.
    const blocks: number[] = [];
    for (let n = 0; n < 16; n++) blocks.push(await file.write(id, Buffer.alloc(1), false));
    const refused = await api.get('/api/runbooks?format=csv');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refused.body.error).toMatch(/long responses/);
    for (const path of ['/api/runbooks?pageSize=5', '/api/sites', '/api/vendors?format=csv']) {
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    }
    // 3 MB fit into the share of a caller, even if the client reads late.
    const long = '/api/runbooks?format=csv&pageSize=150';
    expect((await api.get(long)).status).toBe(503);
    expect((await read(ask(other, long, full.url))).isComplete).toBe(true);
    for (const block of blocks) file.release(id, block);
    expect((await read(ask(api, long, full.url))).isComplete).toBe(true);
  } finally {
    full.app.getHttpServer().closeAllConnections();
    await full.app.close();
  }
});

itOnServer('many searches of one caller leave connections to the others', async () => {
  const [attacker, editor] = [await service.as('viewer'), await service.as('editor')];
  const { id } = await editor.make('/api/vendors', { name: 'Neighbour' });
  // The searches wait for this lock.
  const other = new Client({ connectionString: service.database.url });
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE known_issues IN ACCESS EXCLUSIVE MODE');
    const searches = Array.from({ length: 24 }, () => attacker.get('/api/known-issues?search=x&pageSize=50'));
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'known_issues'::regclass`;
    await until(async () => (await other.query(waiting)).rows[0].count > 0);
    // Any request that waited for a connection of the searches would be refused.
    for (let n = 0; n < 10; n++) expect((await editor.get(`/api/vendors/${id}`)).status).toBe(200);
    await other.query('ROLLBACK');
    for (const { status } of await Promise.all(searches)) expect([200, 503]).toContain(status);
  } finally {
    await other.end();
  }
});
