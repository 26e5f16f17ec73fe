import type { Caller } from '../../access/access.js';

/** A credential as it was read from the database. */
export interface KnownCaller {
  caller: Caller;
}

// The database notifies of every change at once. This limits the effect of a connection that has broken unnoticed.
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;

/**
 * Callers that this process has looked up recently, by the text of their credential, so that most requests need no query for
 * their caller. The database notifies every replica of a session or token that ended and of a profile that changed, and the
 * cache drops them at once.
 */
export class CallerCache<T extends KnownCaller> {
  private readonly entries = new Map<string, { known: T; until: number }>();
  private changes = 0;

  get(text: string, now: number): T | undefined {
    const entry = this.entries.get(text);
    if (!entry) return undefined;
    if (entry.until > now) return entry.known;
    this.entries.delete(text);
    return undefined;
  }

  /** Called before a credential is looked up. @returns a function that caches the result, unless something has changed since */
  keeper(): (text: string, known: T, now: number) => void {
    const { changes } = this;
    return (text, known, now) => {
      if (changes !== this.changes) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
      this.entries.set(text, { known, until: now + LIFETIME_MS });
    };
  }

  /** Drops the callers of a profile. */
  forget(profileId: string): void {
    this.changes++;
    for (const [text, { known }] of this.entries) {
      if (known.caller.profileId === profileId) this.entries.delete(text);
    }
  }

  clear(): void {
    this.changes++;
    this.entries.clear();
  }
}
