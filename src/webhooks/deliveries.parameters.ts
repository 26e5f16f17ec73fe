import { FILE, firstPage, PAGE, type PageRequest } from '../lists/parameters/paging.js';
import type { Parameter, RawQuery } from '../lists/parameters/query-parameters.js';
import { words } from '../lists/parameters/words.js';

export interface DeliveriesRequest extends PageRequest {
  statuses: readonly string[];
}

const STATUSES = ['pending', 'succeeded', 'failed'];

const STATUS = words<DeliveriesRequest, string>(
  'status',
  'DeliveryStatus',
  'Only deliveries with one of these statuses',
  STATUSES,
  (request, given) => void (request.statuses = given),
);

export const DELIVERY_PARAMETERS: readonly Parameter<DeliveriesRequest>[] = [...PAGE, ...FILE, STATUS];

export const newDeliveriesRequest = (query: RawQuery): DeliveriesRequest => ({ ...firstPage(query), statuses: [] });
