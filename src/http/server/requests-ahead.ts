import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of a connection without a response. Browsers and HTTP libraries wait for one before they send the next. */
const MOST_AHEAD = 8;

/** The responses under way on a connection: several where a client sends requests ahead. */
const underWay = new WeakMap<Socket, readonly ServerResponse[]>();

const responsesOn = (socket: Socket): readonly ServerResponse[] =>
  (underWay.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed);

/** Whether a part of a response has been sent to which the end is still to come. */
export const hasBegun = (socket: Socket): boolean => responsesOn(socket).some(({ headersSent }) => headersSent);

/**
 * Closes connections on which more requests are sent ahead. Node reads some 1,500 small requests at once, and would hold all of them
 * and their responses. Must run when the server has its listeners for requests: they do not see what is closed.
 */
export function limitAhead(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const responses = responsesOn(socket);
    if (responses.length >= MOST_AHEAD || socket.destroyed) {
      socket.destroy();
      return;
    }
    underWay.set(socket, [...responses, response]);
    for (const listener of listeners) listener.call(server, request, response);
  });
}
