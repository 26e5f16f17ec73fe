import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds without progress after which a client that does not read its response is disconnected. */
export const STALL_TIMEOUT = 30_000;

/**
 * Closes connections whose clients do not read their responses. Node checks after this time without a byte, and once more if some
 * bytes were read meanwhile, so a slow reader is not disconnected.
 */
export function closeStalled(server: Server, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket & { _httpMessage?: ServerResponse | null }) => {
    // The client is not at fault if the response is not ready yet.
    if (!socket._httpMessage || socket.writableLength > 0) socket.destroy();
  });
}
