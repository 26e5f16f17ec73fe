import { setImmediate } from 'node:timers/promises';
import type { Executor } from '../database/database.js';
import type { Part } from '../http/replies.js';
import type { Kernel } from './kernel.js';
import type { ListRequest } from './list-query.js';
import { countOf, hourAt } from './record-counts.js';
import type { Resource } from './resource.js';

/** A page of a list. */
export interface Page {
  /** The records, as the text of JSON arrays without their brackets, one after another. */
  parts: Part[];
  /** Number of records in the list. */
  total: number;
}

// Skipped rows from which on it pays to ask in which hour the page starts.
const FAR = 1000;
// Matches that are found once, to be counted and shown; more are counted apart.
const FEW = 2000;
// Records above which a page is long: it waits for its turn, and comes in parts.
const LONG = 500;

/** Reads pages of a resource's list. */
export class RecordList {
  // Kept totals say how long the next whole list will be. Not known yet, it is taken for a long one.
  private lastTotal = Infinity;

  constructor(
    private readonly kernel: Kernel,
    private readonly resource: Resource,
  ) {}

  /** A page of all records. Their number is kept, so nothing is counted. */
  whole(db: Executor, request: ListRequest): Promise<Page> {
    const { pageSize, orderBy, byCreation } = request;
    const { table } = this.resource;
    const offset = offsetOf(request);
    const far = offset >= FAR && byCreation !== undefined;
    const page = far ? this.farPage(orderBy, byCreation) : this.page('', orderBy, '$1', '$2', pageSize > LONG);
    const sql = `SELECT p.rows, c.total, c.parts FROM (${countOf(table)}) c LEFT JOIN (${page}) p ON true`;
    const read = async (): Promise<Page> => {
      const found = await db.query<{ rows: string | null; total: number; parts: number }>(sql, [pageSize, offset]);
      const [{ total, parts }] = found as [(typeof found)[0]];
      this.lastTotal = total;
      this.kernel.counts.found(parts);
      return { parts: await partsOf(found), total };
    };
    const long = Math.min(pageSize, this.lastTotal) > LONG;
    return long ? this.kernel.inTurn(`${sql} ${pageSize} ${offset}`, read) : read();
  }

  /**
   * A page of the records that match.
   * @param where WHERE clause over `t` with the parameters `values`
   * @param vary whether how many match depends on the values, and with it the best plan
   */
  async matching(
    db: Executor,
    request: ListRequest,
    where: string,
    values: readonly unknown[],
    vary: boolean,
  ): Promise<Page> {
    const run = (vary ? db.plan : db.query).bind(db) as Executor['query'];
    const { pageSize } = request;
    const offset = offsetOf(request);
    const found = await run<{ rows: string | null; total: number }>(this.fewMatches(request, where, values.length), [
      ...values,
      pageSize,
      offset,
    ]);
    const [{ total }] = found as [(typeof found)[0]];
    if (total <= FEW) return { parts: await partsOf(found), total };
    const read = (): Promise<Page> => this.manyMatches(run, request, where, values);
    if (pageSize <= LONG) return read();
    const { table } = this.resource;
    return this.kernel.inTurn(JSON.stringify([table, where, request.orderBy, values, pageSize, offset]), read);
  }

  /**
   * A page of what matches where no more than `FEW` do, as with most searches: they are found once, to be counted and to
   * be shown. Where more match there are no rows, and the total is above `FEW`.
   */
  private fewMatches({ pageSize, orderBy, sortColumn }: ListRequest, where: string, parameters: number): string {
    const { table } = this.resource;
    const columns = [...new Set(['id', sortColumn])].map((column) => `t.${column}`).join(', ');
    const ids = `SELECT t.id FROM matching t ORDER BY ${orderBy} LIMIT $${parameters + 1} OFFSET $${parameters + 2}`;
    const tail = `WHERE (SELECT total FROM counted) <= ${FEW} AND t.id = ANY(ARRAY(${ids})) ORDER BY ${orderBy}`;
    return `WITH matching AS MATERIALIZED (SELECT ${columns} FROM ${table} t ${where} LIMIT ${FEW + 1}),
        counted AS MATERIALIZED (SELECT count(*)::float8 AS total FROM matching)
      SELECT p.rows, counted.total FROM counted LEFT JOIN (${this.resource.selectPage(table, tail, pageSize > LONG)}) p ON true`;
  }

  private async manyMatches(
    run: Executor['query'],
    request: ListRequest,
    where: string,
    values: readonly unknown[],
  ): Promise<Page> {
    const { pageSize, orderBy } = request;
    const offset = offsetOf(request);
    const limit = `$${values.length + 1}`;
    const rows = await run<{ rows: string | null; size: number }>(
      this.page(where, orderBy, limit, offset === 0 ? '' : `$${values.length + 2}`, pageSize > LONG),
      offset === 0 ? [...values, pageSize] : [...values, pageSize, offset],
    );
    const size = rows.reduce((sum, part) => sum + part.size, 0);
    // A page that is not full is the last one and knows the total by itself.
    if (size > 0 && size < pageSize) return { parts: await partsOf(rows), total: offset + size };
    const [counted] = await run<{ total: number }>(
      `SELECT count(*)::float8 AS total FROM ${this.resource.table} t ${where}`,
      values,
    );
    return { parts: await partsOf(rows), total: counted!.total };
  }

  private page(where: string, orderBy: string, limit: string, offset: string, long = false): string {
    const { table } = this.resource;
    const window = `ORDER BY ${orderBy} LIMIT ${limit}${offset && ` OFFSET ${offset}`}`;
    if (offset === '') return this.resource.selectPage(table, `${where} ${window}`, long);
    // Skipped rows are walked in the index alone; only the rows of the page are read, joined and turned into JSON.
    return this.resource.selectPage(
      table,
      `WHERE t.id = ANY(ARRAY(SELECT t.id FROM ${table} t ${where} ${window})) ORDER BY ${orderBy}`,
      long,
    );
  }

  /** A page far down a list in order of creation: rows are skipped by the hour, and then only within one hour. */
  private farPage(orderBy: string, direction: 'ASC' | 'DESC'): string {
    const { table } = this.resource;
    const from =
      direction === 'ASC'
        ? 't.created_at >= (SELECT hour FROM start)'
        : `t.created_at < (SELECT hour FROM start) + interval '1 hour'`;
    const page = this.page(`WHERE ${from}`, orderBy, '$1', '$2::bigint - (SELECT before FROM start)', true);
    return `WITH start AS MATERIALIZED (${hourAt(table, '$2::bigint', direction)}) ${page}`;
  }
}

const offsetOf = ({ page, pageSize }: ListRequest): number => (page - 1) * pageSize;

/**
 * The parts that there are: an empty list has none. Those of a long page wait until they are sent as bytes, outside of the
 * heap, where they are no work for the garbage collector; they are made one in a turn of the event loop.
 */
async function partsOf(found: readonly { rows: string | null }[]): Promise<Part[]> {
  const texts = found.map(({ rows }) => rows).filter((rows): rows is string => rows !== null);
  if (texts.length <= 1) return texts;
  const parts: Part[] = [];
  for (const text of texts) {
    parts.push(Buffer.from(text));
    await setImmediate();
  }
  return parts;
}
