import type { StoredRecord } from '../../fields/record.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { identifier, join, raw, sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';

/** The place of a record. */
interface Places {
  siteId: string | null;
  locationId?: string | null;
}

/** The service of a record whose place is that of its rack. A trigger of its table copies the place from the rack. */
export abstract class RackedService<
  T extends StoredRecord & Places & { rackId: string | null },
> extends ResourceService<T> {
  /** The properties of the place that it shares with its rack. */
  protected abstract readonly places: readonly (keyof Places)[];

  /**
   * A record that moves to another rack gets the site and location of this rack. This happens here, because the database
   * cannot distinguish an unchanged site in the body from a missing one.
   */
  protected override change(
    ctx: RequestContext,
    changes: readonly Change<T>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const named = changes.filter(({ body }) => body.rackId && this.places.some((place) => body[place]));
    if (named.length === 0) return super.change(ctx, changes, returning, scope);
    return ctx.transaction(async (tx) => {
      const rows = await super.change(tx, changes, returning, scope);
      const columns = this.places.map((place) => raw(`${this.declared.field(place).columnName} AS "${place}"`));
      const stored = await tx.db.query<{ id: string } & Places>(
        sql`SELECT id, ${join(columns)} FROM ${identifier(this.declared.table)} WHERE id = ANY(${named.map(({ id }) => id)})`,
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
