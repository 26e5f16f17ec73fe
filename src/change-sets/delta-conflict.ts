import { refusalOf } from '../database/database-errors.js';
import type { Transaction } from '../database/executor.js';
import { snakeCase } from '../database/naming.js';
import { sql } from '../database/sql.js';
import { recordOf } from '../fields/custom/defined-fields.js';
import type { StoredRecord } from '../fields/record.js';
import type { Class } from '../fields/field.js';
import { Fault, type DomainError } from '../http/errors.js';
import { resourceNameOf } from '../lists/record-sql.js';
import type { InTransaction } from '../lists/request-context.js';
import { otherRecord } from '../records/other-record.js';
import { byPath, fullBase } from './operation-values.js';
import type { StoredOperation, Values } from './operation-store.js';

export const CONFLICT_KINDS = ['changed', 'gone', 'rule'] as const;

/** A conflict of an operation. */
export interface DeltaConflict {
  kind: (typeof CONFLICT_KINDS)[number];
  operationId: string;
  resource: string;
  recordId: string;
  field: string | null;
  base: unknown;
  current: unknown;
  proposed: unknown;
  changedBy: string | null;
  changedAt: string | null;
  message: string;
}

/** A conflict of an operation about a field, or about the whole record. @param record its values before the merge */
export function conflictOf(
  operation: StoredOperation,
  kind: DeltaConflict['kind'],
  field: string | null,
  message: string,
  record?: Values,
): DeltaConflict {
  const at = (values: Values | null): unknown => (field === null ? null : (byPath(values).get(field) ?? null));
  return {
    kind,
    operationId: operation.id,
    resource: operation.resource,
    recordId: operation.recordId,
    field,
    base: at(fullBase(operation)),
    current: at(record ?? null),
    proposed: at(operation.data),
    changedBy: null,
    changedAt: null,
    message,
  };
}

/** A refused operation. */
export interface Refused {
  operation: StoredOperation;
  refusal: DomainError;
  error: unknown;
}

const recordsOfTable = (table: string): Class<StoredRecord> | undefined =>
  recordOf(resourceNameOf(table)) as Class<StoredRecord> | undefined;

/** The conflicts of a refused operation, with the message that the single request would have. */
export async function refusedConflicts(
  { db, caller }: InTransaction,
  { operation, refusal, error }: Refused,
  record: Values | undefined,
): Promise<DeltaConflict[]> {
  const details = refusal.extra.details ?? [];
  const [only, ...more] = details;
  if (only && more.length === 0 && refusal.status === 409) {
    const cause = refusalOf(error) === error ? (error as DomainError).cause : error;
    const other =
      cause && (await db.savepoint((tx) => otherRecord(tx, caller, recordsOfTable, cause)).catch(() => undefined));
    const named = other === undefined ? only : only.with({ message: `${only.message}: ${other}` });
    return [conflictOf(operation, 'rule', only.field, String(named), record)];
  }
  if (details.length === 0) {
    return [conflictOf(operation, refusal.code === 'not_found' ? 'gone' : 'rule', null, refusal.message, record)];
  }
  return details.map((fault: Fault) =>
    conflictOf(operation, fault.code === 'reference_missing' ? 'gone' : 'rule', fault.field, String(fault), record),
  );
}

/** Adds to conflicts who made the conflicting change, and when, from the change log. */
export async function nameChanges(tx: Transaction, conflicts: readonly DeltaConflict[]): Promise<void> {
  const about = conflicts.filter(({ kind, field }) => kind !== 'rule' && (kind === 'changed' || field === null));
  if (about.length === 0) return;
  const ids = [...new Set(about.map(({ recordId }) => recordId))];
  const entries = await tx.query<{ recordId: string; resource: string; key: string; actor: string; at: string }>(
    sql`SELECT DISTINCT ON (record_id, resource, key) record_id AS "recordId", resource, key, actor,
        to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM change_log c CROSS JOIN LATERAL jsonb_object_keys(coalesce(c.new_values, '{"*": 1}')) key
      WHERE record_id = ANY(${ids}::uuid[]) ORDER BY record_id, resource, key, c.id DESC`,
  );
  const found = new Map(entries.map((entry) => [`${entry.resource} ${entry.recordId} ${entry.key}`, entry]));
  for (const conflict of about) {
    const key = conflict.kind === 'gone' ? '*' : snakeCase(conflict.field!.split('.')[0]!);
    const entry = found.get(`${conflict.resource} ${conflict.recordId} ${key}`);
    if (entry) Object.assign(conflict, { changedBy: entry.actor, changedAt: entry.at });
  }
}
