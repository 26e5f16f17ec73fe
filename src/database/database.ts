import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral, type Pool, type PoolClient, type QueryConfig } from 'pg';
import Cursor from 'pg-cursor';
import { ATTRIBUTION } from './attribution.js';
import { isConnectionLoss, isRetryable } from './database-errors.js';
import type { Notifications } from './notifications.js';
import { Outage } from './outage.js';
import { Turns } from './turns.js';

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

/** The rows of one statement, read in steps from one snapshot. It holds a connection until it is closed. */
export interface Rows<R> {
  /** The next rows: fewer than `count` where there are no more. */
  read(count: number): Promise<R[]>;
  close(): Promise<void>;
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

// In milliseconds, where the pool has no limit.
const CONNECT_PATIENCE = 10_000;

// A connection keeps what it has prepared: statements beyond these, which lists can have many of, go unprepared.
const MAX_PREPARED = 500;

// A writer may wait for a row that another one has locked, and holds its connection meanwhile. Requests that write have
// this part of the connections at most, and the service's own writes (logins, housekeeping) another: readers find the rest.
const SHARE_OF_WRITERS = 0.6;
const SHARE_OF_OWN_WRITES = 0.3;

const WRITES_WAIT = 'Too many writes wait for each other at the moment. Try again shortly';

// Writes and locks of ours, which are in capitals. What skips locked rows waits for nobody.
const WRITES = /\b(?:INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE)\b(?!.*\bSKIP LOCKED\b)/s;

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

/** @throws Error as pg's own for a server that keeps silent */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  if (milliseconds === 0) return work;
  const timer = new AbortController();
  const silent = sleep(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error('Query read timeout');
  });
  try {
    return await Promise.race([work, silent]);
  } finally {
    silent.catch(ignore);
    timer.abort();
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
  private readonly writers: Turns;
  private readonly ownWrites: Turns;
  private readonly writing = new Map<string, boolean>();
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
    const { max, connectionTimeoutMillis = 0 } = pool.options;
    // As long as for a connection, which is what they would wait for otherwise.
    const patience = connectionTimeoutMillis || CONNECT_PATIENCE;
    const turns = (share: number): Turns => new Turns(Math.max(1, Math.floor(max * share)), patience, WRITES_WAIT);
    this.writers = turns(SHARE_OF_WRITERS);
    this.ownWrites = max > 2 ? turns(SHARE_OF_OWN_WRITES) : this.writers;
  }

  /** Most connections that there can be. */
  get size(): number {
    return this.pool.options.max;
  }

  /**
   * Calls `told` with the payload of each notification on a channel, from whichever replica, and `lost` when some may have
   * been missed. False where none arrive: a pooler in transaction mode does not pass them on.
   */
  onNotification(channel: string, told: (payload: string) => void, lost: () => void): boolean {
    if (this.preparedStatements) this.notifications.on(channel, told, lost);
    return this.preparedStatements;
  }

  /** @param writer the profile that writes, if the statement does; the service itself when absent */
  async query<R extends object>(text: string, values: readonly unknown[] = [], writer?: string): Promise<R[]> {
    const query = { name: this.statements.of(text), text, values: values as unknown[] };
    return retrying(() =>
      this.isWrite(text) ? this.inWritersTurn(writer, () => this.run<R>(query)) : this.run<R>(query),
    );
  }

  /** Of reading only. */
  async plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return retrying(() => this.run<R>({ text, values: values as unknown[] }));
  }

  /**
   * Starts to read the rows of a statement in steps.
   * @param pauses milliseconds that it may take between the steps, in all
   */
  async rows<R extends object>(text: string, values: readonly unknown[], pauses: number): Promise<Rows<R>> {
    const client = await this.connect();
    let broken: Error | undefined;
    // For the server the steps are one statement, whose time goes on in the pauses.
    const { query_timeout: timeout = 0 } = this.pool.options as { query_timeout?: number };
    const within = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await inTime(work, timeout);
      } catch (error) {
        if (isConnectionLoss(error)) broken = error as Error;
        throw error;
      }
    };
    const close = async (): Promise<void> => {
      if (!broken) await client.query(ROLLBACK).catch((failure: Error) => (broken = failure));
      this.release(client, broken);
    };
    try {
      // Compiling takes longer than the first step, and what it makes faster is little of such a statement.
      const limit = timeout === 0 ? 0 : timeout + pauses;
      await client.query(`BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL statement_timeout = ${limit}`);
    } catch (error) {
      broken = error as Error;
      await close();
      throw error;
    }
    const cursor = client.query(new Cursor<R>(text, values as unknown[]));
    // pg has begun to measure the time of the statement, and would end it in the midst of a step: this stops that clock.
    (cursor as { callback?: () => void }).callback?.();
    return {
      read: (count) => within(cursor.read(count)),
      async close() {
        if (!broken) await within(cursor.close()).catch((failure: Error) => (broken ??= failure));
        await close();
      },
    };
  }

  private isWrite(text: string): boolean {
    let writes = this.writing.get(text);
    if (writes === undefined) {
      writes = WRITES.test(text);
      if (this.writing.size < MAX_PREPARED) this.writing.set(text, writes);
    }
    return writes;
  }

  private async inWritersTurn<T>(writer: string | undefined, work: () => Promise<T>): Promise<T> {
    const done = await (writer === undefined ? this.ownWrites.take('') : this.writers.take(writer));
    try {
      return await work();
    } finally {
      done();
    }
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

  /**
   * @param attribution as JSON
   * @param writer the profile on whose behalf it runs; the service itself when absent
   */
  transaction<T>(work: (tx: Executor) => Promise<T>, attribution?: string, writer?: string): Promise<T> {
    return retrying(() => this.inWritersTurn(writer, () => this.attempt(work, attribution)));
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
    private readonly by: Attribution,
  ) {
    this.attribution = JSON.stringify(by);
  }

  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.db.query(text, values, this.by.profileId);
  }

  plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return this.db.plan(text, values);
  }

  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return this.db.transaction(work, this.attribution, this.by.profileId);
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
