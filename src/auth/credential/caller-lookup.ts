import type { Caller } from '../../access/access.js';
import type { Database } from '../../database/database.js';

/** Channel on which triggers send the id of a profile that has changed, or whose session or token has ended. */
export const SESSION_CHANGES = 'session_changes';

/** A credential as it was read from the database. */
export interface CachedCaller {
  caller: Caller;
}

// Maximum age in the cache. The database notifies of every change at once, but its connection may have broken unnoticed.
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;

/**
 * Cache of callers by the text of their credential, so that most requests need no query for their caller. The database notifies every
 * replica when a session or token ends or a profile changes, and the cache drops the entries at once. Invalid credentials are not
 * cached, because made-up ones would displace valid ones.
 */
export class CallerCache<T extends CachedCaller> {
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

/** How one kind of credential is read. */
interface CredentialKind<T> {
  /** Whether a text has the form of a credential. Any other text is refused without a query. */
  isWellFormed(text: string): boolean;
  /** Reads it from the database. Undefined if it does not exist or has ended. */
  read(text: string, now: number): Promise<T | undefined>;
}

/** Finds callers by the text of their credential, in the cache or in the database. */
export class CallerLookup<T extends CachedCaller> {
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
   * A credential that this process has looked up recently.
   * @param now milliseconds since the epoch
   */
  cached(text: string, now: number): T | undefined {
    return this.cache?.get(text, now);
  }

  /** Asks the database. Undefined without a query if the text cannot be a credential. */
  read(text: string, now: number): Promise<T | undefined> | undefined {
    return this.kind.isWellFormed(text) ? this.find(text, now) : undefined;
  }

  private async find(text: string, now: number): Promise<T | undefined> {
    const keep = this.cache?.keeper();
    const found = await this.kind.read(text, now);
    if (found) keep?.(text, found, now);
    return found;
  }
}
