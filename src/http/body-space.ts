import { Unavailable } from './errors.js';

/** Bytes at the beginning of each body that are not counted, so that small requests never wait for large ones. */
const UNCOUNTED = 16 * 1024;

/** The bytes that one body has reserved. */
export interface ReservedSpace {
  /** @throws Unavailable if there is not enough space left */
  grow(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory or disk space of all request bodies, from the first byte until the response has been sent. One caller gets at most
 * half of it.
 */
export class BodySpace {
  private total = 0;
  private readonly byCaller = new Map<string, number>();

  /** @param limit in bytes */
  constructor(readonly limit: number) {}

  /** Reserved bytes, without the uncounted beginnings. */
  get used(): number {
    return this.total;
  }

  reserve(caller: string): ReservedSpace {
    let size = 0;
    let counted = 0;
    const add = (bytes: number): void => {
      counted += bytes;
      this.total += bytes;
      const sum = (this.byCaller.get(caller) ?? 0) + bytes;
      if (sum > 0) this.byCaller.set(caller, sum);
      else this.byCaller.delete(caller);
    };
    return {
      grow: (bytes) => {
        size += bytes;
        const more = Math.max(0, size - UNCOUNTED) - counted;
        if (more === 0) return;
        if (this.total + more > this.limit || (this.byCaller.get(caller) ?? 0) + more > this.limit / 2) {
          throw new Unavailable('Too many large request bodies are being processed. Try again shortly');
        }
        add(more);
      },
      release: () => {
        if (counted > 0) add(-counted);
      },
    };
  }
}
