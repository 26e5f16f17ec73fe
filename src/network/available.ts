import { Conflict, Fault, invalid } from '../http/errors.js';
import { MAX_PAGE_SIZE } from '../lists/parameters/paging.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';

/** Most records that one request can allocate. */
export const MAX_ALLOCATED = 256;

const DEFAULT_SIZE = 50;

/** The parameter of operations that list what is available. */
export const AVAILABLE_SIZE = {
  name: 'pageSize',
  description: 'Entries to list: the first ones, in ascending order',
  schema: {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_SIZE,
    example: DEFAULT_SIZE,
  },
  many: false,
} as const;

/** Number of entries that a query string asks for. @throws ValidationFailed */
export function availableSize(query: RawQuery): number {
  for (const name of Object.keys(query)) {
    if (name !== AVAILABLE_SIZE.name) throw invalid(name, 'is not a known parameter. Only pageSize is');
  }
  const { pageSize } = query;
  if (pageSize === undefined) return DEFAULT_SIZE;
  const size = typeof pageSize === 'string' && /^\d{1,5}$/.test(pageSize) ? Number(pageSize) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) throw invalid('pageSize', `must be an integer between 1 and ${MAX_PAGE_SIZE}`);
  return size;
}

/** The refusal of a request that wants more than there is. */
export const tooFew = (field: string, one: string, many: string, wanted: number, found: number): Conflict =>
  new Conflict(
    new Fault(
      field,
      `must not exceed what is available: ${wanted} ${wanted === 1 ? one : many} wanted, ${found} available`,
    ),
  );
