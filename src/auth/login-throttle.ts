import { createHash } from 'node:crypto';
import type { Database } from '../database/database.js';
import { networkOf } from '../http/client-address.js';
import { DomainError } from '../http/errors.js';
import type { Clock } from './clock.js';

export const LOGIN_WINDOW_MS = 15 * 60_000;
export const ATTEMPTS_PER_ACCOUNT = 10;
export const ATTEMPTS_PER_ADDRESS = 100;

/**
 * Counts failed logins per account and per address in the database, so that neither a restart nor another replica
 * forgets them. An attempt is counted before its password is looked at, so that a flood at one moment cannot slip by.
 */
export class LoginThrottling {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt.
   * @param email as the account has it, where there is one: the database finds it in spellings that differ here
   * @throws DomainError tooManyRequests with `Retry-After`
   */
  async enter(email: string, address: string): Promise<void> {
    // In this order an address that is shut out cannot shut out accounts.
    await this.count(addressKey(address), ATTEMPTS_PER_ADDRESS);
    await this.count(accountKey(email), ATTEMPTS_PER_ACCOUNT);
  }

  /** Takes back the attempt that turned out right, and forgets the account's earlier ones. */
  async succeed(email: string, address: string): Promise<void> {
    await this.db.query('DELETE FROM login_throttles WHERE key = $1', [accountKey(email)]);
    await this.db.query('UPDATE login_throttles SET attempts = attempts - 1 WHERE key = $1 AND attempts > 0', [
      addressKey(address),
    ]);
  }

  /** Deletes windows that are over. */
  async prune(): Promise<void> {
    await this.db.query('DELETE FROM login_throttles WHERE window_ends_at <= $1', [this.clock.now()]);
  }

  private async count(key: string, limit: number): Promise<void> {
    const now = this.clock.now();
    const [row] = await this.db.query<{ attempts: number; windowEndsAt: Date }>(
      `INSERT INTO login_throttles AS t (key, attempts, window_ends_at) VALUES ($1, 1, $3)
       ON CONFLICT (key) DO UPDATE SET
         attempts = CASE WHEN t.window_ends_at <= $2 THEN 1 ELSE least(t.attempts + 1, 1000000) END,
         window_ends_at = CASE WHEN t.window_ends_at <= $2 THEN $3 ELSE t.window_ends_at END
       RETURNING attempts, window_ends_at AS "windowEndsAt"`,
      [key, now, new Date(now.getTime() + LOGIN_WINDOW_MS)],
    );
    if (row!.attempts <= limit) return;
    const seconds = Math.max(1, Math.ceil((row!.windowEndsAt.getTime() - now.getTime()) / 1000));
    throw new DomainError('tooManyRequests', `Too many login attempts. Try again in ${seconds} seconds`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
}

const addressKey = (address: string): string => `address:${networkOf(address)}`;

// A digest, so that a table of throttles is no list of who has an account, and any email fits.
const accountKey = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`;
