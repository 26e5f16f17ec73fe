import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';
import { EMPTY, join, raw, type Sql, sql } from '../database/sql.js';
import type { ListReply } from '../http/replies.js';
import { guarded } from './csv.js';
import { ListStreams } from './list-streams.js';
import type { Order } from './order.js';
import { fileFormatOf, type PageRequest } from './parameters/paging.js';
import { aliasOf, textOfRow } from './record-sql.js';
import { boundsOf, fileWindowOf, windowOf } from './request-sql.js';

export interface ComputedColumn {
  name: string;
  /** SQL of its value over `t`. */
  sql: string | Sql;
  isText: boolean;
  /** Left out of JSON if it is null. */
  optional?: boolean;
  isBoolean?: true;
  /** The naming field of a reference. It follows the reference in a CSV, and JSON does not contain it. */
  isName?: true;
  /** The members of an object. They stand for it in a CSV, as columns of their own. */
  members?: readonly ComputedColumn[];
}

/**
 * A column whose value is an object, or null. In a CSV each of its members is a column: `device.name`.
 * @param members SQL over `t` of their values, all of which are texts @param isThere SQL of whether it is not null
 */
export function objectColumn(name: string, members: Readonly<Record<string, string>>, isThere: string): ComputedColumn {
  const pairs = Object.entries(members);
  const object = pairs.map(([member, value]) => `'${member}', ${value}`).join(', ');
  return {
    name,
    sql: `CASE WHEN ${isThere} THEN json_build_object(${object}) END`,
    isText: false,
    members: pairs.map(([member, value]) => ({
      name: `${name}.${member}`,
      sql: `CASE WHEN ${isThere} THEN ${value} END`,
      // An id is never taken for a formula.
      isText: member !== 'id',
    })),
  };
}

/** A list that is computed from several tables. */
export interface ComputedList {
  /** Name of the file that it is exported as. */
  name: string;
  /** SELECT of its rows. It runs once, and its columns are those of `t`. */
  rows: Sql;
  columns: readonly ComputedColumn[];
  order: Order;
  /** Joins of `t` for further columns. They run only for the rows of the page, which are in `page`. */
  lookups?: Sql;
  /** Whether one generic plan suits all values. The statement stays prepared, so there must be few of its kind. */
  isKept?: boolean;
  /** Called with the number of all rows, before the response begins. It may refuse it. */
  check?(total: number): void;
}

/** Serves computed lists, with the same pages and formats as lists of records. */
@Injectable()
export class ComputedLists {
  constructor(@Inject(ListStreams) private readonly streams: ListStreams) {}

  /**
   * @param whenEmpty called if the list has no rows
   * @throws DomainError not_acceptable, unavailable, ValidationFailed
   */
  async list(
    ctx: RequestContext,
    request: PageRequest,
    list: ComputedList,
    whenEmpty?: () => Promise<void>,
  ): Promise<ListReply> {
    const { raw: isRaw, after } = request;
    const { name, rows, columns, check, order } = list;
    const every = after ? raw('every') : raw('found');
    const ctes = after
      ? sql`every AS MATERIALIZED (${rows}), found AS MATERIALIZED (SELECT * FROM every t WHERE ${order.after(after, raw('every t'))})`
      : sql`found AS MATERIALIZED (${rows})`;
    const format = fileFormatOf(request, ctx.accept);
    if (format) {
      // Counted before the first row is sent, if the number of rows matters.
      const isFound = check !== undefined || after !== undefined;
      const tail = shownOf(list, isFound ? raw('found') : sql`(${rows})`, fileWindowOf(request));
      const counted = check ? sql`(SELECT count(*) FROM ${every}), ` : EMPTY;
      const shown =
        format === 'csv'
          ? columns.flatMap((column) => column.members ?? [column])
          : columns.filter(({ isName }) => !isName);
      const cells = shown.map(({ sql: value, isText, isBoolean }) =>
        isBoolean ? sql`(${raw(value)})::text` : isText && !isRaw ? guarded(sql`(${raw(value)})`) : raw(value),
      );
      const statement =
        format === 'csv'
          ? sql`SELECT ${counted}${join(cells)} ${tail}`
          : sql`SELECT ${counted}${json(columns)} AS rows FROM (SELECT ${selected(columns)} ${tail}) r`;
      const headers = shown.map((column) => column.name);
      const lines = isFound ? sql`WITH ${ctes} ${statement}` : statement;
      return this.streams.file(ctx.caller, { format, name, rows: lines, headers, after, check }, whenEmpty);
    }
    const records = sql`SELECT ${json(columns)} AS record FROM (
        SELECT ${selected(columns)} ${shownOf(list, raw('found'), windowOf(request))}
      ) r OFFSET 0`;
    const { limit, offset } = boundsOf(request);
    const counted = sql`SELECT total, reach, CASE WHEN reach > ${offset} + ${limit} THEN (
        SELECT ${order.place} FROM found t ORDER BY ${order.text} LIMIT 1 OFFSET ${offset} + ${limit} - 1
      ) END AS next FROM (SELECT (SELECT count(*) FROM ${every})::float8 AS total, (SELECT count(*) FROM found)::float8 AS reach) counts`;
    return this.streams.found(ctx, { ctes, counted, order, records, isKept: list.isKept }, request, (total) => {
      check?.(total);
      return total === 0 ? whenEmpty?.() : undefined;
    });
  }
}

/** FROM and ORDER BY of the rows of a window, as `t`. @param found the rows of the list */
function shownOf({ order, lookups }: ComputedList, found: Sql, window: Sql): Sql {
  const page = sql`FROM ${found} t ORDER BY ${order.text} ${window}`;
  if (!lookups) return page;
  return sql`FROM (WITH page AS MATERIALIZED (SELECT * ${page}) SELECT * FROM page t ${lookups}) t ORDER BY ${order.text}`;
}

/** SQL of the JSON of a row `r` of these columns. */
const json = (columns: readonly ComputedColumn[]): Sql =>
  textOfRow(
    columns.filter(({ optional }) => optional).map(({ name }) => name),
    columns.map(({ name }) => name),
  );

/** SELECT of all rows of a list in their order, each as the text of its JSON, `record`. */
export const jsonOf = ({ rows, columns, order }: ComputedList): Sql =>
  sql`SELECT ${json(columns)} AS record FROM (SELECT ${selected(columns)} FROM (${rows}) t ORDER BY ${order.text}) r`;

/** SQL of the columns of a list over `t`, by their names. */
export const selected = (columns: readonly ComputedColumn[]): Sql =>
  join(
    columns
      .filter(({ isName }) => !isName)
      .map(({ name, sql: value }) => sql`${raw(value)} AS ${raw(`"${aliasOf(name)}"`)}`),
  );
