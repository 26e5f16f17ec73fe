import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds without progress after which a client that does not read its response is disconnected. */
export const STALL_TIMEOUT = 30_000;

// Node notices only from one check to the next whether the client has read anything, so a check is a small part of the time.
const CHECKS = 15;

/** Since when the checks of a connection have found no progress. */
interface Quiet {
  since: number;
  checkedAt: number;
}

/** Closes connections whose clients do not read their responses, and those without a request. */
export function closeStalled(server: Server, milliseconds: number): void {
  const period = Math.ceil(milliseconds / CHECKS);
  const responses = new WeakMap<Socket, ServerResponse>();
  const quiet = new WeakMap<Socket, Quiet>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));
  server.setTimeout(period, (socket: Socket) => {
    const response = responses.get(socket);
    const isDone = !response || response.writableFinished || response.destroyed;
    // Node's own time for a connection that is kept for the next request.
    if (isDone && socket.timeout !== period) {
      socket.destroy();
      return;
    }
    const now = Date.now();
    const before = quiet.get(socket);
    // The check is skipped where there was progress.
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
