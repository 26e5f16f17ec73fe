import { DomainError } from '../http/errors.js';

/** Milliseconds after which a request that waits for memory is refused. */
const PATIENCE = 10_000;

// The share of the memory that the answers of one caller may hold.
const SHARE_OF_A_CALLER = 1 / 2;

interface Waiter {
  caller: string;
  bytes: number;
  start(): void;
}

/**
 * The bytes of answers that the process holds: read from the database and not yet written to the sockets of their clients.
 * Reading waits while there are too many. Bytes that have been read are always counted, also beyond the limit.
 */
export class AnswerMemory {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  /**
   * @param limit in bytes
   * @param patience milliseconds after which a waiting request is refused
   */
  constructor(
    readonly limit: number,
    private readonly patience = PATIENCE,
  ) {}

  /** Number of bytes that are held. */
  get size(): number {
    return this.held;
  }

  /** Whether reading for this caller has to wait. @param bytes that are to be read */
  isFull(caller: string, bytes = 0): boolean {
    if (this.held + bytes < this.limit * SHARE_OF_A_CALLER) return false;
    return this.held + bytes >= this.limit || (this.heldBy.get(caller) ?? 0) + bytes >= this.limit * SHARE_OF_A_CALLER;
  }

  /** Waits until there is memory for an answer to the caller. @throws DomainError unavailable */
  async room(caller: string, bytes = 0): Promise<void> {
    if (!this.isFull(caller, bytes)) return;
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        bytes,
        start: () => {
          this.waiting.delete(waiter);
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(waiter);
        reject(
          new DomainError(
            'unavailable',
            'Too many long answers are being sent at the moment. Try again shortly, or ask for shorter pages',
            { headers: { 'retry-after': '2' } },
          ),
        );
      }, this.patience);
      this.waiting.add(waiter);
    });
  }

  /** Counts bytes that an answer to the caller holds. @returns a function that releases them */
  hold(caller: string, bytes: number): () => void {
    this.add(caller, bytes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.add(caller, -bytes);
      for (const waiter of this.waiting) if (!this.isFull(waiter.caller, waiter.bytes)) waiter.start();
    };
  }

  private add(caller: string, bytes: number): void {
    this.held += bytes;
    const own = (this.heldBy.get(caller) ?? 0) + bytes;
    if (own > 0) this.heldBy.set(caller, own);
    else this.heldBy.delete(caller);
  }
}
