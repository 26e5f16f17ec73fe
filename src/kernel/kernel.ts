import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { mayReadSecrets, type Caller } from '../auth/access.js';
import type { Database } from '../database/database.js';
import { DomainError } from '../http/errors.js';
import { RecordCounts } from './record-counts.js';
import type { SecretBox } from './secret-box.js';

type SealedRecord = Record<string, string | null>;

// Each keeps a processor busy where the database runs, which may be this machine: half of them are left to the others.
const LONG_LISTS = Math.max(1, Math.floor(availableParallelism() / 2));
const MAX_WAITING = 500;

/** What the service of every resource is given. */
export class Kernel {
  constructor(
    readonly db: Database,
    readonly secrets: SecretBox,
  ) {
    this.counts = new RecordCounts(db);
  }

  readonly counts: RecordCounts;
  // More of them at once would keep each other waiting, and everybody else.
  private readonly turns = pLimit(LONG_LISTS);
  /** Long lists that are waited for and have not begun, by what they read. */
  private readonly waiting = new Map<string, Promise<unknown>>();

  /**
   * Reads a long list when it is its turn. Who asks for the same before that gets the same answer: it is read after all of
   * them asked, and so has what any of them may expect to see.
   * @param key what is read: the same for the same list only
   * @throws DomainError unavailable when too many wait
   */
  inTurn<T>(key: string, read: () => Promise<T>): Promise<T> {
    const same = this.waiting.get(key);
    if (same) return same as Promise<T>;
    if (this.turns.pendingCount >= MAX_WAITING)
      throw new DomainError(
        'unavailable',
        'Too many long lists are being read at the moment. Try again shortly, or ask for shorter pages',
      );
    const reading = this.turns(() => {
      this.waiting.delete(key);
      return read();
    });
    this.waiting.set(key, reading);
    return reading;
  }

  /** A record's JSON text, or that of an array of them, as the caller may see it: its secrets opened for managers, null for others. */
  reveal(json: string, properties: readonly string[], caller: Caller): string {
    if (properties.length === 0) return json;
    const given = JSON.parse(json) as SealedRecord | SealedRecord[];
    for (const record of Array.isArray(given) ? given : [given]) {
      for (const property of properties) {
        const sealed = record[property];
        record[property] = sealed && mayReadSecrets(caller) ? this.secrets.open(sealed) : null;
      }
    }
    return JSON.stringify(given);
  }
}
