import pLimit, { type LimitFunction } from 'p-limit';

/** Runs a limited number of tasks at once for each key. Further tasks wait in their order. */
export class KeyedLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /** @param atOnce the same for the same key */
  async run<T>(key: string, atOnce: number, work: () => Promise<T>): Promise<T> {
    let limit = this.limits.get(key);
    if (!limit) this.limits.set(key, (limit = pLimit(atOnce)));
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0 && this.limits.get(key) === limit) this.limits.delete(key);
    }
  }
}
