import type { Executor } from '../database/executor.js';
import { apiValues, isShownIn } from '../change-log/api-values.js';
import type { RecordSql } from '../lists/record-sql.js';

/** A record before and after a change, with the names and formats of the API; null if there was none. */
export interface RecordStates {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/**
 * The whole records before and after some changes: the current record, with every later change undone.
 * @param ids of entries of the change log, all of this resource
 */
export async function recordStates(
  db: Pick<Executor, 'query'>,
  { table }: RecordSql,
  ids: readonly string[],
): Promise<Map<string, RecordStates>> {
  const shown = isShownIn('resource');
  const rows = await db.query<RecordStates & { id: string }>(
    `SELECT id, ${apiValues('before', shown)} AS before, ${apiValues('after', shown)} AS after FROM (
      SELECT l.id, l.resource,
        CASE WHEN l.action <> 'delete' THEN now.after END AS after,
        CASE l.action WHEN 'update' THEN now.after || l.old_values WHEN 'delete' THEN l.old_values END AS before
      FROM change_log l CROSS JOIN LATERAL (
        SELECT coalesce((SELECT to_jsonb(t) FROM ${table} t WHERE t.id = l.record_id), '{}')
          || coalesce((SELECT jsonb_merge(old_values ORDER BY id DESC) FILTER (WHERE old_values IS NOT NULL) FROM change_log later
            WHERE later.record_id = l.record_id AND later.resource = l.resource AND later.id > l.id), '{}') AS after
      ) now WHERE l.id = ANY($1::uuid[])
    ) states`,
    [ids],
  );
  return new Map(rows.map(({ id, before, after }) => [id, { before, after }]));
}
