import { sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';
import { Conflict, Fault, ValidationFailed } from '../../http/errors.js';
import { RecordService } from '../../records/record-service.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { BOOKED, Booking } from './booking.entity.js';

type Fixed = Pick<Booking, 'id' | 'status' | (typeof BOOKED)[number]>;

/** Bookings of assets and devices. That they do not overlap, and which asset of a category is chosen, is up to the database. */
@RecordService(Booking)
export class BookingsService extends ResourceService<Booking> {
  /** @throws Conflict, ValidationFailed */
  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Booking>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    return ctx.transaction(async (tx) => {
      const rows = await tx.db.query<Fixed>(
        sql`SELECT id, status, asset_id AS "assetId", device_id AS "deviceId", category_id AS "categoryId" FROM bookings
          WHERE id = ANY(${changes.map(({ id }) => id)}) ORDER BY id FOR UPDATE`,
      );
      const stored = new Map(rows.map((row) => [row.id, row]));
      for (const { id, body } of changes) {
        const booking = stored.get(id.toLowerCase());
        if (booking) refuseChange(booking, body);
      }
      return super.change(tx, changes, returning, scope);
    });
  }
}

function refuseChange(booking: Fixed, body: Partial<Booking>): void {
  const faults = BOOKED.filter(
    (property) => body[property] !== undefined && (body[property]?.toLowerCase() ?? null) !== booking[property],
  ).map((property) => new Fault(property, 'must not be changed: make another booking'));
  if (faults.length > 0) throw new ValidationFailed(faults);
  if (booking.status === 'ended' || booking.status === 'cancelled') {
    throw new Conflict(new Fault('status', `is ${booking.status}: the booking cannot be changed`));
  }
}
