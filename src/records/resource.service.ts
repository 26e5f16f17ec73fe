import { ATTRIBUTION } from '../database/attribution.js';
import { mayReadSecrets } from '../access/access.js';
import type { Executor } from '../database/database.js';
import type { RequestContext } from '../access/request-context.js';
import { DomainError, NotFound } from '../http/errors.js';
import { etagOf, ListReply, matches, RecordReply } from '../http/replies.js';
import type { Kernel } from './kernel.js';
import type { ListRequest } from './list-query.js';
import type { StoredRecord } from '../fields/record.js';
import { RecordList } from './record-list.js';
import { RecordLoader } from './record-loader.js';
import { resourceOf, type Resource } from './resource.js';
import type { Class } from '../fields/field.js';

/** The record that the path of a part names. Only its parts are within reach, and a new one is its. */
export interface Owner {
  record: Class;
  field: string;
  id: string;
  /** Whether there is such a record, where that is more than to be in its table. */
  exists?(db: Executor): Promise<boolean>;
}

/** Column values to write. */
export type Columns = Record<string, unknown>;

export interface JsonRow {
  id: string;
  json: string;
}

/**
 * What every resource does with its table: each operation is one statement, and a write answers the record that it
 * wrote. A resource with rules of its own overrides `columns`, or `insert`, `change` or `erase`, which open a
 * `db.transaction` where they need more than one statement.
 */
export class ResourceService<T extends StoredRecord = StoredRecord> {
  private readonly loader: RecordLoader;
  private readonly pages: RecordList;

  constructor(
    protected readonly resource: Resource<T>,
    protected readonly kernel: Kernel,
  ) {
    this.loader = new RecordLoader(kernel, resource as Resource);
    this.pages = new RecordList(kernel, resource as Resource);
  }

  async list(ctx: RequestContext, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const values = [...request.values];
    const conditions = [...request.conditions, ...this.ownerCondition(owner, values)];
    const { rows, total } =
      conditions.length === 0
        ? await this.pages.whole(ctx, request)
        : await this.pages.matching(ctx, request, whereClause(conditions), values, request.conditions.length > 0);
    if (total === 0 && owner) await this.assertExists(ctx.db, owner);
    const { secrets } = this.resource;
    const reveal = (records: string): string => this.kernel.reveal(`[${records}]`, secrets, ctx.caller).slice(1, -1);
    return new ListReply(rows, total, request, secrets.length > 0 ? reveal : undefined);
  }

  /** @throws NotFound */
  async get(ctx: RequestContext, id: string, owner?: Owner): Promise<RecordReply> {
    // Within a transaction, what it wrote is read by itself.
    if (ctx.db.inTransaction) return this.reply(await this.read(ctx.db, id, owner));
    if (owner) return this.reply(await this.kernel.reading(ctx.caller, () => this.read(ctx.db, id, owner)));
    return this.reply((await this.loader.load(id, ctx.caller.profileId)) ?? this.missing());
  }

  /** @throws ValidationFailed, Conflict */
  async create(ctx: RequestContext, body: object, owner?: Owner): Promise<RecordReply> {
    const columns = this.columns(body as Partial<T>, ctx);
    if (owner) {
      await this.assertExists(ctx.db, owner);
      columns[this.resource.field(owner.field).columnName] = owner.id;
    }
    return this.reply(await this.insert(ctx.db, columns, body as Partial<T>));
  }

  /** Changes exactly the columns that the body names. @throws NotFound, ValidationFailed, Conflict */
  async update(ctx: RequestContext, id: string, body: object, owner?: Owner): Promise<RecordReply> {
    const columns = this.columns(body as Partial<T>, ctx);
    const work = async (db: Executor): Promise<JsonRow> => {
      await this.keepSeals(db, id, columns, body);
      return this.change(db, id, columns, body as Partial<T>, owner);
    };
    return this.reply(await this.guarded(ctx, id, owner, work));
  }

  /** @throws NotFound */
  async remove(ctx: RequestContext, id: string, owner?: Owner): Promise<void> {
    await this.guarded(ctx, id, owner, (db) => this.erase(db, id, owner));
  }

  /** The columns that a body sets. */
  protected columns(body: Partial<T>, ctx: RequestContext): Columns {
    const columns: Columns = {};
    for (const field of this.resource.fields) {
      const value = (body as Record<string, unknown>)[field.property];
      if (value === undefined || field.parts || field.writeOnly) continue;
      if (!field.secret) columns[field.columnName] = value;
      else if (value !== null) columns[field.columnName] = this.kernel.secrets.seal(value as string);
      // Who was shown null in place of the secret sends it back without meaning to erase it.
      else if (mayReadSecrets(ctx.caller)) columns[field.columnName] = null;
    }
    return columns;
  }

  /** Leaves a secret that is sent as it is: sealed anew, the same text would be another value. */
  private async keepSeals(db: Executor, id: string, columns: Columns, body: object): Promise<void> {
    const sent = this.resource.secrets
      .map((property) => this.resource.field(property))
      .filter(({ columnName }) => typeof columns[columnName] === 'string');
    if (sent.length === 0) return;
    const names = sent.map(({ columnName }) => columnName).join(', ');
    const [stored] = await db.query<Columns>(`SELECT ${names} FROM ${this.resource.table} WHERE id = $1`, [id]);
    for (const { columnName, property } of sent) {
      const sealed = stored?.[columnName];
      const value = (body as Record<string, unknown>)[property];
      if (typeof sealed === 'string' && this.kernel.secrets.open(sealed) === value) columns[columnName] = sealed;
    }
  }

  protected async insert(db: Executor, columns: Columns, _body: Partial<T>): Promise<JsonRow> {
    const names = Object.keys(columns);
    const into = names.length
      ? `(${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`
      : 'DEFAULT VALUES';
    const values = Object.values(columns);
    const tail = whereClause(attributed(db, values));
    const [row] = await db.query<JsonRow>(
      `WITH written AS (INSERT INTO ${this.resource.table} ${into} RETURNING *) ${this.resource.selectJson('written', tail)}`,
      values,
    );
    return row!;
  }

  protected async change(
    db: Executor,
    id: string,
    columns: Columns,
    _body: Partial<T>,
    owner: Owner | undefined,
  ): Promise<JsonRow> {
    const names = Object.keys(columns);
    if (names.length === 0) return this.read(db, id, owner);
    const values = [...Object.values(columns), id];
    const conditions = [`t.id = $${values.length}`, ...this.ownerCondition(owner, values), ...attributed(db, values)];
    // The database sets updated_at, where one of them gets another value.
    const assignments = names.map((name, index) => `${name} = $${index + 1}`);
    const [row] = await db.query<JsonRow>(
      `WITH written AS (UPDATE ${this.resource.table} t SET ${assignments.join(', ')} ${whereClause(conditions)} RETURNING t.*) ${this.resource.selectJson('written')}`,
      values,
    );
    return row ?? this.missing();
  }

  protected async erase(db: Executor, id: string, owner: Owner | undefined): Promise<void> {
    const values: unknown[] = [id];
    const conditions = ['t.id = $1', ...this.ownerCondition(owner, values), ...attributed(db, values)];
    const rows = await db.query(
      `DELETE FROM ${this.resource.table} t ${whereClause(conditions)} RETURNING t.id`,
      values,
    );
    if (rows.length === 0) this.missing();
  }

  /** @param lock holds the row against other writers until the transaction ends */
  protected async read(db: Executor, id: string, owner?: Owner, lock = false): Promise<JsonRow> {
    const values: unknown[] = [id];
    const where = whereClause(['t.id = $1', ...this.ownerCondition(owner, values)]);
    const { table } = this.resource;
    // A statement of its own: one that waited for the lock would show parts and totals as they were before it.
    if (lock) await db.query(`SELECT 1 FROM ${table} t ${where} FOR NO KEY UPDATE`, values);
    const [row] = await db.query<JsonRow>(this.resource.selectJson(table, where), values);
    return row ?? this.missing();
  }

  private ownerCondition(owner: Owner | undefined, values: unknown[]): string[] {
    return owner ? [`t.${this.resource.field(owner.field).columnName} = $${values.push(owner.id)}`] : [];
  }

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

  private reply(row: JsonRow): RecordReply {
    return new RecordReply(row.id, row.json, this.resource.secrets);
  }

  /** Runs a write, after `If-Match` where it was sent: the record is compared and written under one lock. */
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
      const json = this.kernel.reveal(current.json, this.resource.secrets, ctx.caller);
      if (!matches(ifMatch, etagOf(json), false)) throw new DomainError('preconditionFailed');
      return work(tx);
    });
  }
}

/**
 * Condition, always met, by which a single statement tells the change log on whose behalf it writes: it is worked out once,
 * before anything is written, and lasts until the transaction of the statement ends.
 */
const attributed = ({ attribution }: Executor, values: unknown[]): string[] =>
  attribution === undefined
    ? []
    : [`(SELECT set_config('${ATTRIBUTION}', $${values.push(attribution)}, true)) IS NOT NULL`];

const whereClause = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
