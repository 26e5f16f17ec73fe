import { Conflict, Fault } from '../http/errors.js';
import { MAX_PAGE_SIZE } from '../lists/parameters/paging.js';
import { type QueryOption, readOptions } from '../lists/parameters/query-options.js';
import * as parameters from '../lists/parameters/query-parameters.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';

/** Most records that one request can allocate. */
export const MAX_ALLOCATED = 256;

const DEFAULT_SIZE = 50;

/** The parameter of operations that list what is available. */
export const AVAILABLE_SIZE: QueryOption<number> = {
  ...parameters.integer(
    'pageSize',
    'Entries to list: the first ones, in ascending order',
    { min: 1, max: MAX_PAGE_SIZE, default: DEFAULT_SIZE },
    (values: Record<string, unknown>, size) => (values.pageSize = size),
  ),
  fallback: DEFAULT_SIZE,
};

/** Number of entries that a query string asks for. @throws ValidationFailed */
export const availableSize = (query: RawQuery): number => readOptions({ pageSize: AVAILABLE_SIZE }, query).pageSize;

/** The refusal of a request for more than is available. */
export const tooFew = (field: string, one: string, many: string, wanted: number, found: number): Conflict =>
  new Conflict(
    new Fault(
      field,
      `must not exceed what is available: ${wanted} ${wanted === 1 ? one : many} wanted, ${found} available`,
    ),
  );
