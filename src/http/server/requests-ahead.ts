import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of a connection without a response. Browsers and HTTP libraries wait for one before they send the next. */
const MOST_AHEAD = 8;

/**
 * Closes connections on which more requests are sent ahead. Node reads some 1,500 small requests at once, and would hold all of them
 * and their responses. Must run when the server has its listeners for requests: they do not see what is closed.
 */
export function limitAhead(server: Server): void {
  const ahead = new WeakMap<Socket, number>();
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > MOST_AHEAD || socket.destroyed) {
      socket.destroy();
      return;
    }
    ahead.set(socket, count);
    response.once('close', () => ahead.set(socket, ahead.get(socket)! - 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}
