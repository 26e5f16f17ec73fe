import { connect, type Socket } from 'node:net';
import { startService, type TestService } from '../support/app.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Sends a request at one byte per second. Resolves to the number of bytes sent until the service closed the connection. */
function drip(head: string, body: string): Promise<number> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname, () => socket.write(head));
    let sent = 0;
    const timer = setInterval(() => socket.write(body[sent++ % body.length]!), 1000);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(sent);
    });
  });
}

it('closes connections that send too slowly, and serves the others meanwhile', async () => {
  const viewer = await service.as('viewer');
  const login =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const slow = [
    ...Array.from({ length: 50 }, () => drip('GET /api/sites HTTP/1.1\r\nX-Slow: ', 'a')),
    ...Array.from({ length: 50 }, () => drip(login, ' ')),
  ];
  expect((await viewer.get('/api/sites')).status).toBe(200);
  // The limit is 12 seconds, checked every two. A busy machine sends fewer bytes.
  for (const sent of await Promise.all(slow)) expect(sent).toBeLessThan(20);
  expect((await viewer.get('/api/sites')).status).toBe(200);
}, 120_000);
