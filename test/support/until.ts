import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout of an expected event: longer than it takes on a busy machine, and shorter than the timeout of a test. */
export const PATIENCE_MS = 90_000;

/** Polling interval in milliseconds. */
const PAUSE_MS = 20;

/**
 * Polls until a condition is met.
 * @param met the condition; by default the value must be true, or anything but null and undefined
 * @returns the last value
 * @throws Error with the last value
 */
export async function until<T>(look: () => T | Promise<T>, met: (seen: T) => boolean = Boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (met(seen)) return seen;
    if (Date.now() > end)
      throw new Error(`It did not happen. Seen last: ${String(JSON.stringify(seen)).slice(0, 2000)}`);
    await sleep(PAUSE_MS);
  }
}
