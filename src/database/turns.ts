import { DomainError } from '../http/errors.js';

interface Waiter {
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
   * @param refusal sentence of the refusal
   */
  constructor(
    private readonly places: number,
    private readonly patience: number,
    private readonly refusal: string,
    private readonly mostWaiting = Infinity,
  ) {}

  get pending(): number {
    return this.waiting;
  }

  /**
   * Waits for a slot.
   * @returns a function that releases the slot
   * @throws DomainError unavailable
   */
  async take(caller: string): Promise<() => void> {
    if (this.taken >= this.places) await this.wait(caller);
    else this.taken++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.giveBack();
    };
  }

  private wait(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting >= this.mostWaiting) {
        reject(this.refuse());
        return;
      }
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.remove(caller, waiter);
        reject(this.refuse());
      }, this.patience);
      this.waiting++;
      const queue = this.queues.get(caller);
      if (queue) queue.add(waiter);
      else this.queues.set(caller, new Set([waiter]));
    });
  }

  private refuse(): DomainError {
    return new DomainError('unavailable', this.refusal, { headers: { 'retry-after': '2' } });
  }

  private remove(caller: string, waiter: Waiter): void {
    const queue = this.queues.get(caller)!;
    queue.delete(waiter);
    this.waiting--;
    if (queue.size === 0) this.queues.delete(caller);
  }

  private giveBack(): void {
    const [next] = this.queues;
    if (!next) {
      this.taken--;
      return;
    }
    const [caller, queue] = next;
    const [waiter] = queue;
    this.remove(caller, waiter!);
    // The caller's remaining requests go behind those of everybody else.
    if (this.queues.delete(caller)) this.queues.set(caller, queue);
    waiter!.start();
  }
}
