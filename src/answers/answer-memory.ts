import type { WaitLimit } from '../database/turns.js';
import { Unavailable } from '../http/errors.js';

// The share of the memory that the answers of one caller may hold.
const SHARE_OF_A_CALLER = 1 / 2;

/** How long requests wait for memory. */
export const FOR_MEMORY: WaitLimit = {
  patience: 10_000,
  refusal: 'Too many long answers are being sent at the moment. Try again shortly, or ask for shorter pages',
};

interface Waiter {
  caller: string;
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
  private readonly listeners: (() => void)[] = [];

  /** @param limit in bytes */
  constructor(readonly limit: number) {}

  /** Number of bytes that are held. */
  get size(): number {
    return this.held;
  }

  /** Whether reading for this caller has to wait. @param bytes that are to be read */
  isFull(caller: string, bytes = 0): boolean {
    if (this.held + bytes < this.limit * SHARE_OF_A_CALLER) return false;
    return this.held + bytes >= this.limit || (this.heldBy.get(caller) ?? 0) + bytes > this.limit * SHARE_OF_A_CALLER;
  }

  /** @param listener is called whenever bytes are released */
  onRelease(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Waits until reading for the caller need not wait. @throws DomainError unavailable */
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
        reject(new Unavailable(FOR_MEMORY.refusal));
      }, FOR_MEMORY.patience);
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
      for (const waiter of this.waiting) if (!this.isFull(waiter.caller)) waiter.start();
      for (const listener of this.listeners) listener();
    };
  }

  private add(caller: string, bytes: number): void {
    this.held += bytes;
    const own = (this.heldBy.get(caller) ?? 0) + bytes;
    if (own > 0) this.heldBy.set(caller, own);
    else this.heldBy.delete(caller);
  }
}
