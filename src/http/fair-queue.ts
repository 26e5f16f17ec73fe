import { Unavailable } from './errors.js';

interface Options {
  /** Timeout of waiting in milliseconds. Absent, a request waits for as long as it takes. */
  timeoutMs?: number;
  /** Message of the refusal after the timeout. */
  message?: string;
  /** Maximum number of places of one caller, even if nobody else waits. All of them if absent. */
  perCaller?: number;
}

/** Maximum lead of a caller's time in milliseconds, so that a long request does not delay the caller for long. */
const MOST_LEAD = 250;

/**
 * Limits concurrent work; serves the caller with the least total time first. While others wait, no caller gets more than half of the places. So
 * a caller with many or long requests does not delay callers with few. This is start-time fair queueing. The cost of a request is its duration.
 */
export class FairQueue {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  /** Total time of each caller in milliseconds, if it is more than `served`. It counts as long as a request waits. */
  private readonly used = new Map<string, number>();
  /** The initial time of a new caller. It grows with the times of the callers that are served, so unused time is not saved up. */
  private served = 0;
  /** Among callers with the same time, the first is next. The requests of a caller stay in order. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly perCaller: number;

  constructor(
    private readonly places: number,
    private readonly options: Options = {},
  ) {
    this.perCaller = options.perCaller ?? places;
  }

  /** Number of places in use. */
  get active(): number {
    return this.taken;
  }

  /** Number of waiting requests. */
  get pending(): number {
    let count = 0;
    for (const requests of this.waiting.values()) count += requests.size;
    return count;
  }

  /**
   * Waits for a place.
   * @returns a function that releases it
   * @throws DomainError unavailable
   */
  async acquire(caller: string): Promise<() => void> {
    if (this.isFreeFor(caller)) this.take(caller);
    else await this.wait(caller);
    const began = performance.now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.release(caller, performance.now() - began);
    };
  }

  /** Does work in a place. @throws DomainError unavailable */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(caller);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private isFreeFor(caller: string): boolean {
    return this.taken < this.places && this.placesOf(caller) < this.perCaller;
  }

  private take(caller: string): void {
    this.taken++;
    this.takenBy.set(caller, this.placesOf(caller) + 1);
  }

  private release(caller: string, ms: number): void {
    this.taken--;
    const left = this.placesOf(caller) - 1;
    if (left > 0) this.takenBy.set(caller, left);
    else this.takenBy.delete(caller);
    if (this.waiting.size === 0) {
      // Nobody was delayed. Without this, a queue that is never empty would remember every caller that it has served.
      this.used.clear();
      return;
    }
    this.used.set(caller, Math.min(this.usedBy(caller) + ms, this.served + MOST_LEAD));
    this.serve();
  }

  /** Gives a place to the caller with the least time; among equals, to the one that has waited longest. */
  private serve(): void {
    let next: string | undefined;
    for (const caller of this.waiting.keys()) {
      if (!this.isFreeFor(caller) || (this.waiting.size > 1 && this.placesOf(caller) >= Math.ceil(this.places / 2)))
        continue;
      if (next === undefined || this.usedBy(caller) < this.usedBy(next)) next = caller;
    }
    if (next === undefined) return;
    this.take(next);
    this.served = Math.max(this.served, this.usedBy(next));
    for (const [caller, ms] of this.used) if (ms <= this.served) this.used.delete(caller);
    const requests = this.waiting.get(next)!;
    const [start] = requests;
    this.remove(next, start!);
    // The caller's other requests go behind those of everybody else.
    if (this.waiting.delete(next)) this.waiting.set(next, requests);
    start!();
  }

  private usedBy(caller: string): number {
    return this.used.get(caller) ?? this.served;
  }

  private placesOf(caller: string): number {
    return this.takenBy.get(caller) ?? 0;
  }

  private wait(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const { timeoutMs, message } = this.options;
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              this.remove(caller, start);
              reject(new Unavailable(message));
            }, timeoutMs);
      const requests = this.waiting.get(caller);
      if (requests) requests.add(start);
      else this.waiting.set(caller, new Set([start]));
    });
  }

  private remove(caller: string, start: () => void): void {
    const requests = this.waiting.get(caller)!;
    requests.delete(start);
    if (requests.size === 0) this.waiting.delete(caller);
  }
}
