import { flag, type Parameter } from '../lists/parameters/query-parameters.js';
import type { ListQuery } from '../lists/list-query.js';
import type { ListRequest } from '../lists/list-request.js';
import type { RecordSql } from '../lists/record-sql.js';
import { NarrowedQuery } from '../lists/narrowed-query.js';
import { PAGING } from '../lists/parameters/paging.js';

/** The parameters of every output. */
export interface OutputRequest extends ListRequest {
  /** Whether to list the records that are left out instead. */
  problems: boolean;
}

export const PROBLEMS = flag<OutputRequest>(
  'problems',
  '`true`: instead of the output, a list of the records that are left out, with the reason, in one page',
  (request, value) => (request.problems = value),
);

/** Parameters of a list that do not apply to outputs. */
const OF_LISTS = [...PAGING, 'format', 'raw', 'expand'];

/** The parameters of an output. They may depend on the resource of the list. */
export type OwnParameters<R> = readonly Parameter<R>[] | ((resource: RecordSql) => readonly Parameter<R>[]);

/**
 * The query of an output. The parameters of a list select and sort its records.
 * @param list list of these records
 * @param parameters further parameters of the output
 * @param defaults of the further parameters
 * @param without further parameters of the list that do not apply
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
