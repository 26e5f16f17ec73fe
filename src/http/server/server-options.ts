import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { replyToFrameworkError } from './framework-errors.js';
import { BODY_LIMIT } from '../json-body.js';
import { refuseConnection } from './refused-connections.js';
import type { ResponseHeaders } from './security-headers.js';
import { requestLogger } from './trace-context.js';

/** Milliseconds within which a client must send its headers, and its complete request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 12_000;
/** The same for a file, which may be large. */
const FILE_TIMEOUT = 600_000;
/** Milliseconds within which the next byte of a file must arrive. */
const FILE_IDLE_TIMEOUT = 30_000;

/** Options of Fastify and Node's server: limits of time and size, and handlers for errors that occur outside of hooks. */
export const serverOptions = (
  trustProxy: boolean | string,
  headers: ResponseHeaders,
  logger: FastifyBaseLogger,
): FastifyServerOptions =>
  ({
    bodyLimit: BODY_LIMIT,
    requestTimeout: FILE_TIMEOUT,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 2_000,
      // Node's response would have no body and none of our headers. `requireOneHost` refuses the request instead.
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    trustProxy,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    loggerInstance: logger,
    childLoggerFactory: requestLogger,
    // One line per request, after its response, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: replyToFrameworkError(headers),
    clientErrorHandler: refuseConnection(headers, logger),
  }) as FastifyServerOptions;

/**
 * Refuses a body that takes too long. Node has one limit for all routes, which is that of files. A file may take longer, but must
 * not stop arriving.
 */
export function limitUploads(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const hasBody = length !== undefined || encoding !== undefined;
    // An injected request has no connection that could be slow.
    if (hasBody && raw.socket instanceof Socket) {
      const isFile = request.routeOptions.config.takesFile !== undefined;
      let received = raw.socket.bytesRead;
      const timer = setInterval(
        () => {
          if (raw.complete || raw.destroyed) return;
          const arrives = isFile && raw.socket.bytesRead > received;
          received = raw.socket.bytesRead;
          // A file that is read more slowly than it arrives is not the client's fault.
          if (arrives || (isFile && raw.readableLength > 0)) return;
          const late = Object.assign(new Error('The request took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
          fastify.server.emit('clientError', late, raw.socket);
        },
        isFile ? FILE_IDLE_TIMEOUT : REQUEST_TIMEOUT,
      ).unref();
      for (const event of ['end', 'close']) raw.once(event, () => clearInterval(timer));
    }
    done();
  });
}
