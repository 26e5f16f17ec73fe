import type { Pool } from 'pg';

/** Takes what an operator should know of the database. */
export interface DatabaseLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

// Some connections still answer while others break already, and again when the database comes back: it is one outage.
const CALM_MS = 1_000;

/** Tells once when the database is lost and once when it is back, however many requests fail in between. */
export class Outage {
  private began?: number;
  private lastFailure = 0;
  private failures = 0;
  private log?: DatabaseLog;

  /** Whether the database was lost, and is not known to be back. */
  get isOn(): boolean {
    return this.began !== undefined;
  }

  logTo(log: DatabaseLog): void {
    this.log = log;
  }

  /** Judges by the connections of a pool, those that nobody uses too. An event that nobody hears would end the process. */
  watch(pool: Pool): void {
    pool.on('error', (error) => this.failed(error));
    pool.on('release', (error: Error | undefined) => (error ? this.failed(error) : this.answered()));
  }

  /** A connection broke, went silent or could not be had. */
  failed(error: Error): void {
    this.lastFailure = Date.now();
    this.failures++;
    if (this.isOn) return;
    this.began = this.lastFailure;
    const { message, code } = error as Error & { code?: string };
    this.log?.error({ err: { message, code } }, 'The database is not available');
  }

  private answered(): void {
    if (this.began === undefined || Date.now() - this.lastFailure < CALM_MS) return;
    const seconds = (this.lastFailure - this.began) / 1000;
    this.log?.info({ seconds, failures: this.failures }, 'The database is available again');
    this.began = undefined;
    this.failures = 0;
  }
}
