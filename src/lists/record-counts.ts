import type { Executor } from '../database/database.js';

/** Number of rows above which a fold is worth its cost. */
const MAX_PARTS = 64;
const FOLD_LOCK = 7_260_514_399;

/** SQL of a table's kept count: `total`, and as `parts` the number of rows that add up to it. */
export const countOf = (table: string): string =>
  `SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS parts FROM record_counts WHERE table_name = '${table}' AND hour = 'infinity'`;

/**
 * SQL of the hour in which the record at an offset of a list in order of creation was created, and of how many records
 * lie before that hour in the list, as `{hour, before}`.
 */
export const hourAt = (table: string, offset: string, direction: 'ASC' | 'DESC'): string => {
  const counts = `FROM record_counts c WHERE c.table_name = '${table}'`;
  // Not grouped by hour: the hours are added up in the order of the index, and no further than to the one that is looked for.
  return `
  SELECT hour, (reached - (SELECT sum(c.delta) ${counts} AND c.hour = hours.hour))::bigint AS before FROM (
    SELECT c.hour, sum(c.delta) OVER (ORDER BY c.hour ${direction}) AS reached ${counts} AND c.hour < 'infinity'
  ) hours
  WHERE reached > ${offset} ORDER BY hour ${direction} LIMIT 1`;
};

/**
 * SQL of the number of records whose column has one of the given values, or none of them, as `{total, parts}`. The counts of the
 * column are kept. `parts` is the number of rows beyond one for each value.
 * @param comparison SQL of an operator and a value, or `ANY(…)` or `ALL(…)` of several
 */
const countOfValues = (table: string, column: string, comparison: string): string =>
  `SELECT coalesce(sum(delta), 0)::float8 AS total, (count(*) - count(DISTINCT value))::int AS parts FROM value_counts WHERE table_name = '${table}' AND column_name = '${column}' AND value ${comparison}`;

/**
 * A condition that kept counts can answer: a column has one of some values, or none of them, or a limit of the time of creation.
 * Values are SQL.
 */
export type KeptCondition =
  { column: string; operator: '=' | '<>'; values: string } | { created: 'from' | 'until'; time: string };

const floorOf = (time: string): string => `date_bin('1 hour', ${time}, timestamptz '2000-01-01 00:00:00Z')`;

/**
 * SQL of the number of records created within limits, as `{total, parts}`. Whole hours are added up. Records are counted only in
 * the hours that contain a limit.
 * @param where WHERE clause over `t` of the same limits
 */
function countWithin(table: string, from: readonly string[], until: readonly string[], where: string): string {
  // A record created exactly at the limit may not match, so an hour that begins there is not a whole one.
  const start = from.length > 0 ? `${floorOf(`greatest(${from.join(', ')})`)} + interval '1 hour'` : `'-infinity'`;
  const end = until.length > 0 ? floorOf(`least(${until.join(', ')})`) : `'infinity'`;
  const hours = `hours AS MATERIALIZED (SELECT (${start})::timestamptz AS first, greatest((${start})::timestamptz, (${end})::timestamptz) AS past)`;
  const counted = (condition: string): string => `(SELECT count(*) FROM ${table} t ${where} AND ${condition})`;
  return `WITH ${hours} SELECT (
      (SELECT coalesce(sum(c.delta), 0) FROM record_counts c, hours WHERE c.table_name = '${table}' AND c.hour >= hours.first AND c.hour < hours.past AND c.hour < 'infinity')
      + ${from.length > 0 ? counted('t.created_at < (SELECT first FROM hours)') : '0'}
      + ${until.length > 0 ? counted('t.created_at >= (SELECT past FROM hours)') : '0'}
    )::float8 AS total, 0 AS parts`;
}

/**
 * SQL of the number of records that meet all conditions, as `{total, parts}`; undefined if it is not kept.
 * @param where WHERE clause over `t` of exactly these conditions
 */
export function keptCount(table: string, conditions: readonly KeptCondition[], where: string): string | undefined {
  const [first, ...others] = conditions;
  if (first && 'column' in first) {
    return others.length === 0 ? countOfValues(table, first.column, `${first.operator} ${first.values}`) : undefined;
  }
  const limits = conditions.filter((condition) => 'created' in condition);
  if (limits.length < conditions.length) return undefined;
  const of = (side: string): string[] => limits.filter(({ created }) => created === side).map(({ time }) => time);
  return countWithin(table, of('from'), of('until'), where);
}

/** Folds counts, to which every write adds rows, into one row each: in the background, one fold at a time. */
export class RecordCounts {
  private folding = false;

  constructor(private readonly db: Executor) {}

  /** Readers report how many rows a fold would replace, and start one if there are too many. */
  found(parts: number): void {
    if (parts <= MAX_PARTS || this.folding) return;
    this.folding = true;
    // A failed fold changes nothing, and the next reader starts another one.
    this.fold()
      .catch(() => {})
      .finally(() => (this.folding = false));
  }

  /** One statement deletes the rows and inserts their sum, so every snapshot adds up to the same total. */
  async fold(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [lock] = await tx.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [FOLD_LOCK]);
      if (!lock!.free) return;
      await tx.query(`
        WITH many AS (SELECT table_name, hour FROM record_counts GROUP BY table_name, hour HAVING count(*) > 1),
        gone AS (DELETE FROM record_counts c USING many m WHERE (c.table_name, c.hour) = (m.table_name, m.hour) RETURNING c.*)
        INSERT INTO record_counts SELECT table_name, hour, sum(delta) FROM gone GROUP BY table_name, hour HAVING sum(delta) <> 0`);
      await tx.query(`
        WITH many AS (SELECT table_name, column_name, value FROM value_counts GROUP BY table_name, column_name, value HAVING count(*) > 1),
        gone AS (
          DELETE FROM value_counts c USING many m
          WHERE (c.table_name, c.column_name, c.value) = (m.table_name, m.column_name, m.value) RETURNING c.*
        )
        INSERT INTO value_counts SELECT table_name, column_name, value, sum(delta) FROM gone
          GROUP BY table_name, column_name, value HAVING sum(delta) <> 0`);
    });
  }
}
