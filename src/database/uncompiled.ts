import type { Executor } from './database.js';

/**
 * Plans and runs a statement without compiling it: one with many branches of which most have nothing to do takes longer
 * to compile than to run.
 */
export const uncompiled = <R extends object>(db: Executor, sql: string, values: readonly unknown[]): Promise<R[]> =>
  db.transaction(async (tx) => {
    await tx.query('SET LOCAL jit = off');
    return tx.plan<R>(sql, values);
  });
