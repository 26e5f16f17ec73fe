import { Injectable, type Type } from '@nestjs/common';
import { mayReadSecrets } from '../access/access.js';
import { identifier, sql, where, type Write } from '../database/sql.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import { DomainError } from '../http/errors.js';
import { onceFor } from '../http/once.js';
import { PlainReply, type RecordReply } from '../http/replies.js';
import { dependentColumns } from './dependent-columns.js';
import { assertExists, conditionsOf, type Owner } from './owner.js';
import {
  type Change,
  type ChangedRow,
  type Columns,
  type InsertedRow,
  type JsonRow,
  type NewRecord,
  RecordWriter,
  type Returning,
  type Scope,
  StaleVersion,
} from './record-writer.js';
import type { StoredRecord } from '../fields/record.js';
import { KeptValues } from './kept-values.js';
import { RecordService } from './record-service.js';
import type { RecordStores } from './record-store.js';
import { ResourceReader } from './resource-reader.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { type CustomValues, storedValues } from '../fields/custom/custom-values.js';
import type { Class } from '../fields/field.js';
import { CUSTOM_COLUMN } from '../fields/record-entity.js';

/** What a change takes and releases, as keys that only the service interprets. */
export interface Move {
  takes: string | null;
  leaves: string | null;
}

type AnyService<T extends StoredRecord> = new (stores: RecordStores) => ResourceService<T>;

const servicesOf = onceFor((Base: Type) =>
  onceFor((record: Class<StoredRecord>): Type => {
    const service = class extends Base {};
    Object.defineProperty(service, 'name', { value: `${Base.name}Of${record.name}` });
    RecordService(record)(service);
    return service;
  }),
);

/**
 * The service of a record without rules of its own, or of one that shares the rules of `Base` with others. It is an ordinary service
 * class: a module lists it among its providers, and the class is its injection token.
 */
export const serviceOf = <T extends StoredRecord>(
  record: Class<T>,
  Base: AnyService<T> = ResourceService,
): Type<ResourceService<T>> => servicesOf(Base)(record);

/**
 * The writes of every resource. A resource with rules overrides a step of writing: `columns`, `newColumns` or `changeFault`, or
 * `insert`, `change` or `erase`. These take one record or many, and open a `ctx.transaction` if they need several statements. Single
 * operations, bulk and import all go through them.
 */
@Injectable()
export class ResourceService<T extends StoredRecord = StoredRecord> extends ResourceReader<T> {
  private writer(ctx: RequestContext): RecordWriter<T> {
    return new RecordWriter(ctx.db, ctx.resource(this.record));
  }

  /** Values that a record may keep but not get. */
  private kept(ctx: RequestContext): KeptValues<T> {
    return new KeptValues(ctx, ctx.resource(this.record), this.declared, this.secrets);
  }

  /**
   * @param _options values of the query parameters of creating, if the resource has any
   * @throws ValidationFailed, Conflict
   */
  async create(ctx: RequestContext, body: object, owner?: Owner, _options?: object): Promise<RecordReply> {
    return this.createOne(ctx, body as Partial<T>, owner);
  }

  protected async createOne(ctx: RequestContext, body: Partial<T>, owner?: Owner): Promise<RecordReply> {
    if (owner) await assertExists(ctx.db, owner);
    const [row] = await this.insert(ctx, [this.newRecord(ctx, body, owner)], 'records');
    return this.reply(row as JsonRow);
  }

  /**
   * Creates records with a fixed number of statements. Properties that a body does not set get their defaults.
   * @param ids of the new records, in the order of the bodies; a record without one gets a random id
   * @returns their ids, in the order of the bodies
   * @throws NotFound, ValidationFailed, Conflict
   */
  async createMany(
    ctx: RequestContext,
    bodies: readonly Partial<T>[],
    owner?: Owner,
    ids: readonly (string | undefined)[] = [],
  ): Promise<string[]> {
    if (owner) await assertExists(ctx.db, owner);
    const records = bodies.map((body, index) => {
      const record = this.newRecord(ctx, body, owner);
      if (ids[index] !== undefined) record.columns.id = ids[index];
      return record;
    });
    const rows = await this.insert(ctx, records, 'ids');
    return rows.map(({ id }) => id);
  }

  /** As `createMany`. @returns the new records as a JSON array, in the order of the bodies */
  async createAll(ctx: RequestContext, bodies: readonly Partial<T>[]): Promise<PlainReply> {
    const records = bodies.map((body) => this.newRecord(ctx, body, undefined));
    const rows = await this.insert(ctx, records, 'records');
    const json = rows.map((row) => this.secrets.reveal(row.json!, this.sealed, ctx.caller));
    return new PlainReply(`[${json.join(',')}]`);
  }

  private newRecord(ctx: RequestContext, body: Partial<T>, owner: Owner | undefined): NewRecord<T> {
    const columns = this.newColumns(ctx, body);
    this.kept(ctx).refuseWithdrawn(columns);
    if (owner) columns[this.declared.field(owner.field).columnName] = owner.id;
    return { columns, body };
  }

  /** Changes exactly the columns that the body names. @throws NotFound, ValidationFailed, Conflict */
  async update(ctx: RequestContext, id: string, body: object, owner?: Owner): Promise<RecordReply> {
    // A change that is refused for any record is refused before the record is compared.
    const change = this.changeOf(ctx, id, body as Partial<T>);
    return this.conditionally(ctx, id, owner, async (scope) => {
      await this.kept(ctx).admit([change]);
      const [row] = await this.change(ctx, [change], 'records', scope);
      return this.reply(row as JsonRow);
    });
  }

  /**
   * Changes records, each once, with a fixed number of statements.
   * @returns for each change whether a value changed; otherwise `updatedAt` stays the same
   * @throws NotFound, ValidationFailed, Conflict
   */
  async updateMany(
    ctx: InTransaction,
    changes: readonly { id: string; body: Partial<T> }[],
    owner?: Owner,
  ): Promise<boolean[]> {
    const made = changes.map(({ id, body }) => this.changeOf(ctx, id, body));
    await this.kept(ctx).admit(made);
    const rows = await this.change(ctx, made, 'ids', { owner });
    return rows.map(({ changed }) => changed!);
  }

  private changeOf(ctx: RequestContext, id: string, body: Partial<T>): Change<T> {
    const refused = this.changeFault(body);
    if (refused !== undefined) throw new DomainError('validation', refused);
    return { id, columns: this.columns(ctx, body), body };
  }

  /** Whether changes of these fields can be refused because of other records, so that their order matters. */
  async dependsOnOthers(ctx: RequestContext, body: object): Promise<boolean> {
    const { custom, stored } = ctx.resource(this.record);
    if (CUSTOM in body && custom.fields.some(({ custom: own }) => own!.definition.unique)) return true;
    const dependent = (this.dependent ??= await dependentColumns(ctx.db, this.declared));
    return stored.some(({ property, columnName }) => property in body && dependent.has(columnName));
  }

  /**
   * For such a change: what it takes and releases, if nothing else matters. Changes are done together if none releases what an earlier one
   * takes. Otherwise they are done one by one: a statement is checked only at its end, so it would admit more than the single changes.
   * @param _record as it is before the change
   */
  moveOf(_ctx: RequestContext, _body: object, _record: object): Promise<Move | undefined> {
    return Promise.resolve(undefined);
  }

  private dependent?: ReadonlySet<string>;

  /**
   * @param _options values of the query parameters of deleting, if the resource has any
   * @throws NotFound, Conflict
   */
  async remove(ctx: RequestContext, id: string, owner?: Owner, _options?: object): Promise<void> {
    await this.conditionally(ctx, id, owner, (scope) => this.erase(ctx, [id], scope));
  }

  /** Deletes records with a fixed number of statements. @throws NotFound, Conflict */
  removeMany(ctx: InTransaction, ids: readonly string[], owner?: Owner): Promise<void> {
    return this.erase(ctx, ids, { owner });
  }

  /** Locks records until the transaction ends. @returns the ids of those that exist */
  async lock({ db }: InTransaction, ids: readonly string[], owner?: Owner): Promise<Set<string>> {
    if (owner) await assertExists(db, owner);
    if (ids.length === 0) return new Set();
    const resource = this.declared;
    const reached = where([sql`t.id = ANY(${ids})`, ...conditionsOf(resource, owner)]);
    // In one order, so that two requests for the same records wait for each other instead of failing with a deadlock.
    const rows = await db.query<{ id: string }>(
      sql`SELECT t.id FROM ${identifier(resource.table)} t ${reached} ORDER BY t.id FOR UPDATE`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Why a change of these fields is refused for any record; undefined if it is not. */
  protected changeFault(_body: Partial<T>): string | undefined {
    return undefined;
  }

  /** The columns that a body sets. */
  protected columns(ctx: RequestContext, body: Partial<T>): Columns {
    const columns: Columns = {};
    const { stored, custom } = ctx.resource(this.record);
    for (const field of stored) {
      const value = (body as Record<string, unknown>)[field.property];
      if (value === undefined) continue;
      if (!field.secret) columns[field.columnName] = value;
      else if (value !== null) columns[field.columnName] = this.secrets.seal(value as string);
      // A caller who may not read the secret was shown null. Sending it back must not erase the secret.
      else if (mayReadSecrets(ctx.caller)) columns[field.columnName] = null;
    }
    const { [CUSTOM]: given } = body as { [CUSTOM]?: CustomValues };
    if (given && Object.keys(given).length > 0) columns[CUSTOM_COLUMN] = storedValues(custom.fields, given);
    return columns;
  }

  /** The columns of a new record. */
  protected newColumns(ctx: RequestContext, body: Partial<T>): Columns {
    const columns = this.columns(ctx, body);
    this.kept(ctx).refuseHidden(columns);
    return columns;
  }

  /**
   * Inserts one record or many. Overrides enforce the rules of new records here.
   * @returns the rows in the order of the records
   */
  protected insert(
    ctx: RequestContext,
    records: readonly NewRecord<T>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    return this.writer(ctx).insert(records, returning);
  }

  /** As `RecordWriter.insertBy`. */
  protected insertBy(ctx: RequestContext, insert: Write, rows: readonly InsertedRow[]): Promise<JsonRow[] | undefined> {
    return this.writer(ctx).insertBy(insert, rows);
  }

  /**
   * Changes one record or many, each once. Overrides enforce the rules of changes here. If ids are returned, the records must be locked.
   * @returns the rows in the order of the changes
   */
  protected async change(
    ctx: RequestContext,
    changes: readonly Change<T>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const writer = this.writer(ctx);
    if (returning === 'ids') return writer.updateMany(changes, scope);
    const rows: ChangedRow[] = [];
    for (const change of changes) {
      const isEmpty = Object.keys(change.columns).length === 0;
      rows.push(await (isEmpty ? this.read(ctx, change.id, scope) : writer.updateOne(change, scope)));
    }
    return rows;
  }

  /** Deletes one record or many. Overrides enforce the rules of deleting here. */
  protected erase(ctx: RequestContext, ids: readonly string[], scope: Scope): Promise<void> {
    return this.writer(ctx).delete(ids, scope);
  }

  /**
   * Runs a write of a record. With `If-Match`, the record must be in one of these versions. Actions that take `If-Match` use it too.
   * @throws NotFound, DomainError precondition_failed
   */
  protected async conditionally<R>(
    ctx: RequestContext,
    id: string,
    owner: Owner | undefined,
    write: (scope: Scope) => Promise<R>,
  ): Promise<R> {
    try {
      return await write({ owner, versions: ctx.versions });
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error;
      await this.read(ctx, id, { owner });
      throw new DomainError('precondition_failed');
    }
  }
}
