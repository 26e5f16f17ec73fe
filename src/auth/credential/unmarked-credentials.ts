import type { Database } from '../../database/database.js';
import type { Read } from '../../database/sql.js';
import type { Clock } from './clock.js';

// Replicas of an earlier version may issue some while the service is upgraded.
const READ_AGAIN_AFTER_MS = 60_000;

/**
 * The credentials of one kind that earlier versions have issued, without a mark. Nothing adds to them, so a copy of the stored hashes
 * tells them from made-up ones, which therefore cost no query.
 */
export class UnmarkedCredentials {
  private hashes: Promise<Set<string>> = Promise.resolve(new Set());
  private readAt = -Infinity;

  /** @param select SELECT of the hashes, as `hash` */
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly select: Read,
  ) {}

  /** Whether a credential with this hash was stored when the hashes were read, at most a minute ago for one that was not. */
  async has(hash: Buffer): Promise<boolean> {
    const key = hash.toString('base64');
    if ((await this.hashes).has(key)) return true;
    const now = this.clock.now().getTime();
    if (now - this.readAt >= READ_AGAIN_AFTER_MS) {
      this.readAt = now;
      this.hashes = this.read();
    }
    return (await this.hashes).has(key);
  }

  private async read(): Promise<Set<string>> {
    try {
      const rows = await this.db.query<{ hash: Buffer }>(this.select);
      return new Set(rows.map(({ hash }) => hash.toString('base64')));
    } catch (error) {
      this.readAt = -Infinity;
      this.hashes = Promise.resolve(new Set());
      throw error;
    }
  }
}
