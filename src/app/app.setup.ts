import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AppDependencies, AppModule } from './app.module.js';
import { AccessGuard } from '../access/access.guard.js';
import type { Caller } from '../access/access.js';
import { ChangeFeed } from '../change-log/feed/change-feed.js';
import { FeedReaders } from '../change-log/feed/feed-readers.js';
import type { Database } from '../database/database.js';
import { toDomainError, violationsOf } from '../database/database-errors.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import { closedFields, type ClosedField } from '../transitions/closed-values.js';
import { serveOfInstallation, type OfInstallation } from '../custom-fields/installation-document.js';
import {
  announceClosing,
  answerExpectations,
  closeStalled,
  closeUnread,
  STALL_TIMEOUT,
} from '../http/server/client-connections.js';
import { EnvelopeInterceptor } from '../http/server/envelope.interceptor.js';
import { ErrorFilter } from '../http/server/error.filter.js';
import { checkTargets, requireOneHost } from '../http/server/request-target.js';
import { announceDeprecations } from '../http/deprecation.js';
import { servedOf } from '../http/static-response.js';
import { SpoolFile } from '../http/spool/spool-file.js';
import { ListStreams } from '../lists/list-streams.js';
import { tableOf } from '../lists/record-sql.js';
import { contextOf } from '../lists/request-context.js';
import { partOf, serveDocument } from '../openapi/document/serve.js';
import type { Slimming } from '../openapi/document/slim.js';
import { packageVersion } from '../openapi/document/version.js';
import { servePage } from '../page/serve-page.js';
import { serveMcp } from '../mcp/serve-mcp.js';
import { DocumentThread } from './documents/document-thread.js';
import type { OwnTask } from './documents/task.js';
import { otherRecord } from '../records/other-record.js';
import { References } from '../records/references.js';
import { Pipeline } from '../resource/pipeline.js';
import { acceptFiles, FILE_LIMIT } from '../resource/import/file-body.js';
import type { Fault } from '../http/errors.js';
import { BodySpace } from '../http/body-space.js';
import { acceptJson, isObject, limitBodies, MIB } from '../http/json-body.js';
import { createLogger, logRequests, PinoLogger } from '../http/server/logger.js';
import { limitRequests } from '../http/server/rate-limit.js';
import { RouteTable } from '../http/server/route-table.js';
import { securityHeaders, setResponseHeaders } from '../http/server/security-headers.js';
import { limitUploads, serverOptions } from '../http/server/server-options.js';
import { records } from '../schema/entities.js';
import { fastifyOf } from '../http/server/fastify.js';

/** The authenticated caller of a request; undefined before the guard has run and on public routes. */
const callerOf = ({ caller }: FastifyRequest): Caller | undefined => caller;

const recordOf = (table: string) => records.find((record) => tableOf(record) === table);

/**
 * The references in the request's body to missing records, of which the database reports only the first. They are looked up when the
 * transaction of the request has ended.
 */
async function danglingOf(request: FastifyRequest): Promise<readonly Fault[]> {
  const { body, db, ctx, routeOptions } = request;
  const dto = routeOptions.config.operation?.body;
  if (!ctx || !dto || !isObject(body)) return [];
  const references = new References(contextOf(request));
  references.add(dto, body, '');
  return references.dangling(db!);
}

/** The properties of a log line that identify the caller. */
function callerInLog(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined;
  const { profileId: profile, credential } = caller;
  return credential.kind === 'token' ? { profile, tokenId: credential.id, tokenName: credential.name } : { profile };
}

/** Serves metrics, if they are configured. Their modules are loaded only then. */
async function measure(
  app: NestFastifyApplication,
  { metrics, commit }: AppDependencies['configuration'],
  db: Database,
  bodies: BodySpace,
): Promise<void> {
  if (!metrics) return;
  const [{ serveMetrics }, { DatabaseReadings }] = await Promise.all([
    import('./metrics/serve-metrics.js'),
    import('./metrics/database-readings.js'),
  ]);
  const fastify = fastifyOf(app);
  const readings = new DatabaseReadings(db, app.get(ChangeFeed), (part, error) =>
    fastify.log.debug({ part, err: error }, 'A part of the metrics cannot be read'),
  );
  await serveMetrics(fastify, metrics, {
    db,
    readings,
    bodies,
    spool: app.get(SpoolFile),
    readers: app.get(FeedReaders),
    queues: {
      reads: db.readers,
      long_lists: app.get(ListStreams).queue,
      writes: db.writers,
      own_writes: db.ownWrites,
    },
    build: { version: packageVersion(), commit },
  });
}

/** Shared by all applications of the process, because their documents are the same. */
const documents = new DocumentThread();

/** Builds the application on its database, ready to listen or to be called by a test. */
export async function createApp(dependencies: AppDependencies): Promise<NestFastifyApplication> {
  const {
    configuration,
    dataSource,
    stallTimeout = STALL_TIMEOUT,
    logger = createLogger(configuration.logLevel),
  } = dependencies;
  const headers = securityHeaders(configuration.secureCookies);
  // Skips Nest's request wrapper for middleware, because there is no middleware.
  const options = { ...serverOptions(configuration.trustProxy, headers, logger), skipMiddie: true };
  const adapter = new FastifyAdapter(options);
  const fastify = adapter.getInstance<FastifyInstance>();
  const routes = new RouteTable();
  // Must run before Nest registers its routes and its body parser.
  routes.watch(fastify);
  announceDeprecations(fastify);
  limitBodies(fastify);
  const bodies = new BodySpace(configuration.bodyMemory * MIB);
  const holderOf = (request: FastifyRequest): string => callerOf(request)?.profileId ?? '';
  acceptJson(fastify, bodies, holderOf);
  // At least enough for two files of maximum size from each of two callers.
  acceptFiles(fastify, new BodySpace(Math.max(configuration.spool * MIB, 4 * FILE_LIMIT)), holderOf);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(dependencies), adapter, {
    bodyParser: false,
    logger: new PinoLogger(fastify.log),
    abortOnError: false,
  });
  const guard = app.get(AccessGuard);

  answerExpectations(fastify.server);
  closeStalled(fastify.server, stallTimeout);
  // In the order of a request: headers, body, handler, response, log line.
  limitUploads(fastify);
  closeUnread(fastify);
  setResponseHeaders(fastify, headers);
  requireOneHost(fastify);
  guard.watch(fastify);
  checkTargets(fastify);
  await limitRequests(fastify, configuration.rateLimit, (request) => callerOf(request)?.credential.id);
  const pipeline = app.get(Pipeline);
  app.useGlobalInterceptors(new EnvelopeInterceptor((...request) => pipeline.serve(...request)));
  app.useGlobalFilters(
    new ErrorFilter(routes, {
      refusalOf: toDomainError,
      violationsOf,
      otherRecord: (error, request) => otherRecord(dataSource.database, callerOf(request), recordOf, error),
      danglingReferences: danglingOf,
      isOut: () => dataSource.database.outage.isOn,
    }),
  );
  announceClosing(fastify);
  logRequests(fastify, (request) => callerInLog(callerOf(request)));
  await measure(app, configuration, dataSource.database, bodies);

  const ways = { password: configuration.passwordLogin, singleSignOn: configuration.singleSignOn?.label };
  const { publicUrl } = configuration;
  const published = serveDocument(app, ways, (part) => documents.make({ kind: 'published', ...part }), publicUrl);
  servePage(app, ways);
  if (configuration.mcp) serveMcp(fastify);
  const own = (
    kind: OwnTask['kind'],
    withoutAny: OfInstallation<Slimming>['withoutAny'],
  ): OfInstallation<Slimming> => ({
    withoutAny,
    made: ({ all }, seesOperations, closed, slimming) =>
      documents.make({ kind, definitions: all, seesOperations, publicUrl, slimming, closed: closed as ClosedField[] }),
  });
  const none = JSON.stringify({ collections: [], types: {} });
  const store = app.get(DefinitionStore);
  const document = { ...own('document', published), partOf, closed: () => closedFields(dataSource.database) };
  serveOfInstallation(app, '/api/openapi.json', document, store);
  serveOfInstallation(
    app,
    '/api/page/declarations.json',
    own('declarations', () => servedOf(none)),
    store,
  );
  await app.init();
  await fastify.ready();
  return app;
}
