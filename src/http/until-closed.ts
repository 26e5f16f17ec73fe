import type { Socket } from 'node:net';

/** Runs work, and aborts the signal if the client disconnects. */
export async function untilClosed<T>(socket: Socket, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', leave);
  }
}
