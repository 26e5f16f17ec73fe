import { hasRole, meets, type Caller } from '../access/access.js';
import type { Executor } from '../database/executor.js';
import { uniqueViolation } from '../database/database-errors.js';
import { fieldsOf, type Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { areaOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { columnOf, resourceNameOf, recordSqlOf } from '../lists/record-sql.js';
import { readingOf } from './record-access.js';

const INDEX = `
SELECT ARRAY(SELECT pg_get_indexdef(indexrelid, place, true) FROM generate_series(1, indnkeyatts) place) AS keys,
  coalesce(pg_get_expr(indpred, indrelid), 'true') AS condition
FROM pg_index WHERE indexrelid = to_regclass($1) AND indrelid = to_regclass($2)`;

/**
 * The record that already has the values of a violated unique index, in words; undefined if the error is none of this kind, the
 * record is gone by now, or the caller may not read it. It is read after the transaction of the request has ended.
 * @param recordOf class of the records of a table
 */
export async function otherRecord(
  db: Pick<Executor, 'query'>,
  caller: Caller | undefined,
  recordOf: (table: string) => Class<StoredRecord> | undefined,
  error: unknown,
): Promise<string | undefined> {
  const violated = uniqueViolation(error);
  const record = violated && recordOf(violated.table);
  const name = record && nameOf(record);
  if (!name || !caller || !mayRead(caller, record)) return undefined;
  const { constraint, table } = violated;
  // The trigger of a rule names columns and simple expressions.
  const [{ keys, condition } = { keys: violated.columns.split(', '), condition: 'true' }] = await db.query<{
    keys: string[];
    condition: string;
  }>(INDEX, [constraint, table]);
  const values = valuesOf(violated.values, keys.length);
  const same = keys.map((key, place) => `${key} = $${place + 1}`).join(' AND ');
  const [found] = await db.query<{ id: string; name: string | null }>(
    `SELECT t.id, ${name}::text AS name FROM ${recordSqlOf(record).table} t WHERE ${same} AND ${condition}`,
    values,
  );
  if (!found) return undefined;
  const place = `${resourceNameOf(table)} ${found.id}`;
  return found.name === null ? place : `'${found.name}' (${place})`;
}

/** SQL of what a record is called; undefined if it has no name. What a target affects gives the target its name. */
function nameOf(record: Class): string | undefined {
  const naming = namingOf(record);
  if (naming) return naming.type.text?.(columnOf(naming)) ?? columnOf(naming);
  const computed = fieldsOf(record).find(({ kind, property }) => kind === 'computed' && property === 'name');
  return computed?.kind === 'computed' ? computed.sql('t') : undefined;
}

/** Profiles and other records without an area are named to administrators only. */
const mayRead = (caller: Caller, record: Class): boolean =>
  areaOf(record) === null ? hasRole(caller, 'admin') : meets(caller, readingOf(record));

/** The values of a key as the database tells them. Only the last may have a comma in it: those before are ids. */
function valuesOf(values: string, count: number): string[] {
  const parts = values.split(', ');
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(', ')];
}
