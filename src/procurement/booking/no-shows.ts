import type { Executor } from '../../database/executor.js';
import { write } from '../../database/sql.js';

const EVERY_MS = 10_000;

/**
 * Cancels bookings that nobody has picked up in time, again and again. Every replica does: each booking is cancelled by the first
 * statement that reaches it. Returns a function that stops it.
 */
export function startCancellingNoShows(db: Executor, failed: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout;
  const round = async (): Promise<void> => {
    await db.write(write`SELECT cancel_no_shows()`).catch(failed);
    arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void round(), EVERY_MS).unref();
  };
  arm();
  return () => clearTimeout(timer);
}
