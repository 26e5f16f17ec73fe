import { connect, type Socket } from 'node:net';
import { startService, type TestService } from '../support/app.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A connection that sends its request a byte a second; resolves to the seconds until the service closed it. */
function drip(head: string, body: string): Promise<number> {
  const { hostname, port } = new URL(service.url);
  const started = Date.now();
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname, () => socket.write(head));
    let sent = 0;
    const timer = setInterval(() => socket.write(body[sent++ % body.length]!), 1000);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve((Date.now() - started) / 1000);
    });
  });
}

it('closes the connections of those who send too slowly, and answers the others meanwhile', async () => {
  const viewer = await service.as('viewer');
  const login =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const slow = [
    ...Array.from({ length: 50 }, () => drip('GET /api/sites HTTP/1.1\r\nX-Slow: ', 'a')),
    ...Array.from({ length: 50 }, () => drip(login, ' ')),
  ];
  expect((await viewer.get('/api/sites')).status).toBe(200);
  // 12 seconds at most, looked at every two; the rest is for a busy machine.
  for (const seconds of await Promise.all(slow)) expect(seconds).toBeLessThan(20);
  expect((await viewer.get('/api/sites')).status).toBe(200);
}, 40_000);
