import { FILE, firstPage, PAGE, type PageRequest } from '../lists/parameters/paging.js';
import type { Parameter, RawQuery } from '../lists/parameters/query-parameters.js';

export interface DeliveriesRequest extends PageRequest {
  statuses: readonly string[];
}

const STATUSES = ['pending', 'succeeded', 'failed'];

const STATUS: Parameter<DeliveriesRequest> = {
  name: 'status',
  description: 'Only deliveries with one of these statuses',
  schema: { type: 'string', enum: STATUSES },
  enumName: 'DeliveryStatus',
  many: true,
  apply(request, raw) {
    request.statuses = raw;
    return raw.every((status) => STATUSES.includes(status)) ? undefined : `must be one of ${STATUSES.join(', ')}`;
  },
};

export const DELIVERY_PARAMETERS: readonly Parameter<DeliveriesRequest>[] = [...PAGE, ...FILE, STATUS];

export const newDeliveriesRequest = (query: RawQuery): DeliveriesRequest => ({ ...firstPage(query), statuses: [] });
