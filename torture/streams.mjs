// Many open streams of the feed on one process: what they cost, how soon they end, and a client that does not read.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';

/** A profile may have a hundred. */
const PROFILES = 2;
const STREAMS = 100;
const POOL_SIZE = 10;
/** Bytes of changes after which the buffers of a connection that nobody reads are full. */
const FLOOD = 40 * 1024 * 1024;

const residentOf = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** An open stream. */
function open(api, headers = { cookie: `session=${api.cookie}` }) {
  return new Promise((resolve, reject) => {
    get(`${api.url}/api/changes/stream`, { headers, agent: false }, (response) => {
      const stream = { response, events: 0, endedAt: undefined };
      stream.read = () => response.on('data', (text) => (stream.events += String(text).split('\nevent: ').length - 1));
      response.on('close', () => (stream.endedAt = performance.now()));
      response.on('error', () => {});
      resolve(stream);
    }).on('error', reject);
  });
}

const secondsUntil = async (met, seconds) => {
  const began = performance.now();
  while (!met() && performance.now() - began < seconds * 1_000) await sleep(20);
  return performance.now() - began;
};

/** Whether the service still has the connection of a stream. */
function isEstablished({ url }, { response }) {
  const hex = (port) => Number(port).toString(16).toUpperCase().padStart(4, '0');
  const [here, there] = [hex(new URL(url).port), hex(response.socket.localPort)];
  return new RegExp(`:${here} 0100007F:${there} 01 `).test(readFileSync('/proc/net/tcp', 'utf8'));
}

/** A profile with a session and a token. */
async function profile(admin, settings, n) {
  const password = `a password of profile ${n}`;
  const { data } = await admin.must('POST', '/api/profiles', { email: `p${n}@example.com`, role: 'viewer', password });
  const login = await new Api(admin.url).request('POST', '/api/auth/login', { email: data.email, password });
  const [cookie] = login.headers.getSetCookie().map((text) => /^session=([^;]+)/.exec(text)?.[1]);
  return { id: data.id, api: new Api(admin.url, cookie) };
}

export default async function streams({ check, say }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  const service = await startService(settings);
  const admin = new Api(service.url, await openSession(settings));
  const connections = async () => {
    const [{ n }] = await server.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return n;
  };
  const profiles = [];
  for (let n = 0; n < PROFILES; n++) profiles.push(await profile(admin, settings, n));
  await admin.must('POST', '/api/sites', { name: 'before' });
  const [memoryBefore, connectionsBefore] = [residentOf(service), await connections()];
  const opened = [];
  for (const { api } of profiles) {
    opened.push(await Promise.all(Array.from({ length: STREAMS }, () => open(api))));
  }
  const all = opened.flat();
  for (const stream of all) stream.read();
  const told = performance.now();
  await admin.must('POST', '/api/sites', { name: 'after' });
  await secondsUntil(() => all.every(({ events }) => events === 1), 10);
  const toldIn = performance.now() - told;
  await sleep(10_000);
  const [grown, added] = [residentOf(service) - memoryBefore, (await connections()) - connectionsBefore];
  check({
    what: `${all.length} open streams: growth of the process; further connections to the database, of a pool of 10; an event has arrived on all of them after`,
    asked: '100 MiB; the pool',
    reached: `${Math.round(grown)} MiB; ${added}; ${milliseconds(toldIn)}`,
    kept: grown < 100 && added < POOL_SIZE && all.every(({ events }) => events === 1),
  });

  const [first, second] = profiles;
  const ends = [];
  const ended = async (streamsOf, end) => {
    const began = performance.now();
    await end();
    await secondsUntil(() => streamsOf.every(({ endedAt }) => endedAt), 10);
    ends.push(most(streamsOf.map(({ endedAt }) => (endedAt ?? Infinity) - began)));
  };
  await ended(opened[0], () => admin.must('DELETE', `/api/profiles/${first.id}/sessions`));
  await ended(opened[1], () => admin.must('PATCH', `/api/profiles/${second.id}`, { areas: ['network'] }));
  const { data: token } = await admin.must('POST', '/api/tokens', { name: 'stream' });
  const ofToken = await Promise.all(
    Array.from({ length: STREAMS }, () => open(admin, { authorization: `Bearer ${token.token}` })),
  );
  for (const stream of ofToken) stream.read();
  await ended(ofToken, () => admin.must('DELETE', `/api/tokens/${token.id}`));
  check({
    what: 'The last of 100 streams has ended after the end of its session, the loss of an area, the end of its token',
    asked: '2 s',
    reached: ends.map(milliseconds).join(', '),
    kept: ends.every((ms) => ms < 2_000),
  });

  const deaf = await open(admin);
  const reading = await open(admin);
  reading.read();
  if (!isEstablished(service, deaf)) throw new Error('The connection of the stream is not found');
  const description = 'x'.repeat(60_000);
  for (let sent = 0; sent < FLOOD; sent += description.length) {
    await admin.must('POST', '/api/sites', { name: `flood ${sent}`, description });
  }
  const flooded = residentOf(service);
  say(`${Math.round(flooded)} MiB after ${Math.round(FLOOD / 1024 / 1024)} MiB of changes`);
  const ms = await secondsUntil(() => !isEstablished(service, deaf), 60);
  await service.end();
  await server.remove();
  reading.response.destroy();
  check({
    what: 'A client that does not read is cut off',
    asked: '60 s',
    reached: milliseconds(ms),
    kept: ms < 60_000,
  });
}
