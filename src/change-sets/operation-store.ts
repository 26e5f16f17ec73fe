import type { Executor, Transaction } from '../database/executor.js';
import { sql, write } from '../database/sql.js';

/** Values of a record by their properties, as the API has them. */
export type Values = Record<string, unknown>;

/** A stored operation. Secrets are in `sealed`, and not in `data` and `base`. */
export interface StoredOperation {
  id: string;
  op: 'create' | 'update' | 'delete';
  resource: string;
  recordId: string;
  data: Values | null;
  base: Values | null;
  columns: Values | null;
  sealed: { data?: Values; base?: Values } | null;
  position: number;
}

const SELECTED = sql`SELECT id, op, resource, record_id AS "recordId", data, base, columns, sealed, position FROM change_set_operations o`;

/** All operations of a change set, in their order. */
export const operationsOf = (db: Executor, changeSet: string): Promise<StoredOperation[]> =>
  db.query<StoredOperation>(sql`${SELECTED} WHERE change_set_id = ${changeSet} ORDER BY position`);

/** The last operation of a change set, and those on some records, in order. */
export const operationsOn = (
  db: Executor,
  changeSet: string,
  recordIds: readonly string[],
): Promise<StoredOperation[]> =>
  db.query<StoredOperation>(
    sql`${SELECTED} WHERE change_set_id = ${changeSet} AND (record_id = ANY(${recordIds}::uuid[])
      OR position = (SELECT max(position) FROM change_set_operations WHERE change_set_id = ${changeSet})) ORDER BY position`,
  );

/** The ids of the records that a change set creates and deletes. */
export const recordsMade = (
  db: Executor,
  changeSet: string,
): Promise<Pick<StoredOperation, 'op' | 'resource' | 'recordId'>[]> =>
  db.query(
    sql`SELECT op, resource, record_id AS "recordId" FROM change_set_operations
      WHERE change_set_id = ${changeSet} AND op <> 'update' ORDER BY position`,
  );

const json = (operations: readonly StoredOperation[]): string => JSON.stringify(operations);

const GIVEN = `(id uuid, op text, resource text, "recordId" uuid, data jsonb, base jsonb, columns jsonb, sealed jsonb, position int)`;

/** Adds, changes and removes operations. */
export async function storeOperations(
  tx: Transaction,
  changeSet: string,
  author: string,
  changes: {
    added: readonly StoredOperation[];
    changed: readonly StoredOperation[];
    removed: readonly string[];
  },
): Promise<void> {
  const { added, changed, removed } = changes;
  if (removed.length > 0) {
    await tx.write(
      write`DELETE FROM change_set_operations WHERE change_set_id = ${changeSet} AND id = ANY(${removed}::uuid[])`,
    );
  }
  if (changed.length > 0) {
    await tx.write(
      write`UPDATE change_set_operations o SET op = n.op, data = n.data, base = n.base, sealed = n.sealed, updated_at = now(),
          authors = CASE WHEN ${author}::uuid = ANY(o.authors) THEN o.authors ELSE o.authors || ${author}::uuid END
        FROM jsonb_to_recordset(${json(changed)}::jsonb) n ${sql([GIVEN])} WHERE o.id = n.id`,
    );
  }
  if (added.length > 0) {
    await tx.write(
      write`INSERT INTO change_set_operations (id, change_set_id, op, resource, record_id, data, base, columns, sealed, position, authors)
        SELECT n.id, ${changeSet}::uuid, n.op, n.resource, n."recordId", nullif(n.data, 'null'), nullif(n.base, 'null'), nullif(n.columns, 'null'),
          nullif(n.sealed, 'null'), n.position, ARRAY[${author}::uuid]
        FROM jsonb_to_recordset(${json(added)}::jsonb) n ${sql([GIVEN])}`,
    );
  }
}
