import type { Caller } from '../access/access.js';
import type { Executor } from '../database/database.js';
import type { RequestContext } from '../access/request-context.js';
import type { AnswerTurns } from '../answers/answer-turns.js';
import { DomainError } from '../http/errors.js';
import type { ListRequest } from './list-query.js';
import type { Follower, LongLists } from '../answers/long-lists.js';
import { countOf, hourAt, keptCount, type RecordCounts } from './record-counts.js';
import type { StatementTexts } from './statement-texts.js';
import { MOST_FIRST, PART_BYTES, type Resource } from '../projection/resource.js';

/** A page of a list. */
export interface Page {
  /** The records as the text of a JSON array without its brackets, or the place of the client in a long page. */
  rows: string | Follower;
  /** Number of records in the list. */
  total: number;
}

interface PageRow {
  rows: string | null;
  /** Whether `rows` has only the first part of the page. */
  cut: boolean | null;
}

// From this number of skipped rows, looking up the hour in which the page starts is cheaper.
const FAR = 1000;
// Up to this number of matches, one statement finds, counts and shows them. More are counted separately.
const FEW = 2000;
// A page of more records is long: it waits for its turn and is read in parts.
const LONG = MOST_FIRST;
// A page of more records is read step by step if it may exceed the length of one text.
const SHORT = 100;
// A page that ends within this number of rows is near the start of its list.
const NEAR = FAR + SHORT;
// Sizes that most clients ask for. PostgreSQL keeps the plan of a first page whose size stands in the statement. Where it is a
// parameter, the statement is planned on every execution, as a plan for any size seems to cost more. Each size is a statement of
// its own on every connection, so there are few.
const USUAL_SIZES = [10, 20, 25, 50, 100];

/** Reads pages of a resource's list. */
export class RecordList {
  // The last total tells how long the next whole list will be. Before the first one, lists count as long.
  private lastTotal = Infinity;
  // Average bytes of a record on the last page; NaN if unknown. A page that will exceed one text is not attempted as one text.
  private recordBytes = NaN;

  constructor(
    private readonly turns: AnswerTurns,
    private readonly longLists: LongLists,
    private readonly counts: RecordCounts,
    private readonly texts: StatementTexts,
    private readonly resource: Resource,
  ) {}

  /** A page of all records. Their number is kept, so nothing is counted. */
  async whole({ db, caller }: RequestContext, request: ListRequest): Promise<Page> {
    const { pageSize } = request;
    const offset = offsetOf(request);
    const count = countOf(this.resource.table);
    const values = [pageSize, offset];
    if (!this.isLong(Math.min(pageSize, this.lastTotal))) {
      const page = await this.asText(caller, async () => {
        const isFirst = offset === 0 && this.isReadAtOnce(request);
        const size = limitOf(pageSize, 1);
        const sql = this.text('whole', request, '', () => {
          const read = isFirst ? this.firstPage('', request.orderBy, size.sql) : this.page(request, this.keys(request));
          return `${withClause([this.start(request)])} SELECT p.rows, p.cut, c.total, c.parts FROM (${count}) c LEFT JOIN (${read}) p ON true`;
        });
        const [found] = await db.query<PageRow & { total: number; parts: number }>(sql, isFirst ? size.values : values);
        const { total, parts } = found!;
        this.lastTotal = total;
        this.counts.found(parts);
        const length = Math.max(0, Math.min(pageSize, total - offset));
        // The list has grown since the last total. What was read has only the first records of a long page.
        return length > LONG ? undefined : this.short(found!, total, length);
      });
      if (page) return page;
    }
    const ctes = [this.start(request)];
    let lines: string;
    if (request.byCreation) {
      // An index has this order.
      lines = this.resource.selectLines(this.inOrderOfCreation('t.*', request), request.orderBy);
    } else {
      ctes.push(`page AS MATERIALIZED (SELECT ${this.resource.arrayOf(this.keys(request))} AS ids)`);
      lines = this.resource.selectLinesOf('(SELECT ids FROM page)');
    }
    const most = Math.min(pageSize, this.lastTotal);
    const page = await this.long(caller.profileId, most, lines, values, count, withClause(ctes));
    this.lastTotal = page.total;
    return page;
  }

  /**
   * A page of the records that match a condition.
   * @param where WHERE clause over `t` with the parameters `values`
   * @param conditions number of conditions in `where`, which may have more than the request
   */
  async matching(
    { db, caller }: RequestContext,
    request: ListRequest,
    where: string,
    values: readonly unknown[],
    conditions: number,
  ): Promise<Page> {
    // Planning for every partition takes longer than reading. There PostgreSQL decides whether it keeps a plan.
    const { isPartitioned } = this.resource;
    const run = (request.varies && !isPartitioned ? db.plan : db.query).bind(db) as Executor['query'];
    // Which index finds the first of many matches fastest depends on the values of all filters.
    const isFiltered = request.conditions.length > 0;
    const runMany = (isFiltered && !isPartitioned ? db.plan : db.query).bind(db) as Executor['query'];
    const { pageSize, orderBy } = request;
    const offset = offsetOf(request);
    const all = [...values, pageSize, offset];
    const kept =
      request.kept.length === conditions && !isPartitioned
        ? keptCount(this.resource.table, request.kept, where)
        : undefined;
    const short = await this.asText(caller, async () => {
      if (kept !== undefined && !this.isLong(pageSize)) {
        // A kept plan goes through the list in its order. If nearly all records have the excluded values, that is the whole table.
        const isUsual = request.byCreation && !request.kept.some((each) => 'column' in each && each.operator === '<>');
        const read = isUsual ? (db.query.bind(db) as Executor['query']) : runMany;
        return this.counted(read, request, where, values, kept);
      }
      const sql = this.text('few', request, where, () => this.fewMatches(request, where, values.length));
      const [found] = await run<PageRow & { total: number }>(sql, all);
      const { total } = found!;
      const length = Math.max(0, Math.min(pageSize, total - offset));
      if (total <= FEW) return length > LONG ? undefined : this.short(found!, total, length);
      return this.isLong(pageSize) ? undefined : this.manyMatches(runMany, request, where, values);
    });
    if (short) return short;
    const limit = `$${values.length + 1}::bigint`;
    const skipped = `$${values.length + 2}::bigint`;
    const ids = this.resource.arrayOf(this.keysOf(where, orderBy, limit, skipped));
    // A page that is not full is the last one, so the total follows from it.
    const total = `SELECT (CASE WHEN cardinality(ids) BETWEEN 1 AND ${limit} - 1 THEN ${skipped} + cardinality(ids)
      ELSE ${kept === undefined ? `(SELECT count(*) FROM ${this.resource.table} t ${where})` : `(SELECT total FROM (${kept}) kept)`} END)::bigint AS total FROM page`;
    const page = `page AS MATERIALIZED (SELECT ${ids} AS ids)`;
    const lines = this.resource.selectLinesOf('(SELECT ids FROM page)');
    return this.long(caller.profileId, pageSize, lines, all, total, withClause([page]));
  }

  /**
   * SQL of a page of at most `FEW` matches, which are found once, counted and shown. Most searches have that few. If more match,
   * or if the page is long, there are no rows; `total` tells which.
   */
  private fewMatches(request: ListRequest, where: string, parameters: number): string {
    const { pageSize, orderBy, sortColumn } = request;
    const { table, keyColumns, place } = this.resource;
    const columns = [...new Set([...place, ...keyColumns, sortColumn])].map((column) => `t.${column}`).join(', ');
    const window = `LIMIT $${parameters + 1} OFFSET $${parameters + 2}`;
    const few = pageSize > LONG ? `total <= ${FEW} AND total - $${parameters + 2} <= ${LONG}` : `total <= ${FEW}`;
    const keys = (found: readonly string[]): string =>
      `SELECT ${found.map((column) => `t.${column}`).join(', ')} FROM matching t WHERE (SELECT ${few} FROM counted) ORDER BY ${orderBy} ${window}`;
    const page = this.isReadAtOnce(request)
      ? this.resource.selectPage(this.resource.rowsAt(keys(place), place), `ORDER BY ${orderBy}`)
      : this.page(request, keys(keyColumns));
    return `WITH matching AS MATERIALIZED (SELECT ${columns} FROM ${table} t ${where} LIMIT ${FEW + 1}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total FROM matching)
      SELECT p.rows, p.cut, counted.total FROM counted LEFT JOIN (${page}) p ON true`;
  }

  /** A page of matches whose number is kept. @param count SQL of that number as `{total, parts}` */
  private async counted(
    run: Executor['query'],
    request: ListRequest,
    where: string,
    values: readonly unknown[],
    count: string,
  ): Promise<Page | undefined> {
    const { pageSize, orderBy } = request;
    const offset = offsetOf(request);
    const size = limitOf(pageSize, values.length + 1);
    const isFirst = offset === 0 && this.isReadAtOnce(request);
    const sql = this.text('counted', request, where, () => {
      const page = isFirst
        ? this.firstPage(where, orderBy, size.sql)
        : this.page(request, this.keysNear(request, where, `$${values.length + 1}`, `$${values.length + 2}`));
      return `SELECT p.rows, p.cut, c.total, c.parts FROM (${count}) c LEFT JOIN (${page}) p ON true`;
    });
    const [found] = await run<PageRow & { total: number; parts: number }>(
      sql,
      isFirst ? [...values, ...size.values] : [...values, pageSize, offset],
    );
    const { total, parts } = found!;
    this.counts.found(parts);
    return this.short(found!, total, Math.max(0, Math.min(pageSize, total - offset)));
  }

  private async manyMatches(
    run: Executor['query'],
    request: ListRequest,
    where: string,
    values: readonly unknown[],
  ): Promise<Page | undefined> {
    const { pageSize, orderBy } = request;
    const { table } = this.resource;
    const offset = offsetOf(request);
    const limit = `$${values.length + 1}`;
    const sql = this.text('many', request, where, () =>
      offset === 0 && pageSize <= SHORT
        ? this.firstPage(where, orderBy, limit)
        : this.page(request, this.keysOf(where, orderBy, limit, offset === 0 ? '0' : `$${values.length + 2}`)),
    );
    const [found] = await run<PageRow & { size: number }>(
      sql,
      offset === 0 ? [...values, pageSize] : [...values, pageSize, offset],
    );
    const { size } = found!;
    // A page that is not full is the last one and knows the total by itself.
    if (found!.cut || (size > 0 && size < pageSize)) return this.short(found!, offset + size, size);
    const [counted] = await run<{ total: number }>(`SELECT count(*)::float8 AS total FROM ${table} t ${where}`, values);
    return this.short(found!, counted!.total, size);
  }

  /**
   * The text of a statement, made once for all requests that it serves.
   * @param kind of the statement
   * @param where with the parameters of its conditions
   */
  private text(kind: string, request: ListRequest, where: string, make: () => string): string {
    const { pageSize, orderBy } = request;
    const end = offsetOf(request) + pageSize;
    const key = [
      kind,
      orderBy,
      where,
      this.isReadAtOnce(request),
      end === pageSize,
      end > NEAR,
      pageSize > SHORT,
      pageSize > LONG,
      farDirection(request),
      USUAL_SIZES.includes(pageSize) ? pageSize : undefined,
    ].join('|');
    return this.texts.of(this.resource, key, make);
  }

  private isLong(length: number): boolean {
    return length > LONG || length * this.recordBytes > PART_BYTES;
  }

  /** Reads a page as one text. */
  private async asText(caller: Caller, read: () => Promise<Page | undefined>): Promise<Page | undefined> {
    try {
      return await this.turns.read(caller, read);
    } catch (error) {
      // The page may have been too long to be read within the statement timeout.
      if (!(error instanceof DomainError)) this.recordBytes = NaN;
      throw error;
    }
  }

  /** A page that was read as one text; undefined if the text is only a part of it. */
  private short({ rows, cut }: PageRow, total: number, length: number): Page | undefined {
    if (length > 0) this.recordBytes = cut ? PART_BYTES : (rows?.length ?? 0) / length;
    return cut ? undefined : { rows: rows ?? '', total };
  }

  /**
   * @param most records of the page
   * @param lines SELECT of the records of the page as `rows`
   * @param total SELECT of the `total` of the list
   * @param ctes WITH clause of both
   */
  private async long(
    caller: string,
    most: number,
    lines: string,
    values: readonly unknown[],
    total: string,
    ctes = '',
  ): Promise<Page> {
    // While the list waits, others of the resource may be read.
    const bytes = (): number | undefined => (Number.isNaN(this.recordBytes) ? undefined : most * this.recordBytes);
    const sql = `${ctes} SELECT p.rows, c.total FROM (${total}) c LEFT JOIN LATERAL (${lines}) p ON true`;
    const { total: found, first, follower } = await this.longLists.read(caller, sql, values, { bytes });
    if (first > 0) this.recordBytes = first;
    return { rows: follower, total: found };
  }

  /** Whether the records of a page are read at once, and not step by step. */
  private isReadAtOnce({ pageSize }: ListRequest): boolean {
    return pageSize <= SHORT || pageSize * this.recordBytes <= PART_BYTES;
  }

  // Skipped rows are read from the index only. The rows of the page alone are read, joined and turned into JSON.
  private page(request: ListRequest, keys: string): string {
    const { resource } = this;
    const order = `ORDER BY ${request.orderBy}`;
    return this.isReadAtOnce(request)
      ? resource.selectPage(resource.rowsAt(keys, resource.keyColumns), order)
      : resource.selectFirst(resource.arrayOf(keys), order);
  }

  /** SQL of a first page, which skips no rows and therefore reads the rows that it finds. */
  private firstPage(where: string, orderBy: string, limit: string): string {
    const { table } = this.resource;
    return this.resource.selectPage(table, `${where} ORDER BY ${orderBy} LIMIT ${limit}`);
  }

  private keysOf(where: string, orderBy: string, limit: string, offset: string): string {
    const { table, keyColumns } = this.resource;
    const columns = keyColumns.map((column) => `t.${column}`).join(', ');
    return `SELECT ${columns} FROM ${table} t ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  }

  /**
   * SELECT of the keys of a page. PostgreSQL plans it on every execution if the cost of its plan seems to depend on its limit and
   * offset. Near the start of a list it reads from the first rows, whose number stands in the statement, and the plan is kept.
   */
  private keysNear(request: ListRequest, where: string, limit: string, offset: string): string {
    const { orderBy, pageSize } = request;
    if (offsetOf(request) + pageSize > NEAR || pageSize > SHORT) return this.keysOf(where, orderBy, limit, offset);
    const columns = this.resource.keyColumns.join(', ');
    const first = this.keysOf(where, orderBy, String(NEAR), '0');
    return `SELECT ${columns} FROM (${first}) t LIMIT (SELECT ${limit}::bigint) OFFSET (SELECT ${offset}::bigint)`;
  }

  /** SELECT of the keys of a page of all records, of `$1` records after `$2` others. */
  private keys(request: ListRequest): string {
    return farDirection(request)
      ? this.inOrderOfCreation(this.resource.keyColumns.map((column) => `t.${column}`).join(', '), request)
      : this.keysNear(request, '', '$1', '$2');
  }

  /** SELECT of the records of such a page of a list in order of creation. */
  private inOrderOfCreation(columns: string, request: ListRequest): string {
    const direction = farDirection(request);
    const [where, skipped] =
      direction === undefined
        ? ['', '$2']
        : [
            direction === 'ASC'
              ? 'WHERE t.created_at >= (SELECT hour FROM start)'
              : `WHERE t.created_at < (SELECT hour FROM start) + interval '1 hour'`,
            '$2::bigint - (SELECT before FROM start)',
          ];
    return `SELECT ${columns} FROM ${this.resource.table} t ${where} ORDER BY ${request.orderBy} LIMIT $1 OFFSET ${skipped}`;
  }

  /** CTE of a page far down a list in order of creation. Rows are skipped by whole hours, and then within one hour. */
  private start(request: ListRequest): string {
    const direction = farDirection(request);
    return direction === undefined
      ? ''
      : `start AS MATERIALIZED (${hourAt(this.resource.table, '$2::bigint', direction)})`;
  }
}

const withClause = (ctes: readonly string[]): string => {
  const given = ctes.filter((cte) => cte !== '');
  return given.length === 0 ? '' : `WITH ${given.join(', ')}`;
};

/** SQL of the limit of a first page, and its values, the first of which is parameter number `parameter`. */
const limitOf = (pageSize: number, parameter: number): { sql: string; values: number[] } =>
  USUAL_SIZES.includes(pageSize) ? { sql: String(pageSize), values: [] } : { sql: `$${parameter}`, values: [pageSize] };

const offsetOf = ({ page, pageSize }: ListRequest): number => (page - 1) * pageSize;

const farDirection = (request: ListRequest): 'ASC' | 'DESC' | undefined =>
  offsetOf(request) >= FAR ? request.byCreation : undefined;
