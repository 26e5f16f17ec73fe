import type { Executor } from '../database/executor.js';
import { identifier, literal, sql, write } from '../database/sql.js';
import { DEFINITION_CHANGES } from '../fields/custom/definition-store.js';
import { tableOfResource } from './stored-values.js';

/** Pages of a table in one statement. A writer of one of these records waits at most for that statement. */
const PORTION = 10;

/** Milliseconds after which the housekeeping continues with other work. The next round does the rest. */
const AT_MOST_MS = 30_000;

/** A deleted field, and a resource whose records may still have its values. */
interface Dropped {
  storedAs: string;
  resource: string;
}

/**
 * Removes the values of deleted fields from records, in small transactions. This is not a change of the records: `updatedAt` and the
 * change log stay the same. While records may have such values, the values of all records of the resource are shown key by key, which
 * takes several times as long.
 */
export class DroppedValues {
  /** The next page of each table that has not been read to its end, by the name of the field. */
  private readonly reached = new Map<string, number>();

  constructor(private readonly db: Executor) {}

  async prune(): Promise<void> {
    const until = Date.now() + AT_MOST_MS;
    const dropped = await this.db.query<Dropped>(
      sql`SELECT stored_as AS "storedAs", resource FROM custom_field_names, unnest(dropped_from) resource ORDER BY stored_as, resource`,
    );
    for (const one of dropped) if (!(await this.remove(one, until))) return;
  }

  /** @returns whether it has reached the end of the table */
  private async remove(dropped: Dropped, until: number): Promise<boolean> {
    const key = `${dropped.resource} ${dropped.storedAs}`;
    const [size] = await this.db.query<{ pages: number }>(
      sql`SELECT (pg_relation_size(${tableOfResource(dropped.resource)}::regclass) / current_setting('block_size')::int)::int AS pages`,
    );
    for (let page = this.reached.get(key) ?? 0; page < size!.pages; page += PORTION) {
      if (Date.now() > until) {
        this.reached.set(key, page);
        return false;
      }
      await this.removeFrom(dropped, page);
    }
    this.reached.delete(key);
    await this.finish(dropped);
    return true;
  }

  private async removeFrom({ storedAs, resource }: Dropped, page: number): Promise<void> {
    const table = identifier(tableOfResource(resource));
    const [from, to] = [page, page + PORTION].map((number) => sql`${`(${number},0)`}::tid`);
    // Locked rows are left to the next round.
    await this.db.write(
      write`UPDATE ${table} t SET custom_fields = t.custom_fields - ${literal(storedAs)}
        WHERE t.id IN (SELECT id FROM ${table} WHERE ctid >= ${from!} AND ctid < ${to!} AND custom_fields ? ${literal(storedAs)}
          FOR UPDATE SKIP LOCKED)
        RETURNING t.id`.select(sql`SELECT count(*) FROM written`),
    );
  }

  /** Notifies every process if no record of the resource has a value of the field any more. */
  private async finish({ storedAs, resource }: Dropped): Promise<void> {
    const table = identifier(tableOfResource(resource));
    await this.db.write(
      write`UPDATE custom_field_names SET dropped_from = array_remove(dropped_from, ${resource}::text)
        WHERE stored_as = ${storedAs} AND ${resource}::text = ANY(dropped_from)
          AND NOT EXISTS (SELECT FROM ${table} WHERE custom_fields ? ${literal(storedAs)})
        RETURNING stored_as`.select(sql`SELECT pg_notify(${DEFINITION_CHANGES}::text, '') FROM written`),
    );
  }
}
