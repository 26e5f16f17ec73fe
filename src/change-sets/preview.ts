import type { DeltaConflict } from './delta-conflict.js';

/** An operation as a preview shows it. */
export interface PreviewedOperation {
  id: string;
  op: string;
  resource: string;
  recordId: string;
  before: unknown;
  after: unknown;
}

/** The effects of a merge. */
export interface Preview {
  operations: PreviewedOperation[];
  conflicts: DeltaConflict[];
  warnings: unknown[];
}
