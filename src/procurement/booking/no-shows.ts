import type { Executor } from '../../database/executor.js';
import { write } from '../../database/sql.js';

const EVERY_MS = 10_000;

/**
 * Periodically cancels bookings that nobody has picked up in time. Every replica does this, and the first statement wins. Returns a
 * function that stops it.
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
