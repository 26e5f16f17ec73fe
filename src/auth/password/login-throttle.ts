import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { networkOf } from '../../http/client-address.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from '../credential/clock.js';
import { Turns } from './turns.js';

export const LOGIN_WINDOW_MS = 15 * 60_000;
export const ATTEMPTS_PER_ACCOUNT = 10;
export const ATTEMPTS_PER_ADDRESS = 100;

/** Milliseconds after which an attempt in flight no longer counts: the process that began it may be gone. */
export const LAPSE_MS = 30_000;
/** Milliseconds that an attempt waits for others of its account or address, and seconds until it is worth another one. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;
// What other processes have in flight is asked for about so often, in milliseconds.
const ASK_AGAIN_MS = 50;

/**
 * Counts failed logins per account and per address in the database, so that neither a restart nor another replica
 * forgets them. An attempt takes a place before its password is looked at, and gives it back with its outcome: a wrong
 * one counts, a right one does not. Failures and attempts in flight together never exceed the limit, so a flood at one
 * moment cannot slip by. Who finds all places taken waits; only failures refuse.
 */
export class LoginThrottling {
  private readonly turns = new Turns();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs a check of credentials, when it may.
   * @param email as the account has it, where there is one: the database finds it in spellings that differ here
   * @param check resolves to undefined where the credentials are wrong. One that throws is no attempt
   * @throws DomainError tooManyRequests with `Retry-After`
   */
  async attempt<T>(email: string, address: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const keys = [addressKey(address), accountKey(email)] as const;
    const deadline = performance.now() + MAX_WAIT_MS;
    // Within one process the attempts that cannot have a place wait in memory, so that a flood of them costs no queries.
    return this.turns.take(keys[0], ATTEMPTS_PER_ADDRESS, () =>
      this.turns.take(keys[1], ATTEMPTS_PER_ACCOUNT, async () => {
        const place = await this.reserve(keys, deadline);
        let result: T | undefined;
        try {
          result = await check();
        } catch (error) {
          // A place that cannot be given back, as the database is away, lapses.
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
    await this.db.query('DELETE FROM login_throttles WHERE window_ends_at <= $1 AND $1 >= ALL (in_flight)', [
      this.clock.now(),
    ]);
  }

  /** Takes a place for the address and for the account. Resolves to when they lapse, by which they are given back. */
  private async reserve(keys: Keys, deadline: number): Promise<Date> {
    for (;;) {
      const now = this.clock.now();
      const place = new Date(now.getTime() + LAPSE_MS);
      const taken = await this.db.query<{ key: string }>(
        `INSERT INTO login_throttles AS t (key, attempts, window_ends_at, in_flight)
         VALUES ($1, 0, $4, ARRAY[$4::timestamptz]), ($2, 0, $4, ARRAY[$4::timestamptz])
         ON CONFLICT (key) DO UPDATE SET
           in_flight = ARRAY(SELECT lapses FROM unnest(t.in_flight) lapses WHERE lapses > $3) || $4::timestamptz
         WHERE CASE WHEN t.window_ends_at > $3 THEN t.attempts ELSE 0 END
             + (SELECT count(*) FROM unnest(t.in_flight) lapses WHERE lapses > $3)
             < CASE t.key WHEN $1 THEN $5::int ELSE $6::int END
         RETURNING key`,
        [...keys, now, place, ATTEMPTS_PER_ADDRESS, ATTEMPTS_PER_ACCOUNT],
      );
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

  /** @throws DomainError where as many attempts have failed as may */
  private async refuse(keys: Keys, now: Date): Promise<void> {
    const [row] = await this.db.query<{ endsAt: Date | null }>(
      `SELECT max(window_ends_at) AS "endsAt" FROM login_throttles
       WHERE key IN ($1, $2) AND window_ends_at > $3 AND attempts >= CASE key WHEN $1 THEN $4::int ELSE $5::int END`,
      [...keys, now, ATTEMPTS_PER_ADDRESS, ATTEMPTS_PER_ACCOUNT],
    );
    if (!row?.endsAt) return;
    const seconds = Math.max(1, Math.ceil((row.endsAt.getTime() - now.getTime()) / 1000));
    throw tooMany(`Too many login attempts. Try again in ${seconds} seconds`, seconds);
  }

  /** Counts an attempt that went wrong. The window begins with the first of them. */
  private async fail(keys: Keys, place: Date): Promise<void> {
    const now = this.clock.now();
    await this.db.query(
      `INSERT INTO login_throttles AS t (key, attempts, window_ends_at) VALUES ($1, 1, $4), ($2, 1, $4)
       ON CONFLICT (key) DO UPDATE SET
         attempts = CASE WHEN t.attempts = 0 OR t.window_ends_at <= $3 THEN 1 ELSE t.attempts + 1 END,
         window_ends_at = CASE WHEN t.attempts = 0 OR t.window_ends_at <= $3 THEN $4 ELSE t.window_ends_at END,
         in_flight = ${without('t.in_flight', '$5')}`,
      [...keys, now, new Date(now.getTime() + LOGIN_WINDOW_MS), place],
    );
  }

  /** Forgets the earlier failures of the account. */
  private async succeed([address, account]: Keys, place: Date): Promise<void> {
    await this.release([address], place);
    await this.db.query(
      `UPDATE login_throttles SET attempts = 0, in_flight = ${without('in_flight', '$2')} WHERE key = $1`,
      [account, place],
    );
  }

  /** Gives places back. One after the other: whoever locks both rows takes that of the address first. */
  private async release(keys: readonly string[], place: Date): Promise<void> {
    for (const key of keys) {
      await this.db.query(`UPDATE login_throttles SET in_flight = ${without('in_flight', '$2')} WHERE key = $1`, [
        key,
        place,
      ]);
    }
  }
}

/** Those of the address and of the account, in the order in which their rows are locked. */
type Keys = readonly [address: string, account: string];

/** SQL of an array without one of the elements that equal a value. */
function without(array: string, value: string): string {
  const at = `array_position(${array}, ${value}::timestamptz)`;
  return `coalesce(${array}[:${at} - 1] || ${array}[${at} + 1:], ${array})`;
}

const tooMany = (sentence: string, seconds: number): DomainError =>
  new DomainError('tooManyRequests', sentence, { headers: { 'retry-after': String(seconds) } });

const addressKey = (address: string): string => `address:${networkOf(address)}`;

// A digest, so that a table of throttles is no list of who has an account, and any email fits.
const accountKey = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`;
