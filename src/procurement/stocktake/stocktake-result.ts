import type { Executor } from '../../database/executor.js';
import { join, literal, sql, type Sql } from '../../database/sql.js';
import { type ComputedColumn, type ComputedList, objectColumn, selected } from '../../lists/computed-list.js';
import {
  type ListOfAssets,
  RESULT_LISTS,
  type ResultList,
  type StocktakeCounts,
  type StocktakeEntry,
} from './stocktake.models.js';
import { Order } from '../../lists/order.js';

const inList = (list: ResultList): Sql => (list === 'expected' ? sql`t.expected` : sql`t.kind = ${literal(list)}`);

/** SQL of the number of entries of each list, as a JSON object. */
const COUNTS = sql`json_build_object(${join(
  RESULT_LISTS.map((list) => sql`${literal(list)}, count(*) FILTER (WHERE ${inList(list)})`),
)})`;

/** The number of entries of each list of a result. */
export async function countsOf(db: Executor, id: string): Promise<StocktakeCounts> {
  const [row] = await db.query<{ counts: StocktakeCounts }>(
    sql`SELECT ${COUNTS} AS counts FROM stocktake_result(${id}) t`.unprepared(),
  );
  return row!.counts;
}

const placeColumn = (name: 'recorded' | 'seen'): ComputedColumn => ({
  name,
  sql: `t.${name}`,
  isText: false,
  members: ['siteId', 'siteName', 'locationId', 'locationName'].map((member) => ({
    name: `${name}.${member}`,
    sql: `t.${name}->>'${member}'`,
    isText: member.endsWith('Name'),
  })),
});

const text = (name: string, sqlOf: string): ComputedColumn => ({ name, sql: sqlOf, isText: true });

const COLUMNS: readonly ComputedColumn[] = [
  objectColumn('asset', { resource: `'assets'`, id: 't.asset_id', name: 't.name' }, 't.asset_id IS NOT NULL'),
  text('assetTag', 't.asset_tag'),
  text('serialNumber', 't.serial_number'),
  text('status', 't.status'),
  text('code', 't.code'),
  { name: 'candidates', sql: 't.candidates', isText: false },
  placeColumn('recorded'),
  placeColumn('seen'),
  { name: 'changed', sql: 't.changed', isText: false, isBoolean: true },
];

const ORDER = new Order(['t.name COLLATE "C"', 't.code COLLATE "C"', 't.asset_id']);

/** A list of a result. */
export const entriesOf = (id: string, list: ResultList): ComputedList => ({
  name: `stocktake-${list}`,
  rows: sql`SELECT t.* FROM stocktake_result(${id}) t WHERE ${inList(list)}`,
  columns: COLUMNS,
  order: ORDER,
});

/** The existing assets of a page of a list, and the number of assets on all pages. */
export async function labelledIn(
  db: Executor,
  id: string,
  list: ListOfAssets,
  page: number,
  pageSize: number,
): Promise<{ ids: string[]; total: number }> {
  const [found] = await db.query<{ ids: string[]; total: number }>(
    sql`WITH labelled AS MATERIALIZED (
        SELECT t.asset_id AS id, row_number() OVER (ORDER BY ${ORDER.text}) AS place
        FROM stocktake_result(${id}) t JOIN assets a ON a.id = t.asset_id WHERE ${inList(list)}
      )
      SELECT (SELECT count(*)::int FROM labelled) AS total,
        ARRAY(SELECT id FROM labelled ORDER BY place LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}::bigint) AS ids`.unprepared(),
  );
  return found!;
}

/** The first entries of each list in a readable form, and the numbers of all entries, from one snapshot. */
export async function wholeOf(
  db: Executor,
  id: string,
  most: number,
): Promise<{ counts: StocktakeCounts; lists: Partial<Record<ResultList, StocktakeEntry[]>> }> {
  const [row] = await db.query<{
    counts: StocktakeCounts;
    lists: Partial<Record<ResultList, StocktakeEntry[]>> | null;
  }>(
    sql`WITH result AS MATERIALIZED (SELECT t.* FROM stocktake_result(${id}) t)
      SELECT (SELECT ${COUNTS} FROM result t) AS counts, (
        SELECT json_object_agg(l.kind, l.entries) FROM (
          SELECT e.kind, json_agg(e.entry ORDER BY e.place) AS entries FROM (
            SELECT t.kind, (SELECT row_to_json(r) FROM (SELECT ${selected(COLUMNS)}) r) AS entry,
              row_number() OVER (PARTITION BY t.kind ORDER BY ${ORDER.text}) AS place FROM result t
          ) e WHERE e.place <= ${most} GROUP BY e.kind
        ) l) AS lists`.unprepared(),
  );
  return { counts: row!.counts, lists: row!.lists ?? {} };
}
