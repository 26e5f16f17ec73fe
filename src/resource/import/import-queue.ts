import { Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../../access/access.js';
import type { Transaction } from '../../database/executor.js';
import { FairQueue } from '../../http/fair-queue.js';
import { Unavailable } from '../../http/errors.js';
import { LOCKS, tryLock } from '../../database/locks.js';

/** How long an import waits for others, in milliseconds. */
const WAIT = 300_000;
/** Milliseconds between attempts to get the lock of a key. */
const RETRY = 100;

/** Runs the imports of a caller one at a time. A waiting import holds neither a connection nor a place among the writes. */
@Injectable()
export class ImportQueue {
  private readonly queue = new FairQueue(Infinity, {
    timeoutMs: WAIT,
    message: 'Other imports of yours are running. Try again shortly',
    perCaller: 1,
  });

  /** @throws Unavailable if other imports of the caller take too long */
  run<T>({ profileId }: Caller, work: () => Promise<T>): Promise<T> {
    return this.queue.run(profileId, work);
  }
}

class Locked extends Error {}

/**
 * Takes the lock of a name until the transaction ends.
 * @throws Locked if another transaction holds it
 */
export async function takeLock(tx: Transaction, name: string): Promise<void> {
  if (!(await tryLock(tx, LOCKS.named(name)))) throw new Locked();
}

/**
 * Retries a transaction until it gets its lock. Between the attempts it holds nothing.
 * @throws Unavailable if that takes too long, or the client has disconnected
 */
export async function untilUnlocked<T>(work: () => Promise<T>, isGone: () => boolean): Promise<T> {
  const until = Date.now() + WAIT;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      if (isGone() || Date.now() > until) {
        throw new Unavailable('Another import with the same key is running. Try again shortly', 10);
      }
    }
    await setTimeout(RETRY);
  }
}
