import type { Database } from '../../database/database.js';
import { CallerCache, type KnownCaller } from './caller-cache.js';
import type { LookupBudget } from './lookup-budget.js';

/** Channel on which triggers tell the id of a profile that changed, or of which a session or token ended. */
export const SESSION_CHANGES = 'session_changes';

/** How one kind of credential is read. */
export interface CredentialKind<T> {
  /** Whether a text can be one at all. What cannot is not looked up. */
  hasForm(text: string): boolean;
  /** Reads it from the database. */
  read(text: string): Promise<T | undefined>;
  /** Whether one that was read is still good. */
  isUsable(known: T, now: number): boolean;
}

/** Finds callers by the text of their credential: in memory, and in the database where that does not know it. */
export class CallerLookup<T extends KnownCaller> {
  /** None where the database cannot tell of changes. */
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
   * @param now milliseconds since the epoch
   * @param addressOf the address of the client, asked for where the text is not remembered
   * @throws DomainError tooManyRequests where the address has tried too many that are unknown
   */
  async find(text: string, now: number, addressOf: () => string): Promise<T | undefined> {
    const known = this.cache?.get(text, now);
    // Used on another replica, it may be good for longer than is known here: only the database says that it is not.
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
