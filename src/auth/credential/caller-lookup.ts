import type { Database } from '../../database/database.js';
import { CallerCache, type KnownCaller } from './caller-cache.js';
import type { LookupBudget } from './lookup-budget.js';

/** Channel on which triggers send the id of a profile that has changed, or whose session or token has ended. */
export const SESSION_CHANGES = 'session_changes';

/** How one kind of credential is read. */
export interface CredentialKind<T> {
  /** Whether a text has the form of a credential. Other texts are not looked up. */
  hasForm(text: string): boolean;
  /** Reads it from the database. */
  read(text: string): Promise<T | undefined>;
  /** Whether a credential that was read is still valid. */
  isUsable(known: T, now: number): boolean;
}

/** Finds callers by the text of their credential, in the cache or else in the database. */
export class CallerLookup<T extends KnownCaller> {
  /** Absent if the database cannot notify of changes. */
  private readonly cache?: CallerCache<T>;

  constructor(
    db: Database,
    private readonly budget: LookupBudget,
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
   * A promise only if the database is asked.
   * @param now milliseconds since the epoch
   * @param addressOf returns the address of the client; called if the text is not cached
   * @throws DomainError tooManyRequests if the address has tried too many unknown credentials
   */
  find(text: string, now: number, addressOf: () => string): T | undefined | Promise<T | undefined> {
    const known = this.cache?.get(text, now);
    // Another replica may have extended it, so only the database can tell that it has expired.
    if (known && this.kind.isUsable(known, now)) return known;
    if (!this.kind.hasForm(text)) return undefined;
    return this.budget.spend(text, addressOf(), async () => {
      const keep = this.cache?.keeper();
      const found = await this.kind.read(text);
      if (!found || !this.kind.isUsable(found, now)) return undefined;
      keep?.(text, found, now);
      return found;
    });
  }
}
