import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeStalled } from './client-connections.js';

const LIMIT = 1_500;

let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Sends a request to a server with this response. @returns the connection on the side of the server */
async function ask(
  respond: (response: ServerResponse) => void,
  request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  limit = LIMIT,
): Promise<Socket> {
  server = createServer((_, response) => respond(response));
  closeStalled(server, limit);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write(request));
  client.on('error', () => {});
  return connected;
}

interface Closed {
  /** Milliseconds until the connection was closed. */
  readonly milliseconds: number;
  /** Nominal milliseconds of the sleeps meanwhile. They do not grow on a busy machine. */
  readonly waited: number;
}

/** Undefined if the connection stays open for long. */
async function closedAfter(socket: Socket): Promise<Closed | undefined> {
  const began = Date.now();
  let waited = 0;
  for (; !socket.destroyed && waited < 3 * LIMIT; waited += 10) await sleep(10);
  return socket.destroyed ? { milliseconds: Date.now() - began, waited } : undefined;
}

const LONG = Buffer.alloc(64 * 1024 * 1024, 'x');

it('a client that reads nothing is disconnected after the time, and not twice as late', async () => {
  const socket = await ask((response) => response.end(LONG));
  client.pause();
  const { milliseconds, waited } = (await closedAfter(socket))!;
  expect(milliseconds).toBeGreaterThanOrEqual(LIMIT - 100);
  expect(waited).toBeLessThan(LIMIT * 1.6);
});

it('a client that reads now and then is not disconnected', async () => {
  // Much longer than between two reads, even if the process was suspended for seconds.
  const limit = 6_000;
  const socket = await ask((response) => response.end(LONG), undefined, limit);
  client.pause();
  const began = Date.now();
  while (Date.now() - began < 1.5 * limit) {
    await sleep(500);
    client.resume();
    await sleep(20);
    client.pause();
    if (client.bytesRead > LONG.length) return;
    expect(socket.destroyed).toBe(false);
  }
});

it('a client that waits for its response is not disconnected', async () => {
  const socket = await ask((response) => setTimeout(() => response.end('late'), 2 * LIMIT));
  const text = await new Promise<string>((resolve) => client.once('data', (chunk) => resolve(String(chunk))));
  expect(text).toMatch(/^HTTP\/1.1 200/);
  expect(socket.destroyed).toBe(false);
});

it('a connection without a request is closed', async () => {
  expect((await closedAfter(await ask(() => {}, '')))!.milliseconds).toBeGreaterThanOrEqual(LIMIT - 100);
});
