/** Reproducible pseudo-random choices. */
export class Random {
  private state: number;

  /** @param parts the seed; each part changes the sequence */
  constructor(...parts: readonly number[]) {
    this.state = 0;
    for (const part of parts) this.state = Math.imul(this.state ^ part, 0x9e3779b1) ^ (this.state >>> 13);
    // The first numbers of neighbouring seeds are similar.
    for (let i = 0; i < 4; i++) this.next();
  }

  /** From 0 to 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer from 0 to `below`, exclusive. */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  one<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }

  some<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}
