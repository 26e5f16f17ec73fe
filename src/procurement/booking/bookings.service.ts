import { raw, sql, where } from '../../database/sql.js';
import { instantText } from '../../fields/types/time.js';
import type { RequestContext } from '../../lists/request-context.js';
import { Conflict, Fault, invalid, ValidationFailed } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { MEDIA_TYPES, PAGING } from '../../lists/parameters/paging.js';
import { completed } from '../../lists/parameters/window.js';
import { requestConditions } from '../../lists/request-sql.js';
import { RecordService } from '../../records/record-service.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { BOOKED, Booking } from './booking.entity.js';
import { drawBookings, type PicturedBooking } from './bookings.picture.js';
import type { BookingsRequest } from './bookings.query.js';

type Fixed = Pick<Booking, 'id' | 'status' | (typeof BOOKED)[number]>;

/** Most bookings of a picture. */
const MOST_IN_PICTURE = 5000;

/** Bookings of assets and devices. The database prevents overlaps, and selects the asset of a category. */
@RecordService(Booking)
export class BookingsService extends ResourceService<Booking> {
  /** @throws DomainError not_acceptable, unavailable, ValidationFailed */
  listOrPicture(ctx: RequestContext, request: BookingsRequest): Promise<ListReply | SvgReply> {
    const { asPicture, from: _from, to: _to, ...list } = request;
    const format = asPicture ? 'svg' : list.format;
    if (wantsSvg(format, ctx.accept, Object.values(MEDIA_TYPES))) return this.picture(ctx, request);
    const faults = ['from', 'to']
      .filter((name) => list.given.has(name))
      .map((name) => new Fault(name, 'is for a picture, which `format=svg` asks for'));
    if (faults.length > 0) throw new ValidationFailed(faults);
    return this.list(ctx, list);
  }

  private async picture(ctx: RequestContext, request: BookingsRequest): Promise<SvgReply> {
    const paged = PAGING.find((name) => request.given.has(name));
    if (paged) throw invalid(paged, 'must not be given for a picture, which has no pages');
    const { from, to } = completed(request);
    const window = sql`tstzrange(${from}::timestamptz, ${to}::timestamptz)`;
    const conditions = [
      ...requestConditions(request, ctx.resource(Booking)),
      sql`t.status <> 'cancelled'`,
      sql`tstzrange(t.start_time, t.end_time) && ${window}`,
    ];
    const shown = (time: string): ReturnType<typeof raw> => raw(instantText(time));
    const found = await ctx.db.query<PicturedBooking>(
      sql`SELECT b."recordId", coalesce(a.name, d.name) AS name, coalesce(a.asset_tag, d.serial_number) AS telling,
          ${shown('lower(b.hours)')} AS "startTime", ${shown('upper(b.hours)')} AS "endTime", b.status, b.purpose, p.id AS "personId",
          p.full_name AS "fullName"
        FROM (
          SELECT t.id, t.record_id AS "recordId", t.asset_id, t.device_id, t.person_id, t.status, t.purpose,
            tstzrange(t.start_time, t.end_time) * ${window} AS hours
          FROM bookings t ${where(conditions)}
        ) b LEFT JOIN assets a ON a.id = b.asset_id LEFT JOIN devices d ON d.id = b.device_id LEFT JOIN people p ON p.id = b.person_id
        ORDER BY lower(b.hours), b.id LIMIT ${raw(MOST_IN_PICTURE + 1)}`.unprepared(),
    );
    if (found.length > MOST_IN_PICTURE) {
      throw invalid('to', `must be earlier for a picture, which has at most ${MOST_IN_PICTURE} bookings`);
    }
    return new SvgReply(drawBookings({ from, to, now: new Date().toISOString() }, found));
  }

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
