import { destination, type Logger } from 'pino';
import { createApp } from './app.setup.js';
import { UsedSignIns } from '../auth/oidc/used-sign-ins.js';
import { LoginThrottling } from '../auth/password/login-throttle.js';
import { openSession, type SessionRequest } from '../auth/open-session.js';
import { Sessions } from '../auth/session/sessions.js';
import { openToken, type TokenForProfile } from '../auth/token/token-request.js';
import { loadCatalogue, shipCatalogue } from './startup/load-catalogue.js';
import { loadLibrary } from './startup/load-library.js';
import { WebhookWorker } from '../webhooks/webhook-worker.js';
import { ChangeLogRetention } from '../change-log/change-log-retention.js';
import type { Secrets } from '../access/secrets.js';
import type { OwnerRequest } from './owner-request.js';
import type { Configuration } from '../config/configuration.js';
import { openDatabase, type OpenDatabase } from '../schema/open-database.js';
import { listenFault } from '../http/server/listen-fault.js';
import { createLogger } from '../http/server/logger.js';
import { RecordCounts } from '../lists/record-counts.js';
import { backUp } from './startup/back-up.js';
import { banner, messageOfFailedStart } from './startup/banner.js';
import { administratorEmail, makeFirstAdministrator, type FirstAdministrator } from './startup/first-administrator.js';
import { startHousekeeping } from './startup/housekeeping.js';
import { startCancellingNoShows } from '../procurement/booking/no-shows.js';
import { reportRackConflicts } from './startup/rack-conflicts.js';
import { openSecrets } from './startup/secret-key.js';

/** Milliseconds that requests in flight have to finish at shutdown. */
const DRAIN_MS = 8_000;

/** Says what a first start is doing before it listens. */
const tell = (doing: string): void => void process.stdout.write(`${doing}\n`);

/**
 * Runs the service until it receives a signal to stop.
 * @returns the address that it listens on
 * @throws Error with a sentence for the operator
 */
export async function start(configuration: Configuration): Promise<string> {
  // Log lines are written in batches, because a line for each request would cost another system call. A fatal line flushes the buffer.
  const logger = createLogger(
    configuration.logLevel,
    destination({ sync: false, minLength: 8192, periodicFlush: 200 }),
  );
  const database = await openDatabase(configuration, logger, tell);
  try {
    return await serve(configuration, database, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(configuration: Configuration, database: OpenDatabase, logger: Logger): Promise<string> {
  const { db } = database;
  const secrets = await openSecrets(configuration, db);
  const made = await makeFirstAdministrator(db, configuration);
  try {
    return await run(configuration, database, logger, secrets, made);
  } catch (error) {
    // The next start finds the administrator and cannot show the password again.
    if (made) process.stdout.write(messageOfFailedStart(made, configuration.passwordLogin));
    throw error;
  }
}

/** @param made the administrator that this start has created */
async function run(
  configuration: Configuration,
  database: OpenDatabase,
  logger: Logger,
  secrets: Secrets,
  made: FirstAdministrator | undefined,
): Promise<string> {
  const { db, dataSource } = database;
  if (made && configuration.catalogue) tell('Loading the catalogue that is shipped.');
  await shipCatalogue(db, configuration.catalogue);
  const app = await createApp({ configuration, dataSource, secrets, logger });
  const sessions = app.get(Sessions);
  const stopHousekeeping = startHousekeeping(
    {
      db,
      sessions,
      throttling: app.get(LoginThrottling),
      signIns: app.get(UsedSignIns),
      counts: app.get(RecordCounts),
      changeLog: app.get(ChangeLogRetention),
      webhooks: app.get(WebhookWorker),
    },
    (err) => logger.error({ err }, 'Housekeeping failed'),
  );
  const stopNoShows = startCancellingNoShows(db, (err) => logger.error({ err }, 'Cancelling no-shows failed'));
  // While the service runs, the command line cannot open the embedded database. It sends its requests here.
  const { embedded } = database;
  embedded?.onRequest(async (request) => {
    const { command, ...rest } = request as OwnerRequest;
    if (command === 'catalogue') {
      const { library } = rest as { library?: string };
      return library === undefined ? loadCatalogue(db) : loadLibrary(app, db, library);
    }
    if (command === 'backup') {
      return backUp({ embedded, pool: db.pool }, configuration.dataDir, (rest as { file: string }).file);
    }
    if (command === 'token') return { token: await openToken(db, rest as TokenForProfile) };
    return { token: await openSession(db, sessions, rest as SessionRequest) };
  });
  app.get(WebhookWorker).start();
  await app.listen(configuration.port, configuration.host).catch(async (error: NodeJS.ErrnoException) => {
    // Before the database is closed, because running work needs it.
    stopHousekeeping();
    stopNoShows();
    await app.close();
    throw listenFault(error, configuration);
  });
  // Requests are answered meanwhile, because this reads all devices in racks.
  reportRackConflicts(db, logger).catch((err: unknown) => logger.error({ err }, 'Checking the racks failed'));

  const { address, port } = app.getHttpServer().address() as { address: string; port: number };
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  const url = `http://${host}:${port}`;
  const adminEmail = await administratorEmail(db, configuration.adminEmail);
  process.stdout.write(banner(url, configuration, adminEmail, made));

  // An unhandled rejection belongs to one request. It must not end the others.
  process.on('unhandledRejection', (err) => logger.error({ err }, 'Unhandled promise rejection'));

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info(`${signal}: finishing requests in flight`);
    stopHousekeeping();
    stopNoShows();
    // Keep-alive connections would otherwise keep the server open.
    const deadline = setTimeout(() => app.getHttpServer().closeAllConnections(), DRAIN_MS).unref();
    await app.close();
    clearTimeout(deadline);
    await database.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((err: unknown) => {
        logger.fatal({ err }, 'Stopping failed');
        process.exit(1);
      });
    });
  }
  return url;
}
