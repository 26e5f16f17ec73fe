import type { Executor } from '../database/executor.js';
import { identifier, literal, raw, sql, type Sql } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { instantText } from '../fields/types/time.js';
import { Fault, Gone } from '../http/errors.js';
import { resourceNameOf, recordSqlOf } from '../lists/record-sql.js';
import { AS_OF, KNOWN_SINCE } from './record-history.js';

/**
 * All records of a class as they were at a given time, with the columns of their table: those that have not
 * changed since, and the others with each later change undone. Secrets are null.
 */
export function recordsAsOf(record: Class<StoredRecord>, at: Sql): Sql {
  const resource = recordSqlOf(record);
  const [table, name] = [identifier(resource.table), literal(resource.table)];
  const hidden = literal(`{${resource.secrets.map((property) => resource.field(property).columnName).join(',')}}`);
  const state = sql`coalesce(to_jsonb(now), '{}') || coalesce(later.old, '{}')`;
  return sql`(
    WITH later AS MATERIALIZED (
      SELECT record_id, (array_agg(action ORDER BY id))[1] AS next,
        jsonb_merge(old_values ORDER BY id DESC) FILTER (WHERE old_values IS NOT NULL) AS old
      FROM change_log WHERE created_at > ${at} AND resource = ${literal(resourceNameOf(resource.table))} GROUP BY record_id
    )
    SELECT now.* FROM ${table} now WHERE now.created_at <= ${at} AND NOT EXISTS (SELECT FROM later WHERE later.record_id = now.id)
    UNION ALL
    SELECT past.* FROM later LEFT JOIN ${table} now ON now.id = later.record_id
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table},
        (CASE WHEN now.id IS NULL THEN with_defaults(${name}, ${state}) ELSE ${state} END) - ${hidden}::text[]) past
    WHERE later.next <> 'create' AND past.created_at <= ${at}
  )`;
}

/** @throws Gone if the change log no longer has all entries since a time */
export async function assertKnownAt(db: Executor, at: string): Promise<void> {
  const [kept] = await db.query<{ since: string }>(
    sql`SELECT ${raw(instantText('since'))} AS since FROM (SELECT ${KNOWN_SINCE} AS since) kept WHERE since > ${at}`,
  );
  if (kept) {
    throw new Gone(
      new Fault(AS_OF.name, `must be ${kept.since} or later: the change log has no entries from before that time`),
    );
  }
}
