import { DomainError } from '../http/errors.js';
import type { DeltaConflict } from './delta-conflict.js';

/** The refusal of a merge, with all conflicts. */
export class MergeRefused extends DomainError {
  constructor(private readonly conflicts: readonly object[]) {
    super('conflict', sentenceOf(conflicts as readonly Partial<DeltaConflict>[]));
  }

  override get body(): DomainError['body'] & { conflicts: readonly object[] } {
    return { ...super.body, conflicts: this.conflicts };
  }
}

function sentenceOf(conflicts: readonly Partial<DeltaConflict>[]): string {
  const count = conflicts.length === 1 ? 'One conflict' : `${conflicts.length} conflicts`;
  const [first] = conflicts;
  return `${count}, and nothing was changed${first?.message === undefined ? '' : `: ${first.message}`}`;
}
