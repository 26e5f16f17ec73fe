import type { Caller } from '../../access/access.js';
import type { Executor } from '../../database/executor.js';
import type { StoredRecord } from '../../fields/record.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { identifier, join, raw, sql } from '../../database/sql.js';

/** Where something stands. */
interface Places {
  siteId: string | null;
  locationId?: string | null;
}

/** The service of a record that is where its rack is. A trigger of its table gives it the places of the rack. */
export abstract class RackedService<
  T extends StoredRecord & Places & { rackId: string | null },
> extends ResourceService<T> {
  /** The places that it has in common with its rack. */
  protected abstract readonly places: readonly (keyof Places)[];

  /**
   * A record that changes racks takes the places of the new rack. To the database, a site that the body names and that is the
   * former one is no different from a site that is not named.
   */
  protected override change(
    db: Executor,
    caller: Caller,
    changes: readonly Change<T>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const named = changes.filter(({ body }) => body.rackId && this.places.some((place) => body[place]));
    if (named.length === 0) return super.change(db, caller, changes, returning, scope);
    return db.transaction(async (tx) => {
      const rows = await super.change(tx, caller, changes, returning, scope);
      const columns = this.places.map((place) => raw(`${this.resource.field(place).columnName} AS "${place}"`));
      const stored = await tx.query<{ id: string } & Places>(
        sql`SELECT id, ${join(columns)} FROM ${identifier(this.resource.table)} WHERE id = ANY(${named.map(({ id }) => id)})`,
      );
      const byId = new Map(stored.map((record) => [record.id, record]));
      const faults = named.flatMap(({ id, body }) =>
        this.places
          .filter((place) => body[place] && body[place].toLowerCase() !== byId.get(id)![place])
          .map((place) => new Fault(place, `must be the ${place === 'siteId' ? 'site' : 'location'} of the rack`)),
      );
      if (faults.length > 0) throw new ValidationFailed(faults);
      return rows;
    });
  }
}
