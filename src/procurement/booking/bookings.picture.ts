import { drawTimeline } from '../../http/timeline/timeline.js';
import type { Window } from '../../lists/parameters/window.js';
import type { Booking } from './booking.entity.js';

/** A booking, cut to the window of a picture. */
export interface PicturedBooking extends Pick<
  Booking,
  'recordId' | 'startTime' | 'endTime' | 'status' | 'purpose' | 'personId'
> {
  /** Name of the booked record, with its distinguishing text. */
  name: string;
  telling: string | null;
  /** The person whom it is for. */
  fullName: string | null;
}

/** Booked assets and devices by day: a row for each, with a bar for each booking in the colour of its person. */
export function drawBookings(window: Window & { now: string }, bookings: readonly PicturedBooking[]): string {
  const names = new Map(bookings.map((one) => [one.recordId, one]));
  const uses = new Map<string, number>();
  for (const { name } of names.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return drawTimeline({
    ...window,
    of: 'Bookings',
    empty: 'Nothing is booked in this window',
    meanings: { gap: '', pale: '' },
    rows: [...names.values()].map(({ recordId, name, telling }) => ({
      name: uses.get(name)! > 1 && telling !== null ? `${name} (${telling})` : name,
      gaps: [],
      bars: bookings
        .filter((one) => one.recordId === recordId)
        .map(({ startTime, endTime, status, purpose, personId, fullName }) => ({
          startTime,
          endTime,
          who: fullName ?? purpose ?? 'Booked',
          what: [status, fullName === null ? null : purpose].filter(Boolean).join(', '),
          key: personId ?? 'nobody in particular',
        })),
    })),
  });
}
