/**
 * Starts work a few pieces at a time, with the other work of the process in between. If all pieces started at once, requests of clients
 * would wait for the last one.
 */
export class Pace {
  private readonly waiting: (() => void)[] = [];

  /** @param atOnce pieces that begin in one turn of the event loop */
  constructor(private readonly atOnce: number) {}

  /** Resolves when the next piece may begin. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.serve);
    });
  }

  private readonly serve = (): void => {
    for (const begin of this.waiting.splice(0, this.atOnce)) begin();
    if (this.waiting.length > 0) setImmediate(this.serve);
  };
}
