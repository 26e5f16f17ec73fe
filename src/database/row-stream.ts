import type { CustomTypesConfig, QueryArrayConfig } from 'pg';
import { ROLLBACK, type Connections } from './connections.js';
import { isConnectionLoss } from './database-errors.js';

/** The cells of a row, as the texts that PostgreSQL writes. */
export type TextRow = readonly (string | null)[];

// The batches of a stream: the first is small, so that it comes soon, and the others have this many rows or characters at most.
const FIRST_ROWS = 16;
const MOST_ROWS = 500;
const BATCH_LENGTH = 1024 * 1024;

/** Leaves the values as PostgreSQL has written them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as CustomTypesConfig;

const lengthOf = (row: TextRow): number => row.reduce((length, cell) => length + (cell?.length ?? 0), 0);

const ignore = (): void => {};

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
  let next: Promise<TextRow[]> | undefined;
  const fetch = async (count: number): Promise<TextRow[]> =>
    (
      await client.query<(string | null)[]>({
        text: `FETCH ${count} FROM list`,
        rowMode: 'array',
        types: AS_TEXT,
      } as QueryArrayConfig)
    ).rows;
  try {
    // Parallel workers could not be used by a cursor, so a plan for them is the wrong one. Dates are written as in JSON.
    await client.query("BEGIN READ ONLY; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL datestyle = 'ISO'");
    await client.query(`DECLARE list NO SCROLL CURSOR FOR ${text}`, values as unknown[]);
    let count = FIRST_ROWS;
    let longest = 1;
    next = fetch(count);
    while (next) {
      const rows: TextRow[] = await next;
      const isLast = rows.length < count;
      for (const row of rows) longest = Math.max(longest, lengthOf(row));
      count = Math.max(1, Math.min(count * 4, MOST_ROWS, Math.floor(BATCH_LENGTH / longest)));
      // PostgreSQL makes the next batch while this one is used. An error is thrown where the batch is awaited.
      next = isLast ? undefined : fetch(count);
      next?.catch(ignore);
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    broken = isConnectionLoss(error) ? (error as Error) : undefined;
    throw error;
  } finally {
    await next?.catch(ignore);
    if (!broken) await client.query(ROLLBACK).catch((failure: Error) => (broken = failure));
    connections.release(client, broken);
  }
}
