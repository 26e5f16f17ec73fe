import { flag, type Parameter } from '../lists/parameters/query-parameters.js';
import type { ListQuery } from '../lists/list-query.js';
import type { ListRequest } from '../lists/list-request.js';
import type { RecordSql } from '../lists/record-sql.js';
import { NarrowedQuery } from '../lists/narrowed-query.js';
import { PAGING } from '../lists/parameters/paging.js';

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

/** Parameters of a list that an output has no use for. */
const OF_LISTS = [...PAGING, 'format', 'raw', 'expand'];

/** The parameters of an output, which may depend on the resource of the list. */
export type OwnParameters<R> = readonly Parameter<R>[] | ((resource: RecordSql) => readonly Parameter<R>[]);

/**
 * The query of an output, which the parameters of a list narrow, and order.
 * @param list that of what the output is made of
 * @param parameters its own
 * @param defaults of its own parameters
 * @param without further parameters of the list that it has no use for
 */
export const outputQuery = <R extends OutputRequest>(
  list: ListQuery,
  parameters: OwnParameters<R>,
  defaults: Omit<R, keyof ListRequest>,
  without: readonly string[] = [],
): NarrowedQuery<R> =>
  new NarrowedQuery(list, (resource) => ({
    parameters: typeof parameters === 'function' ? parameters(resource) : parameters,
    defaults,
    without: new Set([...OF_LISTS, ...without]),
  }));
