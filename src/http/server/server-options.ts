import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { BODY_LIMIT } from '../json-body.js';
import { limitAhead, refuseConnection } from './client-connections.js';
import type { ResponseHeaders } from './security-headers.js';
import { ofStatus } from './error.filter.js';
import { DomainError } from '../errors.js';
import { loggedUrl } from './logger.js';
import { errorBody } from '../error-body.js';

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
    serverFactory: (handler: RequestListener) =>
      createServer(
        {
          headersTimeout: HEADERS_TIMEOUT,
          requestTimeout: FILE_TIMEOUT,
          keepAliveTimeout: 72_000,
          connectionsCheckingInterval: 2_000,
          // Node's response would have no body and none of our headers. `requireOneHost` refuses the request instead.
          requireHostHeader: false,
        },
        limitAhead(handler),
      ),
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
 * Refuses a body that takes too long. Node has a single timeout for all routes, which is that of files. A file may take longer, but
 * must not stop arriving.
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

const VERSION_0 = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/;
/** A later version may append to the same beginning. Version `ff` is invalid. */
const LATER = /^(?!00|ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** The context of a distributed trace, from the header `traceparent` of W3C Trace Context. Undefined, and ignored, if it is not valid. */
export function parseTraceParent(header: string): { traceId: string; parentId: string } | undefined {
  const [, traceId, parentId] = VERSION_0.exec(header) ?? LATER.exec(header) ?? [];
  return traceId === undefined ? undefined : { traceId, parentId: parentId! };
}

/** The logger of a request, whose lines name its trace if it belongs to one. */
function requestLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  options: object,
  request: { headers: Record<string, string | string[] | undefined> },
): FastifyBaseLogger {
  const { traceparent } = request.headers;
  // Node joins repeated headers with a comma, which makes them invalid.
  const trace = typeof traceparent === 'string' ? parseTraceParent(traceparent.trim()) : undefined;
  if (!trace) return logger.child(bindings, options);
  const ids = { trace_id: trace.traceId, span_id: randomBytes(8).toString('hex'), parent_span_id: trace.parentId };
  return logger.child({ ...bindings, ...ids }, options);
}

/** Responds to requests that Fastify refuses before any hook runs, for example those with a URL that cannot be decoded. */
const replyToFrameworkError =
  (headers: ResponseHeaders) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = ofStatus(error) ?? new DomainError('internal');
    const { status } = refusal;
    void reply.headers(headers).headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    request.log.info({ method: request.method, url: loggedUrl(request.url), status }, 'request');
    const { type, text } = errorBody(refusal, request);
    void reply.status(status).type(type).send(text);
  };
