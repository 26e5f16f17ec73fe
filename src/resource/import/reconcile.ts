import type { Executor } from '../../database/executor.js';
import { identifier, join, raw, type Sql, sql, where } from '../../database/sql.js';
import type { StoredField } from '../../fields/field.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { ListQuery } from '../../lists/list-query.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { PAGING } from '../../lists/parameters/paging.js';
import { columnOf, type RecordSql } from '../../lists/record-sql.js';
import type { RequestContext } from '../../lists/request-context.js';
import { requestConditions } from '../../lists/request-sql.js';
import { conditionsOf, type Owner } from '../../records/owner.js';
import { MOST_OPERATIONS } from '../plans.js';

/** Parameters of a list that select no records. */
const NO_FILTERS = new Set([...PAGING, 'sort', 'order', 'format', 'raw', 'expand']);

/** The records that a file describes completely: those that match the filters of a list. */
export class Within {
  private readonly resource: RecordSql;
  private readonly conditions: readonly Sql[];

  /** @param query query string of the list @throws ValidationFailed */
  constructor(ctx: RequestContext, list: ListQuery, query: string, owner: Owner | undefined) {
    this.resource = ctx.resource(list.record);
    this.conditions = [
      ...requestConditions(filtersOf(ctx, list, query), this.resource),
      ...conditionsOf(this.resource, owner),
    ];
  }

  /** The ids of those that do not match the filters. */
  async outside(db: Executor, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await db.query<{ id: string }>(
      sql`SELECT given.id FROM unnest(${ids}::uuid[]) given (id) WHERE NOT EXISTS (
        SELECT FROM ${identifier(this.resource.table)} t ${where([sql`t.id = given.id`, ...this.conditions])})`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The records that are not in the given ones.
   * @param key fields that identify records. A record without a value of them counts separately and is not missing
   */
  async missing(
    db: Executor,
    ids: readonly string[],
    key: readonly StoredField[],
  ): Promise<{ missing: string[]; withoutKey: number }> {
    const hasNoKey = join(
      key.map((field) => sql`coalesce((${raw(columnOf(field))})::text, '') = ''`),
      ' OR ',
    );
    const from = (condition: Sql): Sql =>
      sql`FROM ${identifier(this.resource.table)} t ${where([...this.conditions, condition])}`;
    const rows = await db.query<{ id: string }>(
      sql`SELECT t.id ${from(sql`NOT (${hasNoKey}) AND NOT (t.id = ANY(${ids}::uuid[]))`)} ORDER BY t.created_at, t.id LIMIT ${MOST_OPERATIONS + 1}`,
    );
    const [count] = await db.query<{ withoutKey: number }>(
      sql`SELECT count(*)::int AS "withoutKey" ${from(sql`(${hasNoKey})`)}`,
    );
    return { missing: rows.map(({ id }) => id), ...count! };
  }
}

function filtersOf(ctx: RequestContext, list: ListQuery, query: string): ReturnType<ListQuery['parse']> {
  const given: RawQuery = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = given[name];
    given[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  const other = Object.keys(given).find((name) => NO_FILTERS.has(name));
  if (other !== undefined) throw refused(`must have filters only, and ${other} is none`);
  try {
    return list.parse(given, ctx);
  } catch (error) {
    if (error instanceof ValidationFailed) throw refused(`must be the query string of the list: ${error.message}`);
    throw error;
  }
}

const refused = (message: string): ValidationFailed => new ValidationFailed([new Fault('within', message)]);
