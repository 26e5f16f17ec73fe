import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  LogController,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import helmet from 'helmet';
import { AppModule, type Parts } from './app.module.js';
import { AccessGuard } from './auth/guard.js';
import type { Configuration } from './config/configuration.js';
import { EnvelopeInterceptor } from './http/envelope.interceptor.js';
import { ErrorFilter, ofStatus } from './http/error.filter.js';
import { DomainError, ERRORS, Fault, ValidationFailed } from './http/errors.js';
import { IdempotencyInterceptor } from './http/idempotency.interceptor.js';
import { acceptJsonOnly, BODY_LIMIT } from './http/json-body.js';
import { RouteTable } from './http/route-table.js';
import { PinoLogger } from './http/logger.js';
import { serveDocument } from './openapi/serve.js';

/** Milliseconds that a client may take to send its headers, and its whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 12_000;

/** The application on its database, ready to listen or to be asked by a test. */
export async function createApp(parts: Parts): Promise<NestFastifyApplication> {
  const { configuration } = parts;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    // Node refuses a request without a Host by itself, with no body; `assertHttp` does.
    http: { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    keepAliveTimeout: 72_000,
    trustProxy: configuration.trustProxy,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    ...(parts.logger ? { loggerInstance: parts.logger } : { logger: { level: configuration.logLevel } }),
    // One line a request, when it is answered, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    // Before the hooks, so without what they add.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      send(reply.header('x-request-id', request.id), ofStatus(error) ?? new DomainError('internal')),
    clientErrorHandler,
  } as unknown as FastifyServerOptions);
  const fastify = adapter.getInstance();
  const routes = new RouteTable();
  routes.watch(fastify as never);
  acceptJsonOnly(fastify as never);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    bodyParser: false,
    logger: new PinoLogger(fastify.log as never),
    abortOnError: false,
  });
  await limitRequests(app, configuration);
  const headers = securityHeaders(configuration);
  const guard = app.get(AccessGuard);
  const server = app.getHttpServer() as Server;
  // An expectation besides 100-continue may be ignored; Node would refuse it, with no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id);
    assertHttp(request.raw);
    if (request.url.startsWith('/api')) void reply.header('cache-control', 'no-store');
    await guard.check(request as unknown as FastifyRequest);
    assertDecodable(request.url);
    if (!request.is404) refuseQuery(request as unknown as FastifyRequest);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, url, context } = request as unknown as FastifyRequest;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method, url, status: reply.statusCode, ms, profile: context?.caller?.profileId }, 'request');
  });
  app.useGlobalFilters(new ErrorFilter(routes));
  // The envelope is the outer one: an answer is stored before it is wrapped.
  app.useGlobalInterceptors(app.get(EnvelopeInterceptor), app.get(IdempotencyInterceptor));
  serveDocument(app);
  await app.init();
  await fastify.ready();
  return app;
}

/** Refuses what Node takes for HTTP and RFC 9112 does not: HTTP/0.9, and any number of Hosts but one. */
function assertHttp({ httpVersion, rawHeaders }: IncomingMessage): void {
  const isHost = (name: string, index: number): boolean => index % 2 === 0 && name.toLowerCase() === 'host';
  if (httpVersion === '0.9') throw new DomainError('validation', 'The request is not valid HTTP');
  if (httpVersion !== '1.0' && rawHeaders.filter(isHost).length !== 1) {
    throw new DomainError('validation', 'The request must have one Host header');
  }
}

/** The headers that browsers heed: the same on every answer, so worked out once. */
function securityHeaders({ secureCookies }: Configuration): Record<string, string> {
  const headers: Record<string, string> = {};
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // For Swagger UI alone, which styles its elements by attributes.
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
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
    // After the guard, which knows the session.
    hook: 'preValidation',
    keyGenerator: ({ context, ip }: FastifyRequest) => context?.caller?.sessionId ?? ip,
    allowList: ({ url }: FastifyRequest) => url.startsWith('/health'),
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      new DomainError(
        'tooManyRequests',
        `More than ${max} requests in a minute. Try again in ${Math.ceil(ttl / 1000)} s`,
      ),
  });
}

/** Refuses a query string whose bytes are no UTF-8, which Fastify would take for the text of its escapes. */
function assertDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !url.startsWith('/api')) return;
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

function send(reply: FastifyReply, refusal: DomainError): void {
  void reply.status(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(refusal.body));
}

/** Answers what is no HTTP, or too much or too slow of it, before Fastify sees a request. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([ERRORS.headersTooLarge.status, ERRORS.headersTooLarge.message] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([ERRORS.requestTimeout.status, ERRORS.requestTimeout.message] as const)
        : ([400, 'The request is not valid HTTP'] as const);
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
