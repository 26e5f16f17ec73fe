import type { Caller } from '../../access/access.js';

/** A credential as the database showed it. */
export interface KnownCaller {
  caller: Caller;
}

// The database tells of every change at once; this bounds what a connection can cost that broke without anybody noticing.
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;

/**
 * The callers that this process has looked up lately, by the text of their credential, so that a request costs no query
 * for its caller. The database tells every replica of a session or token that ended and of a profile that changed, and
 * all are forgotten here at once.
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

  /** To be called before a credential is looked up. What it returns keeps it, where nothing has changed meanwhile. */
  keeper(): (text: string, known: T, now: number) => void {
    const { changes } = this;
    return (text, known, now) => {
      if (changes !== this.changes) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
      this.entries.set(text, { known, until: now + LIFETIME_MS });
    };
  }

  /** Forgets what belongs to a profile. */
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
