import type { Executor } from '../database/database.js';
import { Fault } from '../http/errors.js';
import type { Class } from '../fields/field.js';
import { tableOf } from '../records/resource.js';

/** A reference within a part of a body: where it stands, and to what. */
export interface Reference {
  path: string;
  id: string | null | undefined;
}

/**
 * Holds the records that parts of a body refer to, so that none is deleted before the transaction ends, with one
 * statement however many there are.
 * @returns a fault for each reference to a record that does not exist
 */
export async function hold(tx: Executor, record: Class, references: readonly Reference[]): Promise<Fault[]> {
  const ids = [...new Set(references.map(({ id }) => id).filter((id) => typeof id === 'string'))];
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ${tableOf(record)} WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`,
    [ids],
  );
  const found = new Set(rows.map((row) => row.id));
  return references
    .filter(({ id }) => typeof id === 'string' && !found.has(id))
    .map(({ path }) => new Fault(path, 'does not refer to an existing record'));
}
