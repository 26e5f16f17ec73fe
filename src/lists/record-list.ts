import type { RequestContext } from './request-context.js';
import { identifier, raw, sql, where, type Sql } from '../database/sql.js';
import { once } from '../http/once.js';
import type { ListRequest } from './list-request.js';
import type { RecordCounts } from './record-counts.js';
import type { RecordSql } from './record-sql.js';
import { type ListPlan, planOf } from './request-sql.js';

/** Most records of a page that is read as one text. A longer page is streamed. */
const MOST_IN_A_TEXT = 100;

/** A page of a list. */
interface Page {
  /**
   * The records as the text of a JSON array without its brackets. Where they are too long for one text: SELECT of the text of each
   * record, and of the total.
   */
  rows: string | Sql;
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
    private readonly counts: RecordCounts,
    private readonly resource: RecordSql,
  ) {}

  /** @param others conditions that are not of the request @throws DomainError unavailable */
  async page({ db }: RequestContext, request: ListRequest, others: readonly Sql[]): Promise<Page> {
    const plan = planOf(request, this.resource, others);
    const { limit, offset } = plan;
    const { ctes, source } = this.matches(plan);
    const length = sql`least(${limit}, total - ${offset})`;
    const few = sql`(SELECT CASE WHEN ${length} <= ${raw(MOST_IN_A_TEXT)} THEN ${limit} ELSE 0 END FROM counted)`;
    const keys = pageOf(plan, columnsOf(this.resource.keyColumns), source, few);
    const statement = sql`WITH ${ctes}, page_keys AS (${keys}) SELECT p.rows, p.cut, total, pending FROM counted, (${this.texts()}) p`;
    // Planning for every partition takes longer than reading. There PostgreSQL decides whether it keeps a plan.
    const isPlanned = plan.variesWithValues && !this.resource.isPartitioned;
    const [found] = await db.query<Found>(statement.planned(isPlanned));
    const { rows, cut, total, pending } = found!;
    this.counts.found(pending);
    const { page, pageSize } = request;
    const isShort = Math.min(pageSize, total - (page - 1) * pageSize) <= MOST_IN_A_TEXT && !cut;
    return { rows: isShort ? (rows ?? '') : this.rowsOf(plan), total };
  }

  private rowsOf(plan: ListPlan): Sql {
    const { ctes, source } = this.matches(plan);
    const page = (columns: readonly string[]): Sql =>
      pageOf(plan, columnsOf(columns), source, sql`(SELECT ${plan.limit})`);
    const records = plan.kept
      ? // Of many records, to look up each of them takes longer than to skip those before them.
        this.resource.records(sql`(${page(['*'])})`, sql`ORDER BY ${plan.order}`)
      : this.resource.selectRecords(page(this.resource.keyColumns));
    return sql`WITH ${ctes} SELECT p.record, total FROM counted LEFT JOIN LATERAL (${records}) p ON true`;
  }

  private matches({ conditions, kept, sortColumn }: ListPlan): Matches {
    const { keyColumns, table } = this.resource;
    const source = sql`${identifier(table)} t ${where(conditions)}`;
    if (kept) return { ctes: sql`counted AS MATERIALIZED (${kept})`, source };
    // The matches are found once, to count and to sort them.
    const columns = columnsOf([...new Set([...keyColumns, sortColumn])]);
    return {
      ctes: sql`matching AS MATERIALIZED (SELECT ${columns} FROM ${source}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total, 0 AS pending FROM matching)`,
      source: raw('matching t'),
    };
  }
}

/** The records that match, as SQL. */
interface Matches {
  /** With `counted`, which has the total. */
  ctes: Sql;
  /** The FROM item: the table, or the keys of the matching records. */
  source: Sql;
}

/** SELECT of columns of a page of `t`. @param most SQL of the number of rows */
const pageOf = ({ order, offset }: ListPlan, columns: Sql, source: Sql, most: Sql): Sql =>
  sql`SELECT ${columns} FROM ${source} ORDER BY ${order} LIMIT ${most} OFFSET (SELECT ${offset})`;

const columnsOf = (names: readonly string[]): Sql => raw(names.map((name) => `t.${name}`).join(', '));
