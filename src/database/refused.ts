import { DomainError, Fault, joined } from '../http/errors.js';
import { refusalOf } from './database-errors.js';
import type { Transaction } from './executor.js';

/**
 * Writes items together. If any item is refused, the halves are written separately, the first one first, until refused items are alone.
 * @param refused is called for each of them. It may throw to stop
 */
export async function writeOrFindRefused<T>(
  tx: Transaction,
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
  refused: (item: T, refusal: DomainError, error: unknown) => void,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await tx.savepoint(() => write(items));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (items.length === 1) {
      refused(items[0]!, refusal, error);
      return;
    }
    const middle = items.length >> 1;
    await writeOrFindRefused(tx, items.slice(0, middle), write, refused);
    await writeOrFindRefused(tx, items.slice(middle), write, refused);
  }
}

/** The refusal of one entry of a request: fields in it get the entry's path as a prefix. @param error its cause */
export function refusalAt(path: string, refusal: DomainError, error: unknown): DomainError {
  const details = refusal.extra.details?.map((fault) => fault.with({ field: `${path}.${fault.field}` }));
  const refused = details
    ? new DomainError(refusal.code, joined(details.slice(0, 10).map(String)), { ...refusal.extra, details })
    : new DomainError(refusal.code, `${path}: ${refusal.message}`, {
        ...refusal.extra,
        details: [new Fault(path, refusal.message)],
      });
  refused.cause = error;
  return refused;
}
