import { raw, sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { toTimestamp } from '../../fields/types/time.js';
import { WINDOW_TIME } from '../pending.js';

/** Both ends of an ISO 8601 time interval as an SQL range, which has no end; undefined for any other text. */
function rangeOf(text: string): string | undefined {
  const ends = text.split('/').map(toTimestamp);
  const [from, to] = ends;
  return ends.length === 2 && from && to && from < to ? `[${from},${to})` : undefined;
}

/** `during=2026-03-01/2026-03-02`: the windows of a day. A window without a start or an end is open on that side. */
export const during: ExtraFilter = {
  name: 'during',
  description:
    'The window is open at some time of the given ISO 8601 interval. A window without a start has begun, one without an end does not end, and one that ends at the first instant is not open',
  schema: { type: 'string', example: '2026-03-01T00:00:00Z/2026-03-02T00:00:00Z' },
  expects: 'two instants, the earlier one first, such as 2026-03-01T00:00:00Z/2026-03-02T00:00:00Z',
  parse: rangeOf,
  sqlType: 'tstzrange',
  sql: (range) => sql`${raw(WINDOW_TIME)} && ${range}`,
};
