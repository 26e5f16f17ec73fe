import type { Pool, QueryConfig } from 'pg';
import { AttributedDatabase, type Attribution } from './attributed-database.js';
import { Connections, ROLLBACK } from './connections.js';
import { isConnectionLoss } from './database-errors.js';
import { statementOf, Transaction, writeOf, type Executor, type Statement } from './executor.js';
import { FairQueue } from './fair-queue.js';
import type { Notifications } from './notifications.js';
import type { Outage } from './outage.js';
import { retrying } from './retrying.js';
import { streamKeptRows, streamRows, type TextRow } from './row-stream.js';
import type { Read, Write } from './sql.js';
import { StatementNames } from './statement-names.js';

// In milliseconds, if the pool has no timeout of its own.
const CONNECT_TIMEOUT = 10_000;

// A write can wait for a locked row, and holds its connection meanwhile. Writing requests may use at most this share of the
// connections, and the service's own writes (logins, housekeeping) have a limit of their own. The rest remains for reads.
const SHARE_OF_WRITERS = 0.6;
// With the reads that a caller may have at once, this leaves some to others, however long each takes.
const SHARE_OF_ONE_WRITER = 0.4;
const SHARE_OF_OWN_WRITES = 0.3;

const WRITES_WAIT = 'Too many writes are waiting for each other at the moment. Try again shortly';

/** The database for the service itself: what it writes has no author. */
export class Database implements Executor {
  private readonly connections: Connections;
  private readonly statements: StatementNames;
  /** The writes of requests, and those of the service itself. */
  readonly writers: FairQueue;
  readonly ownWrites: FairQueue;
  /** Milliseconds that a statement waits for a connection. */
  readonly connectTimeout: number;

  constructor(
    readonly pool: Pool,
    private readonly notifications: Notifications,
    /** Must be false behind a pooler that may use another connection for each transaction. */
    private readonly preparedStatements = true,
    /** Whether all statements share one session. */
    private readonly isOneSession = false,
  ) {
    this.connections = new Connections(pool);
    this.statements = new StatementNames(preparedStatements);
    const { max, connectionTimeoutMillis = 0 } = pool.options;
    this.connectTimeout = connectionTimeoutMillis || CONNECT_TIMEOUT;
    // The same as the timeout for a connection, which they would otherwise wait for.
    const places = (share: number): number => Math.max(1, Math.floor(max * share));
    const queue = (share: number, ofOneCaller = share): FairQueue =>
      new FairQueue(places(share), {
        timeoutMs: this.connectTimeout,
        message: WRITES_WAIT,
        perCaller: places(ofOneCaller),
      });
    this.writers = queue(SHARE_OF_WRITERS, SHARE_OF_ONE_WRITER);
    this.ownWrites = max > 2 ? queue(SHARE_OF_OWN_WRITES) : this.writers;
  }

  get outage(): Outage {
    return this.connections.outage;
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

  /** The same database on behalf of a caller. */
  as(attribution: Attribution): Executor {
    return new AttributedDatabase(this, attribution);
  }

  query<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    const query = this.prepared(statementOf(statement, values));
    return retrying(() => this.run<R>(query));
  }

  plan<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    const { text, values: given } = statementOf(statement, values);
    return retrying(() => this.run<R>({ text, values: given as unknown[] }));
  }

  write<R extends object>(statement: Write | string, values?: readonly unknown[], select?: string): Promise<R[]> {
    return this.runWrite(undefined, writeOf(statement, values, select));
  }

  /**
   * Runs a statement that writes, but never waits for another one: it skips what is locked. It therefore does not queue with the
   * other writes.
   */
  async writeAtOnce(text: string, values: readonly unknown[]): Promise<void> {
    const query = this.prepared({ text, values });
    await retrying(() => this.run(query));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.runTransaction(undefined, 'BEGIN', work);
  }

  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  /** @param writer id of the profile that writes; the service itself if undefined */
  runWrite<R extends object>(writer: string | undefined, statement: Statement): Promise<R[]> {
    const query = this.prepared(statement);
    return retrying(() => this.queued(writer, () => this.run<R>(query)));
  }

  /**
   * @param writer id of the profile that writes; the service itself if undefined
   * @param begin SQL that begins the transaction, sent as one message
   */
  runTransaction<T>(writer: string | undefined, begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retrying(() => this.queued(writer, () => this.attempt(begin, work)));
  }

  /** Reads the rows of a statement in batches, from one snapshot. */
  stream(statement: Read | string, given?: readonly unknown[]): AsyncGenerator<TextRow[]> {
    const { text, values } = statementOf(statement, given);
    return (this.isOneSession ? streamKeptRows : streamRows)(this.connections, text, values);
  }

  private prepared({ text, values, isPlanned }: Statement): QueryConfig {
    return { name: isPlanned ? undefined : this.statements.of(text), text, values: values as unknown[] };
  }

  private queued<T>(writer: string | undefined, work: () => Promise<T>): Promise<T> {
    return writer === undefined ? this.ownWrites.run('', work) : this.writers.run(writer, work);
  }

  private run<R extends object>(query: QueryConfig): Promise<R[]> {
    return this.connections.use(async (client) => (await client.query<R>(query)).rows);
  }

  private async attempt<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.connections.take();
    let broken: Error | undefined;
    try {
      await client.query(begin);
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
      this.connections.release(client, broken);
    }
  }
}
