import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type Type } from '@nestjs/common';
import { ATTRIBUTION } from '../database/attribution.js';
import { mayReadSecrets } from '../access/access.js';
import type { Attribution, Executor } from '../database/database.js';
import type { RequestContext } from '../access/request-context.js';
import { DomainError, NotFound } from '../http/errors.js';
import { etagOf, matches, PageReply, PlainReply, RecordReply, type ListReply } from '../http/replies.js';
import type { AnswerTurns } from '../answers/answer-turns.js';
import { fileFormatOf, type FileFormat } from '../parameters/list-format.js';
import type { ListRequest } from '../lists/list-query.js';
import type { PageRequest } from '../parameters/paging.js';
import { referencesTo } from '../references/references-to.js';
import type { StoredRecord } from '../fields/record.js';
import { RecordStores, type RecordStore } from './record-store.js';
import { FIRST_ROWS_SOON, resourceNameOf, resourceOf, type Resource } from '../projection/resource.js';
import { MOST_TOGETHER, SHARED_LOCK_TIMEOUT, SharedStatements, type SharedWrite } from './shared-statements.js';
import type { Class } from '../fields/field.js';
import type { Secrets } from '../access/secrets.js';

/** The owner of parts, which the path names. A request reaches only its parts, and a new part gets it as owner. */
export interface Owner {
  record: Class;
  field: string;
  id: string;
  /** SQL condition on `t`, if the reference is not a column of the record. @param id SQL of the owner's id */
  condition?(id: string): string;
  /** Whether there is such an owner, if a row in its table is not enough. */
  exists?(db: Executor): Promise<boolean>;
}

/** Column values to write. */
export type Columns = Record<string, unknown>;

export interface JsonRow {
  id: string;
  json: string;
}

/** A record to insert: its columns, and the body that they come from. */
export interface NewRecord<T> {
  columns: Columns;
  body: Partial<T>;
}

/** An inserted record, with its JSON text if it was requested. */
export interface InsertedRow {
  id: string;
  json?: string;
}

/** A change of a record: the columns that it sets, and the body that they come from. */
export interface Change<T> {
  id: string;
  columns: Columns;
  body: Partial<T>;
}

/** A changed record: its JSON text, or whether any column got another value. */
export interface ChangedRow {
  id: string;
  json?: string;
  changed?: boolean;
}

/** What a write returns: whole records, or their ids only. */
export type Returning = 'records' | 'ids';

/** A write of one record that may share a statement with those of other requests of its caller. */
interface CallersWrite extends SharedWrite {
  db: Executor;
  columns: Columns;
  /** The columns with the id, as JSON text. */
  text: string;
}

/** Which writes of a record may share statements. */
interface Shareable {
  create: boolean;
  change: boolean;
  erase: boolean;
}

const SERVED = Symbol('record of a service');

/**
 * Makes a class the service of a record: a provider, whose class is its token. A constructor that injects more than its
 * base class takes the `RecordStores` first.
 */
export const RecordService =
  (record: Class<StoredRecord>): ClassDecorator =>
  (target) => {
    Injectable()(target);
    Reflect.defineMetadata(SERVED, record, target);
  };

/** The record that a service class is declared for; undefined for a class that serves any record. */
export const recordServedBy = (service: object): Class<StoredRecord> | undefined =>
  Reflect.getMetadata(SERVED, service) as Class<StoredRecord> | undefined;

type AnyService<T extends StoredRecord> = new (stores: RecordStores) => ResourceService<T>;

const services = new WeakMap<object, Map<Class, Type>>();

/**
 * The service of a record without rules of its own, or of one that shares the rules of `Base` with others. It is a class
 * like every other service: a module lists it among its providers, and the class is its injection token.
 */
export function serviceOf<T extends StoredRecord>(
  record: Class<T>,
  Base: AnyService<T> = ResourceService,
): Type<ResourceService<T>> {
  let ofBase = services.get(Base);
  if (!ofBase) services.set(Base, (ofBase = new Map()));
  let service = ofBase.get(record);
  if (!service) {
    service = class extends Base {};
    Object.defineProperty(service, 'name', { value: `${Base.name}Of${record.name}` });
    RecordService(record)(service);
    ofBase.set(record, service);
  }
  return service as Type<ResourceService<T>>;
}

/**
 * What every resource does with its table. Each operation is one statement, and a write returns the record that it
 * wrote. A resource with rules of its own overrides `columns`, `newColumns` or `changeFault`, or `insert`, `change` or
 * `erase`, which take one record or many and open a `db.transaction` where they need more than one statement. Single
 * operations, bulk and import all go through these.
 */
@Injectable()
export class ResourceService<T extends StoredRecord = StoredRecord> {
  protected readonly resource: Resource<T>;
  private readonly secrets: Secrets;
  private readonly turns: AnswerTurns;
  private readonly store: RecordStore<T>;

  constructor(@Inject(RecordStores) stores: RecordStores) {
    const record = recordServedBy(new.target) as Class<T> | undefined;
    if (!record) throw new Error(`${new.target.name} serves no record: declare it with @RecordService`);
    this.store = stores.of(record);
    const { resource, secrets, turns } = this.store;
    this.resource = resource;
    this.secrets = secrets;
    this.turns = turns;
  }

  /** A page in the envelope, or a file. @throws DomainError notAcceptable, NotFound, ValidationFailed */
  async list(ctx: RequestContext, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const format = fileFormatOf(request, ctx.accept);
    if (format) return this.file(ctx, request, format, owner);
    const { pages } = this.store.expanded(request.expand);
    const values = [...request.values];
    const conditions = [...request.conditions, ...this.ownerCondition(owner, values)];
    const { rows, total } =
      conditions.length === 0
        ? await pages.whole(ctx, request)
        : await pages.matching(ctx, request, whereClause(conditions), values, conditions.length);
    if (total === 0 && owner) await this.assertExists(ctx.db, owner);
    const { secrets } = this.resource;
    const reveal = (records: string): string => this.secrets.reveal(`[${records}]`, secrets, ctx.caller).slice(1, -1);
    return new PageReply(rows, total, request, secrets.length > 0 ? reveal : undefined);
  }

  private file(ctx: RequestContext, request: ListRequest, format: FileFormat, owner?: Owner): Promise<ListReply> {
    const { resource, lines, exports } = this.store;
    const { orderBy, page, pageSize, given, raw } = request;
    const values = [...request.values];
    const conditions = [...request.conditions, ...this.ownerCondition(owner, values)];
    const window = given.has('pageSize')
      ? `LIMIT $${values.push(pageSize)}::bigint OFFSET $${values.push((page - 1) * pageSize)}::bigint`
      : FIRST_ROWS_SOON;
    const tail = `${whereClause(conditions)} ORDER BY ${orderBy} ${window}`;
    const properties = mayReadSecrets(ctx.caller) ? resource.secrets : [];
    const isOpen = properties.length > 0;
    return exports.read(
      ctx.caller,
      {
        format,
        name: resourceNameOf(resource.table),
        sql: format === 'csv' ? lines.csv(tail, raw, isOpen) : lines.json(tail, request.expand, isOpen),
        values,
        headers: lines.headers,
        secrets: isOpen ? { properties, columns: lines.secretColumns, raw } : undefined,
      },
      owner && (() => this.assertExists(ctx.db, owner)),
    );
  }

  /**
   * @param expand references whose records are shown too
   * @throws NotFound
   */
  async get(ctx: RequestContext, id: string, owner?: Owner, expand: readonly string[] = []): Promise<RecordReply> {
    const { resource, loader } = this.store.expanded(expand);
    const isWeak = expand.length > 0;
    const read = (): Promise<JsonRow> => this.read(ctx.db, id, owner, false, resource);
    // Only the transaction itself can read what it has written.
    if (ctx.db.inTransaction) return this.reply(await read(), isWeak);
    if (owner) return this.reply(await this.turns.read(ctx.caller, read), isWeak);
    return this.reply((await loader.load(id, ctx.caller.profileId)) ?? this.missing(), isWeak);
  }

  /**
   * @param _options values of the query parameters of creating, if the resource has any
   * @throws ValidationFailed, Conflict
   */
  async create(ctx: RequestContext, body: object, owner?: Owner, _options?: object): Promise<RecordReply> {
    if (owner) await this.assertExists(ctx.db, owner);
    const [row] = await this.insert(ctx.db, [this.newRecord(ctx, body as Partial<T>, owner)], 'records');
    return this.reply(row as JsonRow);
  }

  /**
   * Creates records by a fixed number of statements, however many there are. What a body does not set gets its default.
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
    if (owner) await this.assertExists(ctx.db, owner);
    const records = bodies.map((body, index) => {
      const record = this.newRecord(ctx, body, owner);
      if (ids[index] !== undefined) record.columns.id = ids[index];
      return record;
    });
    const rows = await this.insert(ctx.db, records, 'ids');
    return rows.map(({ id }) => id);
  }

  /** As `createMany`. @returns the new records as a JSON array, in the order of the bodies */
  async createAll(ctx: RequestContext, bodies: readonly Partial<T>[]): Promise<PlainReply> {
    const records = bodies.map((body) => this.newRecord(ctx, body, undefined));
    const rows = await this.insert(ctx.db, records, 'records');
    const json = rows.map((row) => this.secrets.reveal(row.json!, this.resource.secrets, ctx.caller));
    return new PlainReply(`[${json.join(',')}]`);
  }

  private newRecord(ctx: RequestContext, body: Partial<T>, owner: Owner | undefined): NewRecord<T> {
    const columns = this.newColumns(body, ctx);
    if (owner) columns[this.resource.field(owner.field).columnName] = owner.id;
    return { columns, body };
  }

  /** Changes exactly the columns that the body names. @throws NotFound, ValidationFailed, Conflict */
  async update(ctx: RequestContext, id: string, body: object, owner?: Owner): Promise<RecordReply> {
    const change = this.changeOf(ctx, id, body as Partial<T>);
    const work = async (db: Executor): Promise<ChangedRow[]> => {
      await this.keepSeals(db, [change]);
      return this.change(db === ctx.db ? ctx : { ...ctx, db }, [change], 'records', owner);
    };
    const [row] = await this.guarded(ctx, id, owner, work);
    return this.reply(row as JsonRow);
  }

  /**
   * Changes records, each once, by a fixed number of statements.
   * @returns for each change whether it gave the record another value; one that did not has left `updatedAt` alone
   * @throws NotFound, ValidationFailed, Conflict
   */
  async updateMany(
    ctx: RequestContext,
    changes: readonly { id: string; body: Partial<T> }[],
    owner?: Owner,
  ): Promise<boolean[]> {
    const made = changes.map(({ id, body }) => this.changeOf(ctx, id, body));
    await this.keepSeals(ctx.db, made);
    const rows = await this.change(ctx, made, 'ids', owner);
    return rows.map(({ changed }) => changed!);
  }

  private changeOf(ctx: RequestContext, id: string, body: Partial<T>): Change<T> {
    const refused = this.changeFault(body);
    if (refused !== undefined) throw new DomainError('validation', refused);
    return { id, columns: this.columns(body, ctx), body };
  }

  /** Whether changes of these fields can be refused because of other records, so that their order matters. */
  async dependsOnOthers(db: Executor, body: object): Promise<boolean> {
    const dependent = (this.dependentColumns ??= await this.readDependentColumns(db));
    return this.resource.stored.some(({ property, columnName }) => property in body && dependent.has(columnName));
  }

  private dependentColumns?: ReadonlySet<string>;

  /** Columns of unique indexes, and references among the records themselves. */
  private async readDependentColumns(db: Executor): Promise<ReadonlySet<string>> {
    const { table, stored, record } = this.resource;
    const unique = await db.query<{ name: string }>(UNIQUE_COLUMNS, [table]);
    const among = stored.filter(({ references }) => references?.() === record);
    return new Set([...unique.map(({ name }) => name), ...among.map(({ columnName }) => columnName)]);
  }

  /** @throws NotFound, Conflict */
  async remove(ctx: RequestContext, id: string, owner?: Owner): Promise<void> {
    await this.guarded(ctx, id, owner, (db) => this.erase(db, [id], owner));
  }

  /** Deletes records by a fixed number of statements. @throws NotFound, Conflict */
  removeMany(ctx: RequestContext, ids: readonly string[], owner?: Owner): Promise<void> {
    return this.erase(ctx.db, ids, owner);
  }

  /** Locks records until the transaction ends. @returns the ids of those that exist */
  async lock(tx: Executor, ids: readonly string[], owner?: Owner): Promise<Set<string>> {
    if (owner) await this.assertExists(tx, owner);
    if (ids.length === 0) return new Set();
    const values: unknown[] = [ids];
    const where = whereClause(['t.id = ANY($1)', ...this.ownerCondition(owner, values)]);
    // In one order, so that two requests for the same records wait for each other instead of failing.
    const rows = await tx.query<{ id: string }>(
      `SELECT t.id FROM ${this.resource.table} t ${where} ORDER BY t.id FOR UPDATE`,
      values,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** JSON text of records by their ids, with secrets still encrypted. Ids without a record are left out. */
  async textsOf(db: Executor, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await db.query<JsonRow>(this.resource.selectJson(this.resource.table, 'WHERE t.id = ANY($1)'), [ids]);
    return new Map(rows.map(({ id, json }) => [id, json]));
  }

  /** Entity tag of a record's JSON text, as the caller sees the record. */
  etagOf(ctx: RequestContext, json: string): string {
    return etagOf(this.secrets.reveal(json, this.resource.secrets, ctx.caller));
  }

  /** Properties that are encrypted in JSON texts. */
  get sealed(): readonly string[] {
    return this.resource.secrets;
  }

  /** The reason for refusing a change of these fields, whatever the record is; undefined if there is none. */
  protected changeFault(_body: Partial<T>): string | undefined {
    return undefined;
  }

  /** The columns that a body sets. */
  protected columns(body: Partial<T>, ctx: RequestContext): Columns {
    const columns: Columns = {};
    for (const field of this.resource.stored) {
      const value = (body as Record<string, unknown>)[field.property];
      if (value === undefined) continue;
      if (!field.secret) columns[field.columnName] = value;
      else if (value !== null) columns[field.columnName] = this.secrets.seal(value as string);
      // A caller who may not read the secret was shown null. Sending it back must not erase the secret.
      else if (mayReadSecrets(ctx.caller)) columns[field.columnName] = null;
    }
    return columns;
  }

  /** The columns of a new record. */
  protected newColumns(body: Partial<T>, ctx: RequestContext): Columns {
    return this.columns(body, ctx);
  }

  /** Keeps the stored value of a secret that is sent unchanged: encrypted again, the same text would be another value. */
  private async keepSeals(db: Executor, changes: readonly Change<T>[]): Promise<void> {
    const secrets = this.resource.secrets.map((property) => this.resource.field(property));
    const sending = changes.filter(({ columns }) =>
      secrets.some((field) => typeof columns[field.columnName] === 'string'),
    );
    if (sending.length === 0) return;
    const names = secrets.map(({ columnName }) => columnName).join(', ');
    const rows = await db.query<Columns>(`SELECT id, ${names} FROM ${this.resource.table} WHERE id = ANY($1)`, [
      sending.map(({ id }) => id),
    ]);
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const { id, columns, body } of sending) {
      for (const { columnName, property } of secrets) {
        const sealed = stored.get(id)?.[columnName];
        const value = (body as Record<string, unknown>)[property];
        if (
          typeof columns[columnName] === 'string' &&
          typeof sealed === 'string' &&
          this.secrets.open(sealed) === value
        ) {
          columns[columnName] = sealed;
        }
      }
    }
  }

  /**
   * Inserts one record or many: a rule of new records that is held here holds for all of them. One is inserted by a
   * statement of its columns, several by one of the whole table.
   * @returns the rows in the order of the records
   */
  protected insert(db: Executor, records: readonly NewRecord<T>[], returning: Returning): Promise<InsertedRow[]> {
    return records.length === 1
      ? this.insertOne(db, records[0]!.columns, returning)
      : this.insertMany(db, records, returning);
  }

  private async insertOne(db: Executor, columns: Columns, returning: Returning): Promise<InsertedRow[]> {
    if (returning === 'ids' || !db.by || !(await this.shareable(db)).create) {
      return this.insertAlone(db, columns, returning);
    }
    const { id = randomUUID() } = columns as { id?: string };
    return [await this.creates.run(laneOf(db.by, columns), sharedWrite(db, id, columns))];
  }

  private insertAlone(db: Executor, columns: Columns, returning: Returning): Promise<InsertedRow[]> {
    const names = Object.keys(columns);
    const into = names.length
      ? `(${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`
      : 'DEFAULT VALUES';
    const values = Object.values(columns);
    const tail = whereClause(attributed(db, values));
    const written = `WITH written AS (INSERT INTO ${this.resource.table} ${into} RETURNING *)`;
    return db.query(
      returning === 'records'
        ? `${written} ${this.resource.selectJson('written', tail)}`
        : `${written} SELECT id FROM written ${tail}`,
      values,
    );
  }

  private readonly creates = new SharedStatements<CallersWrite, JsonRow>(
    async ({ db, columns }) => (await this.insertAlone(db, columns, 'records'))[0] as JsonRow,
    async (writes) => {
      const { db, names, values, conditions } = this.sharedBy(writes);
      const columns = names.map((name) => `made.${name}`).join(', ');
      const written = `WITH written AS (
        INSERT INTO ${this.resource.table} (${names.join(', ')}) SELECT ${columns} FROM ${this.givenRows} made RETURNING *
      )`;
      const sql = `${written} ${this.resource.selectJson('written', whereClause(conditions))}`;
      return inOrder(writes, await db.query<JsonRow>(sql, values));
    },
  );

  private readonly changes = new SharedStatements<CallersWrite, JsonRow | undefined>(
    ({ db, id, columns }) => this.changeAlone(db, { id, columns }),
    async (writes) => {
      const { db, names, values, conditions } = this.sharedBy(writes);
      const assignments = names.filter((name) => name !== 'id').map((name) => `${name} = given.${name}`);
      const written = `WITH written AS (
        UPDATE ${this.resource.table} t SET ${assignments.join(', ')} FROM ${this.givenRows} given
        ${whereClause(['t.id = given.id', ...conditions])} RETURNING t.*
      )`;
      return inOrder(writes, await db.query<JsonRow>(`${written} ${this.resource.selectJson('written')}`, values));
    },
  );

  private readonly erasures = new SharedStatements<CallersWrite, boolean>(
    async ({ db, id }) => (await this.eraseRows(db, [id])).length > 0,
    async (writes) => {
      const gone = await this.eraseRows(requestsOf(writes), idsOf(writes), true);
      const ids = new Set(gone.map(({ id }) => id));
      return writes.map(({ id }) => ids.has(id));
    },
  );

  /** SQL of the rows of a shared statement. The limit tells the planner that they are few. */
  private get givenRows(): string {
    return `(SELECT * FROM json_populate_recordset(NULL::${this.resource.table}, $1) LIMIT ${MOST_TOGETHER})`;
  }

  /** The parts of a shared statement besides `givenRows`. All of its writes set the same columns. */
  private sharedBy(writes: readonly CallersWrite[]) {
    const names = [...new Set(['id', ...Object.keys(writes[0]!.columns)])];
    const values: unknown[] = [`[${writes.map(({ text }) => text).join(',')}]`];
    const db = requestsOf(writes);
    return { db, names, values, conditions: [...attributed(db, values), HURRIED] };
  }

  private shareableWrites?: Promise<Shareable>;

  private shareable(db: Executor): Promise<Shareable> {
    return (this.shareableWrites ??= this.readShareable(db));
  }

  private async readShareable(db: Executor): Promise<Shareable> {
    try {
      const [found] = await db.query<Shareable>(SHAREABLE, [this.resource.table, HARMLESS]);
      return found!;
    } catch (error) {
      this.shareableWrites = undefined;
      throw error;
    }
  }

  private async insertMany(
    db: Executor,
    records: readonly NewRecord<T>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    if (records.length === 0) return [];
    const { table } = this.resource;
    // PostgreSQL does not promise the order of returned rows, so ids that are given beforehand identify them.
    const rows = records.map(({ columns }) => ({ id: randomUUID(), ...columns }));
    const values: unknown[] = [JSON.stringify(rows)];
    const tail = whereClause(attributed(db, values));
    const written = `WITH defaults AS MATERIALIZED (
        SELECT jsonb_populate_record(NULL::${table}, with_defaults('${table}', '{}')) AS row
      ),
      written AS (
        INSERT INTO ${table}
        SELECT made.* FROM defaults, json_populate_recordset(defaults.row, $1) made RETURNING *
      )`;
    if (returning === 'ids') {
      await db.query(`${written} SELECT count(*) FROM written ${tail}`, values);
      return rows;
    }
    return inOrder(rows, await db.query<JsonRow>(`${written} ${this.resource.selectJson('written', tail)}`, values));
  }

  /**
   * Inserts records by a statement of the resource's own.
   * @param written SQL that ends with the CTE `written`, the rows that were inserted
   * @param rows the ids that they have, in the order in which the records are returned
   * @returns undefined if nothing was inserted
   */
  protected async insertBy(
    db: Executor,
    written: string,
    values: readonly unknown[],
    rows: readonly InsertedRow[],
  ): Promise<JsonRow[] | undefined> {
    const all = [...values];
    const tail = whereClause(attributed(db, all));
    const found = await db.query<JsonRow>(`${written} ${this.resource.selectJson('written', tail)}`, all);
    return found.length === 0 ? undefined : inOrder(rows, found);
  }

  /**
   * Changes one record or many: a rule of changes that is held here holds for all of them. Each record is changed once.
   * One whose text is asked for is changed by a statement of its columns; several by one statement, for which they must
   * be locked.
   * @returns the rows in the order of the changes
   */
  protected async change(
    { db }: RequestContext,
    changes: readonly Change<T>[],
    returning: Returning,
    owner: Owner | undefined,
  ): Promise<ChangedRow[]> {
    if (returning === 'ids') return this.changeMany(db, changes, owner);
    const rows: ChangedRow[] = [];
    for (const change of changes) rows.push(await this.changeOne(db, change, owner));
    return rows;
  }

  private async changeOne(db: Executor, { id, columns }: Change<T>, owner: Owner | undefined): Promise<JsonRow> {
    if (Object.keys(columns).length === 0) return this.read(db, id, owner);
    const row =
      !owner && db.by && (await this.shareable(db)).change
        ? await this.changes.run(laneOf(db.by, columns), sharedWrite(db, id, columns))
        : await this.changeAlone(db, { id, columns }, owner);
    return row ?? this.missing();
  }

  private async changeAlone(
    db: Executor,
    { id, columns }: Pick<Change<T>, 'id' | 'columns'>,
    owner?: Owner,
  ): Promise<JsonRow | undefined> {
    const names = Object.keys(columns);
    const values = [...Object.values(columns), id];
    const conditions = [`t.id = $${values.length}`, ...this.ownerCondition(owner, values), ...attributed(db, values)];
    // The database sets updated_at if a column gets another value.
    const assignments = names.map((name, index) => `${name} = $${index + 1}`);
    const [row] = await db.query<JsonRow>(
      `WITH written AS (UPDATE ${this.resource.table} t SET ${assignments.join(', ')} ${whereClause(conditions)} RETURNING t.*) ${this.resource.selectJson('written')}`,
      values,
    );
    return row;
  }

  private async changeMany(
    db: Executor,
    changes: readonly Change<T>[],
    owner: Owner | undefined,
  ): Promise<ChangedRow[]> {
    const names = [...new Set(changes.flatMap(({ columns }) => Object.keys(columns)))].toSorted();
    const unchanged = changes.map(({ id }) => ({ id, changed: false }));
    if (names.length === 0) return unchanged;
    const { table } = this.resource;
    const values: unknown[] = [JSON.stringify(changes.map(({ id, columns }) => ({ ...columns, id })))];
    // Each record gets the columns of its own change only. A record to which its change makes no difference is not written.
    const conditions = [
      `t.id = (given.row->>'id')::uuid`,
      'jsonb_populate_record(t, given.row) *<> t',
      ...this.ownerCondition(owner, values),
      ...attributed(db, values),
    ];
    const columns = names.map((name) => `made.${name}`).join(', ');
    const rows = await db.query<{ id: string }>(
      `UPDATE ${table} t
      SET (${names.join(', ')}) = (SELECT ${columns} FROM jsonb_populate_record(t, given.row) made)
      FROM jsonb_array_elements($1) given (row) ${whereClause(conditions)} RETURNING t.id`,
      values,
    );
    const changed = new Set(rows.map(({ id }) => id));
    return unchanged.map(({ id }) => ({ id, changed: changed.has(id) }));
  }

  /** Deletes one record or many: a rule of deleting that is held here holds for all of them. */
  protected async erase(db: Executor, ids: readonly string[], owner: Owner | undefined): Promise<void> {
    const [id] = ids;
    const areGone =
      ids.length === 1 && !owner && db.by && (await this.shareable(db)).erase
        ? await this.erasures.run(laneOf(db.by, {}), sharedWrite(db, id!, {}))
        : (await this.eraseRows(db, ids, false, owner)).length === ids.length;
    if (!areGone) this.missing();
  }

  private eraseRows(db: Executor, ids: readonly string[], isShared = false, owner?: Owner): Promise<{ id: string }[]> {
    const values: unknown[] = [ids];
    const conditions = ['t.id = ANY($1)', ...this.ownerCondition(owner, values), ...attributed(db, values)];
    if (isShared) conditions.push(HURRIED);
    return db.query(`DELETE FROM ${this.resource.table} t ${whereClause(conditions)} RETURNING t.id`, values);
  }

  /** @param lock holds the row against other writers until the transaction ends */
  protected async read(
    db: Executor,
    id: string,
    owner?: Owner,
    lock = false,
    resource: Resource<T> = this.resource,
  ): Promise<JsonRow> {
    const values: unknown[] = [id];
    const where = whereClause(['t.id = $1', ...this.ownerCondition(owner, values)]);
    const { table } = resource;
    // A separate statement: the one that waits for the lock would show parts and totals as they were before it.
    if (lock) await db.query(`SELECT 1 FROM ${table} t ${where} FOR NO KEY UPDATE`, values);
    const [row] = await db.query<JsonRow>(resource.selectJson(table, where), values);
    return row ?? this.missing();
  }

  /** The current state of inserted records, in their order. */
  protected async readMany(tx: Executor, rows: readonly InsertedRow[]): Promise<JsonRow[]> {
    const sql = this.resource.selectJson(this.resource.table, 'WHERE t.id = ANY($1)');
    return inOrder(rows, await tx.query<JsonRow>(sql, [rows.map(({ id }) => id)]));
  }

  /** What refers to a record, with the number of references of each kind. @throws NotFound */
  async references(ctx: RequestContext, request: PageRequest, id: string, owner?: Owner): Promise<ListReply> {
    const values: unknown[] = [id];
    const where = whereClause(['t.id = $1', ...this.ownerCondition(owner, values)]);
    const record = `SELECT 1 FROM ${this.resource.table} t ${where}`;
    return this.store.computed.list(
      ctx,
      request,
      { ...referencesTo(this.resource.record, `EXISTS (${record})`), values },
      async () => {
        if ((await ctx.db.query(record, values)).length === 0) this.missing();
      },
    );
  }

  private ownerCondition(owner: Owner | undefined, values: unknown[]): string[] {
    if (!owner) return [];
    const id = `$${values.push(owner.id)}`;
    return [owner.condition?.(id) ?? `t.${this.resource.field(owner.field).columnName} = ${id}`];
  }

  /** @throws NotFound */
  private async assertExists(db: Executor, owner: Owner): Promise<void> {
    const { table, label } = resourceOf(owner.record as Class<StoredRecord>);
    const exists = owner.exists
      ? await owner.exists(db)
      : (await db.query(`SELECT 1 FROM ${table} WHERE id = $1`, [owner.id])).length > 0;
    if (!exists) throw new NotFound(label);
  }

  protected missing(): never {
    throw new NotFound(this.resource.label);
  }

  private reply(row: JsonRow, isWeak = false): RecordReply {
    return new RecordReply(row.id, row.json, this.resource.secrets, { isWeak });
  }

  /** Runs a write. With `If-Match`, the record is compared and written under one lock. */
  private guarded<R>(
    ctx: RequestContext,
    id: string,
    owner: Owner | undefined,
    work: (db: Executor) => Promise<R>,
  ): Promise<R> {
    const { ifMatch } = ctx;
    if (ifMatch === undefined) return work(ctx.db);
    return ctx.db.transaction(async (tx) => {
      const current = await this.read(tx, id, owner, true);
      const json = this.secrets.reveal(current.json, this.resource.secrets, ctx.caller);
      if (!matches(ifMatch, etagOf(json), false)) throw new DomainError('preconditionFailed');
      return work(tx);
    });
  }
}

/**
 * A condition that is always true. With it a single statement tells the change log on whose behalf it writes. It is evaluated
 * once, before anything is written, and its setting lasts until the transaction of the statement ends.
 */
const attributed = ({ attribution }: Executor, values: unknown[]): string[] =>
  attribution === undefined
    ? []
    : [`(SELECT set_config('${ATTRIBUTION}', $${values.push(attribution)}, true)) IS NOT NULL`];

/** A condition that is always true. It sets the short lock timeout of a shared statement. */
const HURRIED = `(SELECT set_config('lock_timeout', '${SHARED_LOCK_TIMEOUT}', true)) IS NOT NULL`;

/** Key of writes that may share a statement: they have one caller and set the same columns. */
const laneOf = ({ profileId, email, tokenId, tokenName }: Attribution, columns: Columns): string =>
  JSON.stringify([profileId, email, tokenId, tokenName, ...Object.keys(columns)]);

function sharedWrite(db: Executor, id: string, columns: Columns): CallersWrite {
  const text = JSON.stringify({ ...columns, id });
  // Some values, a buffer for example, would change as JSON text.
  const isPlain = Object.values(columns).every((value) => typeof value !== 'object' || !value || Array.isArray(value));
  return { db, id, columns, text, size: isPlain ? text.length : Infinity };
}

/** The database on behalf of the requests of these writes. */
const requestsOf = (writes: readonly CallersWrite[]): Executor =>
  writes[0]!.db.onBehalfOf!(Object.fromEntries(writes.map(({ id, db }) => [id, db.by!.requestId!])));

const idsOf = (writes: readonly CallersWrite[]): string[] => writes.map(({ id }) => id);

/** Functions of triggers after writes that change no record of another table, as a pattern. */
const HARMLESS = '^(log_changes|count_records|recount_record|count_values_of_.+|keep_hosts)$';

/**
 * Which writes of a table may share statements: those that change no other record by a trigger or a foreign key. The change
 * log could not tell to which of the requests such a change belongs.
 */
const SHAREABLE = `
SELECT count(*) FILTER (WHERE tgtype & 4 <> 0) = 0 AS "create", count(*) FILTER (WHERE tgtype & 16 <> 0) = 0 AS "change",
  count(*) FILTER (WHERE tgtype & 8 <> 0) = 0
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = $1::regclass) AS "erase"
FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
WHERE t.tgrelid = $1::regclass AND NOT t.tgisinternal AND t.tgtype & 2 = 0 AND p.proname !~ $2`;

/** Rows that were returned in any order, in the order in which they were requested. */
function inOrder(asked: readonly { id: string }[], found: readonly JsonRow[]): JsonRow[] {
  const byId = new Map(found.map((row) => [row.id, row]));
  return asked.map(({ id }) => byId.get(id)!);
}

/** Names of the columns that unique indexes of a table compare, also within expressions. The primary key is not among them. */
const UNIQUE_COLUMNS = `
SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
WHERE i.indrelid = $1::regclass AND i.indisunique AND NOT i.indisprimary AND a.attnum > 0 AND (
  a.attnum = ANY(i.indkey) OR EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
      AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum
  )
)`;

const whereClause = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
