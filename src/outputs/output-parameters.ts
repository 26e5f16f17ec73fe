import { flag, type Parameter } from '../lists/parameters/query-parameters.js';
import { listOf } from '../lists/list-query.js';
import type { ListRequest } from '../lists/list-request.js';
import { NarrowedQuery } from '../lists/narrowed-query.js';
import { Device } from '../network/device/device.entity.js';

/** What every output can be asked for. */
export interface OutputRequest extends ListRequest {
  /** Whether to list what is left out instead. */
  problems: boolean;
}

export const PROBLEMS = flag<OutputRequest>(
  'problems',
  '`true`: instead of the output, a list of the records that are left out, with the reason, in one page',
  (request, value) => (request.problems = value),
);

/** Parameters of the list of devices that an output has no use for. */
const OF_LISTS = ['page', 'pageSize', 'format', 'raw', 'expand'];

/**
 * The query of an output, which the parameters of the list of devices narrow, and order.
 * @param parameters its own
 * @param defaults of its own parameters
 * @param without further parameters of the list that it has no use for
 */
export const outputQuery = <R extends OutputRequest>(
  parameters: readonly Parameter<R>[],
  defaults: Omit<R, keyof ListRequest>,
  without: readonly string[] = [],
): NarrowedQuery<R> =>
  new NarrowedQuery(listOf(Device), () => ({ parameters, defaults, without: new Set([...OF_LISTS, ...without]) }));
