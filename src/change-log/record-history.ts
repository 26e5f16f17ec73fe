import { Inject, Injectable } from '@nestjs/common';
import type { Executor } from '../database/executor.js';
import { EMPTY, identifier, literal, raw, sql, type Sql } from '../database/sql.js';
import type { RequestContext } from '../lists/request-context.js';
import { NotFound } from '../http/errors.js';
import { type ListReply, RecordReply } from '../http/replies.js';
import type { Class } from '../fields/field.js';
import { listOf } from '../lists/list-query.js';
import type { Filter, ListRequest } from '../lists/list-request.js';
import type { StoredRecord } from '../fields/record.js';
import { type RecordSql, declaredSqlOf, resourceNameOf } from '../lists/record-sql.js';
import type { Owner } from '../records/owner.js';
import type { JsonRow } from '../records/record-writer.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';
import { assertKnownAt, KNOWN_SINCE, secretColumns, UNDOING, withLiveValues } from './past-states.js';

export const changesList = listOf(ChangeLogEntry);

type AnyRecord = Class<StoredRecord>;

/** The change log of a resource's records: their changes and their past states. */
@Injectable()
export class RecordHistory {
  constructor(@Inject(serviceOf(ChangeLogEntry)) private readonly changes: ResourceService<ChangeLogEntry>) {}

  /**
   * The entries of one record, which may be deleted.
   * @throws NotFound if it never existed
   */
  list(ctx: RequestContext, record: AnyRecord, id: string, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const subject = declaredSqlOf(record);
    const filters: Filter[] = [
      ...request.filters,
      {
        field: declaredSqlOf(ChangeLogEntry).field('resource'),
        operator: 'eq',
        values: [resourceNameOf(subject.table)],
      },
    ];
    if (owner) {
      const ownerId = ownerIdOf(subject, owner, raw('t.record_id'), raw('t.resource'));
      const isOwned = { sqlType: 'uuid', sql: (value: Sql) => sql`${ownerId} = ${value}` };
      filters.push({ field: isOwned, operator: 'eq', values: [owner.id] });
    }
    const exists = (db: Executor): Promise<boolean> => this.existed(db, subject, id, owner);
    return this.changes.list(ctx, { ...request, filters }, { record, field: 'recordId', id, exists });
  }

  /** Whether the record exists, or existed according to the log, as a part of this owner. */
  private async existed(db: Executor, resource: RecordSql, id: string, owner?: Owner): Promise<boolean> {
    const [of, name] = [sql`${id}::uuid`, sql`${resourceNameOf(resource.table)}`];
    const found = await db.query(
      owner
        ? sql`SELECT 1 WHERE ${ownerIdOf(resource, owner, of, name)} = ${owner.id}`
        : sql`SELECT 1 FROM ${identifier(resource.table)} WHERE id = ${of}
            UNION ALL (SELECT 1 FROM change_log WHERE record_id = ${of} AND resource = ${name} LIMIT 1)`,
    );
    return found.length > 0;
  }

  /**
   * The record at a given time: the current or deleted record, with each later change undone.
   * @throws NotFound, Gone if the log no longer has all entries since that time
   */
  async asOf(
    ctx: RequestContext,
    record: AnyRecord,
    id: string,
    at: string,
    owner?: Owner,
    expand: readonly string[] = [],
  ): Promise<RecordReply> {
    const resource = ctx.resource(record).expand(expand);
    const [table, name] = [identifier(resource.table), literal(resource.table)];
    const [of, then] = [sql`${id}::uuid`, sql`${at}::timestamptz`];
    const ofOwner = owner ? sql` AND past.${identifier(resource.field(owner.field).columnName)} = ${owner.id}` : EMPTY;
    const stored = raw('state.row');
    const row = resource.custom.fields.length > 0 ? withLiveValues(resource, stored) : stored;
    const source = sql`(
      SELECT past.* FROM state, jsonb_populate_record(NULL::${table}, with_defaults(${name}, ${row}) - ${secretColumns(resource)}) past
      WHERE past.id = ${of} AND past.created_at <= ${then} AND state.next IS DISTINCT FROM 'create'
        AND coalesce(${KNOWN_SINCE} <= ${then}, true)${ofOwner})`;
    const statement = sql`WITH later AS MATERIALIZED (
        SELECT id, action, old_values FROM change_log
        WHERE record_id = ${of} AND resource = ${resourceNameOf(resource.table)} AND created_at > ${then}
      ), state AS MATERIALIZED (
        SELECT coalesce((SELECT to_jsonb(now) FROM ${table} now WHERE now.id = ${of}), '{}')
            || (SELECT ${UNDOING} FROM later) AS row,
          (SELECT action FROM later ORDER BY id LIMIT 1) AS next
      ) ${resource.selectJson(source)}`;
    const [found] = await ctx.db.query<Omit<JsonRow, 'version'>>(statement);
    if (found) return new RecordReply(found.id, found.json, [], { isWeak: expand.length > 0 });
    if (await this.existed(ctx.db, resource, id, owner)) await assertKnownAt(ctx.db, at);
    throw new NotFound(resource.label, `did not exist at ${at}`);
  }
}

/** The id of a part's owner: from the part itself, or from the entry of its deletion. */
function ownerIdOf(part: RecordSql, owner: Owner, id: Sql, resource: Sql): Sql {
  const { columnName } = part.field(owner.field);
  return sql`coalesce(
    (SELECT part.${identifier(columnName)} FROM ${identifier(part.table)} part WHERE part.id = ${id}),
    (SELECT (past.old_values->>${literal(columnName)})::uuid FROM change_log past
     WHERE past.record_id = ${id} AND past.resource = ${resource} AND past.action = 'delete' ORDER BY past.id DESC LIMIT 1))`;
}
