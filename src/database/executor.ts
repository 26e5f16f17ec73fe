import type { PoolClient } from 'pg';
import type { Sql, Write } from './sql.js';
import type { StatementNames } from './connections.js';

/** Runs SQL: each statement on any connection of the pool, or all of them in one transaction. */
export interface Executor {
  /** Runs a statement that reads, and resolves to its rows. A connection prepares it once. */
  query<R extends object = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Runs a statement that writes. It returns rows, because a statement on behalf of a caller reads them together with the caller. */
  write<R extends object = Record<string, unknown>>(statement: Write): Promise<R[]>;
  /**
   * Runs `work` in a transaction, which is committed or rolled back as a whole. Inside a transaction it joins that one. After a
   * serialization failure or a deadlock, `work` is retried, so it must have no effects outside the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs read-only `work` in one snapshot. Inside a transaction it joins that one. */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Like `transaction`. Inside a transaction a failure of `work` rolls back only `work`, and the transaction continues. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** An open transaction. A function that must run in one takes it as its parameter. */
export class Transaction implements Executor {
  constructor(
    private readonly client: PoolClient,
    private readonly statements: StatementNames,
  ) {}

  query<R extends object>(statement: Sql): Promise<R[]> {
    return this.run(statement);
  }

  write<R extends object>(statement: Write): Promise<R[]> {
    return this.run(statement.whole);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  private async run<R extends object>(statement: Sql): Promise<R[]> {
    return (await this.client.query<R>(this.statements.prepared(statement))).rows;
  }

  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.client.query('SAVEPOINT attempt');
    try {
      const result = await work(this);
      await this.client.query('RELEASE SAVEPOINT attempt');
      return result;
    } catch (error) {
      // On a broken connection this fails too. The first error is more specific.
      await this.client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt').catch(() => {});
      throw error;
    }
  }
}

class Rehearsed<T> extends Error {
  constructor(readonly result: T) {
    super('A rehearsal ends with a rollback');
  }
}

/** Runs `work` with all checks, locks and constraints, and rolls it back. */
export async function rehearse<T>(db: Executor, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await db.savepoint(async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
