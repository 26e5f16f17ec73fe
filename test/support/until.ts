import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits for what must happen: longer than it takes on a busy machine, and shorter than a test may take. */
export const PATIENCE_MS = 90_000;

/** Milliseconds between two looks. */
const PAUSE_MS = 20;

/**
 * Looks again and again until it sees what is wanted.
 * @param met whether that is so; by default that it is true, or anything but nothing
 * @returns what was seen then
 * @throws Error with what was seen last
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
