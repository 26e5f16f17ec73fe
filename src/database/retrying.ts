import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from './database-errors.js';

const ATTEMPTS = 4;

/** Runs work again that failed because of a conflict. PostgreSQL has undone it. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // Jitter prevents the same conflict from happening again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}
