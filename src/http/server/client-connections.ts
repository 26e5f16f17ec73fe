import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { DomainError } from '../errors.js';
import { JSON_TYPE } from '../replies.js';
import type { ResponseHeaders } from './security-headers.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The refusals for errors of Node's parser. */
const REFUSALS: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError('request_timeout'),
};

/**
 * Responds to connections with invalid HTTP, or with headers that are too large or too slow. Fastify sees no request for these.
 */
export function refuseConnection(headers: ResponseHeaders, log: FastifyBaseLogger) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A response that has begun cannot be followed by another one.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    const refusal = REFUSALS[error.code ?? ''] ?? new DomainError('validation', 'The request is not valid HTTP');
    const { status } = refusal;
    const reqId = randomUUID();
    log.info({ reqId, status, code: error.code }, 'request');
    const body = JSON.stringify(refusal.body);
    const lines = Object.entries({
      ...headers,
      'cache-control': 'no-store',
      'x-request-id': reqId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/** Maximum number of pipelined requests. Browsers and HTTP libraries wait for each response. */
const MOST_AHEAD = 8;

/** The responses under way on a connection. Pipelined requests have several. */
const underWay = new WeakMap<Socket, readonly ServerResponse[]>();

const responsesOn = (socket: Socket): readonly ServerResponse[] =>
  (underWay.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed);

/** Whether a response has been sent in part. */
const hasBegun = (socket: Socket): boolean => responsesOn(socket).some(({ headersSent }) => headersSent);

/**
 * Closes connections with more pipelined requests. Node reads some 1,500 small requests at once, and would hold all of them and their
 * responses.
 * @param handle sees no request of a closed connection
 */
export const limitAhead =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request;
    const responses = responsesOn(socket);
    if (responses.length >= MOST_AHEAD || socket.destroyed) {
      socket.destroy();
      return;
    }
    underWay.set(socket, [...responses, response]);
    handle(request, response);
  };

/** Milliseconds without progress after which a client that does not read its response is disconnected. */
export const STALL_TIMEOUT = 30_000;

// Node notices only at a check whether the client has read anything, so the checks are much more frequent than the limit.
const CHECKS = 15;

/** Since when the checks of a connection have found no progress. */
interface Quiet {
  since: number;
  checkedAt: number;
}

/** Closes connections whose clients do not read their responses, and connections without a request. */
export function closeStalled(server: Server, milliseconds: number): void {
  const period = Math.ceil(milliseconds / CHECKS);
  const responses = new WeakMap<Socket, ServerResponse>();
  const quiet = new WeakMap<Socket, Quiet>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));
  server.setTimeout(period, (socket: Socket) => {
    const response = responses.get(socket);
    const isDone = !response || response.writableFinished || response.destroyed;
    // Node's own timeout of a kept-alive connection.
    if (isDone && socket.timeout !== period) {
      socket.destroy();
      return;
    }
    const now = Date.now();
    const before = quiet.get(socket);
    // Skipped if there was progress.
    const isStill = before !== undefined && now - before.checkedAt < 2 * period;
    const since = isStill ? before.since : now - period;
    // The client is not at fault if the response is not ready yet.
    const isWaiting = !isDone && socket.writableLength === 0;
    if (!isWaiting && now - since >= milliseconds) {
      socket.destroy();
      return;
    }
    quiet.set(socket, { since: isWaiting ? now : since, checkedAt: now });
    socket.setTimeout(period);
  });
}

/** A refused body up to this many bytes is read to its end, so that the connection can be reused. */
const READ_TO_THE_END = 16 * 1024;

/** Bytes and milliseconds of other refused bodies that are read. A client that sends more may not see the refusal. */
const MOST_READ = 20 * 1024 * 1024;
const LONGEST = 10_000;
/** Maximum chunks of such a body, because each costs processor time. Ordinary clients send 20 MiB in a few thousand chunks. */
const MOST_PIECES = 10_000;
/** Number of connections that are read so at the same time. */
const MOST_CONNECTIONS = 200;

/** Responses to requests that wait for `100 Continue` before they send their body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Sends `100 Continue` only when the body is about to be read, so that the body of a refused request is not sent. Other expectations
 * are ignored; Node would respond with 417 and no body.
 */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Asks for the body of a request that waits for `100 Continue`. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

/**
 * Closes the connection after a request was refused before its body had arrived. The rest is read for a while and discarded. If the
 * connection was closed at once, many clients would report a broken connection instead of the response.
 */
export function closeUnread(fastify: FastifyInstance): void {
  let lingering = 0;
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const { raw } = request;
    const length = Number(raw.headers['content-length'] ?? 0);
    const isUnsent = waiting.has(raw);
    const isLong = raw.headers['transfer-encoding'] !== undefined || length > READ_TO_THE_END || isUnsent;
    if (reply.statusCode >= 400 && isLong && !raw.complete) {
      reply.header('connection', 'close');
      // An injected request has no connection.
      if (raw.socket instanceof Socket && lingering < MOST_CONNECTIONS) {
        lingering++;
        closeGently(raw, raw.socket);
        raw.socket.once('close', () => lingering--);
      }
    }
    done();
  });
}

function closeGently(request: IncomingMessage, socket: Socket): void {
  const close = (): void => void socket.destroy();
  const last = socket.bytesRead + MOST_READ;
  let pieces = 0;
  // Counts the rest. Node would otherwise read and discard it without a limit.
  request.on('data', () => {
    pieces++;
    if (pieces > MOST_PIECES || socket.bytesRead > last) close();
  });
  request.resume();
  // Node calls this to end the connection when the response has been sent. Only the client can send after that.
  socket.destroySoon = () => {
    const timer = setTimeout(close, LONGEST).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.end();
    if (request.complete || request.destroyed) close();
    else request.once('end', close).once('close', close);
  };
}

/** Milliseconds in which responses announce that their connection ends, before idle connections are closed. */
const NOTICE = 500;

/**
 * Adds `Connection: close` to responses during shutdown. If a connection ends while a request is on its way, the client sees an error.
 * So active clients get time to notice.
 */
export function announceClosing(fastify: FastifyInstance): void {
  const { server } = fastify;
  const connections = promisify(server.getConnections.bind(server));
  let closing = false;
  fastify.addHook('preClose', async () => {
    closing = true;
    if ((await connections()) > 0) await sleep(NOTICE);
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}
