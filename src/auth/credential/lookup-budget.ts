import { networkOf } from '../../http/client-address.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from './clock.js';

/** Unknown credentials that an address may try in a window. */
export const FAILURES_PER_ADDRESS = 100;
export const FAILURE_WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_KNOWN = 10_000;

/** What an address has tried: of IPv6, the network that counts as one. */
interface Tries {
  failed: number;
  windowEndsAt: number;
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * Bounds how often an address may have an unknown session or token looked up, so that made-up ones cost few queries.
 * Those that were good in this process are looked up without end: whoever shares the address of an attacker goes on working.
 * Looking up an unknown one takes a place first, so that a flood at one moment cannot slip by. Who finds all places
 * taken waits; only failures refuse.
 */
export class LookupBudget {
  private readonly addresses = new Map<string, Tries>();
  private readonly known = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /**
   * Runs the lookup of a credential that a request brought.
   * @param lookUp resolves to undefined where it is unknown
   * @throws DomainError tooManyRequests with `Retry-After`
   */
  async spend<T>(text: string, address: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const tries = this.of(networkOf(address));
    const takesPlace = await this.enter(text, tries);
    let failed = false;
    try {
      const found = await lookUp();
      failed = found === undefined;
      if (failed) this.known.delete(text);
      else this.good(text);
      return found;
    } finally {
      this.leave(tries, takesPlace, failed);
    }
  }

  /** Remembers a credential that is known to be good. */
  good(text: string): void {
    // The one that was good last is forgotten last.
    this.known.delete(text);
    if (this.known.size >= MAX_KNOWN) this.known.delete(this.known.values().next().value!);
    this.known.add(text);
  }

  /** Resolves when the credential may be looked up, to whether that takes a place. */
  private async enter(text: string, tries: Tries): Promise<boolean> {
    while (!this.known.has(text)) {
      const now = this.clock.now().getTime();
      if (tries.windowEndsAt <= now) tries.failed = 0;
      if (tries.failed >= FAILURES_PER_ADDRESS) refuse(tries.windowEndsAt - now);
      if (tries.failed + tries.inFlight < FAILURES_PER_ADDRESS) {
        tries.inFlight++;
        return true;
      }
      // Somebody is in flight, and wakes this one when a place is free or none will be.
      await new Promise<void>((resolve) => tries.waiting.push(resolve));
    }
    return false;
  }

  private leave(tries: Tries, takesPlace: boolean, failed: boolean): void {
    if (takesPlace) tries.inFlight--;
    if (failed) {
      const now = this.clock.now().getTime();
      if (tries.windowEndsAt <= now) tries.failed = 0;
      if (tries.failed === 0) tries.windowEndsAt = now + FAILURE_WINDOW_MS;
      tries.failed++;
    }
    const isFull = tries.failed + tries.inFlight >= FAILURES_PER_ADDRESS;
    if (isFull && tries.failed < FAILURES_PER_ADDRESS) return;
    for (const wake of tries.waiting.splice(0)) wake();
  }

  private of(network: string): Tries {
    const tries = this.addresses.get(network) ?? { failed: 0, windowEndsAt: 0, inFlight: 0, waiting: [] };
    // The one that was used last is forgotten last.
    this.addresses.delete(network);
    this.addresses.set(network, tries);
    if (this.addresses.size > MAX_ADDRESSES) this.addresses.delete(this.addresses.keys().next().value!);
    return tries;
  }
}

function refuse(milliseconds: number): never {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const sentence = `Too many requests with a session, token or calendar address that does not exist or has ended. Log in at POST /api/auth/login, or try again in ${seconds} seconds`;
  throw new DomainError('tooManyRequests', sentence, { headers: { 'retry-after': String(seconds) } });
}
