// 500 connections that send their request one byte per second, next to ordinary clients.
import { connect } from 'node:net';
import {
  Api,
  count,
  milliseconds,
  most,
  openSession,
  percentile,
  PostgresServer,
  probe,
  startService,
} from './support.mjs';

const SLOW = 500;
const LOGIN =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
const HEADERS = 'GET /api/sites HTTP/1.1\r\nX-Slow: ';

export default async function slowSockets({ check, say }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const { id } = (await api.must('POST', '/api/runbooks', { name: 'read' })).data;
  const read = () => api.request('GET', `/api/runbooks/${id}`);
  await (await probe(read, { clients: 4 })).stop();

  const others = probe(read, { clients: 4 });
  const closed = await Promise.all(
    Array.from({ length: SLOW }, (_, index) => drip(service.url, index % 2 === 0 ? HEADERS : LOGIN)),
  );
  const times = await others.stop();
  say(`closed between ${milliseconds(Math.min(...closed))} and ${milliseconds(most(closed))}`);
  check({
    what: `${SLOW} connections that send one byte per second, half of them in their headers, half in a body: the last one is closed`,
    asked: '15 s',
    reached: milliseconds(most(closed)),
    kept: most(closed) < 15_000,
  });
  const p99 = percentile(times, 0.99);
  check({
    what: 'p99 of the other clients meanwhile',
    asked: '100 ms',
    reached: `${milliseconds(p99)} (${count(times.length)} requests)`,
    kept: p99 < 100,
  });
  await service.end();
  await server.remove();
}

/** Sends one byte per second. Resolves to the milliseconds until the service closes the connection. */
function drip(url, head) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect(Number(port), hostname, () => socket.write(head));
    const timer = setInterval(() => socket.write('1'), 1_000);
    socket
      .on('error', () => {})
      .on('data', () => {})
      .on('close', () => {
        clearInterval(timer);
        resolve(performance.now() - started);
      });
  });
}
