import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppModule, type Parts } from './app.module.js';
import { AccessGuard } from '../access/access.guard.js';
import type { Caller } from '../access/access.js';
import { toDomainError } from '../database/database-errors.js';
import { announceClosing } from '../http/closing.js';
import { EnvelopeInterceptor } from '../http/envelope.interceptor.js';
import { ErrorFilter } from '../http/error.filter.js';
import { countAnswers } from '../http/held-answers.js';
import { requireOneHost } from '../http/host.js';
import { acceptJsonOnly } from '../http/json-body.js';
import { createLogger, PinoLogger } from '../http/logger.js';
import { checkQueryStrings } from '../http/query-string.js';
import { limitRequests } from '../http/rate-limit.js';
import { logRequests } from '../http/request-log.js';
import { RouteTable } from '../http/route-table.js';
import { securityHeaders, setAnswerHeaders } from '../http/security-headers.js';
import { ignoreExpectations, serverOptions } from '../http/server-options.js';
import { closeStalled, STALL_TIMEOUT } from '../http/stalled.js';
import { serveDocument } from '../openapi/serve.js';
import { Kernel } from '../records/kernel.js';
import { IdempotencyInterceptor } from '../resource/idempotency/idempotency.interceptor.js';

/** Who sends a request; undefined before the guard has run, and on public routes. */
const callerOf = ({ context }: FastifyRequest): Caller | undefined => context?.caller;

/** The application on its database, ready to listen or to be asked by a test. */
export async function createApp(parts: Parts): Promise<NestFastifyApplication> {
  const { configuration, db, stallTimeout = STALL_TIMEOUT, logger = createLogger(configuration.logLevel) } = parts;
  const headers = securityHeaders(configuration.secureCookies);
  const adapter = new FastifyAdapter(serverOptions(configuration.trustProxy, headers, logger) as never);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new RouteTable();
  // Before Nest registers its routes and its parser of bodies.
  routes.watch(fastify);
  acceptJsonOnly(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    bodyParser: false,
    logger: new PinoLogger(fastify.log),
    abortOnError: false,
  });
  const guard = app.get(AccessGuard);

  // A connection.
  ignoreExpectations(fastify.server);
  closeStalled(fastify.server, stallTimeout);
  // A request, in order: its headers, its body, its handler, its answer, its line in the log.
  setAnswerHeaders(fastify, headers);
  requireOneHost(fastify);
  fastify.addHook('onRequest', (request) => guard.check(request));
  checkQueryStrings(fastify);
  await limitRequests(fastify, configuration.rateLimit, (request) => callerOf(request)?.sessionId);
  // The envelope is the outer one: an answer is stored before it is wrapped.
  app.useGlobalInterceptors(app.get(EnvelopeInterceptor), app.get(IdempotencyInterceptor));
  app.useGlobalFilters(new ErrorFilter(routes, { refusalOf: toDomainError, isOut: () => db.outage.isOn }));
  announceClosing(fastify);
  countAnswers(fastify, app.get(Kernel).memory, (request) => callerOf(request)?.profileId);
  logRequests(fastify, (request) => callerOf(request)?.profileId);

  serveDocument(app);
  await app.init();
  await fastify.ready();
  return app;
}
