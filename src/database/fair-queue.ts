import { Unavailable } from '../http/errors.js';

interface Options {
  /** Milliseconds after which a request that waits is refused. */
  timeoutMs: number;
  /** Message of the refusal after that time. */
  message: string;
  /** Most places of one caller, also where nobody else waits. All of them if absent. */
  perCaller?: number;
}

/**
 * A queue for a limited number of places. The callers that wait are served in turn, and while others wait, none gets more than half of
 * the places. So a caller with many or long requests does not delay callers with few.
 */
export class FairQueue {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  /** In the order in which the callers are served next. The requests of a caller are in their order. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly perCaller: number;

  constructor(
    private readonly places: number,
    private readonly options: Options,
  ) {
    this.perCaller = options.perCaller ?? places;
  }

  /** Number of places that are taken. */
  get active(): number {
    return this.taken;
  }

  /** Number of requests that wait for a place. */
  get pending(): number {
    let count = 0;
    for (const requests of this.waiting.values()) count += requests.size;
    return count;
  }

  /**
   * Waits for a place.
   * @returns a function that gives it back
   * @throws DomainError unavailable
   */
  async acquire(caller: string): Promise<() => void> {
    if (this.isFreeFor(caller)) this.take(caller);
    else await this.wait(caller);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.release(caller);
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

  private release(caller: string): void {
    this.taken--;
    const left = this.placesOf(caller) - 1;
    if (left > 0) this.takenBy.set(caller, left);
    else this.takenBy.delete(caller);
    this.serve();
  }

  private serve(): void {
    for (const [caller, requests] of this.waiting) {
      if (!this.isFreeFor(caller) || (this.waiting.size > 1 && this.placesOf(caller) >= Math.ceil(this.places / 2)))
        continue;
      this.take(caller);
      const [start] = requests;
      this.remove(caller, start!);
      // The caller's other requests go behind those of everybody else.
      if (this.waiting.delete(caller)) this.waiting.set(caller, requests);
      start!();
      return;
    }
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
      const timer = setTimeout(() => {
        this.remove(caller, start);
        reject(new Unavailable(this.options.message));
      }, this.options.timeoutMs);
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
