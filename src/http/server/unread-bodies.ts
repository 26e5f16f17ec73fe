import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Bytes of a body that is read to its end although it was refused, so that the connection can be used again. */
const READ_TO_THE_END = 16 * 1024;

/** Bytes, and milliseconds, that are read of other bodies that were refused. A client that sends more may not see why. */
const MOST_READ = 20 * 1024 * 1024;
const LONGEST = 10_000;
/** Connections of which that much is read at the same time. */
const MOST_CONNECTIONS = 200;

/** Responses to requests that wait for `100 Continue` before they send their body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Lets a body that was announced with `Expect: 100-continue` be asked for when it is about to be read, so that what is refused is not sent.
 * Other expectations are ignored; Node would respond with 417 and no body.
 */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Asks for the body of a request that waits for that. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

/**
 * Closes the connection of a request that was refused before its body had arrived. What the client still sends is read for a while and
 * discarded: if the connection was closed at once, many clients would see that it broke, and not the response.
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
  // From here on, or else Node would read and discard the rest without telling how much it is.
  request.on('data', () => {
    if (socket.bytesRead > last) close();
  });
  request.resume();
  // Node ends the connection with this when the response has been sent. From then on only the other direction is open.
  socket.destroySoon = () => {
    const timer = setTimeout(close, LONGEST).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.end();
    if (request.complete || request.destroyed) close();
    else request.once('end', close).once('close', close);
  };
}
