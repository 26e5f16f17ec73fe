import type { Executor } from '../database/executor.js';
import { identifier, sql } from '../database/sql.js';
import { Fault, ValidationFailed } from '../http/errors.js';
import type { StoredField } from '../fields/field.js';
import type { RecordSql } from '../lists/record-sql.js';
import type { Columns } from './record-writer.js';

type Resource = Pick<RecordSql, 'stored' | 'table'>;

function withdrawn({ type, columnName }: StoredField, columns: Columns): string | undefined {
  const value = columns[columnName];
  return typeof value === 'string' ? type.withdrawn?.(value) : undefined;
}

/** Refuses values that were withdrawn in a new record. @throws ValidationFailed */
export function refuseWithdrawn({ stored }: Resource, columns: Columns): void {
  for (const field of stored) {
    const fault = withdrawn(field, columns);
    if (fault !== undefined) throw new ValidationFailed([new Fault(field.property, fault)]);
  }
}

/** Refuses values that were withdrawn in records that do not have them already. @throws ValidationFailed */
export async function keepWithdrawn(
  db: Executor,
  { stored, table }: Resource,
  changes: readonly { id: string; columns: Columns }[],
): Promise<void> {
  for (const field of stored) {
    const { columnName, property } = field;
    const given = changes.filter(({ columns }) => withdrawn(field, columns) !== undefined);
    if (given.length === 0) continue;
    const ids = given.map(({ id }) => id);
    const values = given.map(({ columns }) => columns[columnName] as string);
    const [other] = await db.query<{ value: string }>(
      sql`SELECT value FROM unnest(${ids}::uuid[], ${values}::text[]) given (id, value) JOIN ${identifier(table)} t USING (id)
        WHERE t.${identifier(columnName)} IS DISTINCT FROM value LIMIT 1`,
    );
    if (other) throw new ValidationFailed([new Fault(property, field.type.withdrawn!(other.value)!)]);
  }
}
