import type { Caller } from '../../access/access.js';

/** A session as the database showed it. */
export interface OpenSession {
  caller: Caller;
  /** Milliseconds since the epoch, as the others here. */
  lastSeenAt: number;
  expiresAt: number;
}

// The database tells of every change at once; this bounds what a connection can cost that broke without anybody noticing.
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;

/**
 * The sessions that this process has looked up lately, so that a request costs no query for its caller. The database
 * tells every replica of a session that ended and a profile that changed, and both are forgotten here at once.
 */
export class SessionCache {
  private readonly entries = new Map<string, { session: OpenSession; until: number }>();
  private changes = 0;

  get(token: string, now: number): OpenSession | undefined {
    const entry = this.entries.get(token);
    if (!entry) return undefined;
    if (entry.until > now) return entry.session;
    this.entries.delete(token);
    return undefined;
  }

  /** To be called before a session is looked up. What it returns keeps it, where nothing has changed meanwhile. */
  keeper(): (token: string, session: OpenSession, now: number) => void {
    const { changes } = this;
    return (token, session, now) => {
      if (changes !== this.changes) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
      this.entries.set(token, { session, until: now + LIFETIME_MS });
    };
  }

  /** Forgets the sessions of a profile. */
  forget(profileId: string): void {
    this.changes++;
    for (const [token, { session }] of this.entries) {
      if (session.caller.profileId === profileId) this.entries.delete(token);
    }
  }

  clear(): void {
    this.changes++;
    this.entries.clear();
  }
}
