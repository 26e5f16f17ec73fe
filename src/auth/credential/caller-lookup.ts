import type { Caller } from '../../access/access.js';
import type { Database } from '../../database/database.js';
import type { Origin } from './credential-marks.js';
import type { UnmarkedCredentials } from './unmarked-credentials.js';

/** Channel on which triggers send the id of a profile that has changed, or whose session or token has ended. */
export const SESSION_CHANGES = 'session_changes';

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
 * cache drops them at once. It also knows the credentials that have no caller, so that one that has ended costs few queries.
 */
export class CallerCache<T extends KnownCaller> {
  private readonly entries = new Map<string, { known: T | null; until: number }>();
  private changes = 0;

  /** Null for a credential without a caller, undefined for one that was not looked up. */
  get(text: string, now: number): T | null | undefined {
    const entry = this.entries.get(text);
    if (!entry) return undefined;
    if (entry.until > now) return entry.known;
    this.entries.delete(text);
    return undefined;
  }

  /** Called before a credential is looked up. @returns a function that caches the result, unless something has changed since */
  keeper(): (text: string, known: T | null, now: number) => void {
    const { changes } = this;
    return (text, known, now) => {
      if (changes !== this.changes) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
      this.entries.set(text, { known, until: now + LIFETIME_MS });
    };
  }

  /** Drops the callers of a profile, and what has no caller, because the profile may be active again. */
  forget(profileId: string): void {
    this.changes++;
    for (const [text, { known }] of this.entries) {
      if (known === null || known.caller.profileId === profileId) this.entries.delete(text);
    }
  }

  clear(): void {
    this.changes++;
    this.entries.clear();
  }
}

/** How one kind of credential is read. */
export interface CredentialKind<T> {
  /** Where a text comes from. Undefined for one that cannot be a credential, which is not looked up. */
  originOf(text: string): Origin | undefined;
  /** The hash that a credential is stored with. */
  hashOf(text: string): Buffer;
  unmarked: UnmarkedCredentials;
  /** Reads it from the database. Undefined if it does not exist or has ended. */
  read(text: string, now: number): Promise<T | undefined>;
}

/** Finds callers by the text of their credential, in the cache or in the database. */
export class CallerLookup<T extends KnownCaller> {
  /** Absent if the database cannot notify of changes. */
  private readonly cache?: CallerCache<T>;

  constructor(
    db: Database,
    private readonly kind: CredentialKind<T>,
  ) {
    const cache = new CallerCache<T>();
    const told = db.onNotification(
      SESSION_CHANGES,
      (profileId) => cache.forget(profileId),
      () => cache.clear(),
    );
    if (told) this.cache = cache;
  }

  /**
   * A credential that this process has looked up recently; null if it has no caller.
   * @param now milliseconds since the epoch
   */
  cached(text: string, now: number): T | null | undefined {
    return this.cache?.get(text, now);
  }

  /** Asks the database. Undefined without a query if the text cannot be a credential. */
  read(text: string, now: number): Promise<T | undefined> | undefined {
    const origin = this.kind.originOf(text);
    return origin && this.find(text, origin, now);
  }

  private async find(text: string, origin: Origin, now: number): Promise<T | undefined> {
    const { kind } = this;
    if (origin === 'unmarked' && !(await kind.unmarked.has(kind.hashOf(text)))) return undefined;
    const keep = this.cache?.keeper();
    const found = await kind.read(text, now);
    keep?.(text, found ?? null, now);
    return found;
  }
}
