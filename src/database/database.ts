import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral, type Pool, type PoolClient, type QueryConfig, type Submittable } from 'pg';
import { ATTRIBUTION } from './attribution.js';
import { isConnectionLoss, isRetryable } from './database-errors.js';
import type { Notifications } from './notifications.js';
import { LineCursor } from './line-cursor.js';
import type { LineForm } from './lines.js';
import { Outage } from './outage.js';
import { Turns } from './turns.js';

/** Runs SQL on any connection of the pool, or within one transaction. */
export interface Executor {
  /** Runs one statement with parameters `$1`, `$2`, … and resolves to its rows. The statement is prepared once per connection. */
  query<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Like `query`, for a statement whose best plan depends on its parameters: it is planned on every execution. */
  plan<R extends object = Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<R[]>;
  /**
   * Runs `work` in a transaction, which is committed or rolled back as a whole. Inside a transaction it joins that one. `work`
   * runs again after a serialization failure or a deadlock, so it must have no effects outside the database.
   */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
  /** Like `transaction`. Inside a transaction a failure of `work` undoes only what `work` did, and the transaction goes on. */
  savepoint<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
  /**
   * Who makes the changes of a single statement, in the form of the change log's setting. Undefined for the system, and within a
   * transaction, which sets it at its start.
   */
  readonly attribution?: string;
  /** Who makes the changes of a single request; undefined wherever `attribution` is. */
  readonly by?: Attribution;
  /**
   * The same database on behalf of several requests of the same caller.
   * @param requestIds of the records that they change, by the ids of the records
   */
  onBehalfOf?(requestIds: Readonly<Record<string, string>>): Executor;
  readonly inTransaction: boolean;
}

/** The lines of one statement, read in parts from one snapshot. It holds a connection until it is closed. */
export interface Lines {
  /** Reads the next lines; undefined after the last. */
  read(): Promise<Buffer | undefined>;
  /** Whether the last ones were read. */
  readonly isOver: boolean;
  close(): Promise<void>;
}

/** A statement that is read in steps, on its own connection. */
interface Reading<C> {
  cursor: C;
  within<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Attribution {
  profileId: string;
  email: string;
  requestId?: string;
  /** If several requests share a statement: their ids, by the ids of the records that they change. */
  requestIds?: Readonly<Record<string, string>>;
  /** The token of the request, if it has one. */
  tokenId?: string;
  tokenName?: string;
}

const ATTEMPTS = 4;

// Client-side timeout in milliseconds. The request has already failed and need not wait for a server that does not respond.
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2_000 };

// A connection that was idle for this many milliseconds is tested before it gets a statement. A connection that a firewall
// dropped, or whose server is gone, would otherwise block until the statement timeout.
const IDLE = 1_000;
const STILL_THERE = { text: 'SELECT 1', query_timeout: 1_000 };

// In milliseconds, if the pool has no timeout of its own.
const CONNECT_PATIENCE = 10_000;

// A connection keeps its prepared statements. Further statements, of which lists can produce many, are not prepared.
const MAX_PREPARED = 500;

// A write can wait for a locked row, and holds its connection meanwhile. Writing requests may use at most this share of the
// connections, and the service's own writes (logins, housekeeping) have a limit of their own. The rest remains for reads.
const SHARE_OF_WRITERS = 0.6;
const SHARE_OF_OWN_WRITES = 0.3;

const WRITES_WAIT = 'Too many writes are waiting for each other at the moment. Try again shortly';

// Our statements write keywords in capitals. A statement that skips locked rows waits for nobody.
const WRITES = /\b(?:INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE)\b(?!.*\bSKIP LOCKED\b)/s;

/** Statement names, so that each connection parses a statement once. */
class StatementNames {
  private readonly names = new Map<string, string>();

  /** @param enabled must be false behind a pooler that may use another connection for each transaction */
  constructor(private readonly enabled: boolean) {}

  of(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || !this.enabled || this.names.size >= MAX_PREPARED) return name;
    const given = `s${this.names.size}`;
    this.names.set(text, given);
    return given;
  }
}

/** Retries work that failed because of a conflict and was rolled back. */
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // Jitter prevents the same conflict from happening again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** @throws Error with pg's own message for a server that does not respond */
function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  if (milliseconds === 0) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Query read timeout')), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// A connection that breaks while in use also emits an event. Its statement, or the next one, fails on its own.
const ignore = (): void => {};

export class Database implements Executor {
  readonly inTransaction = false;
  readonly outage = new Outage();
  private readonly statements: StatementNames;
  private readonly lastUse = new WeakMap<PoolClient, number>();
  private readonly writers: Turns;
  private readonly ownWrites: Turns;
  private readonly writing = new Map<string, boolean>();
  /** Milliseconds that a statement waits for a connection. */
  readonly patience: number;
  /** When a connection last turned out to be unresponsive. Connections not used since then are suspect too. */
  private silence = 0;

  constructor(
    readonly pool: Pool,
    private readonly notifications: Notifications,
    /** Must be false behind a pooler that may use another connection for each transaction. */
    private readonly preparedStatements = true,
  ) {
    this.statements = new StatementNames(preparedStatements);
    this.outage.watch(pool);
    const { max, connectionTimeoutMillis = 0 } = pool.options;
    this.patience = connectionTimeoutMillis || CONNECT_PATIENCE;
    // The same as the timeout for a connection, which they would otherwise wait for.
    const turns = (share: number): Turns =>
      new Turns(Math.max(1, Math.floor(max * share)), { patience: this.patience, refusal: WRITES_WAIT });
    this.writers = turns(SHARE_OF_WRITERS);
    this.ownWrites = max > 2 ? turns(SHARE_OF_OWN_WRITES) : this.writers;
  }

  /** Maximum number of connections. */
  get size(): number {
    return this.pool.options.max;
  }

  /**
   * Calls `told` with the payload of each notification on a channel, from any replica, and `lost` if notifications may have been
   * missed. Returns false if none can arrive, because a pooler in transaction mode does not forward them.
   */
  onNotification(channel: string, told: (payload: string) => void, lost: () => void): boolean {
    if (this.preparedStatements) this.notifications.on(channel, told, lost);
    return this.preparedStatements;
  }

  /** @param writer id of the profile that writes; the service itself if absent */
  async query<R extends object>(text: string, values: readonly unknown[] = [], writer?: string): Promise<R[]> {
    const query = { name: this.statements.of(text), text, values: values as unknown[] };
    return retrying(() =>
      this.isWrite(text) ? this.inWritersTurn(writer, () => this.run<R>(query)) : this.run<R>(query),
    );
  }

  /** For reads only. */
  async plan<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    return retrying(() => this.run<R>({ text, values: values as unknown[] }));
  }

  /**
   * Starts reading the rows of a statement as lines.
   * @param form makes lines of the cells of rows
   * @param pauses milliseconds that may pass between the parts, in total
   */
  async lines(text: string, values: readonly unknown[], form: LineForm, pauses: number): Promise<Lines> {
    const { cursor, within, close } = await this.reading(new LineCursor(text, values as unknown[], form), pauses);
    return {
      read: () => within(cursor.readLines()),
      get isOver() {
        return cursor.isOver;
      },
      close,
    };
  }

  private async reading<C extends Submittable & { stop(): Promise<void> }>(
    cursor: C,
    pauses: number,
  ): Promise<Reading<C>> {
    const client = await this.connect();
    let broken: Error | undefined;
    // To the server all batches are one statement, and its timeout keeps running during the pauses.
    const { query_timeout: timeout = 0 } = this.pool.options as { query_timeout?: number };
    const within = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await inTime(work, timeout);
      } catch (error) {
        if (isConnectionLoss(error)) broken = error as Error;
        throw error;
      }
    };
    const end = async (): Promise<void> => {
      if (!broken) await client.query(ROLLBACK).catch((failure: Error) => (broken = failure));
      this.release(client, broken);
    };
    try {
      // JIT compilation takes longer than the first batch, and saves little on such a statement. What is read in batches gets
      // no parallel workers, so a plan with them is the wrong one. Dates are written as in JSON.
      const limit = timeout === 0 ? 0 : timeout + pauses;
      await client.query(
        `BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL datestyle = 'ISO'; SET LOCAL statement_timeout = ${limit}`,
      );
    } catch (error) {
      broken = error as Error;
      await end();
      throw error;
    }
    client.query(cursor);
    // pg has started its query timeout, which would end the statement in the middle of a batch. This stops the timer.
    (cursor as { callback?: () => void }).callback?.();
    return {
      cursor,
      within,
      async close() {
        if (!broken) await within(cursor.stop()).catch((failure: Error) => (broken ??= failure));
        await end();
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

  /** Returns a connection that is new, was used a moment ago, or has just responded to a test. */
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
        if (lastUse <= this.silence) throw new Error('Unresponsive, like the connection before');
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

  // `pool.query` would discard a connection after any error, even after a unique violation.
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
   * @param attribution JSON text
   * @param writer id of the profile that writes; the service itself if absent
   */
  transaction<T>(work: (tx: Executor) => Promise<T>, attribution?: string, writer?: string): Promise<T> {
    return retrying(() => this.inWritersTurn(writer, () => this.attempt(work, attribution)));
  }

  savepoint<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  /** The same database on behalf of a request's caller. */
  as(attribution: Attribution): Executor {
    return new AttributedDatabase(this, attribution);
  }

  private async attempt<T>(work: (tx: Executor) => Promise<T>, attribution?: string): Promise<T> {
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      // Sent as one message, so that the attribution costs no extra round trip.
      await client.query(
        attribution === undefined
          ? 'BEGIN'
          : `BEGIN; SELECT set_config('${ATTRIBUTION}', ${escapeLiteral(attribution)}, true)`,
      );
      const result = await work(new Transaction(client, this.statements));
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and does not report an error.
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}: nothing was kept`);
      return result;
    } catch (error) {
      // A broken or unresponsive connection must not return to the pool.
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

  private text?: string;

  constructor(
    private readonly db: Database,
    readonly by: Attribution,
  ) {}

  /** Computed on demand, because reads do not need it. */
  get attribution(): string {
    return (this.text ??= JSON.stringify(this.by));
  }

  onBehalfOf(requestIds: Readonly<Record<string, string>>): Executor {
    const { requestId: _, ...by } = this.by;
    return new AttributedDatabase(this.db, { ...by, requestIds });
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

  savepoint<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return this.transaction(work);
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
  async savepoint<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    await this.client.query('SAVEPOINT attempt');
    try {
      const result = await work(this);
      await this.client.query('RELEASE SAVEPOINT attempt');
      return result;
    } catch (error) {
      // On a broken connection this fails too. The first error says more.
      await this.client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt').catch(ignore);
      throw error;
    }
  }
}

class Rehearsed<T> extends Error {
  constructor(readonly result: T) {
    super('A rehearsal ends with a rollback');
  }
}

/** Runs `work` with all its checks, locks and constraints, and undoes it. */
export async function rehearse<T>(db: Executor, work: (tx: Executor) => Promise<T>): Promise<T> {
  try {
    return await db.savepoint(async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
