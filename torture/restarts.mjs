// Restarts the PostgreSQL server while clients write and read, then stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, count, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';
import { Writers } from './writers.mjs';

const POOL_SIZE = 10;
const succeeded = ({ status }) => status < 300;

export default async function restarts({ check, say, times = 10 }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const writers = await Writers.make(api);
  writers.start();
  const firsts = [];
  const lasts = [];
  for (let n = 1; n <= times; n++) {
    await sleep(500);
    const accepts = server.acceptsAfter(await server.began());
    await server.restart();
    const from = await accepts;
    await sleep(2_500);
    const successes = writers.answers.filter((answer) => answer.at > from && succeeded(answer));
    const recovered = writers.clients.map((_, writer) => successes.find((answer) => answer.writer === writer)?.at);
    firsts.push((successes[0]?.at ?? Infinity) - from);
    lasts.push(most(recovered.map((at) => at ?? Infinity)) - from);
    say(`restart ${n}: first success after ${milliseconds(firsts.at(-1))}, all after ${milliseconds(lasts.at(-1))}`);
  }
  await writers.rest();
  const statuses = writers.statuses();
  const others = [...statuses.keys()].filter((status) => status >= 300 && status !== 503);
  check({
    what: `${times} restarts under 16 clients: responses other than successes`,
    asked: 'only 503',
    reached: `${count(writers.answers.length)} responses, ${statuses.get(503) ?? 0} of them 503, others ${others.length === 0 ? 'none' : others.join(', ')}; ${writers.unanswered} requests without a response`,
    kept: others.length === 0 && writers.unanswered === 0 && statuses.get(503) > 0,
  });
  const slowest = most(writers.answers.map(({ ms }) => ms));
  check({ what: 'Slowest response', asked: '5 s', reached: milliseconds(slowest), kept: slowest < 5_000 });
  check({
    what: 'First success after the server accepts connections again; first success of all 16 clients',
    asked: '2 s',
    reached: `${milliseconds(most(firsts))}; ${milliseconds(most(lasts))}`,
    kept: most(firsts) < 2_000,
  });
  const { lost, disagreements } = await writers.audit();
  check({
    what: 'Missing acknowledged writes',
    asked: 'none',
    reached: `${lost} of ${count(writers.acknowledged)}${disagreements.join(', ')}`,
    kept: lost === 0 && disagreements.length === 0,
  });
  const together = await Promise.all(
    Array.from({ length: 4 * POOL_SIZE }, () => api.request('GET', '/api/runbooks?pageSize=1&search=storm')),
  );
  const [pool] = await server.query(
    `SELECT count(*)::int AS n, count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS stuck
     FROM pg_stat_activity WHERE application_name = 'infrastructure-inventory'`,
  );
  check({
    what: `Pool of ${POOL_SIZE} connections afterwards: ${4 * POOL_SIZE} concurrent requests`,
    asked: 'all served',
    reached: `${together.filter(succeeded).length} succeeded, the slowest in ${milliseconds(most(together.map(({ ms }) => ms)))}; ${pool.n} connections, ${pool.stuck} stuck`,
    kept: together.every(succeeded) && pool.n <= POOL_SIZE && pool.stuck === 0,
  });
  const lines = errorLines(service);
  check({
    what: 'Log lines at level error',
    asked: 'one per outage',
    reached: `${lines} for ${times} outages`,
    kept: lines <= times,
  });

  await server.stop();
  const asked = { '/health/live': 200, '/health/ready': 503, '/api/runbooks': 503 };
  const stopped = await watch(api, asked, 3_000);
  check({
    what: 'Server stopped: `/health/live` 200, `/health/ready` 503, others 503',
    asked: '2 s',
    reached: stopped.map(({ path, wrong, slowest: ms }) => `${path} ${wrong} wrong, ${milliseconds(ms)}`).join('; '),
    kept: stopped.every(({ wrong, slowest: ms }) => wrong === 0 && ms < 2_000),
  });
  const started = performance.now();
  await server.start();
  while ((await api.request('GET', '/health/ready')).status !== 200 && performance.now() - started < 20_000) {
    await sleep(10);
  }
  const ready = performance.now() - started;
  check({
    what: 'Ready again after the server starts',
    asked: '2 s',
    reached: milliseconds(ready),
    kept: ready < 2_000,
  });
  const { code } = await service.end();
  if (code !== 0) throw new Error(`The service ended with ${code}`);
  await server.remove();
}

/** Polls each path for a while: the number of responses with an unexpected status, and the slowest response. */
function watch(api, asked, ms) {
  const until = performance.now() + ms;
  return Promise.all(
    Object.entries(asked).map(async ([path, status]) => {
      const answers = [];
      while (performance.now() < until) {
        answers.push(await api.request('GET', path));
        await sleep(50);
      }
      return {
        path,
        wrong: answers.filter((answer) => answer.status !== status).length,
        slowest: most(answers.map((answer) => answer.ms)),
      };
    }),
  );
}

const errorLines = (service) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{"level":50')).length;
