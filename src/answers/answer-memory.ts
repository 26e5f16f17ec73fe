import { DomainError } from '../http/errors.js';

/** Milliseconds after which a request that waits for memory is refused. */
const PATIENCE = 10_000;

// So much of the memory that the answers of one caller leave the rest to the others.
const SHARE_OF_A_CALLER = 1 / 2;

interface Waiter {
  caller: string;
  start(): void;
}

/**
 * The bytes of answers that the process holds: read from the database and not yet taken by the sockets of their clients.
 * What is to be read waits while they are too many. What is already read always finds its place.
 */
export class AnswerMemory {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  /**
   * @param limit in bytes
   * @param patience milliseconds after which whoever waits is refused
   */
  constructor(
    readonly limit: number,
    private readonly patience = PATIENCE,
  ) {}

  /** Bytes that are held. */
  get size(): number {
    return this.held;
  }

  /** Whether nothing more is to be read for this caller now. */
  isFull(caller: string): boolean {
    if (this.held < this.limit * SHARE_OF_A_CALLER) return false;
    return this.held >= this.limit || (this.heldBy.get(caller) ?? 0) >= this.limit * SHARE_OF_A_CALLER;
  }

  /** Waits until there is room for what a caller asks for. @throws DomainError unavailable */
  async room(caller: string): Promise<void> {
    if (!this.isFull(caller)) return;
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        caller,
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

  /** Counts bytes that a caller's answer holds from now on. @returns ends that */
  hold(caller: string, bytes: number): () => void {
    this.add(caller, bytes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.add(caller, -bytes);
      for (const waiter of this.waiting) if (!this.isFull(waiter.caller)) waiter.start();
    };
  }

  private add(caller: string, bytes: number): void {
    this.held += bytes;
    const own = (this.heldBy.get(caller) ?? 0) + bytes;
    if (own > 0) this.heldBy.set(caller, own);
    else this.heldBy.delete(caller);
  }
}
