import type { Executor } from '../database/executor.js';
import { identifier, literal, raw, sql, type Sql } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import { hasCustomFields } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { instantText } from '../fields/types/time.js';
import { Fault, Gone } from '../http/errors.js';
import { type RecordSql, declaredSqlOf, resourceNameOf } from '../lists/record-sql.js';
import { apiValues, isShownIn } from './api-values.js';
import { instant } from '../lists/parameters/query-parameters.js';

/**
 * SQL of the earliest time with past states: the time of the oldest entry; null if the log is empty. It is later than every deleted
 * entry, even if older entries remain.
 */
export const KNOWN_SINCE = sql`greatest((SELECT created_at FROM change_log ORDER BY created_at, id LIMIT 1), (SELECT until FROM change_log_pruned))`;

export const AS_OF = instant<{ asOf?: string }>(
  'asOf',
  'The record as it was at this time, from the change log. Data of other records (joined names, parts, counts) is shown as of today, and secrets are null',
  (request, time) => (request.asOf = time),
);

/** SQL of the values that revert some entries of one record: the oldest value of each column. */
export const UNDOING = sql`jsonb_merge(old_values ORDER BY id DESC) FILTER (WHERE old_values IS NOT NULL)`;

/** SQL of a stored row without the values of deleted custom fields. Rows and entries may still have them. @param row SQL of its `jsonb` */
export const withLiveValues = ({ table, record }: RecordSql, row: Sql): Sql =>
  hasCustomFields(record)
    ? sql`CASE WHEN jsonb_typeof(${row}->'custom_fields') = 'object' THEN ${row} || jsonb_build_object('custom_fields',
        live_custom_fields(${literal(resourceNameOf(table))}, ${row}->'custom_fields')) ELSE ${row} END`
    : row;

/** The columns of secrets, which past states do not show. */
export const secretColumns = (resource: RecordSql): Sql =>
  sql`${literal(`{${resource.secrets.map((property) => resource.field(property).columnName).join(',')}}`)}::text[]`;

/**
 * All records of a class at a given time, with the columns of their table: those that have not changed since, and the others with each
 * later change undone. Secrets are null.
 */
export function recordsAsOf(record: Class<StoredRecord>, at: Sql): Sql {
  const resource = declaredSqlOf(record);
  const [table, name] = [identifier(resource.table), literal(resource.table)];
  const state = sql`coalesce(to_jsonb(now), '{}') || coalesce(later.old, '{}')`;
  return sql`(
    WITH later AS MATERIALIZED (
      SELECT record_id, (array_agg(action ORDER BY id))[1] AS next,
        ${UNDOING} AS old
      FROM change_log WHERE created_at > ${at} AND resource = ${literal(resourceNameOf(resource.table))} GROUP BY record_id
    )
    SELECT now.* FROM ${table} now WHERE now.created_at <= ${at} AND NOT EXISTS (SELECT FROM later WHERE later.record_id = now.id)
    UNION ALL
    SELECT past.* FROM later LEFT JOIN ${table} now ON now.id = later.record_id
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table},
        (CASE WHEN now.id IS NULL THEN with_defaults(${name}, ${state}) ELSE ${state} END) - ${secretColumns(resource as RecordSql)}) past
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

/** A record before and after a change, with the names and formats of the API; null if it did not exist. */
export interface RecordStates {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/**
 * The complete records before and after some changes: the current record, with every later change undone.
 * @param ids of entries of the change log, all of this resource
 */
export async function recordStates(
  db: Pick<Executor, 'query'>,
  resource: RecordSql,
  ids: readonly string[],
): Promise<Map<string, RecordStates>> {
  const shown = isShownIn('resource');
  const table = identifier(resource.table);
  const rows = await db.query<RecordStates & { id: string }>(
    sql`SELECT id, ${raw(apiValues('before', shown))} AS before, ${raw(apiValues('after', shown))} AS after FROM (
      SELECT id, resource, ${withLiveValues(resource, raw('before'))} AS before, ${withLiveValues(resource, raw('after'))} AS after FROM (
      SELECT l.id, l.resource,
        CASE WHEN l.action <> 'delete' THEN now.after END AS after,
        CASE l.action WHEN 'update' THEN now.after || l.old_values WHEN 'delete' THEN l.old_values END AS before
      FROM change_log l CROSS JOIN LATERAL (
        SELECT coalesce((SELECT to_jsonb(t) FROM ${table} t WHERE t.id = l.record_id), '{}')
          || coalesce((SELECT ${UNDOING} FROM change_log later
            WHERE later.record_id = l.record_id AND later.resource = l.resource AND later.id > l.id), '{}') AS after
      ) now WHERE l.id = ANY(${ids}::uuid[])
      ) stored
    ) states`,
  );
  return new Map(rows.map(({ id, before, after }) => [id, { before, after }]));
}
