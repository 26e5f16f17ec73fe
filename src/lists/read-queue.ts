import type { Caller } from '../access/access.js';
import type { Database } from '../database/database.js';
import { Transaction, type Executor } from '../database/executor.js';
import { FairQueue } from '../database/fair-queue.js';
import { Unavailable } from '../http/errors.js';

const REFUSAL = 'Too much is being read at the moment. Try again shortly, or ask for less at once';

/** Milliseconds of a read after which a single connection is left to others, and for how long. */
const LONG = 50;
const PAUSE = 50;

/** The profile that a read counts for. */
export type Reader = Pick<Caller, 'profileId'>;

/**
 * The reads of requests, as many at once as there are connections. A caller has at most half of them, so that slow statements of one
 * caller do not keep the others from reading.
 */
export class ReadQueue {
  readonly queue: FairQueue;

  constructor(private readonly db: Database) {
    this.queue = new FairQueue(db.size, {
      // As long as for a connection, for which they would wait otherwise.
      timeoutMs: db.connectTimeout,
      message: REFUSAL,
      perCaller: Math.max(1, Math.floor(db.size / 2)),
    });
  }

  /** Waits until the caller may read. @returns a function that ends the reading @throws DomainError unavailable */
  async acquire({ profileId }: Reader): Promise<() => void> {
    const asked = Date.now();
    const release = await this.queue.acquire(profileId);
    const { outage, connectTimeout } = this.db;
    // Reading would wait for a connection after the wait in the queue, and be refused then.
    if (outage.isTotalFor(connectTimeout) && Date.now() - asked > connectTimeout / 2) {
      release();
      throw new Unavailable();
    }
    return this.db.size === 1 ? pausing(release) : release;
  }

  /**
   * @param db that reads, where it may be a transaction: it has its connection, for which those who read now may wait, so it waits for
   *   none of them
   * @throws DomainError unavailable
   */
  async run<T>(caller: Reader, read: () => Promise<T>, db?: Executor): Promise<T> {
    if (db instanceof Transaction) return read();
    const release = await this.acquire(caller);
    try {
      return await read();
    } finally {
      release();
    }
  }
}

/**
 * Releases a place some time after a long read. A short request makes several statements one after the other, each of which would wait for
 * another long read otherwise.
 */
function pausing(release: () => void): () => void {
  const began = Date.now();
  return () => {
    if (Date.now() - began < LONG) release();
    else setTimeout(release, PAUSE);
  };
}
