import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppModule, type Parts } from './app.module.js';
import { AccessGuard } from '../access/access.guard.js';
import type { Caller } from '../access/access.js';
import { toDomainError } from '../database/database-errors.js';
import { announceClosing } from '../server/closing.js';
import { EnvelopeInterceptor } from '../server/envelope.interceptor.js';
import { ErrorFilter } from '../server/error.filter.js';
import { countAnswers } from '../server/held-answers.js';
import { requireOneHost } from '../server/host.js';
import { acceptFiles } from '../files/file-body.js';
import { acceptJson, limitBodies } from '../http/json-body.js';
import { createLogger, PinoLogger } from '../server/logger.js';
import { checkTargets } from '../server/request-target.js';
import { limitRequests } from '../server/rate-limit.js';
import { logRequests } from '../server/request-log.js';
import { RouteTable } from '../server/route-table.js';
import { securityHeaders, setAnswerHeaders } from '../server/security-headers.js';
import { ignoreExpectations, limitUploads, serverOptions } from '../server/server-options.js';
import { closeStalled, STALL_TIMEOUT } from '../server/stalled.js';
import { serveDocument } from '../document/serve.js';
import { AnswerMemory } from '../answers/answer-memory.js';

/** The authenticated caller of a request; undefined before the guard has run and on public routes. */
const callerOf = ({ context }: FastifyRequest): Caller | undefined => context?.caller;

/** The properties of a log line that identify the caller. */
function callerInLog(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined;
  const { profileId: profile, credential } = caller;
  return credential.kind === 'token' ? { profile, tokenId: credential.id, tokenName: credential.name } : { profile };
}

/** Builds the application on its database, ready to listen or to be called by a test. */
export async function createApp(parts: Parts): Promise<NestFastifyApplication> {
  const { configuration, db, stallTimeout = STALL_TIMEOUT, logger = createLogger(configuration.logLevel) } = parts;
  const headers = securityHeaders(configuration.secureCookies);
  const adapter = new FastifyAdapter(serverOptions(configuration.trustProxy, headers, logger) as never);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new RouteTable();
  // Must run before Nest registers its routes and its body parser.
  routes.watch(fastify);
  limitBodies(fastify);
  acceptJson(fastify);
  acceptFiles(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    bodyParser: false,
    logger: new PinoLogger(fastify.log),
    abortOnError: false,
  });
  const guard = app.get(AccessGuard);

  ignoreExpectations(fastify.server);
  closeStalled(fastify.server, stallTimeout);
  // In the order of a request: headers, body, handler, response, log line.
  limitUploads(fastify);
  setAnswerHeaders(fastify, headers);
  requireOneHost(fastify);
  guard.watch(fastify);
  checkTargets(fastify);
  await limitRequests(fastify, configuration.rateLimit, (request) => callerOf(request)?.credential.id);
  app.useGlobalInterceptors(app.get(EnvelopeInterceptor));
  app.useGlobalFilters(new ErrorFilter(routes, { refusalOf: toDomainError, isOut: () => db.outage.isOn }));
  announceClosing(fastify);
  countAnswers(fastify, app.get(AnswerMemory), (request) => callerOf(request)?.profileId);
  logRequests(fastify, (request) => callerInLog(callerOf(request)));

  serveDocument(app, { password: configuration.passwordLogin, singleSignOn: configuration.singleSignOn?.label });
  await app.init();
  await fastify.ready();
  return app;
}
