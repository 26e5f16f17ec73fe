import { networkOf } from '../../http/client-address.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from './clock.js';
import type { Origin } from './credential-marks.js';

/** Unknown credentials that an address may try in a window, and failures of one that this service has issued. */
const MAX_FAILURES = 100;
const FAILURE_WINDOW_MS = 60_000;
const MAX_TRIES = 10_000;
const MAX_KNOWN = 10_000;

/** The attempts of an address, or with one credential. An IPv6 network counts as one address. */
interface Tries {
  failed: number;
  windowEndsAt: number;
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * Limits how often unknown sessions and tokens are looked up, so that forged ones cost few queries. The attempts of an address
 * count together. A credential that this service has issued counts by itself, so nobody can use up the attempts of its holder:
 * its mark shows it, or this process has seen it as valid. Each lookup takes a slot first, so concurrent floods cannot exceed the
 * limit. If all slots are taken, it waits. Only failures lead to a refusal.
 */
export class LookupBudget {
  private readonly tries = new Map<string, Tries>();
  private readonly known = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /**
   * Runs the lookup of a credential that a request brought.
   * @param lookUp resolves to undefined if the credential is unknown
   * @throws DomainError too_many_requests with `Retry-After`
   */
  async spend<T>(
    text: string,
    origin: Origin,
    address: string,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const tries = await this.enter(() =>
      this.of(origin === 'issued' || this.known.has(text) ? text : networkOf(address)),
    );
    let failed = false;
    try {
      const found = await lookUp();
      failed = found === undefined;
      // A mark does not have to be remembered.
      if (origin === 'unmarked') this.remember(text, !failed);
      return found;
    } finally {
      this.leave(tries, failed);
    }
  }

  private remember(text: string, isValid: boolean): void {
    // Least recently used first.
    this.known.delete(text);
    if (!isValid) return;
    if (this.known.size >= MAX_KNOWN) this.known.delete(this.known.values().next().value!);
    this.known.add(text);
  }

  /**
   * Takes a slot. Waits for one if necessary.
   * @param find returns the attempts that a lookup counts among, which may change while it waits
   */
  private async enter(find: () => Tries): Promise<Tries> {
    for (;;) {
      const tries = find();
      const now = this.clock.now().getTime();
      if (tries.windowEndsAt <= now) tries.failed = 0;
      if (tries.failed >= MAX_FAILURES) refuse(tries.windowEndsAt - now);
      if (tries.failed + tries.inFlight < MAX_FAILURES) {
        tries.inFlight++;
        return tries;
      }
      // A lookup in flight wakes this one when a slot is free or the limit is reached.
      await new Promise<void>((resolve) => tries.waiting.push(resolve));
    }
  }

  private leave(tries: Tries, failed: boolean): void {
    tries.inFlight--;
    if (failed) {
      const now = this.clock.now().getTime();
      if (tries.windowEndsAt <= now) tries.failed = 0;
      if (tries.failed === 0) tries.windowEndsAt = now + FAILURE_WINDOW_MS;
      tries.failed++;
    }
    const isFull = tries.failed + tries.inFlight >= MAX_FAILURES;
    if (isFull && tries.failed < MAX_FAILURES) return;
    for (const wake of tries.waiting.splice(0)) wake();
  }

  private of(key: string): Tries {
    const tries = this.tries.get(key) ?? { failed: 0, windowEndsAt: 0, inFlight: 0, waiting: [] };
    // Least recently used first.
    this.tries.delete(key);
    this.tries.set(key, tries);
    if (this.tries.size > MAX_TRIES) this.tries.delete(this.tries.keys().next().value!);
    return tries;
  }
}

function refuse(milliseconds: number): never {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const sentence = `Too many requests with a session, token or calendar address that does not exist or has ended. Log in at POST /api/auth/login, or try again in ${seconds} seconds`;
  throw new DomainError('too_many_requests', sentence, { headers: { 'retry-after': String(seconds) } });
}
