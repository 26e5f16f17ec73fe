import type { RequestContext } from '../access/request-context.js';
import { identifier, raw, sql, where, type Sql } from '../database/sql.js';
import { once } from '../http/once.js';
import type { ListRequest } from './list-request.js';
import type { ReadQueue } from './read-queue.js';
import { countOf, countOfValues, type RecordCounts } from './record-counts.js';
import type { RecordSql } from './record-sql.js';
import { keptCondition, orderOf, sortColumnOf, variesWithValues } from './request-sql.js';

/** Most records of a page that is read as one text. A longer page is streamed. */
const MOST_IN_A_TEXT = 100;

/** A page of a list. */
export interface Page {
  /** The records as the text of a JSON array without its brackets; undefined if they are too long for one text. */
  rows?: string;
  /** Number of records in the list. */
  total: number;
}

interface Found {
  rows: string | null;
  /** Whether `rows` has only the first part of the page. */
  cut: boolean;
  total: number;
  /** Number of rows that the kept count is the sum of. */
  pending: number;
}

/**
 * Reads pages of a resource's list. The keys of the page are found first, in an index where there is one of the order. The records
 * are read by their keys, so only those of the page are joined and written as JSON. The plan does not depend on how many there are.
 */
export class RecordList {
  /** The records of the keys of a page. It is the same for every request. */
  private readonly texts = once(() => this.resource.selectPage(raw('SELECT * FROM page_keys')));

  constructor(
    private readonly reads: ReadQueue,
    private readonly counts: RecordCounts,
    private readonly resource: RecordSql,
  ) {}

  /** A page of the records that meet all conditions. @throws DomainError unavailable */
  async page({ db, caller }: RequestContext, request: ListRequest, conditions: readonly Sql[]): Promise<Page> {
    const { ctes, source, limit, offset } = this.matches(request, conditions);
    const length = sql`least(${limit}, total - ${offset})`;
    const few = sql`(SELECT CASE WHEN ${length} <= ${raw(MOST_IN_A_TEXT)} THEN ${limit} ELSE 0 END FROM counted)`;
    const keys = pageOf(request, columnsOf(this.resource.keyColumns), source, few, offset);
    const statement = sql`WITH ${ctes}, page_keys AS (${keys}) SELECT p.rows, p.cut, total, pending FROM counted, (${this.texts()}) p`;
    // Planning for every partition takes longer than reading. There PostgreSQL decides whether it keeps a plan.
    const isPlanned = variesWithValues(request) && !this.resource.isPartitioned;
    const [found] = await this.reads.run(caller, () =>
      isPlanned ? db.plan<Found>(statement) : db.query<Found>(statement),
    );
    const { rows, cut, total, pending } = found!;
    this.counts.found(pending);
    const { pageSize } = request;
    const isShort = Math.min(pageSize, total - offsetOf(request)) <= MOST_IN_A_TEXT && !cut;
    return { rows: isShort ? (rows ?? '') : undefined, total };
  }

  /** The rows of such a page, for a stream: the text of a record and the total in each. */
  rows(request: ListRequest, conditions: readonly Sql[]): Sql {
    const { ctes, source, isKept, limit, offset } = this.matches(request, conditions);
    const page = (columns: readonly string[]): Sql =>
      pageOf(request, columnsOf(columns), source, sql`(SELECT ${limit})`, offset);
    const records = isKept
      ? // Of many records, to look up each of them takes longer than to skip those before them.
        this.resource.records(sql`(${page(['*'])})`, `ORDER BY ${orderOf(request.sort)}`)
      : this.resource.selectRecords(page(this.resource.keyColumns));
    return sql`WITH ${ctes} SELECT p.record, total FROM counted LEFT JOIN LATERAL (${records}) p ON true`;
  }

  private matches(request: ListRequest, conditions: readonly Sql[]): Matches {
    const { keyColumns } = this.resource;
    const table = identifier(this.resource.table);
    const count = this.keptCount(request, conditions.length);
    const page = { limit: sql`${request.pageSize}::bigint`, offset: sql`${offsetOf(request)}::bigint` };
    if (count !== undefined) {
      const source = sql`${table} t ${where(conditions)}`;
      return { ctes: sql`counted AS MATERIALIZED (${count})`, source, isKept: true, ...page };
    }
    // The matches are found once, to count and to sort them.
    const columns = columnsOf([...new Set([...keyColumns, sortColumnOf(request.sort)])]);
    return {
      ctes: sql`matching AS MATERIALIZED (SELECT ${columns} FROM ${table} t ${where(conditions)}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total, 0 AS pending FROM matching)`,
      source: raw('matching t'),
      isKept: false,
      ...page,
    };
  }

  /** SQL of the number of records that match, where it is kept. @param conditions their number, those of the owner included */
  private keptCount({ filters }: ListRequest, conditions: number): Sql | undefined {
    const { table, isPartitioned } = this.resource;
    if (conditions === 0) return countOf(table);
    if (conditions > 1 || filters.length === 0 || isPartitioned) return undefined;
    const kept = keptCondition(filters[0]!);
    return kept && countOfValues(table, kept);
  }
}

/** The records that match, as SQL. */
interface Matches {
  /** With `counted`, which has the total. */
  ctes: Sql;
  /** What follows FROM: the table, or the keys of the records that match. */
  source: Sql;
  /** Whether the total is kept, so that the records need not be found to count them. */
  isKept: boolean;
  /** Parameters of the page. */
  limit: Sql;
  offset: Sql;
}

/** SELECT of columns of a page of `t`. @param most SQL of the number of rows */
const pageOf = ({ sort }: ListRequest, columns: Sql, source: Sql, most: Sql, offset: Sql): Sql =>
  sql`SELECT ${columns} FROM ${source} ORDER BY ${raw(orderOf(sort))} LIMIT ${most} OFFSET (SELECT ${offset})`;

const columnsOf = (names: readonly string[]): Sql => raw(names.map((name) => `t.${name}`).join(', '));

const offsetOf = ({ page, pageSize }: ListRequest): number => (page - 1) * pageSize;
