import type { RequestContext } from '../access/request-context.js';
import type { ListRequest } from './list-query.js';
import type { Rows } from './list-streams.js';
import type { ReadQueue } from './read-queue.js';
import { countOf, keptCount, type RecordCounts } from './record-counts.js';
import type { RecordSql } from './record-sql.js';

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
  parts: number;
}

/** The conditions of a list over `t`, as SQL, with the values of their parameters. */
export interface Conditions {
  conditions: readonly string[];
  values: readonly unknown[];
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
    const { ctes, keys, limit, offset } = this.parts(request, where);
    const length = `least(${limit}, total - ${offset})`;
    const few = `(SELECT CASE WHEN ${length} <= ${MOST_IN_A_TEXT} THEN ${limit} ELSE 0 END FROM counted)`;
    const texts = this.resource.selectPage('SELECT * FROM page_keys');
    const sql = `WITH ${ctes}, page_keys AS (${keys(few)}) SELECT p.rows, p.cut, total, parts FROM counted, (${texts}) p`;
    const values = valuesOf(request, where);
    // Planning for every partition takes longer than reading. There PostgreSQL decides whether it keeps a plan.
    const isPlanned = request.varies && !this.resource.isPartitioned;
    const [found] = await this.reads.run(caller, () =>
      isPlanned ? db.plan<Found>(sql, values) : db.query<Found>(sql, values),
    );
    const { rows, cut, total, parts } = found!;
    this.counts.found(parts);
    const { pageSize } = request;
    const isShort = Math.min(pageSize, total - offsetOf(request)) <= MOST_IN_A_TEXT && !cut;
    return { rows: isShort ? (rows ?? '') : undefined, total };
  }

  /** The rows of such a page, for a stream: the text of a record and the total in each. */
  rows(request: ListRequest, where: Conditions): Rows {
    const { ctes, records } = this.parts(request, where);
    return {
      sql: `WITH ${ctes} SELECT p.record, total FROM counted LEFT JOIN LATERAL (${records}) p ON true`,
      values: valuesOf(request, where),
    };
  }

  private parts(request: ListRequest, { conditions, values }: Conditions): Parts {
    const { table, keyColumns, isPartitioned } = this.resource;
    const { orderBy, sortColumn, kept } = request;
    const limit = `$${values.length + 1}::bigint`;
    const offset = `$${values.length + 2}::bigint`;
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const page = (columns: string, source: string, most: string): string =>
      `SELECT ${columns} FROM ${source} ORDER BY ${orderBy} LIMIT ${most} OFFSET (SELECT ${offset})`;
    const keysOf = (source: string, most: string): string => page(columnsOf(keyColumns), source, most);
    const most = `(SELECT ${limit})`;
    const count =
      conditions.length === 0
        ? countOf(table)
        : kept.length === conditions.length && !isPartitioned
          ? keptCount(table, kept)
          : undefined;
    if (count !== undefined) {
      return {
        ctes: `counted AS MATERIALIZED (${count})`,
        keys: (few) => keysOf(`${table} t ${where}`, few),
        // Of many records, to look up each of them takes longer than to skip those before them.
        records: this.resource.records(`(${page('t.*', `${table} t ${where}`, most)})`, `ORDER BY ${orderBy}`),
        limit,
        offset,
      };
    }
    // The matches are found once, to count and to sort them.
    const columns = columnsOf([...new Set([...keyColumns, sortColumn])]);
    return {
      ctes: `matching AS MATERIALIZED (SELECT ${columns} FROM ${table} t ${where}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total, 0 AS parts FROM matching)`,
      keys: (few) => keysOf('matching t', few),
      records: this.resource.selectRecords(keysOf('matching t', most)),
      limit,
      offset,
    };
  }
}

/** The parts of the statement of a page. */
interface Parts {
  /** With `counted`, which has the total. */
  ctes: string;
  /** SELECT of the keys of a short page. @param few SQL of their number */
  keys(few: string): string;
  /** SELECT of the texts of all records of the page. */
  records: string;
  limit: string;
  offset: string;
}

const columnsOf = (names: readonly string[]): string => names.map((name) => `t.${name}`).join(', ');

const offsetOf = ({ page, pageSize }: ListRequest): number => (page - 1) * pageSize;

const valuesOf = (request: ListRequest, { values }: Conditions): unknown[] => [
  ...values,
  request.pageSize,
  offsetOf(request),
];
