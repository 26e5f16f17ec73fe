import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { onceFor } from './once.js';

/** Callbacks for the end of a client connection. One listener serves all requests of the connection. */
const actionsAtEndOf = onceFor((socket: Socket): Set<() => void> => {
  const actions = new Set<() => void>();
  socket.once('close', () => {
    for (const act of actions) act();
  });
  return actions;
});

/**
 * Calls `act` once when the client has received its response or has disconnected, at once if it already has. The response to a
 * pipelined request emits no `close` if the client disconnects before its turn.
 */
export function whenFinished({ raw: response, request }: FastifyReply, act: () => void): void {
  const { socket } = request.raw;
  if (response.destroyed || response.closed || socket.destroyed) {
    act();
    return;
  }
  const actions = actionsAtEndOf(socket);
  const actOnce = (): void => {
    if (actions.delete(actOnce)) act();
  };
  actions.add(actOnce);
  response.once('close', actOnce);
}
