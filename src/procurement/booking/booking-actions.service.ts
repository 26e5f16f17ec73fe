import { Inject, Injectable } from '@nestjs/common';
import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { sql, write, type Sql } from '../../database/sql.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import { type CustomValues, storedValues } from '../../fields/custom/custom-values.js';
import { Conflict, Fault, invalid, NotFound, ValidationFailed } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { References } from '../../records/references.js';
import { AssetAssignment, ReturnAsset } from '../asset/asset-assignment.entity.js';
import type { Booking } from './booking.entity.js';
import { BookingsService } from './bookings.service.js';

type Locked = Pick<Booking, 'assetId' | 'personId' | 'status'>;

/**
 * Hands out booked assets, takes them back, and cancels. The trigger of an ended assignment also ends the booking
 * (`src/schema/functions/end_bookings.sql`), however the asset comes back.
 */
@Injectable()
export class BookingActionsService {
  constructor(@Inject(BookingsService) private readonly bookings: BookingsService) {}

  /** @throws NotFound, Conflict, ValidationFailed */
  pickUp(ctx: RequestContext, id: string, body: ReturnAsset): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      const { assetId, personId } = await lock(tx, id, 'booked', 'picked up');
      if (assetId !== null && personId === null) {
        throw invalid('personId', 'of the booking must be set: the asset is handed out to this person');
      }
      await refuseInTheWay(tx, id);
      const custom = await this.customValues(tx, body);
      await tx.db.write(write`UPDATE bookings SET status = 'out' WHERE id = ${id}`);
      // A holder who has it already keeps it.
      if (assetId !== null) {
        await tx.db.write(
          write`INSERT INTO asset_assignments (asset_id, person_id, person_name, person_email, due_at, custom_fields)
            SELECT b.asset_id, p.id, p.full_name, p.email, b.end_time, nullif(${custom}::jsonb, '{}')
            FROM bookings b JOIN people p ON p.id = b.person_id WHERE b.id = ${id} AND NOT EXISTS (
              SELECT FROM asset_assignments o WHERE o.asset_id = b.asset_id AND o.person_id = b.person_id AND o.returned_at IS NULL)`,
        );
      }
      return this.bookings.recordOn(tx, id);
    });
  }

  /** @throws NotFound, Conflict, ValidationFailed */
  return(ctx: RequestContext, id: string, body: ReturnAsset): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      const { assetId } = await lock(tx, id, 'out', 'returned');
      const custom = await this.customValues(tx, body);
      if (assetId !== null) {
        await tx.db.write(
          write`UPDATE asset_assignments SET returned_at = greatest(assigned_at, now()), updated_at = now(),
              custom_fields = merge_custom_fields(custom_fields, ${custom}::jsonb)
            WHERE asset_id = ${assetId} AND returned_at IS NULL`,
        );
      }
      await tx.db.write(write`UPDATE bookings SET status = 'ended' WHERE id = ${id} AND status = 'out'`);
      return this.bookings.recordOn(tx, id);
    });
  }

  /** @throws NotFound, Conflict */
  cancel(ctx: RequestContext, id: string): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      await lock(tx, id, 'booked', 'cancelled');
      await tx.db.write(write`UPDATE bookings SET status = 'cancelled' WHERE id = ${id}`);
      return this.bookings.recordOn(tx, id);
    });
  }

  /** The custom fields of an assignment as they are stored. @throws ValidationFailed */
  private async customValues(tx: InTransaction, body: object): Promise<string> {
    const custom = new References(tx);
    custom.add(ReturnAsset, body, '');
    const dangling = await custom.dangling(tx.db);
    if (dangling.length > 0) throw new ValidationFailed(dangling);
    const { [CUSTOM]: values = {} } = body as { [CUSTOM]?: CustomValues };
    return JSON.stringify(storedValues(tx.fields.of(AssetAssignment).fields, values));
  }
}

/**
 * Locks the person and the asset of a booking in this order, like handing out and deleting a person, and then the booking.
 * @throws NotFound, Conflict unless the booking has this status
 */
async function lock(tx: InTransaction, id: string, status: Booking['status'], done: string): Promise<Locked> {
  const booking = sql`bookings WHERE id = ${id}`;
  await tx.db.query(sql`SELECT FROM people WHERE id = (SELECT person_id FROM ${booking}) FOR KEY SHARE`);
  await tx.db.query(sql`SELECT FROM assets WHERE id = (SELECT record_id FROM ${booking}) FOR UPDATE`);
  const [found] = await tx.db.query<Locked>(
    sql`SELECT asset_id AS "assetId", person_id AS "personId", status FROM ${booking} FOR UPDATE`,
  );
  if (!found) throw new NotFound('Booking');
  if (found.status !== status) {
    throw new Conflict(new Fault('status', `is ${found.status}: only a booking that is ${status} can be ${done}`));
  }
  return found;
}

/** @throws Conflict if another booking starts before this one ends, or the booked asset has not come back */
async function refuseInTheWay(tx: InTransaction, id: string): Promise<void> {
  const isLive: Sql = sql`o.status IN ('booked', 'out')`;
  const [other] = await tx.db.query<{ text: string }>(
    sql`SELECT booking_text(o) AS text FROM bookings b JOIN bookings o ON o.record_id = b.record_id AND o.id <> b.id AND ${isLive}
      WHERE b.id = ${id} AND (o.status = 'out' OR (o.end_time > clock_timestamp() AND o.start_time < greatest(b.end_time, clock_timestamp())
        AND o.start_time <= greatest(b.start_time, clock_timestamp())))
      ORDER BY o.start_time LIMIT 1`,
  );
  if (other) throw new Conflict(new Fault('startTime', `is too early: ${other.text} stands in the way`));
}
