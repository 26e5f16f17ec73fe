import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import helmet from 'helmet';
import { AppModule, type Parts } from './app.module.js';
import { AccessGuard } from '../access/access.guard.js';
import type { Configuration } from '../config/configuration.js';
import { toDomainError } from '../database/database-errors.js';
import { isApiRequest, isApiUrl } from '../http/api-path.js';
import { clientAddress } from '../http/client-address.js';
import { announceClosing } from '../http/closing.js';
import { EnvelopeInterceptor } from '../http/envelope.interceptor.js';
import { ErrorFilter, ofStatus } from '../http/error.filter.js';
import { DomainError, ERRORS, Fault, ValidationFailed } from '../http/errors.js';
import { countAnswers } from '../http/held-answers.js';
import { IdempotencyInterceptor } from '../resource/idempotency/idempotency.interceptor.js';
import { acceptJsonOnly, BODY_LIMIT } from '../http/json-body.js';
import { JSON_TYPE } from '../http/replies.js';
import { RouteTable } from '../http/route-table.js';
import { createLogger, loggedUrl, PinoLogger } from '../http/logger.js';
import { closeStalled, STALL_TIMEOUT } from '../http/stalled.js';
import { Kernel } from '../records/kernel.js';
import { serveDocument } from '../openapi/serve.js';

/** Milliseconds that a client may take to send its headers, and its whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 12_000;

/** The application on its database, ready to listen or to be asked by a test. */
export async function createApp(parts: Parts): Promise<NestFastifyApplication> {
  const { configuration, logger = createLogger(configuration.logLevel) } = parts;
  const headers = securityHeaders(configuration);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 2_000,
      // Node would refuse without a body and without our headers; `requireHost` does it.
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    trustProxy: configuration.trustProxy,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    loggerInstance: logger,
    // One line a request, when it is answered, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    // Before the hooks, so without what they add.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { body, status } = ofStatus(error) ?? new DomainError('internal');
      void reply.headers(headers).header('x-request-id', request.id);
      if (isApiUrl(request.url)) void reply.header('cache-control', 'no-store');
      request.log.info({ method: request.method, url: loggedUrl(request.url), status }, 'request');
      void reply.status(status).type(JSON_TYPE).send(JSON.stringify(body));
    },
    clientErrorHandler: refuseConnection(headers, logger),
  } as unknown as FastifyServerOptions);
  const fastify = adapter.getInstance();
  // What a client expects besides the usual `100-continue` may be ignored; Node would answer 417 without a body.
  const server: Server = adapter.getHttpServer();
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const routes = new RouteTable();
  routes.watch(fastify as never);
  acceptJsonOnly(fastify as never);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    bodyParser: false,
    logger: new PinoLogger(fastify.log as never),
    abortOnError: false,
  });
  await limitRequests(app, configuration);
  const guard = app.get(AccessGuard);
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id);
    const isApi = isApiRequest(request as unknown as FastifyRequest);
    if (isApi) void reply.header('cache-control', 'no-store');
    requireHost(request.raw);
    await guard.check(request as unknown as FastifyRequest, isApi);
    if (isApi) assertDecodable(request.url);
    if (!request.is404) refuseQuery(request as unknown as FastifyRequest);
  });
  announceClosing(fastify as never);
  countAnswers(fastify as never, app.get(Kernel).memory);
  closeStalled(server, parts.stallTimeout ?? STALL_TIMEOUT);
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, url, context } = request as unknown as FastifyRequest;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const profile = context?.caller?.profileId;
    request.log.info({ method, url: loggedUrl(url), status: reply.statusCode, ms, profile }, 'request');
  });
  app.useGlobalFilters(new ErrorFilter(routes, { refusalOf: toDomainError, isOut: () => parts.db.outage.isOn }));
  // The envelope is the outer one: an answer is stored before it is wrapped.
  app.useGlobalInterceptors(app.get(EnvelopeInterceptor), app.get(IdempotencyInterceptor));
  serveDocument(app);
  await app.init();
  await fastify.ready();
  return app;
}

/** The headers that browsers heed: the same on every answer, so worked out once. */
function securityHeaders({ secureCookies }: Configuration): Record<string, string> {
  const headers: Record<string, string> = {};
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // For Swagger UI alone.
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secureCookies && { maxAge: 31_536_000 },
  });
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  middleware({} as never, response as never, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return headers;
}

/** The limit of a session's requests. */
async function limitRequests(app: NestFastifyApplication, { rateLimit: max }: Configuration): Promise<void> {
  if (max === 0) return;
  await app.register(rateLimit as never, {
    max,
    timeWindow: '1 minute',
    // After the guard, which knows the session, and before the body, so that one that cannot be read counts too.
    hook: 'preParsing',
    keyGenerator: (request: FastifyRequest) => request.context?.caller?.sessionId ?? clientAddress(request),
    allowList: ({ url }: FastifyRequest) => url.startsWith('/health'),
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      new DomainError(
        'tooManyRequests',
        `More than ${max} requests in a minute. Try again in ${Math.ceil(ttl / 1000)} s`,
      ),
  });
}

/**
 * Refuses what Node takes and RFC 9112 wants refused: HTTP/0.9, HTTP/1.1 without a Host, and two Hosts, of which a proxy
 * may have read the other.
 */
function requireHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion === '0.9') throw new DomainError('validation', 'The request is not valid HTTP');
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    throw new DomainError('validation', 'The request must have one Host header');
  }
}

/** Refuses a query string whose bytes are no UTF-8, which Fastify would take for the text of its escapes. */
function assertDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start < 0) return;
  try {
    decodeURIComponent(url.slice(start + 1));
  } catch {
    throw new DomainError('validation', 'The query string must be UTF-8, percent-encoded');
  }
}

/** Refuses a query string where nothing reads it: a filter that is ignored would look as if it had worked. */
function refuseQuery(request: FastifyRequest): void {
  const { config, url } = request.routeOptions;
  if (config.takesQuery || !url?.startsWith('/api')) return;
  const names = Object.keys(request.query as object);
  if (names.length === 0) return;
  throw new ValidationFailed(names.map((name) => new Fault(name, 'is not a parameter of this path, which takes none')));
}

const STATUS_TEXT = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const;

/** Answers what is no HTTP, or too much or too slow of it, before Fastify sees a request. */
function refuseConnection(headers: Record<string, string>, log: FastifyBaseLogger) {
  return (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse | null }): void => {
    // Within an answer that has begun there is no place for another one.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const [status, message] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ([ERRORS.headersTooLarge.status, ERRORS.headersTooLarge.message] as const)
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ([ERRORS.requestTimeout.status, ERRORS.requestTimeout.message] as const)
          : ([400, 'The request is not valid HTTP'] as const);
    const reqId = randomUUID();
    log.info({ reqId, status, code: error.code }, 'request');
    const body = JSON.stringify({ error: message });
    const lines = Object.entries({
      ...headers,
      'cache-control': 'no-store',
      'x-request-id': reqId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
