import type { PoolClient } from 'pg';
import type { Read, Write } from './sql.js';
import type { StatementNames } from './statement-names.js';

/** A statement that returns what it has written. */
export type ReturningSql = `${string} RETURNING ${string}`;

/** The text of a statement, and the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it is planned on every execution. */
  readonly isPlanned?: boolean;
}

/** A text with its values as a statement. @throws Error if a statement, which has its own values, is given others */
export function statementOf(statement: Read | string, values?: readonly unknown[]): Statement {
  if (typeof statement === 'string') return { text: statement, values: values ?? [] };
  assertWhole(statement, values);
  return statement;
}

/** The whole statement of a write. @throws Error as `statementOf` */
export function writeOf(statement: Write | string, values?: readonly unknown[], select?: string): Statement {
  if (typeof statement === 'string') return { text: returning(statement, select), values: values ?? [] };
  assertWhole(statement.whole, values, select);
  return statement.whole;
}

/** Others than its own would be ignored without a word. @throws Error if there are any */
export function assertWhole({ text }: { readonly text: string }, values?: readonly unknown[], select?: string): void {
  if (values !== undefined || select !== undefined)
    throw new Error(`A statement has its values and its SELECT itself: ${text}`);
}

/** Runs SQL: each statement on any connection of the pool, or all of them in one transaction. */
export interface Executor {
  /** Runs a statement that reads, with parameters `$1`, `$2`, …, and resolves to its rows. A connection prepares it once. */
  query<R extends object = Record<string, unknown>>(
    statement: Read | string,
    values?: readonly unknown[],
  ): Promise<R[]>;
  /** Like `query`, for a statement whose best plan depends on its parameters: it is planned on every execution. */
  plan<R extends object = Record<string, unknown>>(statement: Read | string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Runs a statement that writes. It returns rows, because a statement on behalf of a caller reads them together with the caller.
   * @param select reads the rows that it returns, which are named `written`; all of them if absent
   */
  write<R extends object = Record<string, unknown>>(
    statement: Write | ReturningSql,
    values?: readonly unknown[],
    select?: string,
  ): Promise<R[]>;
  /**
   * Runs `work` in a transaction, which is committed or rolled back as a whole. Inside a transaction it joins that one. `work`
   * runs again after a serialization failure or a deadlock, so it must have no effects outside the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Like `transaction`. Inside a transaction a failure of `work` undoes only what `work` did, and the transaction goes on. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** A statement that writes, together with one that reads the rows that it returns. */
export const returning = (text: string, select: string | undefined): string =>
  select === undefined ? text : `WITH written AS (${text}) ${select}`;

/** An open transaction. What must not run outside of one takes it as its parameter. */
export class Transaction implements Executor {
  constructor(
    private readonly client: PoolClient,
    private readonly statements: StatementNames,
  ) {}

  async query<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    const { text, values: given } = statementOf(statement, values);
    const { rows } = await this.client.query<R>({ name: this.statements.of(text), text, values: given as unknown[] });
    return rows;
  }

  async plan<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    const { text, values: given } = statementOf(statement, values);
    return (await this.client.query<R>({ text, values: given as unknown[] })).rows;
  }

  write<R extends object>(statement: Write | string, values?: readonly unknown[], select?: string): Promise<R[]> {
    const whole = writeOf(statement, values, select);
    return whole.isPlanned ? this.plan(whole.text, whole.values) : this.query(whole.text, whole.values);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.client.query('SAVEPOINT attempt');
    try {
      const result = await work(this);
      await this.client.query('RELEASE SAVEPOINT attempt');
      return result;
    } catch (error) {
      // On a broken connection this fails too. The first error says more.
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

/** Runs `work` with all its checks, locks and constraints, and undoes it. */
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
