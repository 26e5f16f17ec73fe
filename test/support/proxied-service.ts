import { createDataSource } from '../../src/schema/data-source.js';
import { startServiceOn, type Api, type TestService } from './app.js';
import { createTestDatabase, onServer, patientPool, type TestDatabase } from './database.js';
import { DatabaseProxy } from './database-proxy.js';

/** A second service on the database of a test, through a proxy. This requires a server. */
export interface ProxiedService extends TestService {
  proxy: DatabaseProxy;
}

export async function startProxied({ url }: TestDatabase): Promise<ProxiedService> {
  const proxy = await DatabaseProxy.open(url!);
  const dataSource = createDataSource(patientPool(proxy.through(url!)));
  await dataSource.initialize();
  const db = dataSource.database;
  db.pool.on('error', () => {});
  const drop = async (): Promise<void> => {
    await dataSource.destroy();
    await proxy.close();
  };
  return { ...(await startServiceOn({ db, dataSource, url, drop })), proxy };
}

/** Runs `work`. @returns its result, and how many requests to the database it took */
export async function counted<T>(
  { proxy }: ProxiedService,
  work: () => Promise<T>,
): Promise<{ result: T; roundTrips: number }> {
  const before = proxy.roundTrips;
  const result = await work();
  return { result, roundTrips: proxy.roundTrips - before };
}

/** The minimum of three runs, because sometimes a session is looked up, or an idle connection tested. */
export async function fewestRoundTrips(proxied: ProxiedService, work: () => Promise<unknown>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) runs.push((await counted(proxied, work)).roundTrips);
  return Math.min(...runs);
}

/** A client, already logged in, of a service whose database is no longer available. */
export async function startWithoutDatabase(): Promise<{ admin: Api; stop(): Promise<void> }> {
  const database = await createTestDatabase();
  if (!onServer) {
    const service = await startServiceOn(database);
    const admin = await service.as('admin');
    await database.goAway!();
    return { admin, stop: () => service.stop() };
  }
  const service = await startProxied(database);
  const admin = await service.as('admin');
  service.proxy.onConnect = 'reset';
  service.proxy.breakAll('reset');
  return {
    admin,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}
