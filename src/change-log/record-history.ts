import { getMetadataArgsStorage } from 'typeorm';
import type { Executor } from '../database/database.js';
import type { RequestContext } from '../access/request-context.js';
import { Conflict, Fault, Gone, invalid, NotFound } from '../http/errors.js';
import { RecordReply, type ListReply } from '../http/replies.js';
import { fieldsOf, type Class } from '../fields/field.js';
import { timeInRequest, timestamp, toTimestamp, type FieldType } from '../fields/field-types.js';
import type { Kernel } from '../records/kernel.js';
import { ListQuery, type RawQuery } from '../records/list-query.js';
import type { StoredRecord } from '../fields/record.js';
import { resourceOf, type Resource } from '../records/resource.js';
import { ResourceService, type JsonRow, type Owner } from '../records/resource.service.js';
import { withArticle, wordsOf } from '../fields/words.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';

/** Name of a table's records in the change log. */
const nameOf = (table: string): string => table.replaceAll('_', '-');

/** SQL of the earliest time that records can be shown as of; null where the log has every entry since its beginning. */
const KNOWN_SINCE = `(SELECT coalesce((SELECT created_at FROM change_log ORDER BY created_at, id LIMIT 1), until) FROM change_log_pruned)`;
const shown = (instant: string): string => (timestamp as Required<FieldType>).select(instant);

let listQuery: ListQuery | undefined;
export const changesQuery = (): ListQuery => (listQuery ??= new ListQuery(resourceOf(ChangeLogEntry) as never));

/** The `asOf` parameter of reading one record. */
export const AS_OF = {
  name: 'asOf',
  description:
    'The record as it stood at this time, by the change log. What belongs to other records (joined names, parts, counts) is shown as of today, and secrets are null',
  schema: timeInRequest(),
  many: false,
} as const;

/** Instant of the query string of reading one record; undefined where it has none. @throws ValidationFailed */
export function parseAsOf(query: RawQuery): string | undefined {
  for (const name of Object.keys(query)) {
    if (name !== AS_OF.name) throw invalid(name, 'is not a known parameter. Only asOf is');
  }
  if (query.asOf === undefined) return undefined;
  const at = typeof query.asOf === 'string' ? toTimestamp(query.asOf) : undefined;
  if (at === undefined)
    throw invalid('asOf', 'must be one ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date');
  return at;
}

/** What the change log knows of a resource's records: how they changed, what they were, and those that are gone. */
export class RecordHistory<T extends StoredRecord> {
  private readonly changes: ResourceService<ChangeLogEntry>;

  constructor(
    private readonly resource: Resource<T>,
    private readonly kernel: Kernel,
  ) {
    this.changes = new ResourceService(resourceOf(ChangeLogEntry), kernel);
  }

  /** The entries of one record, which may be deleted. @throws NotFound where it never existed, ValidationFailed */
  list(ctx: RequestContext, id: string, query: RawQuery, owner?: Owner): Promise<ListReply> {
    const request = changesQuery().parse(query);
    const { values, conditions } = request;
    const resource = `$${values.push(nameOf(this.resource.table))}`;
    conditions.push(`t.resource = ${resource}`);
    if (owner) {
      const ownerId = this.ownerId(owner, `$${values.push(id)}::uuid`, resource);
      conditions.push(`${ownerId} = $${values.push(owner.id)}`);
    }
    const exists = (db: Executor): Promise<boolean> => this.existed(db, id, owner);
    return this.changes.list(ctx, request, { record: this.resource.record, field: 'recordId', id, exists });
  }

  /** Whether there is such a record, of this owner where it is a part, or was one that the log knows of. */
  private async existed(db: Executor, id: string, owner?: Owner): Promise<boolean> {
    const name = nameOf(this.resource.table);
    const found = owner
      ? await db.query(`SELECT 1 WHERE ${this.ownerId(owner, '$1', '$2')} = $3`, [id, name, owner.id])
      : await db.query(
          `SELECT 1 FROM ${this.resource.table} WHERE id = $1
           UNION ALL (SELECT 1 FROM change_log WHERE record_id = $1 AND resource = $2 LIMIT 1)`,
          [id, name],
        );
    return found.length > 0;
  }

  /** SQL of the id of a part's owner: as the part says, or as it said when it was deleted. */
  private ownerId(owner: Owner, id: string, resource: string): string {
    const { columnName } = this.resource.field(owner.field);
    return `coalesce(
      (SELECT part.${columnName} FROM ${this.resource.table} part WHERE part.id = ${id}),
      (SELECT (past.old_values->>'${columnName}')::uuid FROM change_log past
       WHERE past.record_id = ${id} AND past.resource = ${resource} AND past.action = 'delete' ORDER BY past.id DESC LIMIT 1))`;
  }

  /**
   * The record as it stood: today's, or the deleted one, with the values that each later change replaced laid back over it.
   * @throws NotFound, Gone where the log no longer has all entries since that time
   */
  async asOf(ctx: RequestContext, id: string, at: string, owner?: Owner): Promise<RecordReply> {
    const { table, secrets } = this.resource;
    const ofOwner = owner ? ` AND past.${this.resource.field(owner.field).columnName} = $4` : '';
    const hidden = secrets.map((property) => this.resource.field(property).columnName);
    const source = `(
      SELECT past.* FROM state, jsonb_populate_record(NULL::${table}, with_defaults('${table}', state.row) - '{${hidden.join(',')}}'::text[]) past
      WHERE past.id = $1 AND past.created_at <= $2 AND state.next IS DISTINCT FROM 'create'
        AND coalesce(${KNOWN_SINCE} <= $2, true)${ofOwner})`;
    const sql = `WITH later AS MATERIALIZED (
        SELECT id, action, old_values FROM change_log WHERE record_id = $1 AND resource = $3 AND created_at > $2
      ), state AS MATERIALIZED (
        SELECT coalesce((SELECT to_jsonb(now) FROM ${table} now WHERE now.id = $1), '{}')
            || (SELECT jsonb_merge(old_values ORDER BY id DESC) FILTER (WHERE old_values IS NOT NULL) FROM later) AS row,
          (SELECT action FROM later ORDER BY id LIMIT 1) AS next
      ) ${this.resource.selectJson(source)}`;
    const values = [id, at, nameOf(table), ...(owner ? [owner.id] : [])];
    const [row] = await this.kernel.reading(ctx.caller, () => ctx.db.query<JsonRow>(sql, values));
    if (row) return new RecordReply(row.id, row.json);
    const [kept] = await ctx.db.query<{ since: string | null }>(
      `SELECT ${shown('since')} AS since FROM (SELECT ${KNOWN_SINCE} AS since) kept WHERE since > $1`,
      [at],
    );
    if (kept && (await this.existed(ctx.db, id, owner))) {
      throw new Gone(
        new Fault(AS_OF.name, `must be ${kept.since} or later: the change log keeps nothing from before that time`),
      );
    }
    throw new NotFound(this.resource.label, `did not exist at ${at}`);
  }

  /**
   * Makes a deleted record again, with its id and its parts, as it was when it was deleted. Secrets are not in the change
   * log, so they are gone; nor do the records that referred to it refer to it again.
   * @throws NotFound, Conflict, ValidationFailed where it refers to something that is gone
   */
  restore(ctx: RequestContext, id: string): Promise<RecordReply> {
    return ctx.db.transaction(async (tx) => {
      const [last] = await tx.query<{ action: string; transaction: string; at: string }>(
        `SELECT action, transaction_id AS transaction, created_at::text AS at FROM change_log
         WHERE record_id = $1 AND resource = $2 ORDER BY id DESC LIMIT 1`,
        [id, nameOf(this.resource.table)],
      );
      if (!last) throw new NotFound(this.resource.label);
      if (last.action !== 'delete') {
        throw new Conflict(
          new Fault('id', `is that of ${withArticle(wordsOf(this.resource.record.name))} that is not deleted`),
        );
      }
      await this.insertAgain(tx, this.resource as Resource, 'record_id = $3', [last.transaction, last.at, id]);
      for (const { resource, column } of partsOf(this.resource.record)) {
        await this.insertAgain(tx, resource, `old_values->>'${column}' = $3::text`, [last.transaction, last.at, id]);
      }
      return new ResourceService(this.resource, this.kernel).get({ ...ctx, db: tx }, id);
    });
  }

  /** Inserts what a transaction deleted. */
  private async insertAgain(tx: Executor, resource: Resource, which: string, values: unknown[]): Promise<void> {
    const { table } = resource;
    const lost = [...resource.secrets.map((property) => resource.field(property).columnName), 'updated_at'];
    await tx.query(
      `INSERT INTO ${table}
       SELECT again.* FROM change_log c, jsonb_populate_record(NULL::${table},
         with_defaults('${table}', c.old_values - '{${lost.join(',')}}'::text[]) || jsonb_build_object('updated_at', greatest(now(), c.created_at))) again
       WHERE c.transaction_id = $1 AND c.created_at BETWEEN $2::timestamptz - interval '1 hour' AND $2::timestamptz + interval '1 hour'
         AND c.action = 'delete' AND c.resource = '${nameOf(table)}' AND ${which}`,
      values,
    );
  }
}

/** The records that go with one when it is deleted, and the column that names it. */
function partsOf(record: Class): { resource: Resource; column: string }[] {
  return getMetadataArgsStorage().tables.flatMap(({ target }) =>
    fieldsOf(target as Class)
      .filter(({ onDelete, references }) => onDelete === 'CASCADE' && references?.() === record)
      .map((field) => ({ resource: resourceOf(target as Class<StoredRecord>) as Resource, column: field.columnName })),
  );
}
