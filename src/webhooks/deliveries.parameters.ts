import { FILE, firstPage, PAGE, type PageRequest } from '../lists/parameters/paging.js';
import { choice, type Parameter, type RawQuery } from '../lists/parameters/query-parameters.js';
import { words } from '../lists/parameters/words.js';

/** What deliveries are sorted by, as columns. */
const SORTS = {
  createdAt: 'created_at',
  deliveredAt: 'delivered_at',
  nextAttemptAt: 'next_attempt_at',
  status: 'status',
  attempts: 'attempts',
  type: 'type',
  resource: 'resource',
  responseStatus: 'response_status',
  durationMs: 'duration_ms',
} as const;

export interface DeliveriesRequest extends PageRequest {
  statuses: readonly string[];
  /** Column that they are sorted by. */
  sort: (typeof SORTS)[keyof typeof SORTS];
  order: 'asc' | 'desc';
}

const STATUSES = ['pending', 'succeeded', 'failed'];

const STATUS = words<DeliveriesRequest, string>(
  'status',
  'DeliveryStatus',
  'Only deliveries with one of these statuses',
  STATUSES,
  (request, given) => void (request.statuses = given),
);

const SORT = choice<DeliveriesRequest, keyof typeof SORTS>(
  'sort',
  'DeliverySort',
  'Field to sort by; deliveries that are equal in it are sorted by the time of their creation',
  Object.keys(SORTS) as (keyof typeof SORTS)[],
  (request, field) => (request.sort = SORTS[field]),
);

const ORDER = choice<DeliveriesRequest, 'asc' | 'desc'>(
  'order',
  'SortOrder',
  'Sort direction. Nulls come last ascending and first descending',
  ['asc', 'desc'],
  (request, order) => (request.order = order),
);

export const DELIVERY_PARAMETERS: readonly Parameter<DeliveriesRequest>[] = [...PAGE, ...FILE, STATUS, SORT, ORDER];

/** The latest first, unless the request sorts them. */
export const newDeliveriesRequest = (query: RawQuery): DeliveriesRequest => ({
  ...firstPage(query),
  statuses: [],
  sort: 'created_at',
  order: 'sort' in query ? 'asc' : 'desc',
});
