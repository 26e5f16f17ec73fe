// Kills the PostgreSQL server with kill -9 under writers: its postmaster, or one backend, after which it recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkLedger, crashes } from './crashes.mjs';
import { Api, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';

export default async function serverKilled({ check, say, times = 10 }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const comebacks = [];
  const result = await crashes({
    api,
    times,
    say,
    async strike(writers, n) {
      const began = await server.began();
      const from = performance.now();
      let accepted;
      if (n % 2 === 0) {
        server.killPostmaster();
        await server.startAfterKill();
        accepted = await server.acceptsAfter(began);
      } else {
        const [{ pid }] = await server.query(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'infrastructure-inventory'
           ORDER BY state = 'active' DESC LIMIT 1`,
        );
        process.kill(pid, 'SIGKILL');
        // The postmaster survives and ends all backends. It admits no connections until the log is replayed.
        await sleep(100);
        accepted = await accepts(server);
      }
      await sleep(2_500);
      const first = writers.answers.find(({ at, status }) => at > accepted && status < 300)?.at ?? Infinity;
      comebacks.push(first - accepted);
      return accepted - from;
    },
  });
  checkLedger({ check, what: `${times} × kill -9 of the postmaster or of a backend in turn`, result });
  const statuses = result.writers.statuses();
  const others = [...statuses.keys()].filter((status) => status >= 300 && status !== 503);
  check({
    what: 'Responses other than successes',
    asked: 'only 503',
    reached: `${statuses.get(503) ?? 0} × 503, others ${others.length === 0 ? 'none' : others.join(', ')}; ${result.writers.unanswered} requests without a response`,
    kept: others.length === 0 && result.writers.unanswered === 0,
  });
  const slowest = most(result.writers.answers.map(({ ms }) => ms));
  check({ what: 'Slowest answer', asked: '5 s', reached: milliseconds(slowest), kept: slowest < 5_000 });
  check({
    what: 'First success after the server accepts connections again',
    asked: '2 s',
    reached: milliseconds(most(comebacks)),
    kept: most(comebacks) < 2_000,
  });
  await service.end();
  await server.remove();
}

/** Waits until the server accepts connections. Resolves to the time, as `performance.now()`. */
async function accepts(server) {
  while (!(await server.began().catch(() => undefined))) await sleep(10);
  return performance.now();
}
