import type { RequestContext } from './request-context.js';
import { identifier, join, raw, sql, where, type Sql } from '../database/sql.js';
import type { PageOf } from '../http/replies.js';
import { once } from '../http/once.js';
import type { ListRequest } from './list-request.js';
import type { RecordCounts } from './record-counts.js';
import type { RecordSql } from './record-sql.js';
import { reading } from './order.js';
import { type ListPlan, planOf } from './request-sql.js';

/** Maximum number of records of a page that is one text. A longer page is streamed. */
const MOST_IN_A_TEXT = 100;

/** A page of a list. */
interface Page extends Pick<PageOf, 'total' | 'reach' | 'next'> {
  /**
   * The records as the text of a JSON array without its brackets. If they are too long for one text: SELECT of the text of each record
   * and of the columns that `ListStreams.page` reads.
   */
  rows: string | Sql;
}

interface FoundPage {
  rows: string | null;
  /** Whether `rows` has only the first part of the page. */
  cut: boolean;
  total: number | null;
  reach: number;
  /** Number of rows whose sum is the maintained count. */
  pending: number;
  /** The position of the last row for a cursor, if a page follows. */
  next: string | null;
}

/**
 * Reads pages of a resource's list. First the keys of the page are found, in an index of the order if there is one. Only the records
 * with these keys are joined and written as JSON. The plan does not depend on the number of records.
 */
export class RecordList {
  /** The records with the keys of a page. The statement is the same for every request. */
  private readonly texts = once(() => this.resource.selectPage(raw('SELECT * FROM page_keys')));

  constructor(
    private readonly counts: Pick<RecordCounts, 'found'>,
    private readonly resource: RecordSql,
  ) {}

  /** @param others conditions that are not of the request @throws DomainError unavailable */
  async page({ db }: Pick<RequestContext, 'db'>, request: ListRequest, others: readonly Sql[]): Promise<Page> {
    const plan = planOf(request, this.resource, others);
    const { limit, offset, order } = plan;
    const { ctes, source } = this.matches(plan);
    const length = sql`least(${limit}, reach - ${offset})`;
    const few = sql`(SELECT CASE WHEN ${length} <= ${raw(MOST_IN_A_TEXT)} THEN ${limit} ELSE 0 END FROM counted)`;
    const keys = pageOf(plan, this.columnsOf(plan), source, few);
    const next = sql`CASE WHEN reach > ${offset} + ${limit} THEN (SELECT ${order.place} FROM page_keys t LIMIT 1 OFFSET (SELECT ${limit} - 1)) END`;
    const statement = sql`WITH ${ctes}, page_keys AS (${keys}) SELECT p.rows, p.cut, total, reach, pending, ${next} AS next FROM counted, (${this.texts()}) p`;
    // Planning for every partition takes longer than reading, so PostgreSQL decides whether to keep a generic plan.
    const isPrepared = !plan.variesWithValues || this.resource.isPartitioned;
    const [found] = await reading(request.after, () =>
      db.query<FoundPage>(isPrepared ? statement : statement.unprepared()),
    );
    const { rows, cut, total, reach, pending } = found!;
    this.counts.found(pending);
    const { page, pageSize } = request;
    const isShort = Math.min(pageSize, reach - (page - 1) * pageSize) <= MOST_IN_A_TEXT && !cut;
    return { rows: isShort ? (rows ?? '') : this.rowsOf(plan), total, reach, next: order.cursor(found!.next) };
  }

  private rowsOf(plan: ListPlan): Sql {
    const { limit, offset, order } = plan;
    const { ctes, source } = this.matches(plan);
    const page = (columns: readonly string[]): Sql => pageOf(plan, columnsOf(columns), source, sql`(SELECT ${limit})`);
    const records =
      plan.kept && isWhole(plan)
        ? // For many records, looking up each of them takes longer than skipping those before them.
          this.resource.records(sql`(${page(['*'])})`, sql`ORDER BY ${order.text}`)
        : this.resource.selectRecords(page(this.resource.keyColumns));
    const last = sql`SELECT ${order.place} AS next FROM ${source} ORDER BY ${order.text}
      LIMIT (SELECT (reach > ${offset} + ${limit})::int FROM counted) OFFSET (SELECT ${offset} + ${limit} - 1)`;
    return sql`WITH ${ctes}, last AS MATERIALIZED (${last})
      SELECT p.record, total, reach, (SELECT next FROM last) FROM counted LEFT JOIN LATERAL (${records}) p ON true`;
  }

  private matches(plan: ListPlan): Matches {
    const { conditions, kept, after, limit, offset, order } = plan;
    const source = sql`${identifier(this.resource.table)} t ${where(conditions)}`;
    if (isWhole(plan) && kept) {
      return { ctes: sql`counted AS MATERIALIZED (SELECT total, total AS reach, pending FROM (${kept}) kept)`, source };
    }
    // The matches are found once, and then counted and sorted.
    const columns = this.columnsOf(plan);
    if (isWhole(plan)) {
      return {
        ctes: sql`matching AS MATERIALIZED (SELECT ${columns} FROM ${source}),
          counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach, 0 AS pending FROM matching)`,
        source: raw('matching t'),
      };
    }
    // Only as many as show whether a page follows.
    const most = sql`ORDER BY ${order.text} LIMIT (SELECT ${offset} + ${limit} + 1)`;
    const each = (after.length > 0 ? after : [raw('true')]).map(
      (condition) =>
        sql`(SELECT ${columns} FROM ${identifier(this.resource.table)} t ${where([...conditions, condition])} ${most})`,
    );
    const total = !plan.isCounted
      ? raw('NULL::float8')
      : kept
        ? sql`(SELECT total FROM (${kept}) kept)`
        : sql`(SELECT count(*) FROM ${source})::float8`;
    return {
      ctes: sql`matching AS MATERIALIZED (SELECT * FROM (${join(each, ' UNION ALL ')}) t ${most}),
        counted AS MATERIALIZED (SELECT ${total} AS total, (SELECT count(*) FROM matching)::float8 AS reach, 0 AS pending)`,
      source: raw('matching t'),
    };
  }

  /** The columns for finding and sorting a page. */
  private columnsOf({ sortColumn }: ListPlan): Sql {
    return columnsOf([...new Set([...this.resource.keyColumns, sortColumn])]);
  }
}

/** Whether the list has no cursor, and its records are counted. */
const isWhole = ({ after, isCounted: counted }: ListPlan): boolean => after.length === 0 && counted;

/** The records that match, as SQL. */
interface Matches {
  /** Including `counted`, which has the total. */
  ctes: Sql;
  /** The FROM item: the table, or the keys of the matching records. */
  source: Sql;
}

/** SELECT of columns of a page of `t`. @param most SQL of the number of rows */
const pageOf = ({ order, offset }: ListPlan, columns: Sql, source: Sql, most: Sql): Sql =>
  sql`SELECT ${columns} FROM ${source} ORDER BY ${order.text} LIMIT ${most} OFFSET (SELECT ${offset})`;

const columnsOf = (names: readonly string[]): Sql => raw(names.map((name) => `t.${name}`).join(', '));
