// The PostgreSQL server stops responding: its processes are suspended under 16 reading clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';

const CLIENTS = 16;
// Longer than the timeout of any request that is in flight when the silence begins.
const SILENT_MS = 24_000;

export default async function serverSilent({ check }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const answers = [];
  const stop = new AbortController();
  const ask = async (path) => {
    const from = performance.now();
    const { status, ms } = await api.request('GET', path);
    answers.push({ path, status, ms, from, at: performance.now() });
    if (status >= 300) await sleep(50);
  };
  const loop = async (path) => {
    while (!stop.signal.aborted) await ask(path);
  };
  const list = '/api/runbooks?pageSize=20&search=a';
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => loop(list)));
  await sleep(1_000);
  const silent = performance.now();
  server.signal('SIGSTOP');
  while (performance.now() < silent + SILENT_MS) {
    await Promise.all(['/health/live', '/health/ready'].map(ask));
    await sleep(200);
  }
  const loud = performance.now();
  server.signal('SIGCONT');
  await sleep(2_500);
  stop.abort();
  await clients;

  const during = (path) => answers.filter((answer) => answer.path === path && answer.at > silent && answer.from < loud);
  for (const [path, status] of [
    ['/health/live', 200],
    ['/health/ready', 503],
  ]) {
    const asked = during(path);
    const wrong = asked.filter((answer) => answer.status !== status).length;
    const slowest = most(asked.map(({ ms }) => ms));
    check({
      what: `\`${path}\` while the server does not respond: ${status}`,
      asked: '2 s',
      reached: `${wrong} of ${asked.length} wrong, ${milliseconds(slowest)}`,
      kept: wrong === 0 && slowest < 2_000,
    });
  }
  const refused = during(list).filter(({ status }) => status >= 300);
  const before = refused.filter(({ from }) => from <= silent + 1_000);
  const later = refused.filter(({ from }) => from > silent + 1_000);
  // Requests that were still waiting when the silence ended count too, although they succeeded.
  const waited = during(list).filter(({ from }) => from > silent + 1_000);
  const slowest = { before: most(before.map(({ ms }) => ms)), later: most(waited.map(({ ms }) => ms)) };
  check({
    what: `${CLIENTS} clients: requests that arrive a second later or more`,
    asked: '503 within 5 s',
    reached: `${later.length} refused, the slowest in ${milliseconds(slowest.later)}`,
    kept: later.length > 0 && later.every(({ status }) => status === 503) && slowest.later < 5_000,
  });
  check({
    what: 'Requests whose statement was already sent, or followed within a second',
    asked: '503 within `STATEMENT_TIMEOUT_MS` and 5 s',
    reached: `${before.length}, the slowest in ${milliseconds(slowest.before)}`,
    kept: before.length > 0 && before.every(({ status }) => status === 503) && slowest.before < 21_000,
  });
  const first = answers.find(({ path, status, at }) => path === list && at > loud && status === 200)?.at ?? Infinity;
  check({
    what: 'First success after the silence',
    asked: '2 s',
    reached: milliseconds(first - loud),
    kept: first - loud < 2_000,
  });
  await service.end();
  await server.remove();
}
