import { Inject } from '@nestjs/common';
import { mayReadSecrets } from '../access/access.js';
import type { RequestContext } from '../lists/request-context.js';
import type { Secrets } from '../access/secrets.js';
import { identifier, join, raw, sql, where } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { DomainError, NotFound } from '../http/errors.js';
import { MIB } from '../http/json-body.js';
import { type ListReply, pageReply, RecordReply } from '../http/replies.js';
import type { SvgReply } from '../http/svg.js';
import { ExportLines } from '../lists/export-lines.js';
import type { ListRequest } from '../lists/list-request.js';
import { type FileFormat, fileFormatOf, type PageRequest } from '../lists/parameters/paging.js';
import { declaredSqlOf, type RecordSql, resourceNameOf } from '../lists/record-sql.js';
import { fileWindowOf, orderOf, planOf } from '../lists/request-sql.js';
import type { SummaryRequest } from '../lists/summary/summary-query.js';
import { assertExists, conditionsOf, type Owner } from './owner.js';
import { recordServedBy } from './record-service.js';
import { RecordStores } from './record-store.js';
import { inOrder, type InsertedRow, type JsonRow, notReached, type Scope, within } from './record-writer.js';
import { referencesTo } from './references-to.js';

/** Maximum mebibytes of record texts that one request reads at once. */
const MOST_MIB = 32;

/** Adapts the JSON text of records to a caller; undefined if it is the same for all. */
export type Shown = ((json: string) => string) | undefined;

/** Reads the records of a resource: lists and files, one record, and what refers to it. */
export class ResourceReader<T extends StoredRecord = StoredRecord> {
  protected readonly secrets: Secrets;
  protected readonly record: Class<T>;

  constructor(@Inject(RecordStores) private readonly stores: RecordStores) {
    const record = recordServedBy(new.target) as Class<T> | undefined;
    if (!record) throw new Error(`${new.target.name} serves no record: declare it with @RecordService`);
    this.record = record;
    this.secrets = stores.secrets;
  }

  /** The resource without custom fields, where they do not matter. */
  protected get declared(): RecordSql<T> {
    return declaredSqlOf(this.record);
  }

  /** A page in the envelope, or a file. @throws DomainError not_acceptable, NotFound, ValidationFailed */
  async list(ctx: RequestContext, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const format = fileFormatOf(request, ctx.accept);
    if (format) return this.file(ctx, request, format, owner);
    const resource = ctx.resource(this.record);
    const { pages } = this.stores.readersOf(resource.expand(request.expand));
    const { rows, ...found } = await pages.page(ctx, request, conditionsOf(resource, owner));
    if (found.reach === 0 && owner) await assertExists(ctx.db, owner);
    const shown = await this.shownTo(ctx, owner);
    if (typeof rows !== 'string')
      return this.stores.streams.page(ctx.caller, rows, request, orderOf(request.sort), shown);
    return pageReply(shown ? shown(`[${rows}]`).slice(1, -1) : rows, {
      page: request.page,
      pageSize: request.pageSize,
      ...found,
    });
  }

  /** The function that adapts the JSON text of records, or of an array of them, to a caller; undefined if it is the same for all. */
  protected shownTo({ caller }: RequestContext, _owner?: Owner): Shown | Promise<Shown> {
    const { secrets } = this.declared;
    return secrets.length > 0 ? (json) => this.secrets.reveal(json, secrets, caller) : undefined;
  }

  /** Counts and sums of the records of a list, by group. @throws DomainError not_acceptable, unavailable, ValidationFailed */
  summary(ctx: RequestContext, request: SummaryRequest, owner?: Owner): Promise<ListReply | SvgReply> {
    const resource = ctx.resource(this.record);
    return this.stores.summaries.list(ctx, resource, request, conditionsOf(resource, owner));
  }

  private file(ctx: RequestContext, request: ListRequest, format: FileFormat, owner?: Owner): Promise<ListReply> {
    const resource = ctx.resource(this.record);
    const lines = new ExportLines(resource);
    const { conditions, after, order } = planOf(request, resource, conditionsOf(resource, owner));
    const all = after.length > 0 ? [...conditions, sql`(${join(after, ' OR ')})`] : conditions;
    const tail = sql`${where(all)} ORDER BY ${order.text} ${fileWindowOf(request)}`;
    const isRaw = request.raw;
    const { secrets } = resource;
    const isOpen = mayReadSecrets(ctx.caller);
    return this.stores.streams.file(
      ctx.caller,
      {
        format,
        name: resourceNameOf(resource.table),
        rows: format === 'csv' ? lines.csv(tail, isRaw, isOpen) : lines.json(tail, request.expand),
        headers: lines.headers,
        after: request.after,
        secrets: secrets.length > 0 ? { properties: secrets, columns: lines.secretColumns, raw: isRaw } : undefined,
      },
      owner && (() => assertExists(ctx.db, owner)),
    );
  }

  /**
   * @param expand references whose records are shown too
   * @throws NotFound
   */
  async get(ctx: RequestContext, id: string, owner?: Owner, expand: readonly string[] = []): Promise<RecordReply> {
    const resource = ctx.resource(this.record);
    const isPlain = !owner && expand.length === 0;
    const row = isPlain
      ? ((await this.stores.readersOf(resource).byId.load(id)) ?? this.missing())
      : await this.read(ctx, id, { owner }, resource.expand(expand));
    return this.reply(row, expand.length > 0);
  }

  /**
   * JSON text of records by their ids, with secrets still encrypted. Ids without a record are left out.
   * @throws DomainError validation if the texts are too long together
   */
  async textsOf(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const resource = ctx.resource(this.record);
    const records = resource.selectJson(resource.table, sql`WHERE t.id = ANY(${ids})`);
    const rows = await ctx.db.query<{ id: string; json: string | null }>(
      sql`SELECT id, CASE WHEN reach <= ${raw(MOST_MIB * MIB)} THEN json END AS json
      FROM (SELECT id, json, sum(octet_length(json)) OVER (ROWS UNBOUNDED PRECEDING) AS reach FROM (${records}) records) found`,
    );
    return new Map(
      rows.map(({ id, json }) => {
        if (json === null) {
          const sentence = `The records of this request have more than ${MOST_MIB} MiB together. Send fewer of them in one request`;
          throw new DomainError('validation', sentence);
        }
        return [id, json];
      }),
    );
  }

  /** Versions of records by their ids. */
  async versionsOf(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const { version, table } = ctx.resource(this.record);
    const rows = await ctx.db.query<{ id: string; version: string }>(
      sql`SELECT t.id, ${raw(version)} AS version FROM ${identifier(table)} t WHERE t.id = ANY(${ids})`,
    );
    return new Map(rows.map((row) => [row.id, row.version]));
  }

  /** Properties that are encrypted in JSON texts. */
  get sealed(): readonly string[] {
    return this.declared.secrets;
  }

  /** The current record, in a transaction too. @throws NotFound */
  async recordOn(ctx: RequestContext, id: string): Promise<RecordReply> {
    return this.reply(await this.read(ctx, id));
  }

  /** @throws NotFound, StaleVersion */
  protected async read(
    ctx: RequestContext,
    id: string,
    scope: Scope = {},
    resource: RecordSql<T> = ctx.resource(this.record),
  ): Promise<JsonRow> {
    const reached = where([sql`t.id = ${id}`, ...within(resource, scope)]);
    const [row] = await ctx.db.query<JsonRow>(resource.selectVersioned(resource.table, reached));
    return row ?? notReached(resource, scope);
  }

  /** The current state of inserted records, in their order. */
  protected async readMany(ctx: RequestContext, rows: readonly InsertedRow[]): Promise<JsonRow[]> {
    const ids = rows.map(({ id }) => id);
    const resource = ctx.resource(this.record);
    const records = resource.selectVersioned(resource.table, sql`WHERE t.id = ANY(${ids})`);
    return inOrder(rows, await ctx.db.query<JsonRow>(records));
  }

  /** The references to a record, with the number of each kind. @throws NotFound */
  async references(ctx: RequestContext, request: PageRequest, id: string, owner?: Owner): Promise<ListReply> {
    const resource = this.declared;
    const isThere = where([sql`t.id = ${id}`, ...conditionsOf(resource, owner)]);
    const record = sql`SELECT 1 FROM ${identifier(resource.table)} t ${isThere}`;
    return this.stores.computed.list(
      ctx,
      request,
      referencesTo(this.record, ctx.fields, id, sql`EXISTS (${record})`),
      async () => {
        if ((await ctx.db.query(record)).length === 0) this.missing();
      },
    );
  }

  protected missing(): never {
    throw new NotFound(this.declared.label);
  }

  protected reply(row: JsonRow, isWeak = false): RecordReply {
    return new RecordReply(row.id, row.json, this.sealed, { version: row.version, isWeak });
  }
}
