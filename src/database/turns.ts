import { Unavailable } from '../http/errors.js';

interface Waiter {
  claim(): boolean;
  start(): void;
}

/** How long a request waits. */
export interface WaitLimit {
  /** Milliseconds after which it is refused. */
  patience: number;
  /** Sentence of the refusal. */
  refusal: string;
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

  private readonly forClaim: WaitLimit;
  private readonly mostWaiting: number;

  /**
   * @param places slots that can be in use at once
   * @param forSlot for requests that wait for a slot
   * @param forClaim for requests that wait for what they claim while slots are free
   */
  constructor(
    private readonly places: number,
    private readonly forSlot: WaitLimit,
    { forClaim = forSlot, mostWaiting = Infinity }: { forClaim?: WaitLimit; mostWaiting?: number } = {},
  ) {
    this.forClaim = forClaim;
    this.mostWaiting = mostWaiting;
  }

  get pending(): number {
    return this.waiting;
  }

  /**
   * Waits for a slot. Requests of the same caller are served in their order, except that one whose claim fails does not delay those
   * whose claims succeed.
   * @param claim takes what is needed besides the slot if there is enough of it. If not, it returns false, has taken nothing, and is
   * called again by `serve`.
   * @returns a function that releases the slot
   * @throws DomainError unavailable
   */
  async take(caller: string, claim = (): boolean => true): Promise<() => void> {
    if (this.taken < this.places && claim()) this.taken++;
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
      for (const waiter of queue) {
        if (!waiter.claim()) continue;
        this.taken++;
        this.remove(caller, waiter);
        // The caller's remaining requests go behind those of everybody else.
        if (this.queues.delete(caller)) this.queues.set(caller, queue);
        waiter.start();
        break;
      }
    }
  }

  private wait(caller: string, claim: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting >= this.mostWaiting) {
        reject(new Unavailable(this.forSlot.refusal));
        return;
      }
      const began = Date.now();
      const late = (): void => {
        const limit = this.limit();
        const left = began + limit.patience - Date.now();
        if (left > 0) {
          timer = setTimeout(late, left);
          return;
        }
        this.remove(caller, waiter);
        reject(new Unavailable(limit.refusal));
      };
      let timer = setTimeout(late, this.limit().patience);
      const waiter: Waiter = {
        claim,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiting++;
      const queue = this.queues.get(caller);
      if (queue) queue.add(waiter);
      else this.queues.set(caller, new Set([waiter]));
    });
  }

  /** The limit of what requests wait for at present. */
  private limit(): WaitLimit {
    return this.taken < this.places ? this.forClaim : this.forSlot;
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
