import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '../../change-log/feed/change-feed.js';
import type { Database } from '../../database/database.js';
import { replicasOf } from '../../database/replicas.js';
import { migrationState } from '../../schema/migration-state.js';
import { webhookLag } from '../../webhooks/webhook-lag.js';
import { sql } from '../../database/sql.js';

/** Milliseconds for which a reading is current. */
const KEPT = 5_000;
/** Milliseconds that a scrape waits for the database. */
const TIMEOUT = 1_000;

const read = {
  feedDelay: (_db: Database, feed: ChangeFeed) => feed.delay(),
  webhooks: (db: Database) => webhookLag(db),
  replicas: (db: Database) => replicasOf(db),
  migrations: (db: Database) => migrationState(db),
};

type Name = keyof typeof read;

/** Readings from the database. A reading is undefined if the database is unavailable or the role lacks a right. */
export type Readings = { isUp: boolean } & { [N in Name]?: Awaited<ReturnType<(typeof read)[N]>> };

/**
 * Reads values for the metrics from the database. Regardless of the number of scrapes, it uses at most one connection, for short
 * statements, and at most every five seconds.
 */
export class DatabaseReadings {
  private latest: Readings = { isUp: false };
  private readAt = -Infinity;
  private reading?: Promise<void>;

  constructor(
    private readonly db: Database,
    private readonly feed: ChangeFeed,
    private readonly failed: (part: string, error: unknown) => void,
  ) {}

  /** The last readings. If the database does not answer in time, only these are returned. */
  async current(): Promise<Readings> {
    if (!this.reading && performance.now() - this.readAt >= KEPT) {
      this.reading = this.refresh().finally(() => (this.reading = undefined));
    }
    if (!this.reading) return this.latest;
    const late = sleep(TIMEOUT, true, { ref: false });
    return (await Promise.race([this.reading, late])) ? { isUp: false } : this.latest;
  }

  private async refresh(): Promise<void> {
    const readings: Readings = { isUp: false };
    try {
      await this.db.query(sql`SELECT 1`);
      readings.isUp = true;
    } catch {
      // The log already has the outage.
    }
    for (const name of readings.isUp ? (Object.keys(read) as Name[]) : []) {
      try {
        Object.assign(readings, { [name]: await read[name](this.db, this.feed) });
      } catch (error) {
        this.failed(name, error);
      }
    }
    this.latest = readings;
    this.readAt = performance.now();
  }
}
