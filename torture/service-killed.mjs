// Kills the service with kill -9 under writers: on the embedded database, then on a PostgreSQL server.
import { randomInt } from 'node:crypto';
import { checkLedger, crashes } from './crashes.mjs';
import {
  Api,
  launch,
  milliseconds,
  openSession,
  PostgresServer,
  startService,
  temporaryDirectory,
} from './support.mjs';

export default async function serviceKilled({ check, say, times = 20 }) {
  const directory = temporaryDirectory();
  const embedded = { DATA_DIR: directory.path };
  const second = { tried: 0, refused: 0 };
  const result = await killed({
    settings: embedded,
    times,
    say,
    async beside(pid) {
      second.tried++;
      const other = await launch(embedded);
      const { code } = await other.exited;
      if (code === 1 && other.log().includes(`is in use by another process (pid ${pid})`)) second.refused++;
      await other.end();
    },
  });
  checkLedger({ check, what: `${times} × kill -9, embedded database`, result });
  check({
    what: 'Successful starts of the embedded database afterwards, and after starts that were killed; the slowest',
    asked: 'every time',
    reached: `${times} of ${times}; ${milliseconds(result.slowest)}`,
    kept: true,
  });
  check({
    what: 'A second process on its directory is refused',
    asked: 'always',
    reached: `${second.refused} of ${second.tried}`,
    kept: second.refused === second.tried,
  });
  directory.remove();

  const server = await PostgresServer.make();
  checkLedger({
    check,
    what: `${times} × kill -9, PostgreSQL server`,
    result: await killed({ settings: { DATABASE_URL: server.url }, times, say }),
  });
  await server.remove();
}

/**
 * Kills the service while clients write.
 * @param beside runs now and then while the clients write
 * @param clients the usual ones if absent
 */
export async function killed({ settings, times, say, beside, clients }) {
  let service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const result = await crashes({
    api,
    times,
    say,
    clients,
    async strike(writers, n) {
      if (n % 5 === 0) await beside?.(service.pid);
      await service.end('SIGKILL');
      await writers.rest();
      // Sometimes the service is killed during its start: 300 ms suffice to load the code, 1,500 ms to be replaying the log.
      if (n % 4 === 0) await (await launch(settings, randomInt(300, 1_500))).end('SIGKILL');
      const started = performance.now();
      // A failed start throws, which ends the test.
      service = await startService(settings);
      api.url = service.url;
      return performance.now() - started;
    },
  });
  const { code } = await service.end();
  if (code !== 0) throw new Error(`The service ended with ${code}`);
  return result;
}
