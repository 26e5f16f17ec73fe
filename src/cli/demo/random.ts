/** Pseudo-random numbers, the same for the same seed (mulberry32), so that the demo can be reproduced. */
export class Random {
  constructor(private state: number) {}

  /** At least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** Letters and digits that cannot be confused with each other. */
  code(length: number): string {
    return Array.from({ length }, () => this.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'])).join('');
  }
}
