import type { Secrets } from '../access/secrets.js';
import type { Transaction } from '../database/executor.js';
import { identifier, literal, sql, write, type Sql, EMPTY } from '../database/sql.js';
import { readBody } from '../fields/bodies/bodies.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { CUSTOM_COLUMN, hasCustomFields } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import type { Fault } from '../http/errors.js';
import { NotFound } from '../http/errors.js';
import type { InTransaction } from '../lists/request-context.js';
import type { Move } from '../records/resource.service.js';
import { RecordWriter } from '../records/record-writer.js';
import { openData } from './operation-values.js';
import type { StoredOperation, Values } from './operation-store.js';
import { sqlOf, type PlannedResource } from './planned-resources.js';

/** An operation that is ready to be carried out. */
export interface Ready {
  operation: StoredOperation;
  resource: PlannedResource;
  /** Validated, unless columns are written directly. */
  body: object;
}

/** Set for a change that does not depend on other records. */
const STAYS: Move = { takes: null, leaves: null };

/** Maximum number of operations in one statement. */
const MOST_TOGETHER = 500;

/** Prepares an operation. @param faults to which the faults of its values are added */
export function readyFor(
  { fields }: InTransaction,
  operation: StoredOperation,
  resource: PlannedResource,
  secrets: Secrets,
  faults: Fault[],
): Ready {
  const { op, columns } = operation;
  if (op === 'delete' || columns) return { operation, resource, body: {} };
  const { ownerField } = resource;
  const given = openData(operation, secrets);
  if (op === 'update' || ownerField === undefined) {
    return { operation, resource, body: readBody(resource.bodies[op], given, '', faults, fields) };
  }
  const { [ownerField]: owner, ...own } = given;
  return {
    operation,
    resource,
    body: Object.assign(readBody(resource.bodies[op], own, '', faults, fields), { [ownerField]: owner }),
  };
}

/** Carries out operations through the services of their resources. */
export class DeltaWriter {
  /** Whether changes of some properties can be refused because of other records, cached by resource and properties. */
  private readonly dependent = new Map<string, boolean>();
  private hasDeleted = false;

  /** @param records as they are before the first operation, without those that several operations change */
  constructor(
    private readonly ctx: InTransaction,
    private readonly records: (id: string) => Values | undefined,
  ) {}

  /** Carries out operations in order. One statement handles neighbours of one kind. @throws errors of the database or a service */
  async write(operations: readonly Ready[], done: (group: readonly Ready[]) => Promise<void>): Promise<void> {
    for (const group of await this.groupsOf(operations)) {
      await this.writeGroup(group);
      await done(group);
    }
  }

  private async groupsOf(operations: readonly Ready[]): Promise<Ready[][]> {
    const groups: Ready[][] = [];
    let kind = '';
    let ids = new Set<string>();
    // The keys that changes of the last group take.
    let taken = new Set<string>();
    for (const one of operations) {
      const { operation, resource, body } = one;
      const { op, recordId, columns } = operation;
      const own = `${op} ${resource.name} ${columns !== null}`;
      const move = op === 'update' && (await this.dependsOnOthers(one)) ? await this.moveOf(one) : STAYS;
      const alone = move === undefined;
      const last = groups.at(-1);
      const joins =
        move &&
        !(move.leaves !== null && taken.has(move.leaves)) &&
        kind === own &&
        last!.length < MOST_TOGETHER &&
        !ids.has(recordId) &&
        !refersTo(columns ?? body, ids);
      if (joins) last!.push(one);
      else {
        groups.push([one]);
        ids = new Set();
        taken = new Set();
      }
      if (move && move.takes !== null) taken.add(move.takes);
      ids.add(recordId);
      kind = alone ? '' : own;
    }
    return groups;
  }

  /** A change that other records can refuse is carried out alone, because a statement does not promise in which order it changes rows. */
  private async dependsOnOthers({ resource, operation: { columns }, body }: Ready): Promise<boolean> {
    const { name, service, isHistory } = resource;
    const named = columns ? namedIn(resource, columns) : body;
    if (isHistory || !named) return true;
    const key = `${name} ${Object.keys(named).toSorted().join()}`;
    let depends = this.dependent.get(key);
    if (depends === undefined) {
      depends = await service.dependsOnOthers(this.ctx, named);
      this.dependent.set(key, depends);
    }
    return depends;
  }

  private moveOf({
    resource,
    operation: { data, columns, recordId },
    body,
  }: Ready): Promise<Move | undefined> | undefined {
    const record = resource.isHistory ? undefined : this.records(recordId);
    return record && resource.service.moveOf(this.ctx, columns ? (data ?? {}) : body, record);
  }

  private async writeGroup(group: readonly Ready[]): Promise<void> {
    const { ctx } = this;
    const [{ operation, resource }] = group as [Ready];
    const ids = group.map((one) => one.operation.recordId);
    const { service } = resource;
    if (operation.op === 'create') {
      if (operation.columns) {
        return this.restore(
          resource,
          group.map((one) => one.operation.columns!),
        );
      }
      const bodies = group.map(({ body }) => body);
      await service.createMany(ctx, bodies, undefined, ids);
    } else if (operation.op === 'update') {
      // The record may have been deleted together with that of an earlier operation.
      if (this.hasDeleted && (await lockRecords(ctx.db, resource, ids)).size < ids.length)
        throw new NotFound(sqlOf(resource).label);
      if (operation.columns) {
        const changes = group.map((one, index) => ({ id: ids[index]!, columns: one.operation.columns!, body: {} }));
        await this.writerOf(resource).updateMany(changes, {});
        return;
      }
      const changes = group.map(({ body }, index) => ({ id: ids[index]!, body }));
      await service.updateMany(ctx, changes);
    } else {
      this.hasDeleted = true;
      if (resource.isHistory) await this.writerOf(resource).delete(ids, {});
      else await service.removeMany(ctx, ids);
    }
  }

  /** For records without a service, and for columns that no body has. */
  private writerOf(resource: PlannedResource): RecordWriter<StoredRecord> {
    return new RecordWriter(this.ctx.db, sqlOf(resource));
  }

  /** Inserts records with their former ids and times. */
  private async restore(resource: PlannedResource, rows: readonly Values[]): Promise<void> {
    const { db } = this.ctx;
    const { table } = sqlOf(resource);
    const custom: Sql = hasCustomFields(resource.record)
      ? sql` || jsonb_build_object('custom_fields', restored_custom_fields(${literal(resource.name)}, given.row->'custom_fields', (given.row->>'id')::uuid))`
      : EMPTY;
    const restoring = (value: string): Promise<unknown> =>
      db.query(sql`SELECT set_config('inventory.restores', ${value}, true)`);
    await restoring('yes');
    await db.write(
      write`INSERT INTO ${identifier(table)} SELECT again.* FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY given (row, place),
        jsonb_populate_record(NULL::${identifier(table)}, with_defaults(${literal(table)}, given.row - 'updated_at')
          || jsonb_build_object('updated_at', greatest(now(), (given.row->>'updated_at')::timestamptz))${custom}) again ORDER BY given.place RETURNING id`,
    );
    await restoring('');
  }
}

/** Columns with the names of a body; undefined if no body has one of them. */
function namedIn(resource: PlannedResource, columns: Values): Values | undefined {
  const { stored } = sqlOf(resource);
  const properties = new Map<string, string>(stored.map(({ columnName, property }) => [columnName, property]));
  properties.set(CUSTOM_COLUMN, CUSTOM);
  const named = Object.keys(columns).map((column) => properties.get(column));
  return named.includes(undefined) ? undefined : Object.fromEntries(named.map((property) => [property, null]));
}

/** Whether a body has one of some ids. */
function refersTo(body: object, ids: ReadonlySet<string>): boolean {
  return Object.values(body).some(
    (value) =>
      (typeof value === 'string' && ids.has(value)) ||
      (typeof value === 'object' && value !== null && refersTo(value as object, ids)),
  );
}

/** Locks records until the transaction ends. @returns the ids of those that exist */
export async function lockRecords(
  tx: Transaction,
  resource: PlannedResource,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    sql`SELECT t.id FROM ${identifier(sqlOf(resource).table)} t WHERE t.id = ANY(${ids}::uuid[]) ORDER BY t.id FOR UPDATE`,
  );
  return new Set(rows.map(({ id }) => id));
}

const BATCH = 500;

/** JSON texts of records by their ids, with secrets still encrypted. */
export async function textsOf(
  ctx: InTransaction,
  { record }: PlannedResource,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const known = ctx.resource(record);
  for (let start = 0; start < ids.length; start += BATCH) {
    const some = ids.slice(start, start + BATCH);
    const rows = await ctx.db.query<{ id: string; json: string }>(
      known.selectJson(known.table, sql`WHERE t.id = ANY(${some}::uuid[])`),
    );
    for (const { id, json } of rows) texts.set(id, json);
  }
  return texts;
}
