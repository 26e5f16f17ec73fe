import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { MetricsSettings } from '../../config/metrics.js';
import { DomainError } from '../../http/errors.js';
import { pathOf } from '../../http/api-path.js';
import { errorBody } from '../../http/error-body.js';
import { JSON_TYPE } from '../../http/replies.js';
import { listenFault } from '../../http/server/listen-fault.js';
import { securityHeaders } from '../../http/server/security-headers.js';
import { Metrics, type Measured } from './metrics.js';

const PATH = '/metrics';
/** Maximum connections of the listener for metrics. There are never that many scrapers. */
const MOST_CONNECTIONS = 32;
const TIMEOUT = 10_000;

/** Headers of responses on a separate port, which has no TLS. */
const HEADERS = securityHeaders(false);

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares a header with the token in constant time. */
function admits(token: string | undefined): (header: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const wanted = digestOf(token);
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return timingSafeEqual(digestOf(given ?? ''), wanted);
  };
}

const refused = (): DomainError =>
  new DomainError('unauthenticated', 'The Authorization header must be Bearer followed by METRICS_TOKEN', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Serves the metrics on the listener of the API, or on one of their own. Must run before the hooks of other responses are added. */
export async function serveMetrics(
  fastify: FastifyInstance,
  { token, listener }: MetricsSettings,
  measured: Measured,
): Promise<void> {
  const metrics = new Metrics(measured);
  const mayRead = admits(token);
  metrics.watch(fastify);
  if (listener) {
    const server = await listen(listener, (request, response) => answer(metrics, mayRead, request, response));
    fastify.addHook('onClose', async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return;
  }
  // `METRICS_TOKEN` protects them. A scraper may add parameters of its own.
  fastify.get(PATH, { config: { access: { public: true }, takesQuery: true } }, async (request, reply) => {
    if (!mayRead(request.headers.authorization)) {
      const refusal = refused();
      const { type, text } = errorBody(refusal, request);
      return reply.status(refusal.status).headers(refusal.extra.headers!).type(type).send(text);
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

async function listen(
  { host, port }: { host: string; port: number },
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const options = { headersTimeout: TIMEOUT, requestTimeout: TIMEOUT, connectionsCheckingInterval: 2_000 };
  const server = createServer(options, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(3 * TIMEOUT, (socket) => socket.destroy());
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error as Error, { host, port }, 'METRICS_');
  }
  return server;
}

async function answer(
  metrics: Metrics,
  mayRead: (header: string | undefined) => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '', headers } = request;
  // The body of a scrape is not read, so its connection cannot be reused.
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined || Number(length ?? 0) > 0) void response.setHeader('connection', 'close');
  const send = (status: number, type: string, text: string, extra: Record<string, string> = {}): void => {
    const size = Buffer.byteLength(text);
    response.writeHead(status, {
      ...HEADERS,
      ...extra,
      'content-type': type,
      'content-length': size,
      'cache-control': 'no-store',
    });
    response.end(method === 'HEAD' ? undefined : text);
  };
  const refuse = ({ status, body, extra }: DomainError): void =>
    send(status, JSON_TYPE, JSON.stringify(body), extra.headers);
  if (pathOf(url) !== PATH) refuse(new DomainError('not_found', 'Only /metrics is served here'));
  else if (method !== 'GET' && method !== 'HEAD') {
    refuse(
      new DomainError('method_not_allowed', `This path accepts GET, HEAD, not ${method}`, {
        headers: { allow: 'GET, HEAD' },
      }),
    );
  } else if (!mayRead(headers.authorization)) refuse(refused());
  else send(200, metrics.contentType, await metrics.text());
}
