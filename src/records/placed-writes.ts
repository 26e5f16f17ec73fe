import { isDanglingReference } from '../database/database-errors.js';
import type { Transaction } from '../database/executor.js';
import { refusalAt, writeOrFindRefused } from '../database/refused.js';
import type { DomainError } from '../http/errors.js';
import { CUSTOM } from '../fields/custom/custom-field.js';

/** An entry of a list in a request, with its path there, such as `items[3]`. */
export interface Placed<T> {
  path: string;
  entry: T;
  /** Whether the database may refuse more of it than its custom fields. */
  isJudged?: boolean;
}

/**
 * Writes the entries of a request together. Where the database refuses one, such as a unique value of a custom field that is
 * taken, the refusal names the entry by its path. All lost references of a request are named when it has failed (`danglingIn`).
 * @param refused is told of each refused entry instead, and may leave it out
 */
export async function writePlaced<T extends object, P extends Placed<T>>(
  tx: Transaction,
  entries: readonly P[],
  write: (entries: readonly P[]) => Promise<void>,
  refused: (entry: P, refusal: DomainError) => void = (_entry, refusal) => {
    throw refusal;
  },
): Promise<void> {
  // The savepoint takes two statements.
  if (!entries.some(({ entry, isJudged }) => isJudged || CUSTOM in entry)) return write(entries);
  await writeOrFindRefused(tx, entries, write, (entry, refusal, error) => {
    if (isDanglingReference(error)) throw error;
    refused(entry, refusalAt(entry.path, refusal, error));
  });
}
