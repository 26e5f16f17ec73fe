import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral, type Pool, type PoolClient, type QueryConfig } from 'pg';
import { ATTRIBUTION } from '../change-log/change-log.sql.js';
import { isConnectionLoss, isRetryable } from './database-errors.js';
import type { Notifications } from './notifications.js';
import { Outage } from './outage.js';

/** Where SQL runs: on any connection of the pool, or within one transaction. */
export interface Executor {
  /** Runs one statement with `$1`, `$2`, … and resolves to its rows. It is prepared once for each connection. */
  query<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** The same for a statement whose best plan depends on the values: it is planned for them each time. */
  plan<R extends object = Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<R[]>;
  /**
   * Runs `work` in a transaction: all of it is kept, or nothing. Within a transaction it joins that one. A serialization
   * failure or deadlock is tried again, so `work` must have no effects outside the database.
   */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
  /**
   * On whose behalf a single statement writes, as the change log's setting wants it; undefined for the system, and within
   * a transaction, which has said it at its start.
   */
  readonly attribution?: string;
  /** Whether what runs here is part of a transaction. */
  readonly inTransaction: boolean;
}

/** On whose behalf something is written. */
export interface Attribution {
  profileId: string;
  email: string;
  requestId: string;
}

const ATTEMPTS = 4;

// The client's own limit, in milliseconds: a request is refused already and need not wait for a server gone silent.
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2_000 };

// A connection that lay idle so long, in milliseconds, is asked whether it still answers before it is given a statement:
// one that a firewall has forgotten, or whose server is gone, would keep silent until the time of the statement is over.
const IDLE = 1_000;
const STILL_THERE = { text: 'SELECT 1', query_timeout: 1_000 };

// A connection keeps what it has prepared: statements beyond these, which lists can have many of, go unprepared.
const MAX_PREPARED = 500;

/** Names of statements, so that each connection parses a statement once. */
class StatementNames {
  private readonly names = new Map<string, string>();

  /** @param enabled false behind a pooler that gives each transaction another connection */
  constructor(private readonly enabled: boolean) {}

  of(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || !this.enabled || this.names.size >= MAX_PREPARED) return name;
    const given = `s${this.names.size}`;
    this.names.set(text, given);
    return given;
  }
}

/** Runs work again that collided with other work, and left nothing behind. */
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // Jitter, so that what collided does not collide again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

// A connection that breaks while it is in use reports it as an event too; its statement, or the next one, fails by itself.
const ignore = (): void => {};

/** The database behind its pool of connections. */
export class Database implements Executor {
  readonly inTransaction = false;
  readonly outage = new Outage();
  private readonly statements: StatementNames;
  private readonly lastUse = new WeakMap<PoolClient, number>();
  /** When a connection was last found silent. Those that were used before it only are no better. */
  private silence = 0;

  constructor(
    readonly pool: Pool,
    private readonly notifications: Notifications,
    /** Off behind a pooler that gives each transaction another connection. */
    private readonly preparedStatements = true,
  ) {
    this.statements = new StatementNames(preparedStatements);
    this.outage.watch(pool);
  }

  /**
   * Calls `changed` with the id of a profile when it changed or one of its sessions ended, on whatever replica, and
   * `lost` when such news may have been missed. False where no news come: a pooler in between does not hand them on.
   */
  onSessionChange(changed: (profileId: string) => void, lost: () => void): boolean {
    if (this.preparedStatements) this.notifications.onSessionChange(changed, lost);
    return this.preparedStatements;
  }

  async query<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const query = { name: this.statements.of(text), text, values: values as unknown[] };
    return retrying(() => this.run<R>(query));
  }

  async plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return retrying(() => this.run<R>({ text, values: values as unknown[] }));
  }

  /** A connection that is new, was used a moment ago, or has just answered. */
  private async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect().catch((error: Error) => {
        this.outage.failed(error);
        throw error;
      });
      client.on('error', ignore);
      const lastUse = this.lastUse.get(client) ?? Infinity;
      if (Date.now() - lastUse < IDLE) return client;
      try {
        if (lastUse <= this.silence) throw new Error('As silent as the connection before');
        await client.query(STILL_THERE);
        return client;
      } catch (error) {
        this.silence = Math.max(this.silence, lastUse);
        this.release(client, error as Error);
      }
    }
  }

  private release(client: PoolClient, broken?: Error): void {
    this.lastUse.set(client, Date.now());
    client.off('error', ignore);
    client.release(broken);
  }

  // As `pool.query` would, which throws a connection away for every error: for a value that is taken, too.
  private async run<R extends object>(query: QueryConfig): Promise<R[]> {
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      return (await client.query<R>(query)).rows;
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error;
      throw error;
    } finally {
      this.release(client, broken);
    }
  }

  /** @param attribution as JSON */
  transaction<T>(work: (tx: Executor) => Promise<T>, attribution?: string): Promise<T> {
    return retrying(() => this.attempt(work, attribution));
  }

  /** The same database, for what somebody does by a request. */
  as(attribution: Attribution): Executor {
    return new AttributedDatabase(this, attribution);
  }

  private async attempt<T>(work: (tx: Executor) => Promise<T>, attribution?: string): Promise<T> {
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      // One message, so that saying who it is costs no way to the database and back.
      await client.query(
        attribution === undefined
          ? 'BEGIN'
          : `BEGIN; SELECT set_config('${ATTRIBUTION}', ${escapeLiteral(attribution)}, true)`,
      );
      const result = await work(new Transaction(client, this.statements));
      const { command } = await client.query('COMMIT');
      // A transaction in which a statement has failed is rolled back by its COMMIT, which is no error for PostgreSQL.
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}: nothing was kept`);
      return result;
    } catch (error) {
      // A connection that broke or went silent must not go back to the pool, nor be waited for again.
      if (isConnectionLoss(error)) broken = error as Error;
      else await client.query(ROLLBACK).catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      this.release(client, broken);
    }
  }
}

class AttributedDatabase implements Executor {
  readonly inTransaction = false;
  readonly attribution: string;

  constructor(
    private readonly db: Database,
    attribution: Attribution,
  ) {
    this.attribution = JSON.stringify(attribution);
  }

  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.db.query(text, values);
  }

  plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return this.db.plan(text, values);
  }

  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return this.db.transaction(work, this.attribution);
  }
}

class Transaction implements Executor {
  readonly inTransaction = true;

  constructor(
    private readonly client: PoolClient,
    private readonly statements: StatementNames,
  ) {}

  async query<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const { rows } = await this.client.query<R>({ name: this.statements.of(text), text, values: values as unknown[] });
    return rows;
  }

  async plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return (await this.client.query<R>({ text, values: values as unknown[] })).rows;
  }

  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return work(this);
  }
}
