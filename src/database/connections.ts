import type { Pool, PoolClient } from 'pg';
import { isConnectionLoss } from './database-errors.js';
import { Outage } from './outage.js';

// A connection that was idle for this many milliseconds is tested before it gets a statement. A connection that a firewall
// dropped, or whose server is gone, would otherwise block until the statement timeout.
const IDLE = 1_000;
const STILL_THERE = { text: 'SELECT 1', query_timeout: 1_000 };

// Client-side timeout in milliseconds. The request has already failed and need not wait for a server that does not respond.
export const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2_000 };

// A connection that breaks while in use also emits an event. Its statement, or the next one, fails on its own.
const ignore = (): void => {};

/** The connections of a pool, each tested before it is used after a pause. */
export class Connections {
  readonly outage = new Outage();
  private readonly lastUse = new WeakMap<PoolClient, number>();
  /** When a connection last turned out to be unresponsive. Connections not used since then are suspect too. */
  private silence = 0;

  constructor(private readonly pool: Pool) {
    this.outage.watch(pool);
  }

  /** Returns a connection that is new, was used a moment ago, or has just responded to a test. */
  async take(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect().catch((error: Error) => {
        this.outage.failed(error);
        throw error;
      });
      client.on('error', ignore);
      const lastUse = this.lastUse.get(client) ?? Infinity;
      if (Date.now() - lastUse < IDLE) return client;
      try {
        if (lastUse <= this.silence) throw new Error('Unresponsive, like the connection before');
        await client.query(STILL_THERE);
        return client;
      } catch (error) {
        this.silence = Math.max(this.silence, lastUse);
        this.release(client, error as Error);
      }
    }
  }

  /** @param broken keeps the connection from returning to the pool */
  release(client: PoolClient, broken?: Error): void {
    this.lastUse.set(client, Date.now());
    client.off('error', ignore);
    client.release(broken);
  }

  // `pool.query` would discard a connection after any error, even after a unique violation.
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.take();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error;
      throw error;
    } finally {
      this.release(client, broken);
    }
  }
}
