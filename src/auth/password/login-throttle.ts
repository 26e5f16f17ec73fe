import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { networkOf } from '../../http/client-address.js';
import { DomainError } from '../../http/errors.js';
import { FairQueue } from '../../http/fair-queue.js';
import type { Clock } from '../credential/clock.js';
import { sql, write, type Sql, type Write } from '../../database/sql.js';

const LOGIN_WINDOW_MS = 15 * 60_000;
const ATTEMPTS_PER_ACCOUNT = 10;
const ATTEMPTS_PER_ADDRESS = 100;

/** Milliseconds after which an attempt in flight no longer counts, because its process may have ended. */
export const LAPSE_MS = 30_000;
/** Milliseconds that an attempt waits for others of its account or address, and seconds of `Retry-After` after that. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;
// Interval in milliseconds of checking for attempts in flight in other processes.
const ASK_AGAIN_MS = 50;

/**
 * Counts failed logins per account and per address. The counts are in the database, so that they survive restarts and apply to all
 * replicas. An attempt takes a slot before its password is verified, and releases it with its outcome. Failures and attempts in flight
 * together never exceed the limit, so concurrent floods cannot exceed it either. If all slots are taken, an attempt waits. Only
 * failures are counted and lead to a refusal.
 */
export class LoginThrottling {
  private readonly addresses = new FairQueue(Infinity, { perCaller: ATTEMPTS_PER_ADDRESS });
  private readonly accounts = new FairQueue(Infinity, { perCaller: ATTEMPTS_PER_ACCOUNT });

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs a check of credentials as soon as there is a slot.
   * @param email in the spelling of the account, if it exists, because the database ignores the case of emails
   * @param check resolves to undefined if the credentials are wrong. If it throws, the attempt does not count
   * @throws DomainError too_many_requests with `Retry-After`
   */
  async attempt<T>(email: string, address: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const keys = [addressKey(address), accountKey(email)] as const;
    const deadline = performance.now() + MAX_WAIT_MS;
    // Attempts of this process wait for a slot in memory, so that a flood costs no queries.
    return this.addresses.run(keys[0], () =>
      this.accounts.run(keys[1], async () => {
        const place = await this.reserve(keys, deadline);
        let result: T | undefined;
        try {
          result = await check();
        } catch (error) {
          // If the database is unavailable, the slot cannot be released. It expires.
          await this.release(keys, place).catch(() => {});
          throw error;
        }
        await (result === undefined ? this.fail(keys, place) : this.succeed(keys, place));
        return result;
      }),
    );
  }

  /** Deletes windows that are over. */
  async prune(): Promise<void> {
    const now = sql`${this.clock.now()}`;
    await this.db.write(
      write`DELETE FROM login_throttles WHERE window_ends_at <= ${now} AND ${now} >= ALL (in_flight)`,
    );
  }

  /** Takes a slot for the address and one for the account. Resolves to the time at which they expire, which identifies them. */
  private async reserve(keys: Keys, deadline: number): Promise<Date> {
    for (;;) {
      const now = this.clock.now();
      const place = new Date(now.getTime() + LAPSE_MS);
      const taken = await this.db.write<{ key: string }>(takeSlots(keys, now, place));
      if (taken.length === keys.length) return place;
      await this.release(
        taken.map(({ key }) => key),
        place,
      );
      await this.refuse(keys, now);
      if (performance.now() > deadline) {
        throw tooMany(`Too many logins at the same time. Try again in ${RETRY_SECONDS} seconds`, RETRY_SECONDS);
      }
      await sleep(ASK_AGAIN_MS * (0.5 + Math.random()));
    }
  }

  /** @throws DomainError if the limit of failed attempts is reached */
  private async refuse(keys: Keys, now: Date): Promise<void> {
    const [address, account] = [sql`${keys[0]}`, sql`${keys[1]}`];
    const [row] = await this.db.query<{ endsAt: Date | null }>(
      sql`SELECT max(window_ends_at) AS "endsAt" FROM login_throttles
        WHERE key IN (${address}, ${account}) AND window_ends_at > ${now}
          AND attempts >= CASE key WHEN ${address} THEN ${ATTEMPTS_PER_ADDRESS}::int ELSE ${ATTEMPTS_PER_ACCOUNT}::int END`,
    );
    if (!row?.endsAt) return;
    const seconds = Math.max(1, Math.ceil((row.endsAt.getTime() - now.getTime()) / 1000));
    throw tooMany(`Too many login attempts. Try again in ${seconds} seconds`, seconds);
  }

  /** Counts a failed attempt. The window begins with the first one. */
  private async fail([address, account]: Keys, place: Date): Promise<void> {
    const now = this.clock.now();
    const end = sql`${new Date(now.getTime() + LOGIN_WINDOW_MS)}::timestamptz`;
    const isOver = sql`(t.attempts = 0 OR t.window_ends_at <= ${now})`;
    await this.db.write(
      write`INSERT INTO login_throttles AS t (key, attempts, window_ends_at) VALUES (${address}, 1, ${end}), (${account}, 1, ${end})
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN ${isOver} THEN 1 ELSE t.attempts + 1 END,
          window_ends_at = CASE WHEN ${isOver} THEN ${end} ELSE t.window_ends_at END,
          in_flight = ${without(sql`t.in_flight`, place)}`,
    );
  }

  /** Forgets the earlier failures of the account. */
  private async succeed([address, account]: Keys, place: Date): Promise<void> {
    await this.release([address], place);
    await this.db.write(
      write`UPDATE login_throttles SET attempts = 0, in_flight = ${without(sql`in_flight`, place)} WHERE key = ${account}`,
    );
  }

  /** Releases slots one after the other, because the row of the address is always locked before that of the account. */
  private async release(keys: readonly string[], place: Date): Promise<void> {
    for (const key of keys) {
      await this.db.write(
        write`UPDATE login_throttles SET in_flight = ${without(sql`in_flight`, place)} WHERE key = ${key}`,
      );
    }
  }
}

/** Keys of the address and of the account, in the order in which their rows are locked. */
type Keys = readonly [address: string, account: string];

/** Takes a slot for each key that has a free one, and returns these keys. */
function takeSlots(keys: Keys, at: Date, lapses: Date): Write {
  const [address, account, now, place] = [sql`${keys[0]}`, sql`${keys[1]}`, sql`${at}`, sql`${lapses}`];
  return write`INSERT INTO login_throttles AS t (key, attempts, window_ends_at, in_flight)
    VALUES (${address}, 0, ${place}, ARRAY[${place}::timestamptz]), (${account}, 0, ${place}, ARRAY[${place}::timestamptz])
    ON CONFLICT (key) DO UPDATE SET
      in_flight = ARRAY(SELECT lapses FROM unnest(t.in_flight) lapses WHERE lapses > ${now}) || ${place}::timestamptz
    WHERE CASE WHEN t.window_ends_at > ${now} THEN t.attempts ELSE 0 END
        + (SELECT count(*) FROM unnest(t.in_flight) lapses WHERE lapses > ${now})
        < CASE t.key WHEN ${address} THEN ${ATTEMPTS_PER_ADDRESS}::int ELSE ${ATTEMPTS_PER_ACCOUNT}::int END
    RETURNING key`;
}

/** SQL of an array without one of the elements that equal a value. */
function without(array: Sql, value: Date): Sql {
  const at = sql`array_position(${array}, ${value}::timestamptz)`;
  return sql`coalesce(${array}[:${at} - 1] || ${array}[${at} + 1:], ${array})`;
}

const tooMany = (sentence: string, seconds: number): DomainError =>
  new DomainError('too_many_requests', sentence, { headers: { 'retry-after': String(seconds) } });

const addressKey = (address: string): string => `address:${networkOf(address)}`;

// A digest, so that the table does not reveal email addresses, and any length fits.
const accountKey = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`;
