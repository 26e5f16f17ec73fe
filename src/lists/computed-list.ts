import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/request-context.js';
import { EMPTY, join, raw, sql, type Sql } from '../database/sql.js';
import type { ListReply } from '../http/replies.js';
import { guarded } from './csv.js';
import { ListStreams } from './list-streams.js';
import { fileFormatOf } from './parameters/list-format.js';
import type { PageRequest } from './parameters/paging.js';
import { windowOf } from './request-sql.js';

/** A column of a computed list. */
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
}

/** A list that is computed from several tables. */
export interface ComputedList {
  /** Name of the file that it is exported as. */
  name: string;
  /** SELECT of its rows. It is run once, and its columns are those of `t`. */
  rows: Sql;
  columns: readonly ComputedColumn[];
  /** SQL of the order over `t`. It must be total. */
  orderBy: string;
  /** Whether one plan is good for all values. It is kept, so the statement must be one of few. */
  isKept?: boolean;
}

/** Answers lists that are computed, in the same pages and formats as the lists of records. */
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
    const { given, raw: isRaw } = request;
    const { name, rows, columns, orderBy } = list;
    const format = fileFormatOf(request, ctx.accept);
    if (format) {
      const window = given.has('pageSize') ? windowOf(request) : EMPTY;
      const tail = sql`FROM (${rows}) t ORDER BY ${raw(orderBy)} ${window}`;
      const shown = columns.filter(({ isName }) => !isName || format === 'csv');
      const cells = shown.map(({ sql: value, isText, isBoolean }) =>
        isBoolean ? sql`(${raw(value)})::text` : isText && !isRaw ? guarded(sql`(${raw(value)})`) : raw(value),
      );
      const statement =
        format === 'csv'
          ? sql`SELECT ${join(cells)} ${tail}`
          : sql`SELECT ${json(columns)} AS rows FROM (SELECT ${selected(columns)} ${tail}) r`;
      const headers = shown.map((column) => column.name);
      return this.streams.file(ctx.caller, { format, name, rows: statement, headers }, whenEmpty);
    }
    const records = sql`SELECT ${json(columns)} AS record FROM (
        SELECT ${selected(columns)} FROM found t ORDER BY ${raw(orderBy)} ${windowOf(request)}
      ) r OFFSET 0`;
    return this.streams.found(
      ctx,
      { ctes: sql`found AS MATERIALIZED (${rows})`, records, isKept: list.isKept },
      request,
      (total) => (total === 0 ? whenEmpty?.() : undefined),
    );
  }
}

/** SQL of the JSON of a row `r` of these columns. */
const json = (columns: readonly ComputedColumn[]): Sql =>
  raw(
    columns
      .filter(({ optional }) => optional)
      // A text that looks like the member has its quotes escaped.
      .reduce((text, { name }) => `replace(${text}, ',"${name}":null', '')`, 'row_to_json(r)::text'),
  );

/** SELECT of all rows of a list in their order, each as the text of its JSON, `record`. */
export const jsonOf = ({ rows, columns, orderBy }: ComputedList): Sql =>
  sql`SELECT ${json(columns)} AS record FROM (SELECT ${selected(columns)} FROM (${rows}) t ORDER BY ${raw(orderBy)}) r`;

/** SQL of the columns of a list over `t`, by their names. */
export const selected = (columns: readonly ComputedColumn[]): Sql =>
  join(
    columns.filter(({ isName }) => !isName).map(({ name, sql: value }) => sql`${raw(value)} AS ${raw(`"${name}"`)}`),
  );
