import type { Executor } from '../database/executor.js';
import type { RecordSql } from '../lists/record-sql.js';
import { sql, type Sql } from '../database/sql.js';

/** Columns whose change can be refused because of other records of the table: columns of unique indexes, and references to the same table. */
export async function dependentColumns(
  db: Executor,
  { table, stored, record }: Pick<RecordSql, 'table' | 'stored' | 'record'>,
): Promise<ReadonlySet<string>> {
  const unique = await db.query<{ name: string }>(uniqueColumnsOf(table));
  const among = stored.filter(({ references }) => references?.() === record);
  return new Set([...unique.map(({ name }) => name), ...among.map(({ columnName }) => columnName)]);
}

/** Names of the columns that unique indexes of a table compare, also within expressions. The primary key is not among them. */
const uniqueColumnsOf = (table: string): Sql => sql`
SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
WHERE i.indrelid = ${table}::regclass AND i.indisunique AND NOT i.indisprimary AND a.attnum > 0 AND (
  a.attnum = ANY(i.indkey) OR EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
      AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum
  )
)`;
