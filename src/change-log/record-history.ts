import { Inject, Injectable } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import type { Executor, Transaction } from '../database/executor.js';
import { EMPTY, identifier, join, literal, raw, sql, write, type Sql } from '../database/sql.js';
import type { RequestContext } from '../access/request-context.js';
import { Conflict, Fault, Gone, NotFound } from '../http/errors.js';
import { RecordReply, type ListReply } from '../http/replies.js';
import { fieldsOf, isStored, type Class, type StoredField } from '../fields/field.js';
import { restoredIf, withArticle } from '../fields/record-entity.js';
import { instantText, timeInQuery, toTimestamp } from '../fields/types/time.js';
import { ReadQueue } from '../lists/read-queue.js';
import { isRuleViolation } from '../database/database-errors.js';
import { referrersOf } from '../records/references-to.js';
import { listOf } from '../lists/list-query.js';
import type { Filter, ListRequest } from '../lists/list-request.js';
import { flag, type Parameter } from '../lists/parameters/query-parameters.js';
import type { StoredRecord } from '../fields/record.js';
import { resourceNameOf, recordSqlOf, tableOf, type RecordSql } from '../lists/record-sql.js';
import type { Owner } from '../records/owner.js';
import type { JsonRow } from '../records/record-writer.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';

/**
 * SQL of the earliest time for which past states are available; null if the log is complete since its introduction. It is later
 * than every deleted entry, whatever older entries remain.
 */
export const KNOWN_SINCE = sql`(SELECT greatest((SELECT created_at FROM change_log ORDER BY created_at, id LIMIT 1), until) FROM change_log_pruned)`;

export const changesList = listOf(ChangeLogEntry);

/** The parameter `asOf` of reading one record. */
export const AS_OF: Parameter<{ asOf?: string }> = {
  name: 'asOf',
  description:
    'The record as it was at this time, from the change log. Data of other records (joined names, parts, counts) is shown as of today, and secrets are null',
  schema: timeInQuery(),
  many: false,
  apply(request, [time]) {
    request.asOf = toTimestamp(time!);
    return request.asOf === undefined
      ? 'must be one ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date'
      : undefined;
  },
};

/** The parameter `relink` of restoring a record. */
export const RELINK = flag<{ relink: boolean }>(
  'relink',
  '`true` also restores the references to the record and its parts that the delete cleared, unless they were set since or would break a rule',
  (request, value) => (request.relink = value),
);

type AnyRecord = Class<StoredRecord>;

/** The change log of a resource's records: their changes, their past states, and deleted records. */
@Injectable()
export class RecordHistory {
  constructor(
    @Inject(serviceOf(ChangeLogEntry)) private readonly changes: ResourceService<ChangeLogEntry>,
    @Inject(ReadQueue) private readonly reads: ReadQueue,
  ) {}

  /**
   * The entries of one record, which may be deleted.
   * @throws NotFound if it never existed
   */
  list(ctx: RequestContext, record: AnyRecord, id: string, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const subject = recordSqlOf(record);
    const filters: Filter[] = [
      ...request.filters,
      {
        field: recordSqlOf(ChangeLogEntry).field('resource'),
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

  /** Whether the record exists or existed according to the log, for a part with this owner. */
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
   * The record as it was at a given time: the current or deleted record, with each later change undone.
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
    const resource = recordSqlOf(record).expand(expand);
    const [table, name] = [identifier(resource.table), literal(resource.table)];
    const [of, then] = [sql`${id}::uuid`, sql`${at}::timestamptz`];
    const ofOwner = owner ? sql` AND past.${identifier(resource.field(owner.field).columnName)} = ${owner.id}` : EMPTY;
    const hidden = literal(`{${resource.secrets.map((property) => resource.field(property).columnName).join(',')}}`);
    const source = sql`(
      SELECT past.* FROM state, jsonb_populate_record(NULL::${table}, with_defaults(${name}, state.row) - ${hidden}::text[]) past
      WHERE past.id = ${of} AND past.created_at <= ${then} AND state.next IS DISTINCT FROM 'create'
        AND coalesce(${KNOWN_SINCE} <= ${then}, true)${ofOwner})`;
    const statement = sql`WITH later AS MATERIALIZED (
        SELECT id, action, old_values FROM change_log
        WHERE record_id = ${of} AND resource = ${resourceNameOf(resource.table)} AND created_at > ${then}
      ), state AS MATERIALIZED (
        SELECT coalesce((SELECT to_jsonb(now) FROM ${table} now WHERE now.id = ${of}), '{}')
            || (SELECT jsonb_merge(old_values ORDER BY id DESC) FILTER (WHERE old_values IS NOT NULL) FROM later) AS row,
          (SELECT action FROM later ORDER BY id LIMIT 1) AS next
      ) ${resource.selectJson(source)}`;
    const [row] = await this.reads.run(ctx.caller, () => ctx.db.query<Omit<JsonRow, 'version'>>(statement));
    if (row) return new RecordReply(row.id, row.json, [], { isWeak: expand.length > 0 });
    const [kept] = await ctx.db.query<{ since: string | null }>(
      sql`SELECT ${raw(instantText('since'))} AS since FROM (SELECT ${KNOWN_SINCE} AS since) kept WHERE since > ${at}`,
    );
    if (kept && (await this.existed(ctx.db, resource, id, owner))) {
      throw new Gone(
        new Fault(AS_OF.name, `must be ${kept.since} or later: the change log has no entries from before that time`),
      );
    }
    throw new NotFound(resource.label, `did not exist at ${at}`);
  }

  /**
   * Restores a deleted record with its id and its parts, as it was when it was deleted. Secrets are not in the change log and are
   * lost.
   * @param relink whether references to the record and its parts that the delete cleared are set again
   * @throws NotFound, Conflict, ValidationFailed if it refers to a record that no longer exists
   */
  restore(ctx: RequestContext, record: AnyRecord, id: string, relink: boolean): Promise<RecordReply> {
    const resource = recordSqlOf(record);
    return ctx.db.transaction(async (tx) => {
      const [last] = await tx.query<{ action: string; transaction: string; at: string }>(
        sql`SELECT action, transaction_id AS transaction, created_at::text AS at FROM change_log
          WHERE record_id = ${id} AND resource = ${resourceNameOf(resource.table)} ORDER BY id DESC LIMIT 1`,
      );
      if (!last) throw new NotFound(resource.label);
      if (last.action !== 'delete') {
        throw new Conflict(new Fault('id', `belongs to ${withArticle(record)} that is not deleted`));
      }
      await this.insertAgain(tx, resource, last, [sql`record_id = ${id}`]);
      await this.insertParts(tx, record, [id], last);
      if (relink) await this.relink(tx, record, id, last);
      const [row] = await tx.query<JsonRow>(resource.selectVersioned(resource.table, sql`WHERE t.id = ${id}`));
      return new RecordReply(row!.id, row!.json, resource.secrets, row);
    });
  }

  /** Inserts the parts of records that the same transaction deleted, and their parts. */
  private async insertParts(tx: Transaction, record: AnyRecord, ids: readonly string[], last: Deletion): Promise<void> {
    for (const { part, column } of partsOf(record)) {
      const condition = restoredIf(part.record);
      const which = [
        sql`old_values->>${literal(column)} = ANY(${ids}::text[])`,
        ...othersOf(part, column),
        ...(condition === undefined ? [] : [raw(condition)]),
      ];
      const inserted = await this.insertAgain(tx, part, last, which, outlivedBy(part));
      if (inserted.length > 0) await this.insertParts(tx, part.record, inserted, last);
    }
  }

  /** Sets the references to a record and its parts again that the transaction of their deletion cleared. */
  private async relink(tx: Transaction, record: AnyRecord, id: string, deleted: Deletion): Promise<void> {
    const restored = [{ target: record, ids: [id] }];
    for (const { part, column: owner } of partsOf(record)) {
      const rows = await tx.query<{ id: string }>(
        sql`SELECT id FROM ${identifier(part.table)} WHERE ${identifier(owner)} = ${id}`,
      );
      restored.push({ target: part.record, ids: rows.map((row) => row.id) });
    }
    for (const { target, ids } of restored) {
      for (const { resource, field } of referrersOf(target)) {
        if (field.onDelete !== 'CASCADE') await this.setAgain(tx, resource, field.columnName, ids, deleted);
      }
    }
  }

  private async setAgain(
    tx: Transaction,
    resource: RecordSql,
    columnName: string,
    ids: readonly string[],
    deleted: Deletion,
  ): Promise<void> {
    const [table, column, key] = [identifier(resource.table), identifier(columnName), literal(columnName)];
    const cleared = await tx.query<{ id: string; target: string }>(
      sql`SELECT t.id, c.old_values->>${key} AS target FROM change_log c JOIN ${table} t ON t.id = c.record_id
        WHERE ${ofDeletion(deleted)} AND c.action = 'update' AND c.resource = ${resourceNameOf(resource.table)}
          AND c.old_values->>${key} = ANY(${ids}::text[]) AND c.new_values->${key} = 'null' AND t.${column} IS NULL
        ORDER BY t.id`,
    );
    if (cleared.length === 0) return;
    const set = async (some: typeof cleared): Promise<boolean> => {
      await tx.query('SAVEPOINT relink');
      try {
        await tx.write(
          write`UPDATE ${table} t SET ${column} = link.target
            FROM unnest(${some.map((row) => row.id)}::uuid[], ${some.map(({ target }) => target)}::uuid[]) link (id, target)
            WHERE t.id = link.id AND t.${column} IS NULL`,
        );
        await tx.query('RELEASE SAVEPOINT relink');
        return true;
      } catch (error) {
        if (!isRuleViolation(error)) throw error;
        await tx.query('ROLLBACK TO SAVEPOINT relink');
        return false;
      }
    };
    // Those that break a rule are found by halves: they are few.
    const setMost = async (some: typeof cleared): Promise<void> => {
      if (await set(some)) return;
      if (some.length === 1) return;
      const half = Math.ceil(some.length / 2);
      await setMost(some.slice(0, half));
      await setMost(some.slice(half));
    };
    await setMost(cleared);
  }

  /**
   * Inserts the records that a transaction deleted.
   * @param which conditions on their entries
   * @param outlived their references to records that may be gone, and are null then
   * @returns their ids
   */
  private async insertAgain(
    tx: Transaction,
    resource: RecordSql,
    deleted: Deletion,
    which: readonly Sql[],
    outlived: readonly StoredField[] = [],
  ): Promise<string[]> {
    const [table, name] = [identifier(resource.table), literal(resource.table)];
    const kept = outlived.map(
      ({ columnName, references }) =>
        sql` || jsonb_build_object(${literal(columnName)}, (SELECT id FROM ${identifier(tableOf(references!()))}
          WHERE id = (c.old_values->>${literal(columnName)})::uuid FOR KEY SHARE))`,
    );
    const lost = [...resource.secrets.map((property) => resource.field(property).columnName), 'updated_at'];
    // A part of two records that are restored comes back once.
    const rows = await tx.write<{ id: string }>(
      write`INSERT INTO ${table}
        SELECT again.* FROM change_log c, jsonb_populate_record(NULL::${table},
          with_defaults(${name}, c.old_values - ${literal(`{${lost.join(',')}}`)}::text[])
            || jsonb_build_object('updated_at', greatest(now(), c.created_at))${join(kept, '')}) again
        WHERE ${ofDeletion(deleted)} AND c.action = 'delete' AND c.resource = ${resourceNameOf(resource.table)}
          AND ${join(which, ' AND ')}
        ON CONFLICT (id) DO NOTHING RETURNING id`,
    );
    return rows.map((row) => row.id);
  }
}

/** References of a part that no request sets: it tells what was, such as who had an asset, also of what is gone by now. */
const outlivedBy = (part: RecordSql): StoredField[] =>
  part.stored.filter(({ readOnly, references, onDelete }) => readOnly && references && onDelete !== 'CASCADE');

/** The transaction that deleted a record, and when. */
interface Deletion {
  transaction: string;
  at: string;
}

/** Condition on entries `c` of the change log: those of a transaction. The index over their times narrows them. */
const ofDeletion = ({ transaction, at }: Deletion): Sql =>
  sql`c.transaction_id = ${transaction} AND c.created_at BETWEEN ${at}::timestamptz - interval '1 hour' AND ${at}::timestamptz + interval '1 hour'`;

/** The id of a part's owner: from the part itself, or from the entry of its deletion. */
function ownerIdOf(part: RecordSql, owner: Owner, id: Sql, resource: Sql): Sql {
  const { columnName } = part.field(owner.field);
  return sql`coalesce(
    (SELECT part.${identifier(columnName)} FROM ${identifier(part.table)} part WHERE part.id = ${id}),
    (SELECT (past.old_values->>${literal(columnName)})::uuid FROM change_log past
     WHERE past.record_id = ${id} AND past.resource = ${resource} AND past.action = 'delete' ORDER BY past.id DESC LIMIT 1))`;
}

/** The parts that are deleted together with a record, and the column that refers to it. */
function partsOf(record: Class): { part: RecordSql; column: string }[] {
  return getMetadataArgsStorage().tables.flatMap(({ target }) =>
    fieldsOf(target as Class)
      .filter(isStored)
      .filter(({ onDelete, references }) => onDelete === 'CASCADE' && references?.() === record)
      .map((field) => ({ part: recordSqlOf(target as Class<StoredRecord>), column: field.columnName })),
  );
}

/**
 * Conditions on the entry of a part that was deleted: the other records that it is a part of exist. One that belongs to two
 * records, such as a target, comes back only if both are there.
 * @param restored column of the owner that is restored
 */
const othersOf = (part: RecordSql, restored: string): Sql[] =>
  part.stored
    // Records of its own kind come back with it.
    .filter(
      ({ onDelete, columnName, references }) =>
        onDelete === 'CASCADE' && columnName !== restored && references?.() !== part.record,
    )
    .map(
      ({ columnName, references }) =>
        sql`(c.old_values->>${literal(columnName)} IS NULL OR EXISTS (
          SELECT FROM ${identifier(tableOf(references!()))} WHERE id = (c.old_values->>${literal(columnName)})::uuid FOR KEY SHARE))`,
    );
