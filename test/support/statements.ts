import { Connections } from '../../src/database/connections.js';
import { Transaction } from '../../src/database/executor.js';

/** The statements of the transactions during `work`, and the codes of all database errors, including retried ones. */
export async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: string[]; codes: string[] }> {
  const statements: string[] = [];
  const codes: string[] = [];
  const noted = <R>(result: Promise<R>): Promise<R> => {
    result.catch((error: { code?: string }) => codes.push(error.code ?? 'none'));
    return result;
  };
  const { query } = Transaction.prototype;
  const { use } = Connections.prototype;
  const spies = [
    jest.spyOn(Transaction.prototype, 'query').mockImplementation(function (this: Transaction, statement) {
      statements.push(statement.text);
      return noted(query.call(this, statement)) as never;
    }),
    // Statements without a transaction.
    jest.spyOn(Connections.prototype, 'use').mockImplementation(function (this: Connections, run) {
      return noted(use.call(this, run)) as never;
    }),
  ];
  try {
    return { result: await work(), statements, codes };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
