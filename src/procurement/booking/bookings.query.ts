import { listOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { NarrowedQuery } from '../../lists/narrowed-query.js';
import { FILE_OR_PICTURE } from '../../lists/parameters/paging.js';
import { type Window, WINDOW } from '../../lists/parameters/window.js';
import { Booking } from './booking.entity.js';

export interface BookingsRequest extends ListRequest, Window {
  /** True: the list as a picture. */
  asPicture: boolean;
}

/** The list of bookings, which can be a picture of a window. */
export const bookingList = new NarrowedQuery<BookingsRequest>(listOf(Booking), () => ({
  parameters: [],
  filters: [FILE_OR_PICTURE, ...WINDOW],
  defaults: { asPicture: false, from: '', to: '' },
  without: new Set(),
}));
