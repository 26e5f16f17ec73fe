import type { CustomTypesConfig, PoolClient, QueryArrayConfig } from 'pg';
import { ROLLBACK, type Connections } from './connections.js';
import { isConnectionLoss } from './database-errors.js';

/** The cells of a row, as the texts that PostgreSQL writes. */
export type TextRow = readonly (string | null)[];

// The batches of a stream: the first is small, so that it comes soon, and the others have this many rows or characters at most. The
// length of rows is known once they were read: as many of the longest possible ones must have room in memory.
const FIRST_ROWS = 4;
const MOST_ROWS = 64;
const BATCH_LENGTH = 1024 * 1024;

/** Leaves the values as PostgreSQL has written them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as CustomTypesConfig;

const lengthOf = (row: TextRow): number => row.reduce((length, cell) => length + (cell?.length ?? 0), 0);

const ignore = (): void => {};

// Parallel workers could not be used by a cursor, so a plan for them is the wrong one.
const BEGIN = 'BEGIN READ ONLY; SET LOCAL max_parallel_workers_per_gather = 0';

const fetchFrom = async (client: PoolClient, cursor: string, count: number): Promise<TextRow[]> =>
  (
    await client.query<(string | null)[]>({
      text: `FETCH ${count} FROM ${cursor}`,
      rowMode: 'array',
      types: AS_TEXT,
    } as QueryArrayConfig)
  ).rows;

/** The rows that `fetch` reads. PostgreSQL makes the next batch while one is used. */
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
 * Reads the rows of a statement in batches, from one snapshot. It holds a connection until the last batch was read, or the
 * reading is ended. Each batch is a statement of its own, with the time limits of a statement.
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
 * The same where all statements share one session: the database makes all rows at once and keeps them, so that the statements of others
 * run between the batches.
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
