import { flag, type Parameter } from '../lists/parameters/query-parameters.js';
import { recordSqlOf } from '../lists/record-sql.js';
import { ListQuery, type ListRequest } from '../lists/list-query.js';
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
const OF_LISTS = new Set(['page', 'pageSize', 'format', 'raw', 'expand']);

let query: ListQuery | undefined;

/** The query of the list of devices. Made on first use, when all entities are loaded. */
export const deviceQuery = (): ListQuery => (query ??= new ListQuery(recordSqlOf(Device) as never));

/** The parameters of the list of devices that narrow an output, and order it. */
export const deviceParameters = (without: readonly string[] = []): readonly Parameter<ListRequest>[] =>
  deviceQuery().parameters.filter(({ name }) => !OF_LISTS.has(name) && !without.includes(name));
