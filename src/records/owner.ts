import type { Executor } from '../database/executor.js';
import { identifier, sql, type Sql } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { NotFound } from '../http/errors.js';
import { declaredSqlOf, type RecordSql } from '../lists/record-sql.js';

/** The owner of parts, from the path. A request reaches only its parts, and a new part belongs to it. */
export interface Owner {
  record: Class;
  field: string;
  id: string;
  /** Condition on `t`, if the reference is not a column of the record. */
  condition?(id: Sql): Sql;
  /** Whether the owner exists, if a row in its table is not enough. */
  exists?(db: Executor): Promise<boolean>;
}

/** Conditions on `t` that select the parts of the owner. */
export function conditionsOf<T extends StoredRecord>(resource: RecordSql<T>, owner: Owner | undefined): Sql[] {
  if (!owner) return [];
  const id = sql`${owner.id}`;
  return [owner.condition?.(id) ?? sql`t.${identifier(resource.field(owner.field).columnName)} = ${id}`];
}

/** @throws NotFound */
export async function assertExists(db: Executor, owner: Owner): Promise<void> {
  const { table, label } = declaredSqlOf(owner.record as Class<StoredRecord>);
  const exists = owner.exists
    ? await owner.exists(db)
    : (await db.query(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${owner.id}`)).length > 0;
  if (!exists) throw new NotFound(label);
}
