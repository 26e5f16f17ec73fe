import { isDanglingReference } from '../database/database-errors.js';
import type { Transaction } from '../database/executor.js';
import { refusalAt, writeOrFindRefused } from '../database/refused.js';
import type { DomainError } from '../http/errors.js';
import { CUSTOM } from '../fields/custom/custom-field.js';

/** An entry of a list in a request, with its path there, such as `items[3]`. */
export interface Placed<T> {
  path: string;
  entry: T;
  /** Whether the database may refuse it for reasons other than its custom fields. */
  isJudged?: boolean;
}

/**
 * Writes the entries of a request together. If the database refuses one, for example because of a duplicate unique custom value, the
 * refusal names the entry by its path. References to missing records are reported after the request has failed
 * by `http/server/error.filter.ts`.
 * @param refused called for each refused entry instead; may leave it out
 */
export async function writePlaced<T extends object, P extends Placed<T>>(
  tx: Transaction,
  entries: readonly P[],
  write: (entries: readonly P[]) => Promise<void>,
  refused: (entry: P, refusal: DomainError) => void = (_entry, refusal) => {
    throw refusal;
  },
): Promise<void> {
  // Avoids the savepoint, which takes two statements.
  if (!entries.some(({ entry, isJudged }) => isJudged || CUSTOM in entry)) return write(entries);
  await writeOrFindRefused(tx, entries, write, (entry, refusal, error) => {
    if (isDanglingReference(error)) throw error;
    refused(entry, refusalAt(entry.path, refusal, error));
  });
}
