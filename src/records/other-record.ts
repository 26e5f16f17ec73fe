import { hasRole, meets, type Caller } from '../access/access.js';
import type { Executor } from '../database/executor.js';
import { keyViolation } from '../database/database-errors.js';
import { fieldsOf, type Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { areaOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { columnOf, resourceNameOf, tableOf } from '../lists/record-sql.js';
import { readingOf } from './record-access.js';
import { identifier, join, raw, sql, type Sql } from '../database/sql.js';

const uniqueIndex = (name: string, table: string): Sql => sql`
SELECT ARRAY(SELECT pg_get_indexdef(indexrelid, place, true) FROM generate_series(1, indnkeyatts) place) AS keys,
  ARRAY(SELECT typcategory = 'S' FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = indexrelid AND a.attnum <= indnkeyatts ORDER BY a.attnum) AS texts,
  coalesce(pg_get_expr(indpred, indrelid), 'true') AS condition
FROM pg_index WHERE indexrelid = to_regclass(${name}) AND indrelid = to_regclass(${table})`;

/**
 * The record that already has the values of a violated unique index or exclusion, in words; undefined for other errors, or if the
 * caller may not read it or it is gone. It is read after the transaction of the request has ended.
 * @param recordOf class of the records of a table
 */
export async function otherRecord(
  db: Pick<Executor, 'query'>,
  caller: Caller | undefined,
  recordOf: (table: string) => Class<StoredRecord> | undefined,
  error: unknown,
): Promise<string | undefined> {
  const violated = keyViolation(error);
  const record = violated && recordOf(violated.table);
  const name = record && nameOf(record);
  if (!name || !caller || !mayRead(caller, record)) return undefined;
  const { constraint, table } = violated;
  // The trigger of a rule names columns and simple expressions, of which the last may be a text.
  const named = violated.columns.split(', ');
  const ofTrigger = { keys: named, texts: named.map((_, place) => place === named.length - 1), condition: 'true' };
  const [{ keys, texts, condition } = ofTrigger] = await db.query<typeof ofTrigger>(uniqueIndex(constraint, table));
  const readings = readingsOf(violated.values.split(', '), texts).slice(0, MOST_READINGS);
  const same = readings.map(
    (values) =>
      sql`(${join(
        keys.map((key, place) => sql`${raw(key)} = ${values[place]}`),
        ' AND ',
      )})`,
  );
  const [found, another] = await db.query<{ id: string; name: string | null }>(
    sql`SELECT t.id, ${raw(name)}::text AS name FROM ${identifier(tableOf(record))} t
      WHERE (${join(same, ' OR ')}) AND ${raw(condition)} LIMIT 2`,
  );
  // Two records have the same description.
  if (another) return undefined;
  if (!found) return undefined;
  const place = `${resourceNameOf(table)} ${found.id}`;
  return found.name === null ? place : `'${found.name}' (${place})`;
}

/** SQL of the display name of a record; undefined if it has none. A target is named after the affected record. */
export function nameOf(record: Class): string | undefined {
  const naming = namingOf(record);
  if (naming) return naming.type.text?.(columnOf(naming)) ?? columnOf(naming);
  const computed = fieldsOf(record).find(({ kind, property }) => kind === 'computed' && property === 'name');
  return computed?.kind === 'computed' ? computed.sql('t') : undefined;
}

/** Profiles and other records without an area are named to administrators only. */
const mayRead = (caller: Caller, record: Class): boolean =>
  areaOf(record) === null ? hasRole(caller, 'admin') : meets(caller, readingOf(record));

/** Maximum number of ways to read the values of a key. */
const MOST_READINGS = 50;

/**
 * The values of a key in the message of the database, separated by commas. Texts may contain commas, so there may be several ways to read them.
 * @param texts which of the values are texts
 */
export function readingsOf(parts: readonly string[], texts: readonly boolean[]): string[][] {
  const [isText, ...others] = texts;
  if (isText === undefined) return parts.length === 0 ? [[]] : [];
  const most = isText ? parts.length - others.length : Math.min(parts.length, 1);
  return Array.from({ length: Math.max(most, 0) }, (_, more) => more + 1).flatMap((count) =>
    readingsOf(parts.slice(count), others).map((rest) => [parts.slice(0, count).join(', '), ...rest]),
  );
}
