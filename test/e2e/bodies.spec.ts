import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, startService, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import { until } from '../support/until.js';

const KIB = 1024;
const MIB = 1024 * KIB;

let service: TestService;
let sockets: Socket[] = [];
beforeAll(async () => {
  service = await startService({ BODY_MEMORY_MB: '32' });
});
afterAll(() => service.stop());
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Sends a request without the last byte of its body. @returns the status line of the response, which may come later */
async function sendMost(
  path: string,
  size: number,
  cookie = '',
  type = 'application/json',
  to = service,
): Promise<{ answered: Promise<string> }> {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data).split('\r\n', 1)[0]!.slice('HTTP/1.1 '.length)));
    socket.on('error', () => resolve('closed'));
  });
  const headers = `Host: x\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n${cookie && `Cookie: session=${cookie}\r\n`}`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n`);
  await new Promise((resolve) => socket.write(`{"name":"${'x'.repeat(size - 10)}`, resolve));
  return { answered };
}

it('a body of somebody unknown is at most 16 KiB, and refused before it is read', async () => {
  expect(await (await sendMost('/api/auth/login', 16 * KIB + 1)).answered).toMatch(/^413/);
  expect(await (await sendMost('/api/runbooks', MIB)).answered).toMatch(/^401/);
  const large = { email: 'a@example.com', password: 'x'.repeat(16 * KIB) };
  const refused = await service.anonymous.post('/api/auth/login', large);
  expect([refused.status, refused.body.error]).toEqual([413, 'The body is larger than 16 KiB']);
});

itInFull(
  'the bodies of one caller take at most half of the memory for bodies, and small ones are always read',
  async () => {
    const [one, other] = [await service.as('editor'), await service.as('editor')];
    await Promise.all(Array.from({ length: 16 }, () => sendMost('/api/runbooks', MIB, one.cookie)));
    const text = { name: 'Long', content: 'x'.repeat(60_000), description: 'x'.repeat(60_000) };
    const operations = Array.from({ length: 30 }, () => ({ op: 'create', data: text }));
    // The server may still be reading earlier bodies.
    const full = await until(
      () => one.post('/api/runbooks/bulk', { operations }),
      ({ status }) => status !== 200,
    );
    expect([full.status, full.body.error, full.headers.get('retry-after')]).toEqual([
      503,
      'Too many large request bodies are being processed. Try again shortly',
      '2',
    ]);
    expect((await one.post('/api/runbooks', { name: 'Short' })).status).toBe(201);
    expect((await other.post('/api/runbooks/bulk', { operations })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    // The service frees the memory of a disconnected client.
    const { status } = await until(
      () => one.post('/api/runbooks/bulk', { operations }),
      (answer) => answer.status !== 503,
    );
    expect(status).toBe(200);
  },
);

it('a body has its space before its first byte arrives, so nothing is read of one for which there is none', async () => {
  const { cookie } = await service.as('editor');
  /** Resolves when the service has read the headers. */
  const announce = async (): Promise<Socket> => {
    const isRead = once(service.app.getHttpServer(), 'request');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    sockets.push(socket);
    const headers = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${9 * MIB}\r\nCookie: session=${cookie}\r\n`;
    socket.write(`POST /api/runbooks/bulk HTTP/1.1\r\n${headers}\r\n`);
    await isRead;
    return socket;
  };
  const first = once(await announce(), 'data').then(String);
  expect(await Promise.race([first, sleep(500, 'none')])).toBe('none');
  expect(String(await once(await announce(), 'data'))).toMatch(/^HTTP\/1.1 503 /);
});

itInFull('the imported files of one caller take at most half of the space for files', async () => {
  const own = await startService({ SPOOL_MB: '1' });
  try {
    const [one, other] = [await own.as('editor'), await own.as('editor')];
    const send = (api: Api): ReturnType<typeof sendMost> =>
      sendMost('/api/sites/import', 44 * MIB, api.cookie, 'text/csv', own);
    const REFUSED = '503 Service Unavailable';
    const isRefused = async (api: Api): Promise<boolean> => {
      const { answered } = await send(api);
      return (await Promise.race([answered, sleep(1_000)])) === REFUSED;
    };
    await send(one);
    await send(one);
    expect(await (await send(one)).answered).toBe(REFUSED);
    // Small files are always read. The limit of one caller does not affect others.
    expect((await one.post('/api/sites/import', 'name\nA', { 'content-type': 'text/csv' })).status).toBe(200);
    expect(await isRefused(other)).toBe(false);
    for (const socket of sockets) socket.destroy();
    // The service frees the memory of a disconnected client.
    await until(async () => !(await isRefused(one)));
  } finally {
    await own.stop();
  }
});

itInFull('a body that stalls is refused after 12 seconds, and does not count any longer', async () => {
  const editor = await service.as('editor');
  const begun = Date.now();
  const { answered } = await sendMost('/api/runbooks', MIB, editor.cookie);
  expect(await answered).toBe('408 Request Timeout');
  expect(Date.now() - begun).toBeGreaterThan(11_000);
});

describe('a body of many values', () => {
  const refusal = async (api: Api, path: string, body: string): Promise<[number, string]> => {
    const { status, body: answer } = await api.post(path, body, { 'content-type': 'application/json' });
    return [status, answer.error];
  };

  it.each([
    ['of operations that are empty', `{"operations":[${'{},'.repeat(4_000_000)}{}]}`, 'has more than 250,000 values'],
    ['nested deeply', '['.repeat(15 * MIB), 'is nested deeper than 32 levels'],
    [
      'of properties',
      `{${Array.from({ length: 300_000 }, (_, n) => `"${n}":1`).join(',')}}`,
      'has more than 250,000 values',
    ],
    [
      'with a long name',
      `{"operations":[{"${'x'.repeat(15 * MIB)}":1}]}`,
      'has a name of a property with more than 1,024 bytes',
    ],
  ])('%s is refused by what it exceeds', async (_, body, what) => {
    expect(await refusal(await service.as('editor'), '/api/sites/bulk', body)).toEqual([400, `The body ${what}`]);
  });

  it('that is no bulk has a lower bound', async () => {
    const body = `{"name":"x","speeds":[${'1,'.repeat(100_000)}1]}`;
    expect(await refusal(await service.as('editor'), '/api/sites', body)).toEqual([
      400,
      'The body has more than 100,000 values',
    ]);
  });

  it('and of many megabytes is checked for names that stand twice', async () => {
    const operations = Array.from({ length: 30 }, () => ({ op: 'create', data: { name: 'x'.repeat(60_000) } }));
    const body = JSON.stringify({ operations }).replace(/.{4}$/, ',"name":2$&');
    expect(await refusal(await service.as('editor'), '/api/sites/bulk', body)).toEqual([400, 'name is given twice']);
  });
});

/**
 * Sends bytes on a new connection.
 * @param answers number of responses on a connection that stays open; omitted if the service closes it
 * @returns what the service sent until it closed the connection, or until half a second after that many responses
 */
async function exchange(bytes: string[], answers = Infinity): Promise<{ text: string; isClosed: boolean }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  let text = '';
  let isClosed = false;
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', () => {});
  socket.once('close', () => (isClosed = true));
  for (const each of bytes) {
    if (isClosed) break;
    socket.write(each);
    await sleep(1);
  }
  await until(() => isClosed || text.split('HTTP/1.1 ').length > answers);
  if (!isClosed) await Promise.race([once(socket, 'close'), sleep(500)]);
  return { text, isClosed };
}

it('a connection is closed on which more than eight requests are sent ahead', async () => {
  const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
  const few = await exchange([request.repeat(8)], 8);
  expect([few.text.match(/HTTP\/1\.1 200/g)?.length, few.isClosed]).toEqual([8, false]);
  const many = await exchange([request.repeat(1_000)]);
  expect(many.isClosed).toBe(true);
  expect(many.text.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(8);
});

it('the rest of a long body that was refused is not read', async () => {
  const head = 'POST /api/sites HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  for (const long of [
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`,
    `${head}Content-Length: 20000\r\n\r\n{`,
  ]) {
    const { text, isClosed } = await exchange([long]);
    expect(text).toMatch(/^HTTP\/1\.1 401/);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(isClosed).toBe(true);
  }
  // After a short body, the connection is reused.
  const { text, isClosed } = await exchange([`${head}Content-Length: 10\r\n\r\n{"name":1}`], 1);
  expect([text.slice(0, 12), isClosed]).toEqual(['HTTP/1.1 401', false]);
});

it.each([
  ['/api/auth/login', 'application/json'],
  ['/api/sites', 'application/json'],
  ['/api/sites/import', 'text/csv'],
])('a body of %s in pieces of one byte is refused', async (path, type) => {
  const { cookie } = await service.as('admin');
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nCookie: session=${cookie}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const { text, isClosed } = await exchange([head, ...Array<string>(200).fill('1\r\n \r\n')]);
  expect(text).toMatch(/^HTTP\/1\.1 400/);
  expect(text).toContain('too many small chunks');
  expect(isClosed).toBe(true);
});
