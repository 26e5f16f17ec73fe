import { escapeLiteral, type Pool } from 'pg';
import { Connections, ROLLBACK, StatementNames } from './connections.js';
import { isConnectionLoss, isRetryable } from './database-errors.js';
import { type Executor, Transaction } from './executor.js';
import { FairQueue } from '../http/fair-queue.js';
import type { Notifications } from './notifications.js';
import type { Outage } from './outage.js';
import { streamKeptRows, streamRows, type TextRow } from './row-stream.js';
import { literal, type Sql, sql, type Write } from './sql.js';
import { Unavailable } from '../http/errors.js';
import { setTimeout as sleep } from 'node:timers/promises';

// In milliseconds, if the pool has no timeout of its own.
const CONNECT_TIMEOUT = 10_000;

// A write can wait for a locked row while it holds its connection. Writing requests may use at most this share of the connections. The
// service's own writes (logins, housekeeping) have a limit of their own. The rest remains for reads.
const SHARE_OF_WRITERS = 0.6;
// Together with the maximum reads of a caller, this leaves connections to others, however long each takes.
const SHARE_OF_ONE_WRITER = 0.4;
const SHARE_OF_OWN_WRITES = 0.3;

const READS_WAIT = 'Too many reads are running at the moment. Try again shortly, or request less at once';
const WRITES_WAIT = 'Too many writes are waiting at the moment. Try again shortly';

/** A single connection is left to others after a read of this many milliseconds, and for this long. */
const LONG = 50;
const PAUSE = 50;

/** The database for the service itself, whose writes have no author. */
export class Database implements Executor {
  private readonly connections: Connections;
  private readonly statements: StatementNames;
  /**
   * The queue of reads of requests, with as many places as connections. A caller has at most half of them, so that its slow statements
   * do not block others.
   */
  readonly readers: FairQueue;
  /** The queues of writes of requests, and of the service itself. */
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
    this.statements = new StatementNames(preparedStatements);
    this.connections = new Connections(pool, this.statements);
    const { max, connectionTimeoutMillis = 0 } = pool.options;
    this.connectTimeout = connectionTimeoutMillis || CONNECT_TIMEOUT;
    // Timeout as for a connection, for which they would otherwise wait.
    const { connectTimeout: timeoutMs } = this;
    this.readers = new FairQueue(max, { timeoutMs, message: READS_WAIT, perCaller: Math.max(1, Math.floor(max / 2)) });
    const places = (share: number): number => Math.max(1, Math.floor(max * share));
    const queue = (share: number, ofOneCaller = share): FairQueue =>
      new FairQueue(places(share), { timeoutMs, message: WRITES_WAIT, perCaller: places(ofOneCaller) });
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

  query<R extends object>(statement: Sql): Promise<R[]> {
    return retrying(() => this.run<R>(statement));
  }

  write<R extends object>(statement: Write): Promise<R[]> {
    return this.runWrite(undefined, statement.whole);
  }

  /** Runs a write that never waits for another one, because it skips locked rows. So it does not queue with the other writes. */
  async writeAtOnce(statement: Write): Promise<void> {
    const { whole } = statement;
    await retrying(() => this.run(whole));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.runTransaction(undefined, 'BEGIN', work);
  }

  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  /** It does not write, so it does not queue with writes. */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retrying(() => this.attempt('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work));
  }

  /** Waits for the turn of a profile to read. @returns a function that ends the reading @throws DomainError unavailable */
  async turnOf(reader: string): Promise<() => void> {
    const asked = Date.now();
    const release = await this.readers.acquire(reader);
    // Otherwise it would wait for a connection after the queue, and be refused only then.
    if (this.outage.isTotalFor(this.connectTimeout) && Date.now() - asked > this.connectTimeout / 2) {
      release();
      throw new Unavailable();
    }
    return this.size === 1 ? pausing(release) : release;
  }

  /** Reads on behalf of a profile, in its turn. @throws DomainError unavailable */
  async inTurn<T>(reader: string, read: () => Promise<T>): Promise<T> {
    const release = await this.turnOf(reader);
    try {
      return await read();
    } finally {
      release();
    }
  }

  /** @param writer id of the profile that writes; undefined for the service itself */
  runWrite<R extends object>(writer: string | undefined, statement: Sql): Promise<R[]> {
    return retrying(() => this.queued(writer, () => this.run<R>(statement)));
  }

  /**
   * @param writer id of the profile that writes; the service itself if undefined
   * @param begin SQL that begins the transaction, sent as one message
   */
  runTransaction<T>(writer: string | undefined, begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retrying(() => this.queued(writer, () => this.attempt(begin, work)));
  }

  /** Reads the rows of a statement in batches, from one snapshot. */
  stream({ text, values }: Sql): AsyncGenerator<TextRow[]> {
    return (this.isOneSession ? streamKeptRows : streamRows)(this.connections, text, values);
  }

  private queued<T>(writer: string | undefined, work: () => Promise<T>): Promise<T> {
    return writer === undefined ? this.ownWrites.run('', work) : this.writers.run(writer, work);
  }

  private run<R extends object>(statement: Sql): Promise<R[]> {
    const query = this.statements.prepared(statement);
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
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}: the transaction was rolled back`);
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

const ATTEMPTS = 4;

/** Retries work that failed because of a conflict. PostgreSQL has rolled it back. */
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

/** Releases a place some time after a long read. Otherwise each of the statements of a short request would wait for another long read. */
function pausing(release: () => void): () => void {
  const began = Date.now();
  return () => {
    if (Date.now() - began < LONG) release();
    else setTimeout(release, PAUSE);
  };
}

/** Setting, local to a transaction, that names the author for the change log triggers. */
const ATTRIBUTION = 'inventory.by';
const ATTRIBUTION_NAME = literal(ATTRIBUTION);
const WHOLE_ROWS = sql`SELECT * FROM written`;

/** The author of a request's changes. */
interface Attribution {
  /** Absent for the service itself. */
  profileId?: string;
  email?: string;
  /** The rights of the request's credential. Administrators and the service itself may do everything. */
  role?: string;
  requestId?: string;
  /** The token of the request, if it has one. */
  tokenId?: string;
  tokenName?: string;
  /** The message of the request about its changes. */
  message?: string;
}

const WRITES = /\b(?:INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE|UPDATE (?:ONLY )?\w+(?: AS)?(?: \w+)? SET)\b/;

/** @throws Error if a statement writes, because it would have no author in the change log and wait in no queue */
function reading(statement: Sql): Sql {
  if (WRITES.test(statement.text))
    throw new Error(`A method that reads was given a statement that writes: ${statement.text}`);
  return statement;
}

/** The database on behalf of a caller. Reads and writes wait in a fair queue. The change log names the caller. */
export class AttributedDatabase implements Executor {
  private json?: string;

  constructor(
    private readonly db: Database,
    private readonly by: Attribution,
  ) {}

  query<R extends object>(statement: Sql): Promise<R[]> {
    const read = reading(statement);
    return this.inTurn(() => this.db.query<R>(read));
  }

  /**
   * The statement itself makes the setting, so that it costs no round trip. PostgreSQL evaluates the condition once, before any write.
   * The setting lasts until the statement's own transaction ends.
   */
  write<R extends object>(statement: Write): Promise<R[]> {
    const attributed = sql`SELECT result.* FROM (${statement.selected ?? WHOLE_ROWS}) result
      WHERE (SELECT set_config(${ATTRIBUTION_NAME}, ${this.text}, true)) IS NOT NULL`;
    return this.db.runWrite(this.by.profileId, statement.select(attributed).whole);
  }

  /** The setting is sent with BEGIN as one message, so that it costs no round trip. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const begin = `BEGIN; SELECT set_config('${ATTRIBUTION}', ${escapeLiteral(this.text)}, true)`;
    return this.db.runTransaction(this.by.profileId, begin, work);
  }

  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.inTurn(() => this.db.snapshot(work));
  }

  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  private inTurn<T>(read: () => Promise<T>): Promise<T> {
    const { profileId } = this.by;
    return profileId === undefined ? read() : this.db.inTurn(profileId, read);
  }

  /** Made on demand, because reads do not need it. */
  private get text(): string {
    return (this.json ??= JSON.stringify(this.by));
  }
}
