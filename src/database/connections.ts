import type { Pool, PoolClient, QueryConfig } from 'pg';
import { Unavailable } from '../http/errors.js';
import { isConnectionLoss } from './database-errors.js';
import { Outage } from './outage.js';
import type { Sql } from './sql.js';

// A connection that was idle for this many milliseconds is tested before it gets a statement. A connection that a firewall dropped, or
// whose server is gone, would otherwise block until the statement timeout.
const IDLE = 1_000;
const STILL_THERE = { text: 'SELECT 1', query_timeout: 1_000 };

// Client-side timeout in milliseconds. The request has already failed and need not wait for a server that does not respond.
export const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2_000 };

// A connection that breaks while in use also emits an event. Its statement, or the next one, fails on its own.
const ignore = (): void => {};

/** The connections of a pool. Each is tested before it is used after an idle time. */
export class Connections {
  readonly outage = new Outage();
  private readonly lastUse = new WeakMap<PoolClient, number>();
  /** When a connection last turned out to be unresponsive. Connections not used since then are suspect too. */
  private silence = 0;

  /** The number of statements that had a name when a connection was opened. */
  private readonly opened = new WeakMap<PoolClient, number>();

  constructor(
    private readonly pool: Pool,
    private readonly statements: StatementNames,
  ) {
    this.outage.watch(pool);
  }

  /**
   * Returns a connection that is new, was used a moment ago, or has just responded to a test.
   * @throws Unavailable if none can be opened: because of DNS, the network, a pooler or the password
   */
  async take(): Promise<PoolClient> {
    // Every connection of the pool may be broken, including one that is returned meanwhile.
    for (let tries = 0; tries <= 2 * this.pool.options.max; tries++) {
      const client = await this.pool.connect().catch((error: Error) => {
        this.outage.failed(error);
        throw Object.assign(new Unavailable(), { cause: error });
      });
      client.on('error', ignore);
      if (!this.opened.has(client)) this.opened.set(client, this.statements.count);
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
    throw new Unavailable();
  }

  /** @param broken keeps the connection from returning to the pool */
  release(client: PoolClient, broken?: Error): void {
    this.lastUse.set(client, Date.now());
    client.off('error', ignore);
    client.release(broken ?? this.statements.isWorn(this.opened.get(client)!));
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

/** Statements that have a name at a time. */
const MAX_NAMED = 500;

/**
 * Names of prepared statements, so that each connection parses a statement once. If there are too many, the least recently used one
 * loses its name. Names are never reused, because connections still have the old statement.
 */
export class StatementNames {
  /** In order of last use. */
  private readonly names = new Map<string, string>();
  /** Number of names so far. */
  private given = 0;

  /** @param enabled must be false behind a pooler that may use another connection for each transaction */
  constructor(private readonly enabled: boolean) {}

  /** A statement in the form of the driver. It has a name if the connection prepares it. */
  prepared({ text, values, isPrepared }: Sql): QueryConfig {
    return { name: isPrepared ? this.of(text) : undefined, text, values: values as unknown[] };
  }

  private of(text: string): string | undefined {
    if (!this.enabled) return undefined;
    const name = this.names.get(text) ?? `s${this.given++}`;
    this.names.delete(text);
    this.names.set(text, name);
    if (this.names.size > MAX_NAMED) this.names.delete(this.names.keys().next().value!);
    return name;
  }

  /** Number of names so far, which is stored when a connection is opened. */
  get count(): number {
    return this.given;
  }

  /**
   * Whether a connection keeps too many statements that have lost their names. The driver and the server release them only when the
   * connection ends.
   * @param opened the number of names when it was opened
   */
  isWorn(opened: number): boolean {
    return this.given - opened > 2 * MAX_NAMED;
  }
}
