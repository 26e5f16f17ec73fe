import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds after which a client that takes no byte of its answer is cut off. */
export const STALL_TIMEOUT = 30_000;

/**
 * Closes connections whose clients do not read what they asked for. Node looks when so much time has passed without a
 * byte, and once more where some were taken meanwhile: a client that reads slowly is not cut off.
 */
export function closeStalled(server: Server, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket & { _httpMessage?: ServerResponse | null }) => {
    // An answer that is not ready yet is no fault of the client.
    if (!socket._httpMessage || socket.writableLength > 0) socket.destroy();
  });
}
