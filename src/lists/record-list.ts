import type { RequestContext } from '../access/request-context.js';
import type { ListRequest } from './list-request.js';
import type { Rows } from './list-streams.js';
import type { ReadQueue } from './read-queue.js';
import { countOf, countOfValues, type RecordCounts } from './record-counts.js';
import type { RecordSql } from './record-sql.js';
import { keptCondition, orderOf, sortColumnOf, variesWithValues, type Bind, type Conditions } from './request-sql.js';

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
  constructor(
    private readonly reads: ReadQueue,
    private readonly counts: RecordCounts,
    private readonly resource: RecordSql,
  ) {}

  /** A page of the records that meet all conditions. @throws DomainError unavailable */
  async page({ db, caller }: RequestContext, request: ListRequest, where: Conditions): Promise<Page> {
    const { ctes, source, limit, offset, values } = this.matches(request, where);
    const length = `least(${limit}, total - ${offset})`;
    const few = `(SELECT CASE WHEN ${length} <= ${MOST_IN_A_TEXT} THEN ${limit} ELSE 0 END FROM counted)`;
    const keys = pageOf(request, columnsOf(this.resource.keyColumns), source, few, offset);
    const texts = this.resource.selectPage('SELECT * FROM page_keys');
    const sql = `WITH ${ctes}, page_keys AS (${keys}) SELECT p.rows, p.cut, total, pending FROM counted, (${texts}) p`;
    // Planning for every partition takes longer than reading. There PostgreSQL decides whether it keeps a plan.
    const isPlanned = variesWithValues(request) && !this.resource.isPartitioned;
    const [found] = await this.reads.run(caller, () =>
      isPlanned ? db.plan<Found>(sql, values) : db.query<Found>(sql, values),
    );
    const { rows, cut, total, pending } = found!;
    this.counts.found(pending);
    const { pageSize } = request;
    const isShort = Math.min(pageSize, total - offsetOf(request)) <= MOST_IN_A_TEXT && !cut;
    return { rows: isShort ? (rows ?? '') : undefined, total };
  }

  /** The rows of such a page, for a stream: the text of a record and the total in each. */
  rows(request: ListRequest, where: Conditions): Rows {
    const { ctes, source, isKept, limit, offset, values } = this.matches(request, where);
    const page = (columns: readonly string[]): string =>
      pageOf(request, columnsOf(columns), source, `(SELECT ${limit})`, offset);
    const records = isKept
      ? // Of many records, to look up each of them takes longer than to skip those before them.
        this.resource.records(`(${page(['*'])})`, `ORDER BY ${orderOf(request.sort)}`)
      : this.resource.selectRecords(page(this.resource.keyColumns));
    return {
      sql: `WITH ${ctes} SELECT p.record, total FROM counted LEFT JOIN LATERAL (${records}) p ON true`,
      values,
    };
  }

  private matches(request: ListRequest, { conditions, values: given }: Conditions): Matches {
    const { table, keyColumns } = this.resource;
    const values = [...given];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const count = this.keptCount(request, conditions.length, bind);
    const page = {
      limit: `${bind(request.pageSize)}::bigint`,
      offset: `${bind(offsetOf(request))}::bigint`,
      values,
    };
    if (count !== undefined) {
      return { ctes: `counted AS MATERIALIZED (${count})`, source: `${table} t ${where}`, isKept: true, ...page };
    }
    // The matches are found once, to count and to sort them.
    const columns = columnsOf([...new Set([...keyColumns, sortColumnOf(request.sort)])]);
    return {
      ctes: `matching AS MATERIALIZED (SELECT ${columns} FROM ${table} t ${where}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total, 0 AS pending FROM matching)`,
      source: 'matching t',
      isKept: false,
      ...page,
    };
  }

  /** SQL of the number of records that match, where it is kept. @param conditions their number, those of the owner included */
  private keptCount({ filters }: ListRequest, conditions: number, bind: Bind): string | undefined {
    const { table, isPartitioned } = this.resource;
    if (conditions === 0) return countOf(table);
    if (conditions > 1 || filters.length === 0 || isPartitioned) return undefined;
    const kept = keptCondition(filters[0]!, bind);
    return kept && countOfValues(table, kept);
  }
}

/** The records that match, as SQL. */
interface Matches {
  /** With `counted`, which has the total. */
  ctes: string;
  /** What follows FROM: the table, or the keys of the records that match. */
  source: string;
  /** Whether the total is kept, so that the records need not be found to count them. */
  isKept: boolean;
  /** Parameters of the page. */
  limit: string;
  offset: string;
  /** Values of all parameters. */
  values: readonly unknown[];
}

/** SELECT of columns of a page of `t`. @param most SQL of the number of rows */
const pageOf = ({ sort }: ListRequest, columns: string, source: string, most: string, offset: string): string =>
  `SELECT ${columns} FROM ${source} ORDER BY ${orderOf(sort)} LIMIT ${most} OFFSET (SELECT ${offset})`;

const columnsOf = (names: readonly string[]): string => names.map((name) => `t.${name}`).join(', ');

const offsetOf = ({ page, pageSize }: ListRequest): number => (page - 1) * pageSize;
