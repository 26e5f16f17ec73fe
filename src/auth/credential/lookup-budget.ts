import { networkOf } from '../../http/client-address.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from './clock.js';

/** Unknown credentials that an address may try in a window. */
export const FAILURES_PER_ADDRESS = 100;
export const FAILURE_WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_KNOWN = 10_000;

/** The attempts of an address. An IPv6 network counts as one address. */
interface Tries {
  failed: number;
  windowEndsAt: number;
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * Limits how often unknown sessions and tokens are looked up for an address, so that forged ones cost few queries. Credentials
 * that this process has seen as valid are always looked up, so clients that share the address of an attacker can go on working.
 * The lookup of an unknown one takes a slot first, so concurrent floods cannot exceed the limit. If all slots are taken, it
 * waits. Only failures lead to a refusal.
 */
export class LookupBudget {
  private readonly addresses = new Map<string, Tries>();
  private readonly known = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /**
   * Runs the lookup of a credential that a request brought.
   * @param lookUp resolves to undefined if the credential is unknown
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

  /** Remembers a credential that has proved valid. */
  good(text: string): void {
    // Least recently used first.
    this.known.delete(text);
    if (this.known.size >= MAX_KNOWN) this.known.delete(this.known.values().next().value!);
    this.known.add(text);
  }

  /** Resolves when the credential may be looked up, to whether the lookup takes a slot. */
  private async enter(text: string, tries: Tries): Promise<boolean> {
    while (!this.known.has(text)) {
      const now = this.clock.now().getTime();
      if (tries.windowEndsAt <= now) tries.failed = 0;
      if (tries.failed >= FAILURES_PER_ADDRESS) refuse(tries.windowEndsAt - now);
      if (tries.failed + tries.inFlight < FAILURES_PER_ADDRESS) {
        tries.inFlight++;
        return true;
      }
      // A lookup in flight wakes this one when a slot is free or the limit is reached.
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
    // Least recently used first.
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
