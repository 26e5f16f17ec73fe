import { DomainError } from '../http/errors.js';

interface Waiter {
  claim(): boolean;
  start(): void;
}

/**
 * A limited number of slots. Callers that wait are served round-robin, so that a caller with many requests does not delay callers
 * with few.
 */
export class Turns {
  private taken = 0;
  private waiting = 0;
  /** In the order in which the callers are served next. */
  private readonly queues = new Map<string, Set<Waiter>>();

  /**
   * @param places slots that can be in use at once
   * @param patience milliseconds after which a waiting caller is refused
   * @param refusal sentence of the refusal of a caller
   */
  constructor(
    private readonly places: number,
    private readonly patience: number,
    private readonly refusal: (caller: string) => string,
    private readonly mostWaiting = Infinity,
  ) {}

  get pending(): number {
    return this.waiting;
  }

  /**
   * Waits for a slot. Requests of the same caller are served in their order.
   * @param claim takes what is needed besides the slot if there is enough of it. If not, it returns false, has taken nothing, and is
   * called again by `serve`.
   * @returns a function that releases the slot
   * @throws DomainError unavailable
   */
  async take(caller: string, claim = (): boolean => true): Promise<() => void> {
    if (this.taken < this.places && !this.queues.has(caller) && claim()) this.taken++;
    else await this.wait(caller, claim);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.giveBack();
    };
  }

  /** Gives free slots to waiting requests. To be called when there may be enough of what they claim. */
  serve(): void {
    for (const [caller, queue] of this.queues) {
      if (this.taken >= this.places) return;
      const [waiter] = queue;
      if (!waiter!.claim()) continue;
      this.taken++;
      this.remove(caller, waiter!);
      // The caller's remaining requests go behind those of everybody else.
      if (this.queues.delete(caller)) this.queues.set(caller, queue);
      waiter!.start();
    }
  }

  private wait(caller: string, claim: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting >= this.mostWaiting) {
        reject(this.refuse(caller));
        return;
      }
      const waiter: Waiter = {
        claim,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.remove(caller, waiter);
        reject(this.refuse(caller));
        // The next request of the caller may need less.
        this.serve();
      }, this.patience);
      this.waiting++;
      const queue = this.queues.get(caller);
      if (queue) queue.add(waiter);
      else this.queues.set(caller, new Set([waiter]));
    });
  }

  private refuse(caller: string): DomainError {
    return new DomainError('unavailable', this.refusal(caller), { headers: { 'retry-after': '2' } });
  }

  private remove(caller: string, waiter: Waiter): void {
    const queue = this.queues.get(caller)!;
    queue.delete(waiter);
    this.waiting--;
    if (queue.size === 0) this.queues.delete(caller);
  }

  private giveBack(): void {
    this.taken--;
    this.serve();
  }
}
