import type { Pool } from 'pg';
import { messageOf } from './database-errors.js';

/** Receives messages about the database for the operator. */
export interface DatabaseLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

// During one outage some connections still work while others already fail. The same happens during recovery.
const CALM_MS = 1_000;

/** Logs one message when the database is lost and one when it is back, however many requests fail in between. */
export class Outage {
  private began?: number;
  private lastFailure = 0;
  private lastResponse = 0;
  private failures = 0;
  private log?: DatabaseLog;

  /** Whether the database was lost and has not recovered yet. */
  get isOn(): boolean {
    return this.began !== undefined;
  }

  /** Whether the database was lost and no connection has worked for this many milliseconds. A broken one among working ones does not count. */
  isTotalFor(milliseconds: number): boolean {
    return this.isOn && Date.now() - this.lastResponse >= milliseconds;
  }

  logTo(log: DatabaseLog): void {
    this.log = log;
  }

  /** Watches the connections of a pool, including idle ones. An unhandled error event would end the process. */
  watch(pool: Pool): void {
    pool.on('error', (error) => this.failed(error));
    // `true` closes a working connection.
    pool.on('release', (error: Error | boolean | null | undefined) =>
      error && error !== true ? this.failed(error) : this.responded(),
    );
  }

  /** A connection broke, timed out, or could not be opened. */
  failed(error: Error): void {
    this.lastFailure = Date.now();
    this.failures++;
    if (this.isOn) return;
    this.began = this.lastFailure;
    const { code } = error as Error & { code?: string };
    this.log?.error({ err: { message: messageOf(error), code } }, 'The database is not available');
  }

  private responded(): void {
    this.lastResponse = Date.now();
    if (this.began === undefined || this.lastResponse - this.lastFailure < CALM_MS) return;
    const seconds = (this.lastFailure - this.began) / 1000;
    this.log?.info({ seconds, failures: this.failures }, 'The database is available again');
    this.began = undefined;
    this.failures = 0;
  }
}
