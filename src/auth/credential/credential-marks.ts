import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Executor } from '../../database/executor.js';
import { base62, numberOf } from './base62.js';
import { sql, write } from '../../database/sql.js';

const KEY = 'credential_mark_key';

/** Where a text of the right form comes from: from this service, or from an earlier version of it or anybody. */
export type Origin = 'issued' | 'unmarked';

/**
 * Marks the texts of sessions, tokens and calendar addresses with a part of their HMAC. A text that was made up has no valid mark,
 * so the service can tell it from its own without a query. A mark grants nothing: the database decides whether a credential is
 * valid.
 *
 * The key is in the database and not derived from `SECRET_KEY`, because a command that creates a session or token may run on a
 * machine that does not have that key.
 */
export class CredentialMarks {
  constructor(private readonly key: Buffer) {}

  /** The marks of a database. The first call creates their key. */
  static async of(db: Executor): Promise<CredentialMarks> {
    const made = randomBytes(32).toString('base64url');
    await db.write(
      write`INSERT INTO settings (name, value) VALUES (${KEY}, ${made}) ON CONFLICT (name) DO NOTHING RETURNING name`,
    );
    const [known] = await db.query<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${KEY}`);
    return new CredentialMarks(Buffer.from(known!.value, 'base64url'));
  }

  /** The mark of a text: that many base62 digits. */
  mark(text: string, length: number): string {
    return base62(numberOf(createHmac('sha256', this.key).update(text).digest()), length);
  }

  /** Whether a mark is that of a text. */
  verify(text: string, mark: string): boolean {
    return timingSafeEqual(Buffer.from(this.mark(text, mark.length)), Buffer.from(mark));
  }
}
