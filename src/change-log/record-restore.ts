import type { RequestContext } from '../lists/request-context.js';
import { isCustomFault, isDanglingReference, isRuleViolation, refusalOf } from '../database/database-errors.js';
import type { Transaction } from '../database/executor.js';
import { holdLock, LOCKS } from '../database/locks.js';
import { writeOrFindRefused } from '../database/refused.js';
import { EMPTY, identifier, join, literal, raw, sql, write, type Sql } from '../database/sql.js';
import type { Class, StoredField } from '../fields/field.js';
import { descriptionOf, labelOf, hasCustomFields, withArticle } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { Conflict, Fault, NotFound } from '../http/errors.js';
import { RecordReply } from '../http/replies.js';
import { flag } from '../lists/parameters/query-parameters.js';
import { resourceNameOf, tableOf, type RecordSql } from '../lists/record-sql.js';
import { referrersOf, type Referrer } from '../records/references-to.js';
import type { JsonRow } from '../records/record-writer.js';
import { secretColumns } from './past-states.js';
import { LeftOut, mayWrite, type LeftRecord } from './left-out.js';

export const RELINK = flag<{ relink: boolean }>(
  'relink',
  '`true` also restores the references to the record and its parts that the delete cleared, unless they were set since or would break a rule',
  (request, value) => (request.relink = value),
);

type AnyRecord = Class<StoredRecord>;

/**
 * Restores a deleted record with its id and its parts, in its state at the deletion. Secrets are not in the change log and are lost.
 * @param relink whether references that the delete cleared, to the record and its parts, are set again
 * @throws NotFound, Conflict, ValidationFailed if it refers to a record that no longer exists
 */
export function restoreRecord(
  ctx: RequestContext,
  record: AnyRecord,
  id: string,
  relink: boolean,
): Promise<RecordReply> {
  const resource = ctx.resource(record);
  return ctx.db.transaction(async (tx) => {
    const [last] = await tx.query<{ action: string; transaction: string; at: string }>(
      sql`SELECT action, transaction_id AS transaction, created_at::text AS at FROM change_log
        WHERE record_id = ${id} AND resource = ${resourceNameOf(resource.table)} ORDER BY id DESC LIMIT 1`,
    );
    if (!last) throw new NotFound(resource.label);
    // Restores of records that one request deleted run one after another. A part of two records, such as a cable, is restored with the
    // second one.
    await holdLock(tx, LOCKS.named(`restore ${last.transaction}`));
    const left = new LeftOut();
    const exists = new Conflict(new Fault('id', `belongs to ${withArticle(record)} that is not deleted`));
    if (last.action !== 'delete') throw exists;
    try {
      await restoring(tx, 'yes');
      const inserted = await insertAgain(tx, resource, last, [sql`c.record_id = ${id}`]);
      // Another request has restored it meanwhile.
      if (inserted.length === 0) throw exists;
      await insertParts(tx, record, [id], last, left);
      await restoring(tx, '');
    } catch (error) {
      // The definitions have changed since, so the request is not at fault.
      throw isCustomFault(error) ? new Conflict(...refusalOf(error)!.extra.details!) : error;
    }
    if (relink) await relinkRecord(tx, ctx, record, id, last, left);
    const [row] = await tx.query<JsonRow>(resource.selectVersioned(resource.table, sql`WHERE t.id = ${id}`));
    return new RecordReply(row!.id, row!.json, resource.secrets, {
      ...row,
      beside: left.besideFor(ctx.caller),
    });
  });
}

/** Tells `hold_transitions` that records are restored, which is not a transition. */
const restoring = (tx: Transaction, value: 'yes' | ''): Promise<unknown> =>
  tx.query(sql`SELECT set_config('inventory.restores', ${value}, true)`);

/** Inserts the parts of records that the same transaction deleted, and the parts of these. A part that would break a rule is left out. */
async function insertParts(
  tx: Transaction,
  record: AnyRecord,
  ids: readonly string[],
  last: Deletion,
  left: LeftOut,
): Promise<void> {
  for (const { resource: part, field } of partsOf(record)) {
    const { restoredIf } = descriptionOf(part.record);
    const ofOwners = sql`c.old_values->>${literal(field.columnName)} = ANY(${ids}::text[])`;
    const which = [
      ofOwners,
      ...othersOf(part, field.columnName),
      ...(restoredIf === undefined ? [] : [raw(restoredIf)]),
    ];
    const entries = await tx.query<{ id: string; name: string | null; isElsewhere: boolean; isThere: boolean }>(
      sql`SELECT c.record_id AS id, c.record_name AS name, t.id IS NOT NULL AS "isThere",
          coalesce(t.${identifier(field.columnName)} <> (c.old_values->>${literal(field.columnName)})::uuid, false) AS "isElsewhere"
        FROM change_log c LEFT JOIN ${identifier(part.table)} t ON t.id = c.record_id
        WHERE ${ofDeletion(last)} AND c.action = 'delete' AND c.resource = ${resourceNameOf(part.table)} AND ${ofOwners}`,
    );
    const elsewhere = entries.find(({ isElsewhere }) => isElsewhere);
    if (elsewhere) {
      const what = `${labelOf(part.record)} '${elsewhere.name ?? elsewhere.id}'`;
      throw new Conflict(new Fault('id', `has a part that belongs to another record by now: ${what}`));
    }
    const missing = entries.filter(({ isThere }) => !isThere);
    const inserted = new Set<string>();
    const insert = async (some: readonly { id: string }[]): Promise<void> => {
      const among = sql`c.record_id = ANY(${some.map(({ id }) => id)}::uuid[])`;
      for (const id of await insertAgain(tx, part, last, [...which, among], outlivedBy(part))) inserted.add(id);
    };
    await writeOrFindRefused(tx, missing, insert, (_entry, _refusal, error) => {
      if (!isRuleViolation(error) || isDanglingReference(error) || isCustomFault(error)) throw error;
    });
    left.add(
      part,
      missing.filter(({ id }) => !inserted.has(id)),
    );
    if (inserted.size > 0) await insertParts(tx, part.record, [...inserted], last, left);
  }
}

/** Sets the references to a record and its parts again that the transaction of their deletion cleared. */
async function relinkRecord(
  tx: Transaction,
  ctx: RequestContext,
  record: AnyRecord,
  id: string,
  deleted: Deletion,
  left: LeftOut,
): Promise<void> {
  const { caller, fields } = ctx;
  const relink = async (resource: RecordSql, link: Link, ids: readonly string[]): Promise<void> =>
    left.add(resource, await setAgain(tx, resource, link, ids, deleted, mayWrite(caller, resource.record)));
  const restored = [{ target: record, ids: [id] }];
  for (const { resource: part, field } of partsOf(record)) {
    const rows = await tx.query<{ id: string }>(
      sql`SELECT id FROM ${identifier(part.table)} WHERE ${identifier(field.columnName)} = ${id}`,
    );
    restored.push({ target: part.record, ids: rows.map((row) => row.id) });
  }
  for (const { target, ids } of restored) {
    for (const { resource, field } of referrersOf(target)) {
      if (field.onDelete !== 'CASCADE') await relink(resource, linkOf(field.columnName), ids);
    }
    for (const { record: owner, field } of fields.referrersOf(target)) {
      const link = customLinkOf(field.custom!.definition.storedAs);
      await relink(ctx.resource(owner as AnyRecord), link, ids);
    }
    await setAgain(tx, { table: 'custom_fields' }, DEFAULT_LINK, ids, deleted, true);
  }
}

/** @returns the records that are left as they are */
async function setAgain(
  tx: Transaction,
  resource: Pick<RecordSql, 'table'>,
  { past, isCleared, isUnset, assignment }: Link,
  ids: readonly string[],
  deleted: Deletion,
  isAllowed: boolean,
): Promise<LeftRecord[]> {
  const table = identifier(resource.table);
  const cleared = await tx.query<LeftRecord & { target: string }>(
    sql`SELECT t.id, c.record_name AS name, ${past} AS target FROM change_log c JOIN ${table} t ON t.id = c.record_id
      WHERE ${ofDeletion(deleted)} AND c.action = 'update' AND c.resource = ${resourceNameOf(resource.table)}
        AND ${past} = ANY(${ids}::text[]) AND ${isCleared} AND ${isUnset}
      ORDER BY t.id`,
  );
  if (!isAllowed) return cleared;
  const left: LeftRecord[] = [];
  const set = async (some: readonly { id: string; target: string }[]): Promise<void> => {
    await tx.write(write`UPDATE ${table} t SET ${assignment}
      FROM unnest(${some.map((row) => row.id)}::uuid[], ${some.map(({ target }) => target)}::uuid[]) link (id, target)
      WHERE t.id = link.id AND ${isUnset}`);
  };
  // References that would break a rule stay cleared.
  await writeOrFindRefused(tx, cleared, set, (row, _refusal, error) => {
    if (!isRuleViolation(error)) throw error;
    left.push(row);
  });
  return left;
}

/**
 * Inserts the records that a transaction deleted.
 * @param which conditions on their entries
 * @param outlived references whose targets may be gone, and that are null then
 * @returns their ids
 */
async function insertAgain(
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
  const custom = hasCustomFields(resource.record)
    ? sql` || jsonb_build_object('custom_fields', restored_custom_fields(${literal(resourceNameOf(resource.table))}, c.old_values->'custom_fields', c.record_id))`
    : EMPTY;
  // A part of two restored records is restored once.
  const rows = await tx.write<{ id: string }>(
    write`INSERT INTO ${table}
      SELECT again.* FROM change_log c, jsonb_populate_record(NULL::${table},
        with_defaults(${name}, c.old_values - ${secretColumns(resource)} - 'updated_at')
          || jsonb_build_object('updated_at', greatest(now(), c.created_at))${join(kept, '')}${custom}) again
      WHERE ${ofDeletion(deleted)} AND c.action = 'delete' AND c.resource = ${resourceNameOf(resource.table)}
        AND ${join(which, ' AND ')}
      ON CONFLICT (id) DO NOTHING RETURNING id`,
  );
  return rows.map((row) => row.id);
}

/** A reference that a delete has cleared, as SQL over an entry `c`, the record `t` and the `link` that is set again. */
interface Link {
  /** The id that it had. */
  past: Sql;
  /** The entry says that it was cleared. */
  isCleared: Sql;
  /** It has not been set since. */
  isUnset: Sql;
  assignment: Sql;
}

function linkOf(columnName: string): Link {
  const [column, key] = [identifier(columnName), literal(columnName)];
  return {
    past: sql`c.old_values->>${key}`,
    isCleared: sql`c.new_values->${key} = 'null'`,
    isUnset: sql`t.${column} IS NULL`,
    assignment: sql`${column} = link.target`,
  };
}

function customLinkOf(storedAs: string): Link {
  const key = literal(storedAs);
  return {
    past: sql`c.old_values->'custom_fields'->>${key}`,
    isCleared: sql`NOT coalesce(c.new_values->'custom_fields' ? ${key}, false)`,
    isUnset: sql`NOT coalesce(t.custom_fields ? ${key}, false)`,
    assignment: sql`custom_fields = coalesce(t.custom_fields, '{}') || jsonb_build_object(${key}, link.target)`,
  };
}

/** The default of a custom field. A field that has become unique meanwhile has none. */
const DEFAULT_LINK: Link = {
  past: sql`c.old_values->>'default_value'`,
  isCleared: sql`c.new_values->'default_value' = 'null'`,
  isUnset: sql`(t.default_value IS NULL AND NOT t.is_unique)`,
  assignment: sql`default_value = to_jsonb(link.target)`,
};

/**
 * References of a part that no request sets. Such a part is a history, such as the holders of an asset, and may refer to
 * deleted records.
 */
const outlivedBy = (part: RecordSql): StoredField[] =>
  part.stored.filter(({ readOnly, references, onDelete }) => readOnly && references && onDelete !== 'CASCADE');

/** The transaction that deleted a record, and when. */
interface Deletion {
  transaction: string;
  at: string;
}

/** Condition that entries `c` of the change log belong to a transaction. The index over their times narrows them. */
const ofDeletion = ({ transaction, at }: Deletion): Sql =>
  sql`c.transaction_id = ${transaction} AND c.created_at BETWEEN ${at}::timestamptz - interval '1 hour' AND ${at}::timestamptz + interval '1 hour'`;

/** The parts that are deleted together with a record. */
const partsOf = (record: Class): Referrer[] => referrersOf(record).filter(({ field }) => field.onDelete === 'CASCADE');

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
