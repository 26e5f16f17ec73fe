import type { LookupAddress } from 'node:dns';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sender } from './sender.js';
import { until } from '../../test/support/until.js';

const PUBLIC = '198.41.0.4';

let server: Server;
let port: number;
let answer: (response: ServerResponse) => void;
let requests: number;
const sockets = new Set<Socket>();
let senders: Sender[];
beforeEach(async () => {
  [requests, answer, senders] = [0, (response) => response.writeHead(204).end(), []];
  server = createServer((_request, response) => {
    requests++;
    answer(response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  // Also over IPv6, where IPv4 addresses arrive as mapped ones.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const sender of senders) sender.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A sender with a resolver that returns these addresses, the next ones at each look-up. */
function senderTo(lookups: readonly (readonly string[])[], allowLoopback = false): { sender: Sender; asked: string[] } {
  const asked: string[] = [];
  const lookup = (name: string): Promise<LookupAddress[]> => {
    const addresses = lookups[Math.min(asked.length, lookups.length - 1)]!;
    asked.push(name);
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  const sender = new Sender({ allowLoopback, allowPrivate: true, allowHttp: true }, lookup);
  senders.push(sender);
  return { sender, asked };
}

const send = (sender: Sender) => sender.send(`http://hooks.example.com:${port}/`, {}, '{}');

it('a name that leads to a public address and then to this machine reaches neither this machine nor another address', async () => {
  const { sender, asked } = senderTo([[PUBLIC], ['127.0.0.1']]);
  const first = send(sender);
  await until(() => asked.length > 0);
  await sleep(200);
  // The connection goes to the address that was checked, without a second look-up.
  expect(asked).toEqual(['hooks.example.com']);
  sender.close();
  expect(await first).toEqual({ error: 'connection' });
  expect(await send(sender)).toEqual({ error: 'address_refused' });
  expect([asked.length, requests]).toEqual([2, 0]);
});

it.each([
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['0.0.0.0'],
  ['::'],
  ['169.254.169.254'],
  ['::ffff:169.254.169.254'],
  ['fe80::1'],
])('a name that leads to %s is refused', async (address) => {
  expect(await send(senderTo([[address]]).sender)).toEqual({ error: 'address_refused' });
  expect(requests).toBe(0);
});

it('of several addresses only those that are allowed are used', async () => {
  const { sender } = senderTo([['169.254.169.254', '::ffff:169.254.169.254', '127.0.0.1']], true);
  expect(await send(sender)).toEqual({ status: 204 });
  expect(requests).toBe(1);
});

it('a name is looked up once for all requests that wait for it, and two names at once', async () => {
  let open = 0;
  let most = 0;
  let total = 0;
  const lookup = async (): Promise<LookupAddress[]> => {
    total++;
    most = Math.max(most, ++open);
    await sleep(20);
    open--;
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const sender = new Sender({ allowLoopback: true, allowPrivate: true, allowHttp: true }, lookup);
  senders.push(sender);
  const names = Array.from({ length: 40 }, (_, index) => `name-${index % 8}.example.com`);
  const results = await Promise.all(names.map((name) => sender.send(`http://${name}:${port}/`, {}, '{}')));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([204]));
  expect([total, most]).toEqual([8, 2]);
});

it('the status decides, and a body that does not end is cut off', async () => {
  answer = (response) => {
    response.writeHead(200).write('x');
    const more = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(more));
  };
  const { sender } = senderTo([['127.0.0.1']], true);
  expect(await send(sender)).toEqual({ status: 200 });
  await until(() => sockets.size === 0);
});

it('headers that do not end are an error', async () => {
  answer = ({ socket }) => {
    socket!.write('HTTP/1.1 200 OK\r\n');
    const more = setInterval(() => socket!.write(`x: ${'y'.repeat(1_000)}\r\n`), 1);
    socket!.on('close', () => clearInterval(more)).on('error', () => {});
  };
  expect(await send(senderTo([['127.0.0.1']], true).sender)).toEqual({ error: 'connection' });
});
