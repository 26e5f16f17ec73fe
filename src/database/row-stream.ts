import type { CustomTypesConfig, PoolClient, QueryArrayConfig } from 'pg';
import { ROLLBACK, type Connections } from './connections.js';
import { isConnectionLoss } from './database-errors.js';

/** The cells of a row, as PostgreSQL's texts. */
export type TextRow = readonly (string | null)[];

// Batch sizes of a stream: the first batch is small, so that it comes soon. Later ones have at most this many rows or characters. The
// length of rows is known only after reading, so as many of the longest rows must fit into memory.
const FIRST_ROWS = 4;
const MOST_ROWS = 64;
const BATCH_LENGTH = 1024 * 1024;

/** Does not convert the texts of PostgreSQL. */
const AS_TEXT: CustomTypesConfig = {
  getTypeParser:
    () =>
    <V>(value: V) =>
      value,
};

const lengthOf = (row: TextRow): number => row.reduce((length, cell) => length + (cell?.length ?? 0), 0);

const ignore = (): void => {};

// A cursor cannot use parallel workers, so a parallel plan would be the wrong one.
const BEGIN = 'BEGIN READ ONLY; SET LOCAL max_parallel_workers_per_gather = 0';

const fetchFrom = async (client: PoolClient, cursor: string, count: number): Promise<TextRow[]> =>
  (
    await client.query<(string | null)[]>({
      text: `FETCH ${count} FROM ${cursor}`,
      rowMode: 'array',
      types: AS_TEXT,
    } as QueryArrayConfig)
  ).rows;

/** The rows that `fetch` reads. PostgreSQL produces the next batch while one is used. */
async function* inBatches(fetch: (count: number) => Promise<TextRow[]>): AsyncGenerator<TextRow[]> {
  let count = FIRST_ROWS;
  let longest = 1;
  let next: Promise<TextRow[]> | undefined = fetch(count);
  try {
    while (next) {
      const rows: TextRow[] = await next;
      const isLast = rows.length < count;
      for (const row of rows) longest = Math.max(longest, lengthOf(row));
      count = Math.max(1, Math.min(count * 4, MOST_ROWS, Math.floor(BATCH_LENGTH / longest)));
      // An error is thrown where the batch is awaited.
      next = isLast ? undefined : fetch(count);
      next?.catch(ignore);
      if (rows.length > 0) yield rows;
    }
  } finally {
    await next?.catch(ignore);
  }
}

/**
 * Reads the rows of a statement in batches, from one snapshot. It holds a connection until the last batch was read, or the reading is
 * ended. Each batch is a separate statement, with the timeouts of a statement.
 */
export async function* streamRows(
  connections: Connections,
  text: string,
  values: readonly unknown[] = [],
): AsyncGenerator<TextRow[]> {
  const client = await connections.take();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN);
    await client.query(`DECLARE list NO SCROLL CURSOR FOR ${text}`, values as unknown[]);
    yield* inBatches((count) => fetchFrom(client, 'list', count));
  } catch (error) {
    broken = isConnectionLoss(error) ? (error as Error) : undefined;
    throw error;
  } finally {
    if (!broken) await client.query(ROLLBACK).catch((failure: Error) => (broken = failure));
    connections.release(client, broken);
  }
}

let cursors = 0;

/**
 * The same if all statements share one session: the database produces all rows at once and stores them, so that other statements run
 * between the batches.
 */
export async function* streamKeptRows(
  connections: Connections,
  text: string,
  values: readonly unknown[] = [],
): AsyncGenerator<TextRow[]> {
  const cursor = `list_${++cursors}`;
  await connections.use(async (client) => {
    try {
      await client.query(BEGIN);
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR WITH HOLD FOR ${text}`, values as unknown[]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query(ROLLBACK).catch(ignore);
      throw error;
    }
  });
  try {
    yield* inBatches((count) => connections.use((client) => fetchFrom(client, cursor, count)));
  } finally {
    await connections.use((client) => client.query(`CLOSE ${cursor}`)).catch(ignore);
  }
}
