import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { LogController, type FastifyBaseLogger, type FastifyServerOptions } from 'fastify';
import { answerFrameworkError } from './framework-errors.js';
import { BODY_LIMIT } from './json-body.js';
import { refuseConnection } from './refused-connections.js';
import type { AnswerHeaders } from './security-headers.js';

/** Milliseconds that a client may take to send its headers, and its whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 12_000;

/** What Fastify and Node's server are told: limits of time and size, and who answers where no hook runs. */
export const serverOptions = (
  trustProxy: boolean | string,
  headers: AnswerHeaders,
  logger: FastifyBaseLogger,
): FastifyServerOptions =>
  ({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 2_000,
      // Node would refuse without a body and without our headers; `requireOneHost` does it.
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    trustProxy,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    loggerInstance: logger,
    // One line a request, when it is answered, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerFrameworkError(headers),
    clientErrorHandler: refuseConnection(headers, logger),
  }) as FastifyServerOptions;

/** Ignores what a client expects besides the usual `100-continue`; Node would answer 417 without a body. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
