import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../http/errors.js';
import type { Transaction } from './executor.js';
import { sql } from './sql.js';

/** Milliseconds that writers may wait for work that locks them out, and total milliseconds of its retries. */
const PATIENCE = 50;
const TIMEOUT = 20_000;

/**
 * Runs work that takes locks which many writers hold. It blocks others for at most `PATIENCE`. Then it gives way to them and is retried.
 * @param locks number of locks that it takes one after the other
 * @throws Unavailable
 */
export async function patiently<T>(tx: Transaction, locks: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const until = Date.now() + TIMEOUT;
  const [{ usual }] = (await tx.query(sql`SELECT current_setting('lock_timeout') AS usual`)) as [{ usual: string }];
  for (;;) {
    try {
      return await tx.savepoint(async () => {
        await waitFor(tx, `${Math.ceil(PATIENCE / locks)}ms`);
        const result = await work(tx);
        await waitFor(tx, usual);
        return result;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (Date.now() > until) {
        throw new Unavailable('Records of these resources are being written continuously. Try again shortly');
      }
    }
    await sleep(PATIENCE * (1 + Math.random()));
  }
}

/** Sets how long the statements of a transaction wait for a lock. */
const waitFor = (tx: Transaction, timeout: string): Promise<unknown> =>
  tx.query(sql`SELECT set_config('lock_timeout', ${timeout}, true)`);
