import { sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import { RecordService } from '../../records/record-service.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { ANOTHER_COUNT, COUNTED, Stocktake } from './stocktake.entity.js';

type Counted = Pick<Stocktake, 'id' | (typeof COUNTED)[number]>;

/** Counts of assets. The scope is fixed when a count begins. */
@RecordService(Stocktake)
export class StocktakesService extends ResourceService<Stocktake> {
  /** @throws ValidationFailed */
  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Stocktake>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    if (!changes.some(({ body }) => COUNTED.some((property) => body[property] !== undefined))) {
      return super.change(ctx, changes, returning, scope);
    }
    return ctx.transaction(async (tx) => {
      const rows = await tx.db.query<Counted>(
        sql`SELECT id, site_id AS "siteId", location_id AS "locationId", category_id AS "categoryId" FROM stocktakes
          WHERE id = ANY(${changes.map(({ id }) => id)}) ORDER BY id FOR NO KEY UPDATE`,
      );
      const stored = new Map(rows.map((row) => [row.id, row]));
      for (const { id, body } of changes) {
        const stocktake = stored.get(id.toLowerCase());
        const faults = COUNTED.filter(
          (property) => stocktake && body[property] !== undefined && body[property] !== stocktake[property],
        ).map((property) => new Fault(property, ANOTHER_COUNT));
        if (faults.length > 0) throw new ValidationFailed(faults);
      }
      return super.change(tx, changes, returning, scope);
    });
  }
}
