import type { StoredOperation, Values } from './operation-store.js';
import { over, renewedBase } from './operation-values.js';

/**
 * Adds operations to those of a change set. A new one is merged into the last one on its record, unless operations on other records are
 * in between. If a new record is deleted again, no operation is left.
 */
export class PlanMerger {
  /** The operation into which the next one may be merged. */
  private last?: StoredOperation;
  private readonly added = new Set<StoredOperation>();
  private readonly changed = new Set<StoredOperation>();
  private readonly removed = new Set<string>();
  private readonly gone = new Set<StoredOperation>();
  private readonly byRecord = new Map<string, StoredOperation[]>();
  private position: number;

  /** @param earlier the last operation of the change set, and those on the records of new ones, in their order */
  constructor(earlier: readonly StoredOperation[]) {
    this.last = earlier.at(-1);
    this.position = this.last?.position ?? 0;
    for (const operation of earlier) this.onRecord(operation.recordId).push(operation);
  }

  /** @returns the operation that holds it */
  add(operation: StoredOperation): StoredOperation {
    this.renewBases(operation);
    const { last } = this;
    // Columns of the change log are written directly, so nothing is merged into them.
    if (last?.recordId === operation.recordId && !last.columns && !operation.columns) {
      if (last.op === 'create' && operation.op === 'delete') {
        this.remove(last);
        return last;
      }
      if (last.op !== 'delete') {
        merge(last, operation);
        if (!this.added.has(last)) this.changed.add(last);
        return last;
      }
    }
    operation.position = ++this.position;
    this.last = operation;
    this.added.add(operation);
    this.onRecord(operation.recordId).push(operation);
    return operation;
  }

  isKept(operation: StoredOperation): boolean {
    return !this.gone.has(operation);
  }

  get growth(): number {
    return this.added.size - this.removed.size;
  }

  get changes(): { added: StoredOperation[]; changed: StoredOperation[]; removed: string[] } {
    return { added: [...this.added], changed: [...this.changed], removed: [...this.removed] };
  }

  private onRecord(recordId: string): StoredOperation[] {
    let operations = this.byRecord.get(recordId);
    if (!operations) this.byRecord.set(recordId, (operations = []));
    return operations;
  }

  /** A property that is recorded again has its current value as base. */
  private renewBases(operation: StoredOperation): void {
    if (!operation.base) return;
    for (const earlier of this.onRecord(operation.recordId)) {
      if (!earlier.base) continue;
      earlier.base = renewedBase(earlier.base, operation.base);
      if (earlier.sealed?.base && operation.sealed?.base) {
        earlier.sealed = { ...earlier.sealed, base: renewedBase(earlier.sealed.base, operation.sealed.base) };
      }
      if (!this.added.has(earlier)) this.changed.add(earlier);
    }
  }

  private remove(operation: StoredOperation): void {
    this.last = undefined;
    this.changed.delete(operation);
    this.gone.add(operation);
    const own = this.onRecord(operation.recordId);
    own.splice(own.indexOf(operation), 1);
    if (!this.added.delete(operation)) this.removed.add(operation.id);
  }
}

/** Combines two operations into one with both effects. */
function merge(into: StoredOperation, operation: StoredOperation): void {
  if (operation.op === 'delete') {
    Object.assign(into, { op: 'delete', data: null, base: operation.base, sealed: operation.sealed });
    return;
  }
  into.data = over(into.data, operation.data);
  const both = (a: Values | undefined, b: Values | undefined): Values => ({ ...a, ...b });
  if (into.op === 'update') into.base = over(into.base, operation.base);
  if (into.sealed ?? operation.sealed) {
    into.sealed = {
      data: both(into.sealed?.data, operation.sealed?.data),
      base: both(into.sealed?.base, operation.sealed?.base),
    };
  }
}
