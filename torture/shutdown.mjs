// Sends SIGTERM under 32 keep-alive clients, some of whose requests are waiting for a lock at that moment.
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PgClient } from 'pg';
import { Api, count, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';

const CLIENTS = 32;
const WAITING = 8;
// Requests sent this long before the signal have arrived, and this long after it the service has begun to shut down.
const MARGIN_MS = 20;

export default async function shutdown({ check, say, times = 5 }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const total = { inFlight: 0, unanswered: 0, failed: 0, draining: 0, keptAlive: 0, cut: 0, refused: 0 };
  const ends = [];
  const codes = [];
  for (let n = 1; n <= times; n++) {
    const { inFlight, after, cut, refused, signalled, end } = await once(server, settings);
    total.inFlight += inFlight.length;
    total.unanswered += inFlight.filter(({ status }) => status === undefined).length;
    total.failed += inFlight.filter(({ status }) => status >= 300).length;
    total.draining += after.length;
    total.keptAlive += after.filter(({ connection }) => connection !== 'close').length;
    total.cut += cut;
    total.refused += refused;
    ends.push(end.at - signalled);
    codes.push(end.code);
    say(`${n}: exit ${end.code} after ${milliseconds(ends.at(-1))}, ${inFlight.length} requests in flight`);
  }
  check({
    what: `${times} × SIGTERM under ${CLIENTS} keep-alive clients: requests in flight`,
    asked: 'all answered',
    reached: `${count(total.inFlight)}, without a response ${total.unanswered}, refused ${total.failed}`,
    kept: total.unanswered === 0 && total.failed === 0 && total.inFlight >= times * WAITING,
  });
  check({
    what: 'Responses without `Connection: close` during shutdown',
    asked: 'none',
    reached: `${total.keptAlive} of ${total.draining}`,
    kept: total.keptAlive === 0 && total.draining > 0,
  });
  check({
    what: 'Keep-alive connections that were closed during a request; new connections that the listener did not accept',
    asked: '',
    reached: `${total.cut}; ${total.refused}`,
    kept: total.cut === 0,
  });
  check({
    what: 'Exit code; longest time to exit',
    asked: '0; 10 s',
    reached: `${[...new Set(codes)].join(', ')}; ${milliseconds(most(ends))}`,
    kept: codes.every((code) => code === 0) && most(ends) < 10_000,
  });

  const service = await startService(settings);
  const half = await halfARequest(service.url, await openSession(settings));
  const signalled = performance.now();
  const end = await service.end('SIGTERM');
  half.destroy();
  check({
    what: 'The same with a client that does not finish its request',
    asked: '0; 10 s',
    reached: `${end.code}; ${milliseconds(end.at - signalled)}`,
    kept: end.code === 0 && end.at - signalled < 10_000,
  });
  await server.remove();
}

async function once(server, settings) {
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const records = [];
  for (let i = 0; i < WAITING; i++) records.push((await api.must('POST', '/api/runbooks', { name: 'held' })).data.id);
  // Holds the lock that their PATCHes wait for, until a second after the signal.
  const holder = new PgClient(server.url);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM runbooks WHERE id = ANY ($1) FOR UPDATE', [records]);

  const asked = [];
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const held = records[index];
    while (!stop.signal.aborted) {
      const entry = { from: performance.now() };
      asked.push(entry);
      const path = held ? `/api/runbooks/${held}` : '/api/runbooks?pageSize=20';
      try {
        Object.assign(entry, await ask(agent, api, held ? 'PATCH' : 'GET', path, held && { description: 'changed' }));
      } catch (error) {
        entry.failure = error.reused ? 'cut' : 'refused';
        await sleep(50);
      }
      entry.to = performance.now();
    }
    agent.destroy();
  });
  await sleep(700);
  const signalled = performance.now();
  service.signal('SIGTERM');
  setTimeout(() => void holder.query('ROLLBACK').then(() => holder.end()), 1_000);
  const end = await service.exited;
  stop.abort();
  await Promise.all(clients);
  await service.end();
  return {
    signalled,
    end,
    inFlight: asked.filter(({ from, to }) => from < signalled - MARGIN_MS && to > signalled),
    after: asked.filter(({ to, status }) => status !== undefined && to > signalled + MARGIN_MS),
    cut: asked.filter(({ failure }) => failure === 'cut').length,
    refused: asked.filter(({ failure }) => failure === 'refused').length,
  };
}

/**
 * Status and `Connection` header of a response on a keep-alive connection. A failure says whether the connection had been used
 * before.
 */
function ask(agent, { url, cookie }, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `session=${cookie}`, ...(body && { 'content-type': 'application/json' }) };
    const call = httpRequest(url + path, { agent, method, headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection });
      });
      response.on('error', reject);
    });
    call.on('error', (error) => reject(Object.assign(error, { reused: call.reusedSocket })));
    call.end(body && JSON.stringify(body));
  });
}

/** A connection with a request whose body is never completed. */
function halfARequest(url, cookie) {
  const { hostname, port } = new URL(url);
  const head = `POST /api/runbooks HTTP/1.1\r\nHost: x\r\nCookie: session=${cookie}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(head, () => setTimeout(() => resolve(socket), 100));
    });
    socket.on('error', () => {}).on('data', () => {});
  });
}
